"""A language is its pack and one grammar file: German and Kazakh are added to a copy of the package, and no other file is touched."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import benchbar

PACKAGE = Path(benchbar.__file__).parent
TESTS = Path(__file__).parents[1]
WORDS = "der die das und in den von zu mit sich des auf für ist im dem nicht ein eine auch es an werden aus er wird bei einer"
GRAMMAR = '''"""Citations of one form, as far as the test of a language needs them."""

import re

from benchbar.law.mention import Mention

PARAGRAPHS = "numbers"


def extract_mentions(text, known):
    for found in re.finditer(r"@form", text):
        yield Mention(span=found.span(), text=found[0], language="@tag", law=found["law"], article=found["article"])


def cite(name, short_names, number, sub):
    return f"@cited" if number else name
'''
GERMAN = f"""
name = "Deutsch"
english = "German"
letters = "[A-Za-zÄÖÜäöüß]"
reading_speed = 179.0
citations = "§"
stemmer = "german"
common = "{WORDS}"
common_share = 0.12
"""
GERMAN_EXAMPLES = """
text = "Der Mieter kann die Kaution nach dem Ende der Miete von dem Vermieter verlangen; eine Frist ist in dem Vertrag nicht vereinbart."
sentences = ["Die Kaution ist fällig.", "Ist das richtig?"]
[numbers]
"21" = 21
[quantities]
[[citations]]
text = "Das folgt aus § 433 BGB."
law = "BGB"
article = "433"
"""
# Of the script of Russian, with letters that Russian has not.
KAZAKH = """
name = "Қазақша"
english = "Kazakh"
letters = "[\\u0400-\\u04ff]"
reading_speed = 170.0
citations = "ба[бп]"
common = "және бұл үшін мен бен пен осы бір болып деп ол оның жоқ бар егер немесе сол кейін дейін туралы бойынша ретінде"
"""
KAZAKH_EXAMPLES = """
text = "Жалға алушы кепілақыны қайтаруды талап ете алады, егер шарт бұл туралы басқа мерзім белгілемесе және үй-жай қайтарылған болса."
sentences = ["Кепілақы қайтарылады.", "Бұл дұрыс па?"]
[numbers]
"21" = 21
[quantities]
[[citations]]
text = "Бұл Азаматтық кодекстің 540-бабынан шығады."
law = "Азаматтық кодекс"
article = "540"
"""
FORMS = {
    "de": (GERMAN, GERMAN_EXAMPLES, r"§ (?P<article>\d{1,4}) (?P<law>[A-Z]{2,5})", "§ {number} {name}"),
    "kk": (
        KAZAKH,
        KAZAKH_EXAMPLES,
        r"(?P<law>\w{2,15} кодекс)тің (?P<article>\d{1,4})-баб\w{0,6}",
        "{name}тің {number}-бабы",
    ),
}
"""Tag to its data, the example sentences, and the form of its citations, as read and as written."""


def linked(source: Path, copy: Path, *own: str) -> None:
    """A folder whose entries lead to those of the source, except the subfolders of these names, which it has itself."""
    copy.mkdir()
    for entry in source.iterdir():
        if entry.name not in {*own, "__pycache__"}:
            (copy / entry.name).symlink_to(entry)
    for name in own:
        linked(source / name, copy / name)


def add(package: Path, tag: str) -> None:
    """A pack, which is the English one with the data of a language, and its grammar."""
    about, examples, form, cited = FORMS[tag]
    own = package / "languages" / tag
    linked(PACKAGE / "languages" / "en", own)
    survey = (own / "survey.toml").read_text("utf-8").replace('language = "en"', f'language = "{tag}"')
    reasons = (PACKAGE / "languages" / "ru" / "reasons.toml").read_text("utf-8")
    own_texts = {"pack.toml": about, "examples.toml": examples, "survey.toml": survey, "reasons.toml": reasons}
    for name, text in own_texts.items():
        (own / name).unlink()
        (own / name).write_text(text, "utf-8")
    grammar = GRAMMAR.replace("@form", form).replace("@tag", tag).replace("@cited", cited)
    (package / "law" / f"citations_{tag}.py").write_text(grammar, "utf-8")


@pytest.fixture(scope="module")
def with_more(tmp_path_factory) -> dict[str, str]:
    """The environment of a process whose Benchbar knows German and Kazakh."""
    place = tmp_path_factory.mktemp("package")
    linked(PACKAGE, place / "benchbar", "languages", "law")
    for tag in FORMS:
        add(place / "benchbar", tag)
    return {**os.environ, "PYTHONPATH": os.pathsep.join((str(place), str(TESTS)))}


@pytest.mark.slow
def test_a_pack_and_a_grammar_pass_the_examination_of_languages(with_more):
    """Every test of packs that is made for each language holds for the new one and for those there were."""
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-n",
        "0",
        "-p",
        "no:cacheprovider",
        "-k",
        "de] or kk] or ru] or en]",
    ]
    done = subprocess.run(
        [*command, str(TESTS / "languages" / "test_packs.py")],
        env=with_more,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-3000:]


def test_texts_and_commands_know_the_new_language(with_more, tmp_path):
    """Languages of one script are told by their common words, or by their letters, and a report is made in the new one."""
    code = """
from benchbar.languages.text import detect_language, doubt_of, root_language
print(detect_language("Договор аренды"), detect_language("Жалға беру шарты"), detect_language("Согласно ГК РФ (Civil Code)"),
      detect_language("Арендатор не вернул помещение"), detect_language("Жалға беруші кепілақыны қайтармаса не істеу керек"))
print(detect_language("Der Vermieter hat die Kaution nicht zurückgezahlt."),
      detect_language("The landlord did not pay back the deposit."), detect_language("押金不予退还。"),
      detect_language("Lease 2024"), root_language("Consumer Rights Act 2015"), root_language("Gesetz über den Vertrag"),
      doubt_of("Ο εκμισθωτής δεν επέστρεψε την εγγύηση στον μισθωτή ποτέ", "de") != "")
"""
    told = subprocess.run([sys.executable, "-c", code], env=with_more, capture_output=True, text=True, check=True)
    assert told.stdout.split() == ["ru", "kk", "ru", "ru", "kk", "de", "en", "zh", "en", "en", "de", "True"]
    words = [
        "run",
        "--suite",
        "model-jurisdiction-en",
        "--limit",
        "1",
        "--language",
        "de",
        "--out",
        str(tmp_path / "run"),
        "--quiet",
    ]
    done = subprocess.run(
        [sys.executable, "-m", "benchbar", *words], env=with_more, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr

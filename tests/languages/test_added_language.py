"""A language is its pack and one grammar file: German is added to a copy of the package, and no other file is touched."""

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
GRAMMAR = '''"""Citations such as § 433 BGB, as far as the test of a language needs them."""

import re

from benchbar.law.mention import Mention

PARAGRAPHS = "numbers"


def extract_mentions(text, known):
    for found in re.finditer(r"§ (?P<article>\\d{1,4}) (?P<law>[A-Z]{2,5})", text):
        yield Mention(span=found.span(), text=found[0], language="de", law=found["law"], article=found["article"])


def cite(name, short_names, number, sub):
    return f"§ {number} {name}" if number else name
'''
ABOUT = f"""
name = "Deutsch"
english = "German"
letters = "[A-Za-zÄÖÜäöüß]"
reading_speed = 179.0
citations = "§"
stemmer = "german"
common = "{WORDS}"
common_share = 0.12
"""
EXAMPLES = """
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


def linked(source: Path, copy: Path, *own: str) -> None:
    """A folder whose entries lead to those of the source, except the subfolders of these names, which it has itself."""
    copy.mkdir()
    for entry in source.iterdir():
        if entry.name not in {*own, "__pycache__"}:
            (copy / entry.name).symlink_to(entry)
    for name in own:
        linked(source / name, copy / name)


@pytest.fixture(scope="module")
def with_german(tmp_path_factory) -> dict[str, str]:
    """The environment of a process whose Benchbar knows German: the pack is the English one with the data of a language."""
    place = tmp_path_factory.mktemp("package")
    linked(PACKAGE, place / "benchbar", "languages", "law")
    own = place / "benchbar" / "languages" / "de"
    linked(PACKAGE / "languages" / "en", own)
    for name, text in (("pack.toml", ABOUT), ("examples.toml", EXAMPLES)):
        (own / name).unlink()
        (own / name).write_text(text, "utf-8")
    survey = (own / "survey.toml").read_text("utf-8")
    reasons = (PACKAGE / "languages" / "ru" / "reasons.toml").read_text("utf-8")
    for name, text in (
        ("survey.toml", survey.replace('language = "en"', 'language = "de"')),
        ("reasons.toml", reasons),
    ):
        (own / name).unlink()
        (own / name).write_text(text, "utf-8")
    (place / "benchbar" / "law" / "citations_de.py").write_text(GRAMMAR, "utf-8")
    return {**os.environ, "PYTHONPATH": os.pathsep.join((str(place), str(TESTS)))}


@pytest.mark.slow
def test_a_pack_and_a_grammar_pass_the_examination_of_languages(with_german):
    """Every test of packs that is made for each language holds for the new one and for those there were."""
    command = [sys.executable, "-m", "pytest", "-q", "-n", "0", "-p", "no:cacheprovider", "-k", "de] or en]"]
    done = subprocess.run(
        [*command, str(TESTS / "languages" / "test_packs.py")],
        env=with_german,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-3000:]


def test_texts_and_commands_know_the_new_language(with_german, tmp_path):
    """Languages of one script are told by their common words, and a report is made in the new one."""
    code = """
from benchbar.languages.text import detect_language, doubt_of, root_language
print(detect_language("Der Vermieter hat die Kaution nicht zurückgezahlt."),
      detect_language("The landlord did not pay back the deposit."), detect_language("押金不予退还。"),
      detect_language("Lease 2024"), root_language("Consumer Rights Act 2015"), root_language("Gesetz über den Vertrag"),
      doubt_of("Ο εκμισθωτής δεν επέστρεψε την εγγύηση στον μισθωτή ποτέ", "de") != "")
"""
    told = subprocess.run([sys.executable, "-c", code], env=with_german, capture_output=True, text=True, check=True)
    assert told.stdout.split() == ["de", "en", "zh", "en", "en", "de", "True"]
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
        [sys.executable, "-m", "benchbar", *words], env=with_german, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr

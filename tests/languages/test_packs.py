"""The examination of a language: every pack that is found has what every other one has."""

from __future__ import annotations

import re
from string import Formatter, Template

import pytest

from benchbar.languages.packs import Pack, known, labels, matched, pack, pack_of
from benchbar.records.errors import UserError
from benchbar.survey.questionnaire import questionnaire_of, template

AREAS = ("report", "web", "words", "contract")
every_pack = pytest.mark.parametrize("language", known())
every_area = pytest.mark.parametrize("area", AREAS)


def fields(text: str) -> list[str]:
    return sorted(name for _, name, _, _ in Formatter().parse(text) if name is not None)


def files_of(one: Pack) -> set[str]:
    def below(folder, path):
        for entry in folder.iterdir():
            if entry.is_dir() and not entry.name.startswith("__"):
                yield from below(entry, f"{path}{entry.name}/")
            elif entry.name.endswith((".toml", ".md")):
                yield path + entry.name

    return set(below(one.folder, ""))


@every_pack
def test_a_pack_has_the_files_of_the_english_one(language):
    """No prompt, catalogue or template is missing, and none is there that nothing reads."""
    assert files_of(pack(language)) == files_of(pack("en"))


@every_area
@every_pack
def test_a_pack_says_the_same_things_with_the_same_fields(language, area):
    """A text that is missing, or lost a field, would show on a page."""
    english, own = labels("en", area).texts, labels(language, area).texts
    assert own.keys() == english.keys()
    for key, text in own.items():
        assert fields(text) == fields(english[key]), key
        assert text.strip(), key


@every_area
@every_pack
def test_labels_hold_no_markup(language, area):
    """Pages escape what they are given: a tag in a label would be read as text."""
    for key, text in labels(language, area).texts.items():
        assert not re.search(r"</?[a-z]|&[a-z]+;", text), key


@every_pack
def test_prompts_have_the_fields_of_the_english_ones(language):
    """Whatever a prompt is given in English, it says in every language."""
    for file in sorted(files_of(pack("en"))):
        if file.startswith("prompts/"):
            own, english = (Template(pack(one).text(file)) for one in (language, "en"))
            assert own.is_valid(), file
            assert set(own.get_identifiers()) == set(english.get_identifiers()), file


@every_pack
def test_the_questionnaire_asks_the_same_in_every_language(language):
    """Answers in two languages are counted together: ids, kinds and numbers of options are the same."""

    def shape(found):
        return (
            [(one.id, one.kind, len(one.options)) for one in found.background],
            [(one.id, [(use.id, use.origin) for use in one.use_cases]) for one in found.scenarios],
        )

    own = questionnaire_of(template(language), f"{language}.toml")
    assert own.language == language
    assert shape(own) == shape(questionnaire_of(template("en"), "en.toml"))


@every_pack
def test_a_pack_says_what_it_is_called(language):
    """The switch of languages shows each by its own name."""
    about = pack(language).about
    assert about.name
    assert about.english
    assert sum(pack(one).about.name == about.name for one in known()) == 1
    assert all(matched(tag) == language for tag in (language, language.lower(), *about.also))


def test_the_languages_of_the_first_version_are_known():
    """English stands first: it is what the others are compared with."""
    assert known()[0] == "en"
    assert {"en", "ru", "zh"} <= set(known())


@pytest.mark.parametrize(("tag", "language"), [("EN-gb", "en"), ("zh-CN", "zh"), ("zh_Hans_CN", "zh"), ("ru-RU", "ru")])
def test_a_region_means_its_language(tag, language):
    """Browsers, spreadsheets and users write tags in many forms."""
    assert matched(tag) == language


def test_an_unknown_language_is_refused_where_it_was_named_and_english_elsewhere():
    """A user who asks for German is told what there is; a suite in Kazakh still gets a report."""
    with pytest.raises(UserError, match="'de' is not known; known: en, ru, zh"):
        pack_of("de")
    assert labels("kk").language == "en"


def test_what_is_filled_in_is_not_read_as_a_template():
    """Braces in a name stay braces."""
    assert "{reference.__class__}" in labels("en")("verdict.better", name="{reference.__class__}", reference="b")

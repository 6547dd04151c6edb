"""The examination of a language: every pack that is found has what every other one has."""

from __future__ import annotations

import ast
import re
from importlib.resources import files
from string import Formatter, Template

import msgspec
import pytest

from benchbar.contracts.cues import CUES
from benchbar.contracts.form import write_form
from benchbar.contracts.parse import read_review
from benchbar.contracts.patterns import pattern
from benchbar.decisions.estimating import Evidence
from benchbar.decisions.explaining import reason_text
from benchbar.decisions.gate import decide
from benchbar.decisions.policy import Policy
from benchbar.languages.numerals import parse_number
from benchbar.languages.packs import Pack, known, labels, matched, pack, pack_of
from benchbar.languages.quantities import quantities
from benchbar.languages.reasons import reason_in
from benchbar.languages.text import detect_language, folded, sentences
from benchbar.law.citations import extract, grammar
from benchbar.measures.health import POSITION_ONLY, UNEVEN
from benchbar.records import Category, Guidance, GuidancePoint, PointKind
from benchbar.records.contracts import Finding, RiskLevel
from benchbar.records.errors import UserError
from benchbar.records.measures import MeasureDefinition
from benchbar.records.toml import read_toml
from benchbar.statistics import macro_win_rate, pearson
from benchbar.suites.authoring.annotation import guidance_as_text
from benchbar.suites.guidance_text import read_guidance
from benchbar.survey.questionnaire import questionnaire_of, template

AREAS = ("report", "web", "words", "contract", "reasons")
every_pack = pytest.mark.parametrize("language", known())
every_area = pytest.mark.parametrize("area", AREAS)


def fields(text: str) -> list[str]:
    # A field with forms of a word, {n:sample|samples}, says nothing of its own; languages need different ones of them.
    return sorted(name for _, name, form, _ in Formatter().parse(text) if name is not None and "|" not in (form or ""))


class Examples(msgspec.Struct, forbid_unknown_fields=True):
    """What a pack's ``examples.toml`` holds."""

    text: str
    sentences: list[str]
    numbers: dict[str, float]
    quantities: dict[str, tuple[float, str]]
    citations: list[dict[str, str]]


def examples(language: str) -> Examples:
    return read_toml(pack(language).folder / "examples.toml", Examples)


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
    prompts = sorted(file for file in files_of(pack("en")) if file.startswith("prompts/"))
    assert prompts
    for file in prompts:
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
def test_the_language_of_a_text_is_found(language):
    """Runs, citations and reviews ask the text itself, wherever nobody named its language."""
    assert detect_language(examples(language).text) == language


@every_pack
def test_sentences_are_told_apart(language):
    """What stands between two of them, a space or nothing, is the language's own."""
    wanted = examples(language).sentences
    text = (" " if pack(language).about.spaces else "").join(wanted)
    assert [text[start:end] for start, end in sentences(text, language)] == wanted


@every_pack
def test_numbers_and_quantities_are_read(language):
    """Rules compare sums and spans by their value: words and digits are the same."""
    found = examples(language)
    for text, value in found.numbers.items():
        assert parse_number(text) == value, text
    for text, (value, unit) in found.quantities.items():
        assert [(one.value, one.unit, one.text) for one in quantities(text)] == [(value, unit, text)]


@every_pack
def test_citations_are_read(language):
    """The grammar named like the pack's folder reads the language's citations, told by their script and when named."""
    for wanted in examples(language).citations:
        fields = {key: value for key, value in wanted.items() if key != "text"}
        for named in (language, None):
            found = extract(wanted["text"], named)
            assert [{key: getattr(one, key) for key in fields} for one in found] == [fields], wanted["text"]
            assert {one.language for one in found} == {language}
            assert all(wanted["text"][slice(*one.span)] == one.text for one in found)


@every_pack
def test_what_the_grammar_writes_it_reads(language):
    """An assistant's own citations are found again when its answer is checked."""
    law = next(one["law"] for one in examples(language).citations if one.get("law"))
    (found,) = extract(grammar(language).cite(law, (), "12", ""), language)
    assert found.article == "12"


@every_pack
@pytest.mark.parametrize("level", RiskLevel)
def test_a_review_reads_back(language, level):
    """The form that prompts ask for in a language is the one that the parser reads."""
    clause = examples(language).text
    given = Finding(risk="1", level=level, evidence=clause, analysis="2", law="3", suggestion="4", confidence=0.5)
    reading = read_review(write_form([given], language))
    assert reading.level is level
    assert reading.complete
    assert (reading.findings[0].evidence, reading.confidence) == (clause, 0.5)


@every_pack
def test_the_form_of_a_review_names_the_parts(language):
    """Every line of the prompt's form begins with a label that is read."""
    form = re.findall(r"(?m)^- ([^:：]+)[:：]", pack(language).text("prompts/review_form.md"))
    names = labels(language, "contract").section("form")
    assert form == [
        names[part] for part in ("risk", "level", "evidence", "analysis", "law", "suggestion", "confidence")
    ]


@every_pack
def test_guidance_that_is_written_reads_back(language):
    """Labels of annotators' sheets are labels of guidance."""
    points = tuple(
        GuidancePoint(id=f"p{n}", category=one, text=f"x{n}", kind=PointKind.SEMANTIC) for n, one in enumerate(Category)
    )
    text = guidance_as_text(Guidance(points=points, text=""), language)
    assert [point.category for point in read_guidance(text).guidance.points] == list(Category)


@every_pack
def test_wordings_of_clauses_are_bounded_patterns(language):
    """Each compiles as a rule's pattern does: no repetition without bound, whatever a contract holds."""
    wordings = labels(language, "cues").section("wording")
    assert wordings.keys() == {cue.name for cue in CUES}
    for wording in wordings.values():
        assert pattern(wording).search("") is None


@every_pack
def test_patterns_are_bounded(language):
    """A reply of any length costs time in proportion to it."""
    english = labels("en", "patterns").texts
    own = labels(language, "patterns").texts
    assert own.keys() == english.keys()
    for key, text in own.items():
        assert re.compile(text).search("") is None, key
        assert not re.search(r"[*+]", re.sub(r"\\.|\[[^\]]*\]", "", text)), key


@every_pack
def test_a_simulated_user_says_nothing_that_guards_would_take_for_a_fact(language):
    """No number stands in what a temperament adds, and a rambling user has asides enough not to repeat itself."""
    words = labels(language, "words").section("temperament")
    for key, text in words.items():
        assert not re.search(r"\d", text), key
        assert not quantities(text), key
    asides = words["asides"].splitlines()
    assert len(asides) == len(set(asides)) >= 7


@every_pack
def test_characters_of_variants_stand_for_one_another(language):
    """Folding keeps every offset, and no character tells both of two variants."""
    for own, others in (pack(language).about.folding, pack(language).about.folding_shared):
        assert len(own) == len(others) == len(set(own))
        assert folded(own) == others
    own, others = pack(language).about.folding
    assert not set(own) & set(others)


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
    with pytest.raises(UserError, match="'de' is not known; known: en, "):
        pack_of("de")
    assert labels("kk").language == "en"


@pytest.mark.parametrize(
    ("more", "said"),
    [(1, "a pass needs 1 more sample without a breach"), (2, "a pass needs 2 more samples without a breach")],
)
def test_a_noun_follows_its_number(more, said):
    """One sample, two samples; numbers that a page has laid out are texts."""
    say = labels("en", "report")
    assert say("gate_reason.more_clean", more=more) == say("gate_reason.more_clean", more=str(more)) == said


@pytest.mark.parametrize(
    ("count", "form"),
    [
        (1, "оценка"),
        (3, "оценки"),
        (5, "оценок"),
        (11, "оценок"),
        (12, "оценок"),
        (21, "оценка"),
        (24, "оценки"),
        (0, "оценок"),
    ],
)
def test_a_russian_noun_has_three_forms(count, form):
    """21 is counted as 1, 24 as 4, and 11 to 14 are not."""
    said = labels("ru", "report")("brief.people", count=count, names="a")
    assert said.startswith(f"Люди: {count} {form}: ")


def test_what_is_filled_in_is_not_read_as_a_template():
    """Braces in a name stay braces."""
    assert "{reference.__class__}" in labels("en")("verdict.better", name="{reference.__class__}", reference="b")


def reasons_in_code() -> set[str]:
    """Every constant text that code of statistics and measures gives as the reason of an estimate."""
    found = set()
    rooms = files("benchbar")
    for name in ("statistics/means", "statistics/proportions", "statistics/winrate", "statistics/macro", "measures/results",
                 "statistics/betting", "statistics/marked", "statistics/asymptotic", "statistics/resampling",
                 "statistics/correlation", "measures/registry", "measures/question_answering", "measures/review_metrics",
                 "records/results", "records/ablation"):  # fmt: skip
        for node in ast.walk(ast.parse(rooms.joinpath(f"{name}.py").read_text("utf-8"))):
            if isinstance(node, ast.Call):
                called = ast.unparse(node.func)
                given = [one.value for one in node.keywords if one.arg == "reason"]
                given += node.args[:1] if called == "undefined" else node.args[1:2] if called == "self._ratio" else []
                found |= {
                    part.value
                    for one in given
                    for part in ast.walk(one)
                    if isinstance(part, ast.Constant) and part.value
                }
            if isinstance(node, ast.FunctionDef) and node.name == "_no_interval":
                found |= {one.value.value for one in ast.walk(node) if isinstance(one, ast.Return) and one.value.value}
    return {text for text in found if isinstance(text, str) and " " in text.strip()}


@pytest.mark.parametrize("language", [one for one in known() if one != "en"])
def test_every_reason_for_a_missing_number_is_said_in_every_language(language):
    """What code gives as a constant is found by its English text; composed ones with what they name."""
    # Parts of composed texts, which the composed cases below stand for.
    composed = {" and the ", "; ", " pairs; at least ", " are needed", " values are all equal", " values are too few for an"
                " interval of this quantile", " of the resamples: no interval can be given"}  # fmt: skip
    constant = {text for text in reasons_in_code() - composed if not text.startswith(" ") and not text.endswith(" ")}
    assert "a single unit: no interval can be given" in constant
    assert len(constant) >= 20
    for text in (*constant, POSITION_ONLY, UNEVEN):
        assert reason_in(text, language) not in {text, ""}, text
    macro = macro_win_rate({"1-1": [None], "1-2": [1.0]}, clusters={"1-2": ["a"]}).these_tasks.reason
    assert "1-1" in reason_in(macro, language)
    for text in (macro, pearson([1.0], [2.0]).reason, pearson([1.0] * 5, [1.0] * 5).reason):
        assert not re.search("[a-z]{4}", reason_in(text, language)), text


def told_of_citations() -> set[str]:
    """Every text that code of the law room gives as the reason of a citation's status, its fields filled with a number."""
    found = set()
    for name in (
        "absence",
        "editions",
        "resolve",
        "pinpoints",
        "own_dates",
        "recognition",
        "transitional",
        "claims/checking",
    ):
        tree = ast.parse(files("benchbar").joinpath(f"law/{name}.py").read_text("utf-8"))
        docstrings = {
            node.body[0].value
            for node in ast.walk(tree)
            if isinstance(node, ast.Module | ast.FunctionDef | ast.ClassDef) and isinstance(node.body[0], ast.Expr)
        }
        parts = {part for node in ast.walk(tree) if isinstance(node, ast.JoinedStr) for part in node.values}
        for node in ast.walk(tree):
            if isinstance(node, ast.JoinedStr):
                text = "".join(str(one.value) if isinstance(one, ast.Constant) else "7" for one in node.values)
            elif isinstance(node, ast.Constant) and isinstance(node.value, str) and node not in docstrings | parts:
                text = node.value
            else:
                continue
            # Patterns and names of the law room are no sentences in English.
            if re.match(r"[a-z(7]", text) and text.count(" ") >= 2 and not re.search(r"[\\|\[<_]", text):
                found.add(text)
    return found


@pytest.mark.parametrize("language", [one for one in known() if one != "en"])
def test_why_a_citation_has_its_status_is_said_in_every_language(language):
    """Each text in the code of the law room is known to the packs, and so are texts within texts."""
    told = told_of_citations()
    assert "the law has no such article" in told
    assert len(told) >= 50
    # Composed of a number and a noun, or of a word and a day: the wholes stand below.
    composed = {
        "the article has 7 77",
        "the corpus holds all laws of this kind, and none of this name7",
        "the text at hand of this article was in force 7; the corpus has none of that day",
    }
    wholes = {
        f"the article has {many}" for many in ("1 paragraph", "3 paragraphs", "1 subsection", "3 subsections")
    } | {f"the text at hand of this article was in force {when} 2020-01-01" for when in ("from", "until")}
    assert composed < told
    for text in (told - composed) | wholes:
        assert not re.search("[a-z]{4}", reason_in(text, language)), text
    nested = "the law has no such article, but it is not certain that 民法典 is meant; the nearest is 民法典"
    assert not re.search("[a-z]{4}", reason_in(nested, language))
    assert reason_in(nested, language).count("民法典") == 2


def test_a_reason_that_no_pack_knows_stands_as_it_is():
    """A scoring rule from outside may say what it likes, and so may an older run."""
    assert reason_in("the moon was full", "ru") == "the moon was full"
    assert reason_in("nothing was measured", "en") == "nothing was measured"


def test_a_gate_says_in_the_readers_language_why_there_is_no_interval():
    """A measure in seconds that was always the same has no interval."""
    declared = {"pace": MeasureDefinition(name="pace", unit="seconds", better="lower", label="pace")}
    values = {"pace": {f"s{i}": 2.0 for i in range(40)}}
    (check,) = decide(Policy(at_most={"pace": 3}), {"a": Evidence(values, declared=declared)}).checks
    assert "no spread among the values" in reason_text(check, "en")
    assert "数值没有离散" in reason_text(check, "zh")
    assert "нет разброса" in reason_text(check, "ru")

"""Law that somebody made up is named as such wherever it appears, in the reader's language, and nothing it verifies is green."""

from __future__ import annotations

import io
import json
import re

import docx
import msgspec
import pytest
from click.testing import CliRunner

import benchbar
from benchbar.artefacts.folder import read_results
from benchbar.assistants.answer_docx import write_docx
from benchbar.cli.main import cli
from benchbar.languages.packs import known, labels
from benchbar.law.invented import INVENTED_JURISDICTIONS
from benchbar.records.rag import RagResults
from benchbar.reports.terminal import notes
from benchbar.retrieval.corpus import CorpusIndex
from benchbar.suites.load import load
from support.page import Page
from web.conftest import run_command

COUNTRY = "澜海共和国"
NAMED = {"en": "Republic of Lanhai", "zh": COUNTRY, "zh-Hant": "瀾海共和國", "ru": "Республика Ланьхай"}
"""The same country as each language calls it."""
LEADS = {"en": "INVENTED LAW", "zh": "虚构的法律", "zh-Hant": "虛構的法律", "ru": "ВЫМЫШЛЕННОЕ ПРАВО"}
LAW = {name: load(f"model-jurisdiction-{name}").folder / "law" for name in ("zh", "ru", "en")}


def asked(owner, path: str, language: str) -> str:
    owner.client.cookies.set("benchbar_language", language, domain="localhost.local")
    return owner.get(path).text


def told_of(country: str, language: str) -> str:
    return labels(language, "report")("how.invented_law", name=country)


@pytest.mark.parametrize("language", LEADS)
def test_the_pages_of_a_run_say_it(owner, graded, language):
    """The run, its samples, one of them, the decision, its DOCX, and a comparison."""
    run = f"/runs/{graded.name}"
    sample = next(iter(Page(owner.get(f"{run}/samples").text).all("input", name="sample"))).attributes["value"]
    compared = f"/compare?first={graded.name}&second={graded.name}"
    for path in (run, f"{run}/samples", f"{run}/samples/{sample}", f"{run}/decision", compared):
        page = asked(owner, path, language)
        assert told_of(NAMED[language], language) in page, path
    document = docx.Document(io.BytesIO(owner.client.get(f"{run}/decision.docx").content))
    assert [one.text for one in document.paragraphs if told_of(NAMED[language], language) in one.text]


def test_a_valid_citation_of_it_is_not_green(owner, graded):
    """Neither in the reply nor in the list below it, and the words beside it do not call it in force without more."""
    samples = Page(owner.get(f"/runs/{graded.name}/samples").text).all("input", name="sample")
    pages = [owner.get(f"/runs/{graded.name}/samples/{one.attributes['value']}").text for one in samples]
    marked = [one for page in pages for one in re.findall(r'class="cite ([a-z_]+)"', page)]
    assert "neutral" in marked
    assert "verified" not in marked
    assert any("in force, in an invented law" in page for page in pages)
    assert not any(re.search(r"— in force\b(?!, in an invented)", page) for page in pages)


def test_who_marks_with_the_law_open_is_told(owner, visit, graded):
    """A reviewer judges legal accuracy by it, and must not take it for that of a country."""
    anna = visit()
    anna.sign_in("Anna", owner.add("Anna", "reviewer"))
    page = Page(anna.get(anna.get("/review", follow_redirects=False).headers["location"]).text)
    told = [one.text for one in page.all("p", class_="warning") if one.inside("law")]
    assert [text for text in told if NAMED["en"] in text]


def test_results_and_report_name_it(graded):
    """The report has no law at hand: it says what the results say, in each of its languages."""
    assert read_results(graded).invented_law == COUNTRY
    run_command(graded.parent, "report", graded.name)
    report = (graded / "report.html").read_text("utf-8")
    assert COUNTRY in report
    found = read_results(graded)
    asked_once = RagResults(questions=1, with_reference=0, with_evidence=0, unverified=0, judge="", assistants={})
    nobody = {name: msgspec.structs.replace(one, measures={}) for name, one in found.assistants.items()}
    # The terminal too, and of questions that nobody compared as well; with how often what accuses is right.
    for results in (found, msgspec.structs.replace(found, rag=asked_once, assistants=nobody)):
        told = notes(results)
        assert any(NAMED["en"] in line for line in told)
        assert any(line.startswith("How often accusations were right") for line in told)
    results = json.loads((graded / "results.json").read_bytes())
    del results["invented_law"]
    (graded / "results.json").write_text(json.dumps(results), "utf-8")
    assert not read_results(graded).invented_law, "a run of before has no such field, and opens"


@pytest.mark.parametrize(
    ("words", "language", "country"),
    [
        (("law", "cite", "依照《劳动契约法》第八条。", "--law", str(LAW["zh"]), "--json"), "zh", COUNTRY),
        (("law", "show", "《劳动契约法》第八条", "--law", str(LAW["zh"]), "--json"), "zh", COUNTRY),
        (("law", "search", "How long may probation last?", "--json"), "en", "Dominion of Ardmere"),
    ],
)  # fmt: skip
def test_the_terminal_says_it_beside_the_results(words, language, country):
    """In the language of what was asked, on the other stream: what is piped on stays JSON."""
    done = CliRunner().invoke(cli, list(words), catch_exceptions=False)
    assert LEADS[language] in done.stderr
    assert country in done.stderr
    assert json.loads(done.stdout)


def test_an_answer_taken_along_as_a_document_says_it(tmp_path):
    """Before the answer, since pages of it are passed on."""
    matter = benchbar.Conversation()
    assert matter.ask("试用期最长可以约定多久？").consultation.invented == COUNTRY
    corpus = CorpusIndex.open(LAW["zh"]).corpus
    write_docx(matter.answered, tmp_path / "answer.docx", lambda _: corpus)
    first = docx.Document(str(tmp_path / "answer.docx")).paragraphs[:3]
    assert [one.text for one in first if LEADS["zh"] in one.text and COUNTRY in one.text]


def test_a_contract_review_says_that_its_law_is_invented(tmp_path):
    """The rules may be a firm's own: what their citations were checked against is still nobody's law."""
    contract = tmp_path / "lease.txt"
    contract.write_text("租赁合同\n第一条 乙方放弃对本合同提出任何异议的权利，甲方不承担任何责任。\n", "utf-8")
    found = benchbar.review_contract(contract, law=LAW["zh"])
    assert [one for one in found.report.warnings if "invented" in one and COUNTRY in one]


@pytest.mark.parametrize("language", known())
def test_every_invented_country_has_a_name_in_every_language(language):
    """A reader of one language meets no name in the letters of another."""
    named = labels(language, "words").section("jurisdiction")
    assert named.keys() == INVENTED_JURISDICTIONS
    assert len(set(named.values())) == len(INVENTED_JURISDICTIONS)

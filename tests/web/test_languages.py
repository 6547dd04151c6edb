"""Every page in every language: no raw key, no English between other words, no title that says its name twice."""

from __future__ import annotations

import json
import re
import shutil
from collections import deque
from collections.abc import Iterator
from html.parser import HTMLParser
from urllib.parse import unquote, urljoin, urlsplit

import pytest

from benchbar.artefacts.folder import read_results
from benchbar.evaluations.records import LoggedAnswer
from benchbar.languages.packs import known, labels, pack
from benchbar.production.sampling import Sampling
from benchbar.production.store import ProductionStore
from benchbar.suites.authoring.adding import add
from benchbar.suites.authoring.layout import lay_out
from benchbar.suites.question_making import TASKS
from benchbar.web.folders import reviews_of
from benchbar.web.run_queues import queue_id
from support.every_page import WAITING, routes
from support.marking import action_of
from support.terms import second_words
from support.workbook import workbook
from support.written_questions import EVIL, NOW, ROWS, THEN, written_questions
from web.conftest import Apps, run_command

NAMES = set(
    re.findall(
        r"\S+",
        """Benchbar benchbar CSV JSON JSONL DOCX PDF XLSX TOML Markdown LaTeX HTML csv json latex docx spec toml JavaScript
        Schema Esc Tab Ctrl Pearson Spearman Krippendorff Gwet Cohen Fleiss Holm Benjamini Hochberg token RUN pass xlsx English""",
    )
)
"""Words of every language of a law office's computer: formats, keys, people after whom something is called."""
LATIN = re.compile(r"[A-Za-z][A-Za-z'’]{2,}")
RAW = re.compile(r"\b[a-z]+(?:[_.][a-z]+)+\b")
OWN_WORDS = frozenset({"text", "failure", "link", "said", "laid-out"})
"""Classes of elements that hold what somebody wrote: dialogues, reasons of people, errors of services."""
SENTENCES = frozenset({"warning", "lead", "how", "headline"})
"""Classes of elements that hold sentences of the app."""
SKIPPED = frozenset({"script", "style", "pre", "code", "kbd", "textarea", "blockquote", "q"})
VOID = frozenset({"meta", "link", "img", "br", "hr", "input", "source"})
SAID = ("title", "aria-label", "placeholder", "alt", "data-label")


class Words(HTMLParser):
    """The texts of a page that the app itself says, with the element that each stands in."""

    def __init__(self, text: str, language: str) -> None:
        super().__init__(convert_charrefs=True)
        self.found: list[str] = []
        self.foreign: list[str] = []
        """Texts that are marked as being of another language."""
        self.sentences: list[str] = []
        """Warnings, leads, captions, and how figures were made: what nobody but the app says."""
        self.title, self.headings, self.links = "", [], []
        self._language, self._open = language, []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        have = {name: value or "" for name, value in attrs}
        if tag == "a" and have.get("href"):
            self.links.append(have["href"])
        hidden = self._hidden() or tag in SKIPPED or bool(OWN_WORDS & set(have.get("class", "").split()))
        foreign = bool(have.get("lang")) and have["lang"] != self._language
        if not hidden and not foreign and not self._foreign():
            self.found += [have[name] for name in SAID if have.get(name)]
        if tag not in VOID:
            told = self._told() or tag == "figcaption" or bool(SENTENCES & set(have.get("class", "").split()))
            self._open.append((tag, hidden, foreign or self._foreign(), told))

    def _hidden(self) -> bool:
        return bool(self._open) and self._open[-1][1]

    def _foreign(self) -> bool:
        return bool(self._open) and self._open[-1][2]

    def _told(self) -> bool:
        return bool(self._open) and self._open[-1][3]

    def handle_endtag(self, tag: str) -> None:
        while self._open and self._open.pop()[0] != tag:
            pass

    def handle_data(self, data: str) -> None:
        tags = [tag for tag, *_ in self._open]
        if "title" in tags and "svg" not in tags:
            self.title += data
        if tags and tags[-1] == "h1":
            self.headings.append(data)
        if not data.strip() or self._hidden():
            return
        (self.foreign if self._foreign() else self.found).append(data)
        if self._told() and not self._foreign() and "option" not in tags:
            self.sentences.append(data)


ASKED = """
limit = 2
[assistants.closed-book]
kind = "closed-book"
[assistants.lawyer]
kind = "person"
people = ["Anna"]
"""
"""A run that asks a reviewer, too."""


@pytest.fixture(scope="module")
def everything(made_run, reviewed_runs, tmp_path_factory) -> Iterator[dict]:
    """An app with something of everything, its owner, a reviewer and one who was let into no run yet, and every address that they can reach by links."""
    place = tmp_path_factory.mktemp("everything")
    runs = place / "runs"
    shutil.copytree(made_run, runs / "plain")
    for name in ("run-of-extractive", "compared"):
        shutil.copytree(reviewed_runs / name, runs / name)
    run_command(place, "ablate", "offline-contract", "--quiet", "--set", "sample=12", "--out", "runs/study")
    (place / "asked.toml").write_text(ASKED, "utf-8")
    run_command(place, "run", "asked.toml", "--quiet", "--out", "runs/asked", code=WAITING)
    # Of two runs that ask, a reviewer chooses; of one, the next question comes at once.
    shutil.copytree(runs / "asked", runs / "asked-too")
    suite = place / "suites" / "mine"
    lay_out(suite, language="zh", jurisdiction="", tasks=["2-1"])
    (place / "a.csv").write_text("id,task,needs\na,2-1,离婚冷静期有多长？\n", "utf-8")
    add(suite, place / "a.csv")
    apps = Apps()
    production = ProductionStore(place / "production")
    answers = ("不知道。", "")
    production.keep(
        [
            LoggedAnswer(
                sample=str(n), identity=str(n), model="m", question=f"押金多久退{n}？", answer=one, scores={"正确": 0.2}
            )
            for n, one in enumerate(answers)
        ],
        Sampling(),
    )
    written_questions(suite.parent / "written")
    visit = apps(runs, suites=suite.parent, production=production.folder)
    owner, reviewer, other = visit(), visit(), visit()
    owner.sign_in()
    for person, name, score in ((reviewer, "Anna", "90"), (other, "Boris", "20")):
        person.sign_in(name, owner.add(name, "reviewer"))
        for _ in range(2):
            assert graded(owner, person, score).status_code == 303
    practised(owner, reviewer, runs / "run-of-extractive")
    owner.post("/surveys", {"language": "zh"}, form="/surveys")
    newcomer = visit()
    newcomer.sign_in("Vera", owner.add("Vera", "reviewer", every=False))
    seeds = {
        "owner": [*no_link_leads_to(owner)],
        "reviewer": [],
        "newcomer": [],
        "stranger": ["/sign-in", *questionnaire(owner, visit)],
    }
    people = {"owner": owner, "reviewer": reviewer, "newcomer": newcomer, "stranger": visit()}
    yield {
        **people,
        "pages": {who: crawled(visitor, *seeds[who]) for who, visitor in people.items()},
        "data": data_of(runs),
        "read": {},
    }
    apps.close()


def no_link_leads_to(owner) -> Iterator[str]:
    """Pages that follow a form: the steps of a run that is being prepared, two runs beside each other, what is decided of a sample."""
    heads = ["问题", "答案要点", "answer:lex", "Never to be said"]
    sheet = workbook({"A": [heads, ["押金最多可以约定多少？", "必须提及：三个月", "三个月以内。", "五个月也可以"]]})
    answer = owner.client.post("/new", data={"csrf": owner.csrf("/new")}, files=[("file", ("问题.xlsx", sheet))])
    draft = re.search(r"/new/[0-9a-f]{32}", str(answer.url))[0]
    owner.post(f"{draft}/assistants", {"answers": "lex"}, form="/new")
    yield from (f"{draft}/{step}" for step in ("questions", "guidance", "assistants", "start"))
    yield "/compare?first=plain&second=plain"
    yield "/compare/sample?first=plain&second=plain&assistant=weak&sample=1-1-001"
    yield "/queues/run-of-extractive/passages"
    yield "/annotate/mine/decide?sample=a"


def questionnaire(owner, visit) -> Iterator[str]:
    """A respondent's page before somebody agrees, and that of one who has begun."""
    links = owner.post("/surveys/1/links", {"labels": "a\nb"}, form="/surveys/1").text
    asked, begun = dict.fromkeys(re.findall(r"/answer/[\w-]+", links))
    visit().post(begun, {"consent": "yes", "do": "next"}, form=begun)
    yield from (asked, begun)


def graded(owner, person, score: str):
    """Mark the next task of the run whose people differ; its queue's address is another one in each app."""
    path = f"/review/{queue_id(owner.client.app.state.web, 'run-of-extractive')}"
    page = person.get(path).text
    return person.post(action_of(page), {"score": score, "reason": "why"}, form=path, follow_redirects=False)


def practised(owner, person, run) -> None:
    """One practice task, on which somebody has practised."""
    reviews = reviews_of(run)
    task = next(one for one in reviews.tasks if one not in reviews.of_rater["Anna"])
    page, queue = f"/queues/{run.name}/practice/{task}", queue_id(owner.client.app.state.web, run.name)
    assert owner.post(page, {"score": "40", "reason": "why"}, form=page, follow_redirects=False).status_code == 303
    answer = f"/review/{queue}/practice/1"
    assert person.post(answer, {"score": "90"}, form=answer, follow_redirects=False).status_code == 303


def data_of(runs) -> set[str]:
    """What users and models wrote that stands on pages: names of runs, assistants, suites, samples, people."""
    found = {
        "plain",
        "run-of-extractive",
        "compared",
        "asked-too",
        "asked",
        "lawyer",
        "study",
        "mine",
        "written",
        *(text for row in ROWS for text in (f"{row[0]}-1", TASKS[row[0]].name, *row[1:3])),
        *(text for one in (THEN, NOW, EVIL) for text in (one.label, one.text, one.id)),
        "Anna",
        "Boris",
        "Vera",
        "owner",
        "why",
        "answer:lex",
        "link-1",
        "link-2",
        "lex",
        "Never to be said",
        "答案要点",
        "0.1%",
        "您希望法律人工智能助手帮您做什么？",
        "legal-needs",
        "model-jurisdiction",
        "extractive",
    }
    for name in ("plain", "run-of-extractive", "compared"):
        results = read_results(runs / name)
        found |= {*results.assistants, results.suite, results.gate.policy}
        values = [value for finding in results.health for value in finding.values.values()]
        found |= {part for value in values for part in value.rpartition("exception: ")[2].split(": ")}
        # Pages say in the reader's language what a model was asked, and by its own name who it is.
        models = (*results.judge.split(", "), results.simulator)
        found |= {*(one.partition(":")[2] for one in models if "@" in one), *results.spending}
    study = json.loads((runs / "study" / "results.json").read_text("utf-8"))
    found |= {study["name"], study["reviewer"], *study["results"]}
    found |= {
        one["name"]
        for table in study["contrasts"]
        for part in ("pairs", "main_effects", "interactions")
        for one in table[part]
    }
    return found


# The names of runs stay: which run is listed first depends on the clock, and each kind of run has to be walked.
KINDS = re.compile(r"[0-9a-f]{12,}|\d+(?:-\d+)*")


def crawled(visitor, *seeds: str) -> list[str]:
    """Addresses that links from the first page and the seeds lead to, at most two of each kind, of every run."""
    waiting, seen, kinds = deque([*seeds, "/"]), [], {}
    while waiting:
        path = waiting.popleft()
        answer = visitor.get(path)
        if answer.status_code != 200 or "text/html" not in answer.headers.get("content-type", ""):
            continue
        seen.append(path)
        for link in Words(answer.text, "en").links:
            target = urlsplit(urljoin(path, link))
            found = target.path + (f"?{target.query}" if target.query else "")
            if target.netloc or found in kinds or "/export/" in found:
                continue
            kind = KINDS.sub("*", unquote(target.path)) + ("?" if target.query else "")
            kinds[found] = kind
            if sum(one == kind for one in kinds.values()) <= 2:
                waiting.append(found)
    return list(dict.fromkeys(seen))


def asked(visitor, path: str, language: str) -> Words:
    visitor.client.cookies.set("benchbar_language", language, domain="localhost.local")
    text = visitor.get(path).text
    visitor.client.cookies.delete("benchbar_language", domain="localhost.local")
    assert f'<html lang="{language}">' in text, (path, language)
    return Words(text, language)


def every_page(everything, language: str) -> list[tuple[str, Words]]:
    """Every address with the words of its page, which is asked for once: no test changes anything."""
    read = everything["read"]
    if language not in read:
        read[language] = [
            (f"{who} {path}", asked(everything[who], path, language))
            for who, pages in everything["pages"].items()
            for path in pages
        ]
    return read[language]


def without(text: str, data: set[str], instead: str = " ") -> str:
    """The text without what users wrote, the longest first."""
    text = re.sub(r"\b[0-9a-f]{32}\b", " ", text)
    # A list shows how a long text begins.
    if text.endswith("...") and any(one.startswith(text[:-3]) for one in data):
        return ""
    for one in sorted((one for one in data if len(one) > 2), key=len, reverse=True):
        text = text.replace(one, instead)
    return text


def test_the_walk_meets_every_kind_of_page(everything):
    """It would prove nothing on three pages."""
    paths = {path.partition("?")[0] for pages in everything["pages"].values() for path in pages}
    for wanted in ("/runs", "/runs/plain", "/runs/plain/decision", "/runs/plain/samples", "/runs/study", "/compare", "/queues", "/people", "/log", "/ask", "/contracts", "/new", "/surveys", "/annotate", "/review"):  # fmt: skip
        assert wanted in paths
    for kind in (
        "/queues/.*/practice/.*",
        "/review/.*/practice",
        "/review/.*/practice/1",
        "/review/.*/practice/1/feedback",
    ):
        assert any(re.fullmatch(kind, path) for path in paths), kind
    assert len(paths) > 30
    forms = {route: re.compile(re.sub(r"\{\w+\}", "[^/]+", route).replace("{sample:path}", ".+")) for route in routes()}
    missed = [route for route, form in forms.items() if not any(map(form.fullmatch, paths))]
    # A task on which people differ is led on to.
    assert missed == ["/queues/{run}/differ/{task}"]


@pytest.mark.parametrize("language", known())
def test_no_page_shows_a_raw_key(everything, language):
    """A word with a dot or an underscore inside is a key of a program, no word of a language."""
    keys = {key for area in ("report", "web") for key in labels(language, area).texts}
    wrong = []
    for path, page in every_page(everything, language):
        for text in (*page.found, *page.foreign):
            raw = [one for one in RAW.findall(without(text, everything["data"])) if "_" in one or one in keys]
            wrong += [(path, one, text.strip()[:100]) for one in raw]
    assert wrong == []


@pytest.mark.parametrize("language", [one for one in known() if one != "en"])
def test_no_page_holds_english_between_its_words(everything, language):
    """Outside of names, code, and what users and models wrote."""
    wrong = []
    for path, page in every_page(everything, language):
        for text in (*page.found, *page.foreign):
            words = [one for one in LATIN.findall(without(text, everything["data"])) if one not in NAMES]
            if words:
                wrong.append((path, text.strip()[:160]))
    assert not wrong, "\n".join(map(str, wrong))


SCRIPTS = {"zh": "[\u4e00-\u9fff]", "zh-Hant": "[\u4e00-\u9fff]", "ru": "[А-Яа-яЁё]"}
"""Language to a letter of its script: between words of another language it stands in names and quotations alone."""


@pytest.mark.parametrize("language", known())
def test_no_sentence_of_a_page_holds_letters_of_a_third_language(everything, language):
    """Chinese between Russian words, or Russian between Chinese ones: quotations and names of data stand apart from sentences."""
    foreign = "|".join(letter for other, letter in SCRIPTS.items() if letter != SCRIPTS.get(language))
    wrong = [
        (path, text.strip()[:160])
        for path, page in every_page(everything, language)
        for text in page.sentences
        if re.search(foreign, without(text, everything["data"]))
    ]
    assert not wrong, "\n".join(map(str, wrong))


HALF_WIDTH = re.compile(r"[\u4e00-\u9fff][,;:?!](?!\w)|[,;:] ?[\u4e00-\u9fff]")


@pytest.mark.parametrize("language", ["zh", "zh-Hant"])
def test_chinese_pages_hold_no_western_marks_between_their_words(everything, language):
    """A comma, semicolon or colon beside a Chinese word is a Chinese one."""
    wrong = [
        (path, text.strip()[:160])
        for path, page in every_page(everything, language)
        for text in page.found
        if HALF_WIDTH.search(without(text, everything["data"]))
    ]
    assert not wrong, "\n".join(map(str, wrong))


TORN = re.compile(
    r"\b(\w{3,}) \1\b|[。；，、：]{2}|[!?,;:]{2}|(?<!\.)\.\.(?!\.)|\(\s*\)|（\s*）|^(?:None|nan|NaN|True|False)$|\d{4}-\d\d-\d\dT\d|\d{2}:\d{2}\+\d{2}"
)
"""Words and marks said twice, brackets around nothing, values and moments as a program writes them."""


@pytest.mark.parametrize("language", known())
def test_no_page_holds_torn_or_doubled_words(everything, language):
    """What a template leaves where a value is missing, or says a second time."""
    wrong = [
        (path, text.strip()[:160])
        for path, page in every_page(everything, language)
        for text in page.found
        if TORN.search(without(text.strip(), everything["data"], "…"))
    ]
    assert not wrong, "\n".join(map(str, wrong))


@pytest.mark.parametrize("language", known())
def test_no_page_calls_a_thing_by_a_second_word(everything, language):
    """Each word stands in the pack's ``terms.toml``, beside those that would mean the same."""
    wrong = [
        (path, one)
        for path, page in every_page(everything, language)
        for text in page.found
        for one in second_words(without(text, everything["data"]), language)
    ]
    assert wrong == []


@pytest.mark.parametrize("language", [one for one in known() if pack(one).about.decimal == ","])
def test_no_page_mixes_decimal_marks(everything, language):
    """Numbers are written as the language writes them, in sentences and tables alike."""
    wrong = [
        (path, text.strip()[:120])
        for path, page in every_page(everything, language)
        for text in page.found
        if re.search(r"(?<![\w.:/-])\d+\.\d+(?![\w.])", without(text, everything["data"]))
    ]
    assert not wrong, "\n".join(map(str, wrong))


@pytest.mark.parametrize("language", known())
def test_no_title_says_its_name_twice(everything, language):
    """Neither the tab's title nor the heading."""
    for path, page in every_page(everything, language):
        parts = [one.strip() for one in re.split(r"[·:：]", page.title)]
        assert len(parts) == len(set(parts)), (path, page.title)
        assert len(page.headings) <= 3, (path, page.headings)
        headings = [one.strip() for one in page.headings if one.strip()]
        assert len(headings) == len(set(headings)), (path, headings)


def test_russian_says_what_was_done_and_not_of_which_sex_who_did_it():
    """The log names the person beside it: a verb in the past would have to know more of them."""
    actions = {key: text for key, text in labels("ru", "web").texts.items() if key.startswith("action.")}
    assert len(actions) > 40
    gendered = re.compile(r"^\w+л(?:ся|а|ась)?(?:\(|\s|$)")
    assert [text for text in actions.values() if gendered.search(text)] == []


@pytest.mark.parametrize("language", known())
def test_no_text_of_a_page_shows_backticks(language):
    """A page shows them as they are: they mark code in terminals alone."""
    texts = labels(language, "web").texts
    assert texts
    assert [key for key, text in texts.items() if "`" in text] == []

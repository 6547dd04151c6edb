"""A bench with something on every page, made by commands and forms as people send them, and the address of each page.

The addresses come from the routes of the app: a page that is added is shown without a line here, unless its address has a field
that nothing here fills.
"""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import httpx
from fastapi.responses import HTMLResponse

from benchbar.evaluations.records import LoggedAnswer
from benchbar.ledger.opening import ledger_of, open_store
from benchbar.ledger.reviews import read_reviews
from benchbar.production.sampling import Sampling
from benchbar.production.store import ProductionStore
from benchbar.suites.authoring.adding import add
from benchbar.suites.authoring.layout import lay_out
from benchbar.web.navigation import AREAS
from support import forked
from support.browsing import serving
from support.chat_servers import served
from support.run_spec import LAWYER, model, spec_text
from support.visitor import OWNER_TOKEN, Visitor
from support.workbook import workbook
from support.written_questions import written_questions

NO_PAGES = {
    "/": "leads on to the first page of a role",
    "/queues/{run}/differ": "leads on to the first task on which people differ",
    "/queues/{run}/panel": "a part of /queues/{run}",
    "/runs/{name}/live": "a part of the page of a run that is under way",
    "/runs/{name}/export/{form}": "a file",
    "/surveys/{number}/responses.jsonl": "a file",
    "/openapi.json": "a file",
    "/sign-in/provider": "leads on to the provider",
    "/sign-in/provider/back": "leads on from the provider",
}
"""Addresses that show no page of their own, and what they do."""
FIELDS = frozenset({"name", "sample", "queue", "task", "run", "number", "token", "id_", "trace"})
"""Fields of addresses that :class:`Bench` fills."""
OTHERS = ("/review", "/questions")
"""How addresses begin that a reviewer reads, and no owner."""
QUERIES = {
    "/compare": "?first=lease&second=rent",
    "/compare/sample": "?first=lease&second=rent&assistant=strong&sample={sample}",
    "/annotate/{name}/sample": "?sample=a",
    "/annotate/{name}/decide": "?sample=a",
    "/written/{name}/question": "?id=time_dependent-1",
}
"""What a page has to be asked for."""
COLUMNS = "?" + "&".join(
    f"column={one}"
    for one in ("task", "judge", "guidance", "false_citations", "contradictions", "exchanges", "tokens", "cost", "seconds", "found")
)  # fmt: skip
STATES = {
    "run under way": "/runs/under-way",
    "run without values": "/runs/unmarked",
    "run that people compare": "/runs/compared",
    "study": "/runs/study",
    "decision without values": "/runs/unmarked/decision",
    "samples with every column": f"/runs/lease/samples{COLUMNS}",
    "samples without values": "/runs/unmarked/samples",
    "samples of nothing": "/runs/lease/samples?text=nothing",
    "queue of picked answers": "/queues/compared",
    "not found": "/nowhere",
}
"""States in which a page looks otherwise than at its route's own address."""


def routes() -> list[str]:
    """The addresses of all pages, as the app declares them."""
    found = [
        route.path
        for area in AREAS
        for route in area.router.routes
        if "GET" in route.methods and issubclass(route.response_class, HTMLResponse)
    ]
    return sorted(set(found) - set(NO_PAGES))


@dataclass
class Bench:
    """A server over runs of every kind, and what it needs to be asked for any of its pages."""

    base: str
    people: dict[str, str] = field(default_factory=dict)
    """Name of an owner or reviewer to the link that signs them in."""
    values: dict[str, str] = field(default_factory=dict)
    """Field of an address to its value, with the beginning of the address where that matters."""

    def pages(self) -> Iterator[tuple[str, str, str]]:
        """Name of each page, who reads it, and its address."""
        for route in routes():
            who = "" if route.startswith(("/answer", "/sign-in")) else "anna" if route.startswith(OTHERS) else "owner"
            yield route, who, self._filled(route) + self._filled(QUERIES.get(route, ""), route)
        for name, path in STATES.items():
            yield name, "owner", path
        yield "marking by comparison", "anna", f"/review/{self.values['compared']}"

    def _filled(self, text: str, route: str = "") -> str:
        first = (route or text).split("/")[1] if (route or text) else ""
        return re.sub(
            r"\{(\w+)(?::\w+)?\}", lambda one: self.values.get(f"{first} {one[1]}") or self.values[one[1]], text
        )


JUDGED = 'limit = 11\nseed = 7\ngate = "release"'
REVIEW = "[review]\naudit = 1.0\nannotators = 2"
COMPARED = """
reference = "closed-book"
limit = 4
[assistants.extractive]
kind = "extractive"
[assistants.closed-book]
kind = "closed-book"
[review]
audit = 0.5
double = 0.0
protocol = "compare"
[gate]
minimum_n = 5
at_least = { overall = 0.9 }
"""
WAITING = 5
"""Exit code of a run that waits for people."""


def command(place: Path, *words: str, codes: tuple[int, ...] = (0, 3, 4)) -> None:
    """Run benchbar in a folder."""
    done = forked.command(*words, cwd=place)
    if done.returncode not in codes:
        raise RuntimeError(f"benchbar {' '.join(words)}: exit code {done.returncode}\n{done.stderr}")


@contextmanager
def chat(*options: str) -> Iterator[str]:
    """The address of a chat server that plays all roles by fixed rules."""
    with served(*options) as address:
        yield f"{address}/v1"


def _made(place: Path, url: str) -> None:
    """Finished runs: one judged, another like it, one that people compare, one without values, a study; one waits for people."""
    models = {"weak": model("weak-1", price=(1.0, 2.0)), "strong": model("strong-2", price=(1.0, 2.0))}
    for name, seed in (("lease", "seed = 7"), ("rent", "seed = 8")):
        text = spec_text(url, JUDGED.replace("seed = 7", seed), models, judge='kind = ["pairwise", "checklist"]\nmodel = "judge-apt"', rest=REVIEW)  # fmt: skip
        (place / f"{name}.toml").write_text(text, "utf-8")
        command(place, "run", f"{name}.toml", "--quiet", "--out", f"runs/{name}")
    (place / "compared.toml").write_text(COMPARED, "utf-8")
    command(place, "run", "compared.toml", "--quiet", "--out", "runs/compared")
    asked = spec_text(url, "limit = 3", {"model": "weak-1", "lawyer": LAWYER}, judge="")
    (place / "lawyer.toml").write_text(asked, "utf-8")
    command(place, "run", "lawyer.toml", "--quiet", "--out", "runs/lawyer", codes=(WAITING,))
    rows = "\n".join(f"第{n}种情形下，承租人应当提前多少天通知出租人？" for n in range(30, 36))
    (place / "unmarked.csv").write_text(f"问题\n{rows}\n", "utf-8")
    two = ("--assistant", f"weak=openai:weak-1@{url}", "--assistant=closed-book=closed-book", "--reference=closed-book")
    command(place, "run", "unmarked.csv", "--quiet", *two, "--out", "runs/unmarked")
    command(place, "ablate", "offline-contract", "--quiet", "--set", "sample=12", "--out", "runs/study")


def _suite(place: Path) -> None:
    suite = place / "suites" / "mine"
    lay_out(suite, language="zh", jurisdiction="", tasks=["2-1"])
    (place / "a.csv").write_text("id,task,needs\na,2-1,离婚冷静期有多长？\nb,2-1,押金最多可以约定多少？\n", "utf-8")
    add(suite, place / "a.csv")
    written_questions(place / "suites" / "written")


def _production(place: Path) -> str:
    """A folder of a live assistant with one failure; its id."""
    store = ProductionStore(place / "production")
    failed = LoggedAnswer(
        sample="a", identity="a", model="m", question="押金最多可以约定多少？", answer="不知道。", scores={"正确": 0.2}
    )
    store.keep([failed], Sampling())
    return store.traces()[0].id


@contextmanager
def bench(place: Path) -> Iterator[Bench]:
    """A bench that is served in a folder, and one run of it that is still under way."""
    place.mkdir(parents=True, exist_ok=True)
    with ExitStack() as open_:
        url, slow = open_.enter_context(chat()), open_.enter_context(chat("--delay", "4"))
        _made(place, url)
        _suite(place)
        trace = _production(place)
        text = spec_text(slow, "limit = 40", {"weak": model("weak-1"), "strong": model("strong-2")})
        (place / "slow.toml").write_text(f"{text}\n[limits]\nconcurrency = 2\n", "utf-8")
        words = ("run", "slow.toml", "--quiet", "--out", "runs/under-way")
        going = open_.enter_context(forked.started(*words, cwd=place, stderr=subprocess.DEVNULL))
        # What is entered last is left first: the run ends before its models do.
        open_.callback(going.terminate)
        (place / "endpoints.toml").write_text(
            f'[endpoints.house]\nbase_url = "{url}"\nmodels = ["strong", "weak", "judge-apt"]\nprivate = true\n',
            "utf-8",
        )
        options = ("--suites", str(place / "suites"), "--endpoints", str(place / "endpoints.toml"))
        options += ("--production", str(place / "production"))
        link = open_.enter_context(serving(place / "runs", *options, token=OWNER_TOKEN))
        yield _furnished(Bench(link.partition("/sign-in")[0], values={"trace": trace}), place / "runs")


def _furnished(found: Bench, runs: Path) -> Bench:
    """People, marks on which they differ, answers picked by hand, a survey, a run that is being prepared."""

    def visitor() -> Visitor:
        return Visitor(httpx.Client(base_url=found.base, follow_redirects=True, timeout=300))

    owner = visitor()
    owner.sign_in()
    found.people["owner"] = f"/sign-in#name=owner&token={OWNER_TOKEN}"
    reviewers = {name: visitor() for name in ("anna", "boris")}
    for name, person in reviewers.items():
        token = owner.add(name, "reviewer")
        found.people[name] = f"/sign-in#name={name}&token={token}"
        person.sign_in(name, token)
    # Somebody who never came, for the reminder.
    owner.add("vera", "reviewer")
    owner.post("/queues/lease/matter", {"title": "租赁咨询助手验收", "due": "2026-12-18"}, form="/queues/lease")
    queue = next(path for path in _queues(reviewers["anna"]) if "租赁" in path[1])[0]
    _practised(owner, reviewers, queue, runs / "lease")
    for name, score in (("anna", "90"), ("boris", "20")):
        for _ in range(3):
            _marked(reviewers[name], queue, score)
    owner.post(
        "/runs/compared/queue?assistant=extractive", {"every": "true"}, form="/runs/compared/samples", timeout=300
    )
    owner.post("/runs/lease/notes", {"note": "第一次比较，提示词 v3", "tags": "租赁, 九月"}, form="/runs/lease")
    owner.post("/surveys", {"language": "zh"}, form="/surveys")
    survey = re.search(r"/surveys/(\d+)", owner.get("/surveys").text)[1]
    links = owner.post(f"/surveys/{survey}/links", {"labels": "李法官"}, form=f"/surveys/{survey}").text
    sheet = workbook(
        {"A": [["问题", "答案要点"], *([f"第{n}种情形押金最多可以约定多少？", "必须提及：三个月"] for n in range(4))]}
    )
    answer = owner.client.post("/new", data={"csrf": owner.csrf("/new")}, files=[("file", ("问题.xlsx", sheet))])
    draft = re.search(r"/new/([0-9a-f]{32})", str(answer.url))[1]
    owner.post(f"/new/{draft}/assistants", {"model": "house/strong", "judge": "house/judge-apt"}, form="/new")
    tasks = _tasks(runs / "lease")
    found.values |= {
        "name": "lease",
        "run": "lease",
        "annotate name": "mine",
        "written name": "written",
        "sample": tasks["sample"],
        "task": tasks["differs"],
        "review task": tasks["marked"],
        "queue": queue.rpartition("/")[2],
        "questions queue": str(reviewers["anna"].get("/questions").url).rpartition("/")[2],
        "compared": next(path for path in _queues(reviewers["anna"]) if "租赁" not in path[1])[0].rpartition("/")[2],
        "review number": "1",
        "number": owner.path_of("vera").rpartition("/")[2],
        "surveys number": survey,
        "token": re.search(r"/answer/([\w-]+)", links)[1],
        "id_": draft,
    }
    return found


def _queues(person: Visitor) -> list[tuple[str, str]]:
    """Address and text of each queue that somebody sees."""
    return [
        (path, card)
        for card in person.get("/review").text.split('<section class="card')
        if (path := (re.search(r'href="(/review/[0-9a-f]{16})"', card) or ["", ""])[1])
    ]


def _practised(owner: Visitor, reviewers: dict[str, Visitor], queue: str, run: Path) -> None:
    """One practice task, on which every reviewer has practised."""
    store = open_store(ledger_of(run), writable=False)
    try:
        task = next(one.id for one in read_reviews(store).tasks.values() if not one.voted)
    finally:
        store.close()
    page = f"/queues/lease/practice/{task}"
    owner.post(page, {"score": "40", "reason": "通知期写错了，依据第七条应为三十日。"}, form=page)
    for person in reviewers.values():
        person.post(f"{queue}/practice/1", {"score": "90"}, form=f"{queue}/practice/1")


def _marked(person: Visitor, queue: str, score: str) -> None:
    page = person.get(queue).text
    action = re.search(r'<form method="post" action="([^"]+)" class="review"', page)[1]
    person.post(action, {"score": score, "reason": "依据第七条，通知期写错了。"}, form=queue)


def _tasks(run: Path) -> dict[str, str]:
    """A task that people differ on, one that somebody marked, and a sample."""
    store = open_store(ledger_of(run), writable=False)
    try:
        reviews = read_reviews(store)
        differs = next(task for task in reviews.tasks.values() if reviews.status(task)[0] == "differ")
        return {"differs": differs.id, "marked": next(iter(reviews.of_rater["anna"])), "sample": differs.sample}
    finally:
        store.close()

"""The consultant in the browser: a question, its sources, an answer that comes as it is written, its citations checked."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator
from typing import Annotated, Literal

import msgspec
from fastapi import APIRouter, Form, HTTPException, Request
from fastapi.responses import HTMLResponse, Response, StreamingResponse

from benchbar.records import UNDECIDED, CitationStatus
from benchbar.records.errors import BenchbarError
from benchbar.web import audit
from benchbar.web.advice import FORMS, LONGEST, Advice, Consultant, Part
from benchbar.web.area import Area, Entry
from benchbar.web.markdown import Marked, as_html
from benchbar.web.pages import page, rendered, words_of
from benchbar.web.people import Role
from benchbar.web.sessions import Reader
from benchbar.web.state import app_state
from benchbar.web.words import Words

router = APIRouter(tags=["ask"], default_response_class=HTMLResponse)
# Each answer holds a thread and, without a chat model, a processor: more at once would slow every other
# page.
AT_ONCE = threading.BoundedSemaphore(4)
"""Questions that are answered at once; the next ones wait."""
STREAM = "text/event-stream"


@router.get("/ask")
def ask_page(request: Request, reader: Reader) -> Response:
    """The form."""
    return _ask_page(request)


@router.post("/ask")
async def ask(
    request: Request,
    reader: Reader,
    question: Annotated[str, Form(min_length=1, max_length=LONGEST)],
    form: Annotated[Literal["general", "trial"], Form()] = "general",
    *,
    sources: Annotated[bool, Form()] = False,
) -> Response:
    """The answer: as a page, or piece by piece for a script that asks for events."""
    consultant = _consultant(request)
    if not question.strip():
        raise HTTPException(422, words_of(request)("ask.empty"))
    with app_state(request).database.transaction() as now:
        # That a question was asked, not which: it may be a client's.
        audit.note(now, reader.name, "ask", form=form)
    labels = app_state(request).config.labels.get(reader.name, ())
    if STREAM in request.headers.get("accept", ""):
        pieces = _pieces(request, consultant, question, form, labels, sources=sources)
        # A proxy that buffers (nginx does unless told) would hold the pieces back until the answer is whole.
        return StreamingResponse(pieces, media_type=STREAM, headers={"x-accel-buffering": "no"})
    try:
        # In a thread: retrieval and writing take seconds, and the event loop serves everybody.
        found = await asyncio.to_thread(_answered, consultant, question, form, None, labels)
    except BenchbarError as error:
        return _ask_page(request, question=question, form=form, problem=str(error), status=502)
    return _ask_page(request, question=question, form=form, sources=sources, advice=found)


async def _pieces(
    request: Request, consultant: Consultant, question: str, form: str, labels: tuple[str, ...], *, sources: bool
) -> AsyncIterator[bytes]:
    """Server-sent events: ``text`` as it is written (``again`` when it begins anew), then ``answer`` or ``problem``."""
    loop = asyncio.get_running_loop()
    told: asyncio.Queue[str] = asyncio.Queue()

    def tell(text: str) -> None:
        # Called from the answering thread; a queue of asyncio may be touched in its own loop alone.
        loop.call_soon_threadsafe(told.put_nowait, text)

    work = asyncio.create_task(asyncio.to_thread(_answered, consultant, question, form, tell, labels))
    # Sent before anything is known, so that the browser shows that the question arrived.
    yield _event("begun", "")
    # Both: the last pieces may still wait when the work is already done.
    while not (work.done() and told.empty()):
        waiting = asyncio.ensure_future(told.get())
        # Fifteen seconds: proxies commonly close a connection that is silent for thirty or sixty.
        await asyncio.wait({waiting, work}, return_when=asyncio.FIRST_COMPLETED, timeout=15)
        if waiting.done():
            text = waiting.result()
            yield _event("text" if text else "again", text)
            continue
        # Cancelled while empty, so no piece is lost with it.
        waiting.cancel()
        if not work.done():
            yield b": still here\n\n"
    try:
        html = rendered(request, "advice.html.j2", **_shown(request, work.result(), sources=sources))
        yield _event("answer", html)
    except BenchbarError as error:
        yield _event("problem", str(error))


def _event(name: str, text: str) -> bytes:
    # As JSON: a line end in the text would end the event.
    return b"event: " + name.encode() + b"\ndata: " + msgspec.json.encode(text) + b"\n\n"


def _answered(consultant: Consultant, question: str, form: str, tell: object, labels: tuple[str, ...]) -> Advice:
    with AT_ONCE:
        return consultant(question, form, tell, labels)  # type: ignore[arg-type]


def _consultant(request: Request) -> Consultant:
    found = app_state(request).config.consultant
    if found is None:
        raise HTTPException(404, "the app was started without a consultant")
    return found


def _ask_page(
    request: Request,
    *,
    question: str = "",
    form: str = "general",
    sources: bool = False,
    advice: Advice | None = None,
    problem: str = "",
    status: int = 200,
) -> Response:
    shown = _shown(request, advice, sources=sources) if advice else {"advice": None}
    return page(
        request,
        "ask.html.j2",
        status=status,
        name=_consultant(request).name,
        question=question,
        form=form,
        forms=FORMS,
        problem=problem,
        wanted=sources,
        **shown,
    )


def _shown(request: Request, advice: Advice, *, sources: bool) -> dict[str, object]:
    say = words_of(request)
    return {
        "advice": advice,
        "with_sources": sources,
        "parts": [(part, as_html(part.text, _marks(part, advice, say))) for part in advice.parts],
        "counts": _counts(advice),
        "states": STATES,
    }


# Where the law at hand cannot decide, nothing was found to be wrong: unchecked is not false.
STATES = {CitationStatus.VERIFIED: "met"} | dict.fromkeys(UNDECIDED, "partly")
"""The style of a citation by its status; every other one is wrong."""


def _marks(part: Part, advice: Advice, say: Words) -> list[Marked]:
    """Each citation in its colour, with what the law says of it, leading to its source where there is one."""
    found = []
    for one in part.citations:
        target = next(
            (f"source-{source.number}" for source in advice.sources if _same(one.text, source.citation)), "citations"
        )
        label = say.name("citation", one.status.value) + (f": {one.reason}" if one.reason else "")
        state = STATES.get(one.status, "not_met")
        # That an invented law verifies an article is no good news for anybody.
        found.append(Marked(*one.span, "partly" if advice.invented and state == "met" else state, label, target))
    return found


def _same(written: str, citation: str) -> bool:
    # Without white space: assistants write 第 249 条 as well as 第249条.
    return "".join(written.split()) in "".join(citation.split())


def _counts(advice: Advice) -> dict[str, int]:
    found: dict[str, int] = {}
    for part in advice.parts:
        for one in part.citations:
            found[one.status.value] = found.get(one.status.value, 0) + 1
    return found


READERS = frozenset({Role.OWNER, Role.VIEWER})
AREA = Area("ask", router, (Entry("/ask", "nav.ask", READERS, "law"),))

"""The consultant in the browser: a conversation whose answers come as they are written, with sources and checked citations.

The conversation lies in the page, signed for the person who asked, and nowhere on the server: what clients ask is not kept, any
worker process can go on with it, and it ends with the page.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator
from typing import Annotated, Any, Literal, NamedTuple

import msgspec
from fastapi import APIRouter, Form, HTTPException, Request
from fastapi.responses import HTMLResponse, Response, StreamingResponse
from markupsafe import Markup

from benchbar.law.cited_text import CitedText, excerpt
from benchbar.law.claims.around import claim_shown
from benchbar.law.shown import by_weight, verdict_keys, verdicts
from benchbar.records.errors import BenchbarError, ModelError
from benchbar.reports.standing import sign, standing
from benchbar.web import audit
from benchbar.web.advice import FORMS, LONGEST, Advice, Consultant, Exchanges, Part, TextListener
from benchbar.web.area import Area, Entry
from benchbar.web.markdown import Marked, as_html
from benchbar.web.pages import DOCX, page, rendered, words_of
from benchbar.web.people import Person, Role
from benchbar.web.sessions import LASTS, Reader
from benchbar.web.state import app_state
from benchbar.web.words import Words, words

router = APIRouter(tags=["ask"], default_response_class=HTMLResponse)
# Each answer holds a thread and, without a chat model, a processor: more at once would slow every other
# page.
AT_ONCE = threading.BoundedSemaphore(4)
"""Questions that are answered at once; the next ones wait."""
STREAM = "text/event-stream"
LONGEST_FACTS = 1000
"""Characters of what is known of the matter: they are searched with every question, and more would drown it."""
LONGEST_KEPT = 900_000
"""Characters of a conversation in its form; a page's answers are about 20,000 each, and a request has at most a million."""


class Question(NamedTuple):
    """What a form asks."""

    text: str
    form: str
    facts: str
    kept: str
    labels: tuple[str, ...]
    sources: bool


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
    facts: Annotated[str, Form(max_length=LONGEST_FACTS)] = "",
    conversation: Annotated[str, Form(max_length=LONGEST_KEPT)] = "",
    *,
    sources: Annotated[bool, Form()] = False,
) -> Response:
    """The conversation with the answer to one more question: as a page, or piece by piece for a script that asks for events."""
    consultant = _consultant(request)
    if not question.strip():
        raise HTTPException(422, words_of(request)("ask.empty"))
    labels = app_state(request).config.labels.get(reader.name, ())
    asked = Question(question, form, facts, _opened(request, reader, conversation), labels, sources)
    with app_state(request).database.transaction() as now:
        # That a question was asked, not which: it may be a client's.
        audit.note(now, reader.name, "ask", form=form)
    if STREAM in request.headers.get("accept", ""):
        pieces = _pieces(request, reader, consultant, asked)
        # A proxy that buffers (nginx does unless told) would hold the pieces back until the answer is whole.
        return StreamingResponse(pieces, media_type=STREAM, headers={"x-accel-buffering": "no"})
    try:
        # In a thread: retrieval and writing take seconds, and the event loop serves everybody.
        found = await asyncio.to_thread(_answered, consultant, asked, None)
    except BenchbarError as error:
        problem = _problem(words_of(request), consultant, error)
        return _ask_page(request, asked, problem=problem, sealed=conversation, status=502)
    return _ask_page(request, asked._replace(text=""), shown=_shown(request, reader, found, sources=sources))


@router.post("/ask/docx", response_class=Response)
def download(
    request: Request, reader: Reader, conversation: Annotated[str, Form(min_length=1, max_length=LONGEST_KEPT)]
) -> Response:
    """The answers of a conversation as DOCX, each source as a footnote."""
    data = _consultant(request).document(_opened(request, reader, conversation))
    with app_state(request).database.transaction() as now:
        audit.note(now, reader.name, "export", form="docx")
    return Response(data, media_type=DOCX, headers={"content-disposition": 'attachment; filename="answers.docx"'})


def _opened(request: Request, reader: Person, conversation: str) -> str:
    """What was sealed for this person; nobody else's page, and nothing that we did not answer, is gone on with."""
    from itsdangerous import BadData

    if not conversation:
        return ""
    try:
        # The signature is checked before anything is unpacked.
        person, kept = _seal(request).loads(conversation, max_age=LASTS)
    except (BadData, ValueError, TypeError) as error:
        raise HTTPException(422, words_of(request)("ask.expired")) from error
    if person != reader.id:
        raise HTTPException(422, words_of(request)("ask.expired"))
    return str(kept)


def _sealed(request: Request, reader: Person, kept: str) -> str:
    return str(_seal(request).dumps((reader.id, kept)))


def _seal(request: Request) -> Any:
    from itsdangerous import URLSafeTimedSerializer

    return URLSafeTimedSerializer(app_state(request).secret, salt="conversation")


async def _pieces(request: Request, reader: Person, consultant: Consultant, asked: Question) -> AsyncIterator[bytes]:
    """Server-sent events: ``text`` as it is written (``again`` when it begins anew), then ``answer`` or ``problem``."""
    loop = asyncio.get_running_loop()
    told: asyncio.Queue[str] = asyncio.Queue()

    def tell(text: str) -> None:
        # Called from the answering thread; a queue of asyncio may be touched in its own loop alone.
        loop.call_soon_threadsafe(told.put_nowait, text)

    work = asyncio.create_task(asyncio.to_thread(_answered, consultant, asked, tell))
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
        shown = _shown(request, reader, work.result(), sources=asked.sources)
        html = rendered(request, "conversation.html.j2", **shown)
        yield _event("answer", html)
    except BenchbarError as error:
        yield _event("problem", _problem(words_of(request), consultant, error))


def _problem(say: Words, consultant: Consultant, error: BenchbarError) -> str:
    """What went wrong, as text in the reader's language; of a model which one, and what to do."""
    told = say.error(str(error))
    # Marked text is for a page; a script puts what it is told into the page as text.
    why = told.striptags() if isinstance(told, Markup) else told
    return say("ask.model_failed", name=consultant.writer, why=why) if isinstance(error, ModelError) else why


def _event(name: str, text: str) -> bytes:
    # As JSON: a line end in the text would end the event.
    return b"event: " + name.encode() + b"\ndata: " + msgspec.json.encode(text) + b"\n\n"


def _answered(consultant: Consultant, asked: Question, tell: TextListener | None) -> Exchanges:
    facts = [line.strip() for line in asked.facts.splitlines() if line.strip()]
    with AT_ONCE:
        return consultant.go_on(asked.text, asked.form, tell, asked.labels, kept=asked.kept, facts=facts)


def _consultant(request: Request) -> Consultant:
    found = app_state(request).config.consultant
    if found is None:
        raise HTTPException(404, "the app was started without a consultant")
    return found


EMPTY = Question("", "general", "", "", (), sources=False)


def _ask_page(
    request: Request,
    asked: Question = EMPTY,
    *,
    shown: dict[str, object] | None = None,
    sealed: str = "",
    problem: str = "",
    status: int = 200,
) -> Response:
    consultant = _consultant(request)
    return page(
        request,
        "ask.html.j2",
        status=status,
        name=consultant.name or words_of(request)("ask.bundled"),
        writer=consultant.writer,
        # Before anything is asked: whoever reads an answer from invented law has believed it already.
        invented="" if shown else consultant.invented(asked.text or words_of(request)("ask.example")),
        asked=asked,
        forms=FORMS,
        problem=problem,
        # After a problem the conversation goes on from where it was.
        **(shown or {"exchanges": (), "sealed": sealed}),
    )


def _shown(request: Request, reader: Person, found: Exchanges, *, sources: bool) -> dict[str, object]:
    """The newest answer open and first, those before it folded below."""
    say = words_of(request)
    return {
        "exchanges": [
            {
                "asked": one.asked,
                "understood": one.understood if one.understood != one.asked else "",
                "advice": one.advice,
                # Why there is no answer is said in the language of the question: its lead has to be in the same.
                "told": words(one.advice.language),
                # Ids of sources are those of a page: the same article may stand under several answers.
                "at": (at := f"{back}-" if back else ""),
                "parts": [(part, as_html(part.text, _marks(part, one.advice, say, at))) for part in one.advice.parts],
                "cited": (cited := _cited(one.advice)),
                "counts": _counts(cited, one.advice, say),
            }
            for back, one in enumerate(reversed(found.exchanges))
        ],
        "with_sources": sources,
        "claim_shown": claim_shown,
        "excerpt": excerpt,
        "sealed": _sealed(request, reader, found.kept),
    }


# Where the law at hand cannot decide, nothing was found to be wrong: unchecked is not false.
STATES = {"✓": "met", "?": "partly", "·": "neutral"}
"""The style of a citation by its sign; every other one is wrong."""


def _marks(part: Part, advice: Advice, say: Words, at: str) -> list[Marked]:
    """Each citation in its colour, with what the law says of it, leading to its source where there is one."""
    found = []
    for one in (cited.citation for cited in part.citations):
        target = next(
            (f"{at}source-{source.number}" for source in advice.sources if _same(one.text, source.citation)),
            f"{at}citations",
        )
        why = f": {say.why(one.reason)}" if one.reason else ""
        label = ", ".join(verdicts(one, say, invented=bool(advice.invented))) + why
        state = STATES.get(sign(standing(one, invented=bool(advice.invented))), "not_met")
        found.append(Marked(*one.span, state, label, target))
    return found


def _counts(cited: list[CitedText], advice: Advice, say: Words) -> list[tuple[str, str, int]]:
    """Style, word and number of each gravest verdict, the gravest first: each citation is counted once, as it is shown."""
    invented = bool(advice.invented)
    by_key: dict[str, list[CitedText]] = {}
    for one in cited:
        by_key.setdefault(verdict_keys(one.citation)[0], []).append(one)
    firsts = ((key, by_key[key][0].citation, len(by_key[key])) for key in by_weight(by_key))
    # In an invented law "in force" is no good news: its own style keeps it from being green.
    return [
        (
            "verified" if key == "citation.verified" else standing(one, invented=invented),
            verdicts(one, say, invented=invented)[0],
            count,
        )
        for key, one, count in firsts
    ]


def _same(written: str, citation: str) -> bool:
    # Without white space: assistants write 第 249 条 as well as 第249条.
    return "".join(written.split()) in "".join(citation.split())


def _cited(advice: Advice) -> list[CitedText]:
    """The citations of an answer in its order; of one that quotes, each source once."""
    found: dict[object, CitedText] = {}
    for one in (cited for part in advice.parts for cited in part.citations):
        found.setdefault(one.citation.text if advice.quoted else len(found), one)
    return list(found.values())


READERS = frozenset({Role.OWNER, Role.VIEWER})
AREA = Area("ask", router, (Entry("/ask", "nav.ask", READERS, "law"),))

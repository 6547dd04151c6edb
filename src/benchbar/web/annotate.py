"""Guidance written point by point: each annotator sees the sample alone, the owner all versions, and decides."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any
from urllib.parse import quote

from fastapi import APIRouter, Form, HTTPException, Query, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from benchbar.records import Category, Guidance, Sample, Suite
from benchbar.records.annotations import Annotation
from benchbar.records.errors import UserError
from benchbar.suites.authoring import annotation
from benchbar.suites.authoring.agreement import compare, settle
from benchbar.suites.authoring.layout import EXAMPLE, write_samples
from benchbar.suites.point_kinds import classify
from benchbar.suites.taxonomy import names_in
from benchbar.web import audit
from benchbar.web.area import Area, Entry
from benchbar.web.pages import page, words_of
from benchbar.web.people import Person, Role
from benchbar.web.sessions import Owner, Rater
from benchbar.web.state import app_state
from benchbar.web.suite_folders import suite_at, suites_of

router = APIRouter(tags=["annotate"], default_response_class=HTMLResponse)
MOST_POINTS = 60
LONGEST = 4000
SPARE = 4
"""Empty rows below the points that are there."""
Texts = Annotated[list[str], Form(max_length=MOST_POINTS)]


def _folders(request: Request) -> dict[str, Path]:
    """The suites that are here, by the name of their folder; none where names are hidden, which guidance has to call."""
    # Guidance names parties and statutes by what they are; masked, it would be written back masked into the
    # suite.
    return {} if app_state(request).config.mask else suites_of(request)


def _suite(request: Request, name: str) -> Suite:
    folder = _folders(request).get(name)
    if folder is None:
        raise HTTPException(404, "there is no such suite here")
    found = suite_at(folder)
    if found.problems:
        raise UserError(f"{name} has rows that cannot be read; see `benchbar suite check {folder.name}`")
    return found


def _samples(suite: Suite) -> list[Sample]:
    # Examples show annotators how guidance is written; they are not theirs to write.
    return [sample for sample in suite.samples if EXAMPLE not in sample.tags]


def _sample(suite: Suite, id_: str) -> Sample:
    found = next((sample for sample in _samples(suite) if sample.id == id_), None)
    if found is None:
        raise HTTPException(404, "there is no such sample in this suite")
    return found


def _folder(suite: Suite) -> Path:
    assert suite.folder is not None  # noqa: S101 - read from a folder
    return suite.folder


def _own(suite: Suite, person: Person) -> dict[str, Annotation]:
    return annotation.current(suite, annotation.load(_folder(suite), annotation.name_of(person.name)))


def _decided(suite: Suite) -> dict[str, Annotation]:
    return annotation.current(suite, annotation.load(_folder(suite), annotation.ADJUDICATED))


@router.get("/annotate")
def suites(request: Request, rater: Rater) -> Response:
    """The suites, and how far the person is with each."""
    rows = []
    for name in _folders(request):
        # One suite that cannot be read must not hide the others; its row says why.
        try:
            suite = _suite(request, name)
            rows.append((name, suite.card.description, len(_samples(suite)), len(_own(suite, rater)), ""))
        except UserError as error:
            rows.append((name, "", 0, 0, str(error)))
    return page(
        request,
        "annotate_suites.html.j2",
        rows=rows,
        given=app_state(request).config.suites is not None,
        masked=app_state(request).config.mask,
    )


@router.get("/annotate/{name}")
def samples(request: Request, rater: Rater, name: str) -> Response:
    """The samples of a suite: which the person has written for; to the owner also who else has, and what is disputed."""
    suite = _suite(request, name)
    values: dict[str, Any] = {"others": {}, "disputed": [], "decided": {}}
    # Others' guidance is independent evidence only while nobody sees it: the owner alone gets these values.
    if rater.role is Role.OWNER:
        everybody = annotation.load_all(suite)
        values = {
            "others": {
                sample.id: [who for who, own in everybody.items() if sample.id in own] for sample in suite.samples
            },
            "disputed": compare(suite, everybody).disputed,
            "decided": _decided(suite),
        }
    own = _own(suite, rater)
    return page(
        request,
        "annotate_samples.html.j2",
        name=name,
        suite=suite,
        samples=_samples(suite),
        own=own,
        owner=rater.role is Role.OWNER,
        **values,
    )


@router.get("/annotate/{name}/sample")
def sample_page(
    request: Request,
    rater: Rater,
    name: str,
    sample: str,
    category: Category = Category.MANDATORY,
    point: Annotated[str, Query(max_length=LONGEST)] = "",
) -> Response:
    """One sample with the person's own guidance, and nobody else's; a ``point`` that is proposed stands below it, not kept yet."""
    suite = _suite(request, name)
    one = _sample(suite, sample)
    written = _own(suite, rater).get(one.id)
    if not point.strip():
        return _form(request, name, suite, one, written)
    # Who has written nothing yet adds the point to what the suite says, or what is kept would hold it alone.
    before = written.guidance.points if written else one.guidance.points
    proposed = classify("proposed", category, " ".join(point.split()))
    return _form(request, name, suite, one, written, points=(*before, proposed))


@router.get("/annotate/{name}/decide")
def decide_page(request: Request, owner: Owner, name: str, sample: str) -> Response:
    """One sample with everybody's guidance side by side, where they differ, and the decision."""
    suite = _suite(request, name)
    one = _sample(suite, sample)
    everybody = annotation.load_all(suite)
    versions = {who: own[one.id] for who, own in everybody.items() if one.id in own}
    found = [item for item in compare(suite, everybody).disagreements if item.sample == one.id]
    # The owner begins from what was decided before, else from anybody's version: an empty form would invite a
    # third one.
    start = _decided(suite).get(one.id) or next(iter(versions.values()), None)
    return _form(request, name, suite, one, start, versions=versions, disagreements=found, decide=True)


def _form(
    request: Request,
    name: str,
    suite: Suite,
    sample: Sample,
    written: Annotation | None,
    *,
    status: int = 200,
    problem: str = "",
    **values: Any,
) -> Response:
    listed = [one.id for one in _samples(suite)]
    at = listed.index(sample.id)
    points = values.pop("points", written.guidance.points if written else ())
    return page(
        request,
        "annotate_sample.html.j2",
        status=status,
        name=name,
        sample=sample,
        task=suite.tasks[sample.task],
        task_name=names_in({sample.task: suite.tasks[sample.task].name}, words_of(request).language)[sample.task],
        points=points,
        spare=range(min(SPARE, MOST_POINTS - len(points))),
        comment=written.comment if written else "",
        content=annotation.content_of(sample),
        categories=list(Category),
        longest=LONGEST,
        previous=listed[at - 1] if at else "",
        following=listed[at + 1] if at + 1 < len(listed) else "",
        problem=problem,
        **({"versions": {}, "disagreements": [], "decide": False} | values),
    )


@router.post("/annotate/{name}/sample", responses={303: {}, 409: {}})
def write(
    request: Request,
    rater: Rater,
    name: str,
    sample: Annotated[str, Form(max_length=500)],
    content: Annotated[str, Form(max_length=32)],
    category: Texts,
    text: Texts,
    comment: Annotated[str, Form(max_length=LONGEST)] = "",
    decide: Annotated[str, Form(max_length=3)] = "",
) -> Response:
    """Keep the points; empty rows are left out. With ``decide`` it is the decision, which the owner alone may take."""
    if decide and rater.role is not Role.OWNER:
        raise HTTPException(403, "only the owner decides between annotators")
    suite = _suite(request, name)
    one = _sample(suite, sample)
    guidance = _guidance(category, text)
    written = Annotation(
        sample=one.id,
        annotator=rater.name,
        guidance=guidance,
        content=annotation.content_of(one),
        comment=comment.strip(),
    )
    # Somebody edited the sample since the page was opened: the points would be about a text that is no longer
    # there.
    if content != written.content:
        return _form(request, name, suite, one, written, status=409, problem=words_of(request)("annotate.changed"))
    place = annotation.ADJUDICATED if decide else annotation.name_of(rater.name)
    annotation.store(_folder(suite), place, [written])
    with app_state(request).database.transaction() as now:
        audit.note(
            now,
            rater.name,
            "guidance_decided" if decide else "guidance_written",
            f"{name}/{one.id}",
            points=len(guidance.points),
        )
    return RedirectResponse(
        f"/annotate/{quote(name, safe='')}/{'decide' if decide else 'sample'}?sample={quote(one.id, safe='')}", 303
    )


def _guidance(categories: list[str], texts: list[str]) -> Guidance:
    """The points of the rows that hold something; each gets the kind that its wording shows."""
    # Pairs are matched by place: one field lost on the way would shift every later point into another
    # category.
    if len(categories) != len(texts):
        raise HTTPException(422, "as many categories as texts were expected")
    known = {str(category): category for category in Category}
    if unknown := [one for one in categories if one not in known]:
        raise HTTPException(422, f"unknown category {unknown[0][:40]!r}; known: {', '.join(known)}")
    # Bounded here and not in the signature: a limit on a list bounds the number of its texts, not their
    # length.
    if long := [one for one in texts if len(one) > LONGEST]:
        raise HTTPException(422, f"a point of {len(long[0])} characters; at most {LONGEST}")
    rows = [
        (known[category], " ".join(text.split()))
        for category, text in zip(categories, texts, strict=True)
        if text.strip()
    ]
    return Guidance(
        points=tuple(classify(f"p{number}", category, text) for number, (category, text) in enumerate(rows, 1))
    )


@router.post("/annotate/{name}/settle", responses={303: {}})
def put_in(request: Request, owner: Owner, name: str) -> Response:
    """Put into the samples what stands; disputed ones keep what they have."""
    suite = _suite(request, name)
    found = settle(suite, annotation.load_all(suite), _decided(suite))
    write_samples(_folder(suite), annotation.with_guidance(suite.samples, found.guidance))
    with app_state(request).database.transaction() as now:
        audit.note(now, owner.name, "guidance_settled", name, settled=len(found.guidance), disputed=len(found.disputed))
    return RedirectResponse(f"/annotate/{quote(name, safe='')}", 303)


AREA = Area("annotate", router, (Entry("/annotate", "nav.annotate", frozenset({Role.OWNER, Role.REVIEWER}), "mark"),))

"""A contract reviewed clause by clause: `benchbar.review_contract`."""

from __future__ import annotations

import dataclasses
import threading
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from benchbar.clients.session import OnProgress, Session, blocking, open_session
from benchbar.contracts.bounds import USUAL, Bounds, PartialReviewError, review_apart, sendable
from benchbar.contracts.bundled import (
    DEMONSTRATION_LAW,
    LAW_ENDS,
    LAW_INVENTED,
    NO_LAW_USED,
    invented_rules,
    notes_on_rules,
)
from benchbar.contracts.day import contract_day
from benchbar.contracts.limits import place_of
from benchbar.contracts.named_parties import for_side, named_parties, roles_of_labels
from benchbar.contracts.paragraphs import ContractSource
from benchbar.contracts.playbook import Playbook, read_playbook
from benchbar.contracts.redlines.proposals import apart, proposals
from benchbar.contracts.report import Begun, ContractReport
from benchbar.contracts.report import review_contract as reviewed
from benchbar.contracts.source import MAX_BYTES, read_contract
from benchbar.contracts.switches import Switches
from benchbar.languages.text import detect_language
from benchbar.records import encode
from benchbar.records.errors import BadInputError, InterruptedRunError, UserError
from benchbar.records.files import read_bounded, write_atomically

if TYPE_CHECKING:
    from benchbar.clients import Endpoint
    from benchbar.contracts.generation import Generator
    from benchbar.contracts.lawbook import LawBook
    from benchbar.contracts.redlines.changes import ClauseChange
    from benchbar.contracts.reviewer import ContractReviewer
    from benchbar.contracts.rule_index import RuleIndex
    from benchbar.records.contracts import ClauseReview

FORMS = (".docx", ".html", ".json")


@dataclasses.dataclass(frozen=True)
class ContractReview:
    """The review of one contract, and the contract."""

    source: ContractSource
    report: ContractReport
    """Clauses, findings, level of risk of each, and how much could be reviewed."""
    file: Path | None = None
    """The contract's file, where it was read from one."""
    compared: bool = False
    """Whether there is an earlier version, which ``report.changes`` are against."""

    def called(self, name: str) -> ContractReview:
        """The same review of a contract that is shown under another name than its file has; without a name, as it is."""
        return dataclasses.replace(self, report=msgspec.structs.replace(self.report, file=name)) if name else self

    def save(self, path: Path | str, form: str = "", *, tracked: bool = False) -> Path:
        """Write the review: the contract with comments (.docx), a page that opens offline (.html), or one document (.json).

        Args:
            path: of the file; one that is there is replaced.
            form: ``.docx``, ``.html`` or ``.json``; left out, the ending of the name.
            tracked: also write the proposals into the DOCX, as tracked changes.

        Raises:
            UserError: the name ends otherwise, or it is that of the contract itself.
        """
        target = Path(path)
        chosen = form or target.suffix.lower()
        if chosen not in FORMS:
            raise UserError(f"{target}: expected a name that ends in {', '.join(FORMS)}")
        self._refuse_own(target)
        write_atomically(target, self._written(chosen, tracked=tracked))
        return target

    def save_comparison(self, path: Path | str) -> Path:
        """Write the changes from the earlier version to this one as tracked changes in a Word document of plain paragraphs.

        Raises:
            UserError: there is no earlier version, or the file is that of the contract itself.
        """
        from benchbar.contracts.redlines.docx_comparison import write_comparison

        target = Path(path)
        if not self.compared:
            raise UserError("there is no earlier version: name one with compare")
        self._refuse_own(target)
        write_atomically(target, write_comparison(self.source, self.report.changes, self.report.language))
        return target

    def _refuse_own(self, target: Path) -> None:
        if self.file and self.file.resolve() == target.resolve():
            raise UserError("the report would overwrite the contract: name another file")

    def _written(self, form: str, *, tracked: bool) -> bytes:
        if form == ".json":
            return encode(self.report.to_json()) + b"\n"
        if form == ".html":
            from benchbar.contracts.html_report import write_html

            return write_html(self.report).encode()
        from benchbar.contracts.docx_report import write_docx

        original = read_bounded(self.file) if self.file and self.source.format == "docx" else None
        return write_docx(self.source, self.report, original, tracked=tracked)


OnPart = Callable[["Begun | ClauseReview"], None]
_HERE = frozenset({"bounds", "most", "on_part", "on_progress", "cancel"})
"""Parameters that say how a review is run and watched, and not what it is to do."""


class InterruptedReviewError(InterruptedRunError):
    """The user stopped the review; ``review`` is what was done until then, its other clauses not examined."""

    def __init__(self, review: ContractReview) -> None:
        """Keep what is done."""
        super().__init__("interrupted; clauses that were not reached are marked as not examined")
        self.review = review


async def review_contract_async(
    contract: ContractSource | Path | str,
    *,
    model: Endpoint | None = None,
    law: LawBook | Path | str | None = None,
    rules: RuleIndex | Path | str | None = None,
    demo: bool = False,
    reranker: str | None = None,
    contract_type: str | None = None,
    language: str | None = None,
    compare: ContractSource | Path | str | None = None,
    side: str | None = None,
    playbook: Playbook | Path | str | None = None,
    on: str | None = None,
    switches: Switches | None = None,
    max_cost: float | None = None,
    ledger: Path | str | None = None,
    concurrency: int = 8,
    bounds: Bounds | None = USUAL,
    most: int | None = None,
    on_part: OnPart | None = None,
    on_progress: OnProgress | None = None,
    cancel: threading.Event | None = None,
) -> ContractReview:
    """The same as ``review_contract``, for callers whose event loop runs already."""
    given = {name: value for name, value in locals().items() if name not in _HERE}
    request = sendable(given) if bounds and on_part is None else None
    if bounds and request is not None:
        return await _apart(request, bounds, on_progress, cancel)
    if demo and rules is not None:
        raise UserError("demo uses the invented rules of the package: leave it out, or leave out the rules")
    file = None if isinstance(contract, ContractSource) else Path(contract)
    source = contract if isinstance(contract, ContractSource) else read_contract(Path(contract))
    spoken = language or detect_language(source.text)
    chosen = switches or Switches(law_context=law is not None)
    index, notes = (None, []) if chosen.rules == "off" else _index(rules, spoken, reranker, demo=demo)
    day = on or contract_day(source.text)
    book = _book(law, day)
    source = dataclasses.replace(
        source, warnings=(*source.warnings, *notes, *_notes_on_law(book, day, demo=demo and index is not None))
    )
    positions = read_playbook(Path(playbook)) if isinstance(playbook, str | Path) else playbook
    wanted = side or (positions.side if positions else "")
    async with open_session(
        ledger if model else None, max_cost=max_cost, concurrency=concurrency, cancel=cancel
    ) as session:
        reviewer = _reviewer(
            _generator(session, model), source, spoken, rules=index, law=book, switches=chosen, side=wanted
        )
        report = await _counted(
            session,
            source,
            reviewer,
            contract_type,
            spoken,
            concurrency,
            on_progress,
            playbook=positions,
            most=most,
            on_part=on_part,
        )
        earlier = _earlier(compare, file, source)
        report = msgspec.structs.replace(report, demo=demo and index is not None, on=day if book is not None else "")
        report = await _with_wordings(report, source, earlier, reviewer, by_rule=model is None)
    return ContractReview(source, report, file, compared=earlier is not None)


@blocking(review_contract_async)
def review_contract(review: ContractReview) -> ContractReview:  # noqa: D417 - its arguments are those of review_contract_async
    r"""The review of every clause of a contract: level of risk, evidence, law, suggested wording.

    Args:
        contract: a DOCX, PDF, Markdown or text file, or a contract that was read.
        model: reviews the clauses; left out, the offline reviewer does, by rules alone.
        law: a folder made by `benchbar law index` that citations are checked against; left out, they are not.
        rules: risk rules (JSONL), or an index of them; left out, the bundled ones that name no law, where the language has some.
        demo: use the invented rules and law of the model jurisdiction, and say so in every finding.
        reranker: a cross-encoder that ranks rules and reads excerpts as a second stage; needs the extra ``hub``.
        contract_type: use the rules for this type only; left out, it is read from the contract's words.
        language: of the contract; left out, it is read from its script.
        compare: an earlier version; left out, the same DOCX before the tracked changes in it, where there are any.
        side: the party for whom it is reviewed: a role (``tenant``, 承租人), a label of the contract's, or ``A`` or ``B`` for its first and
            second party; left out, the one that did not write the contract.
        playbook: own positions (TOML, or a DOCX with a table) that the contract is held against.
        on: the day whose law counts (YYYY-MM-DD); left out, the one on which the contract was signed, or today where it names none.
        switches: parts of the reviewer; left out, the usual ones.
        max_cost: stop before this is spent, in the currency of the model's price.
        ledger: a file that keeps calls, so that none is paid twice; left out, they are forgotten.
        concurrency: requests in flight at most.
        bounds: of memory, time and clauses, in a process of its own; None, or where an argument is an object that was opened here (an
            index of law or rules): in this process and without bounds.
        most: clauses that are reviewed; left out, as many as the bounds allow.
        on_part: called with the contract once it is read, then with each review, in this process.
        on_progress: called as each clause is reviewed.
        cancel: once set, calls in flight are finished, and an ``InterruptedReviewError`` is raised with what was reviewed.

    Raises:
        BadInputError: the contract or the rules cannot be read.
        UserError: a setting does not fit; or an event loop runs here already.
        BenchbarError: the model refuses every call, or the budget is spent.

    Example:
        >>> from pathlib import Path
        >>> _ = Path("lease.md").write_text("# 房屋租赁合同\n\n第一条 押金在任何情况下均不予退还。\n", "utf-8")
        >>> review = benchbar.review_contract("lease.md")
        >>> len(review.report.reviews)
        1
        >>> review.save("lease.reviewed.docx").name
        'lease.reviewed.docx'
    """
    return review


async def _apart(
    request: dict[str, Any], bounds: Bounds, on_progress: OnProgress | None, cancel: threading.Event | None
) -> ContractReview:
    contract = request["contract"]
    file = Path(contract) if isinstance(contract, str) else None
    try:
        done = await review_apart(request, bounds, on_progress=on_progress, cancel=cancel)
    except PartialReviewError as error:
        raise InterruptedReviewError(ContractReview(error.source, error.report, file)) from None
    return ContractReview(done.source, done.report, file, compared=done.compared)


Earlier = tuple[ContractSource, Mapping[int, tuple[tuple[str, str], ...]]]
"""An earlier version, and who changed which paragraph of the later one, where the file says so."""


def _earlier(compare: ContractSource | Path | str | None, file: Path | None, source: ContractSource) -> Earlier | None:
    if compare is not None:
        return (compare if isinstance(compare, ContractSource) else read_contract(Path(compare))), {}
    if file is None or source.format != "docx":
        return None
    from benchbar.contracts.docx_own import open_contract
    from benchbar.contracts.docx_source import read_docx, tracked_by

    data = read_bounded(file, MAX_BYTES)
    by = tracked_by(open_contract(data, source.name)[0])
    try:
        return (read_docx(data, source.name, "before"), by) if by else None
    except BadInputError:
        return None  # all of it was inserted: there is no earlier version


async def _with_wordings(
    report: ContractReport,
    source: ContractSource,
    earlier: Earlier | None,
    reviewer: ContractReviewer,
    *,
    by_rule: bool,
) -> ContractReport:
    """The report with own proposals, and with the changes from an earlier version where there is one."""
    from benchbar.contracts.redlines.changes import clause_changes
    from benchbar.contracts.redlines.judging import judged
    from benchbar.contracts.redlines.rereading import reread

    changes: tuple[ClauseChange, ...] = ()
    if earlier:
        before, by = earlier
        changes = await judged(
            clause_changes(before, source, by),
            before,
            report.by_clause,
            reviewer,
            contract_type=report.contract_type,
            language=report.language,
            by_rule=by_rule,
        )
    own = proposals(
        source,
        report.clauses,
        report.reviews,
        by_rule=by_rule,
        bounds=lambda text: reviewer.bounds(text, report.language),
    )
    if by_rule:
        own = await reread(
            own,
            report.clauses,
            report.by_clause,
            reviewer,
            contract_type=report.contract_type,
            language=report.language,
        )
    own = apart(own, report.reviews)
    return msgspec.structs.replace(report, changes=changes, proposals=own)


async def _counted(
    session: Session,
    source: ContractSource,
    reviewer: ContractReviewer,
    contract_type: str | None,
    language: str,
    concurrency: int,
    on_progress: OnProgress | None,
    *,
    playbook: Playbook | None,
    most: int | None,
    on_part: OnPart | None,
) -> ContractReport:
    """The review; how many clauses there are is known when it begins."""
    with ExitStack() as stack:
        count: Callable[[object], None] | None = None

        def begun(what: Begun) -> None:
            nonlocal count
            if on_part:
                on_part(what)
            count = stack.enter_context(session.counted("reviewing", len(what.wanted), on_progress))

        def done(review: ClauseReview) -> None:
            if count:
                count(review)
            if on_part:
                on_part(review)

        return await reviewed(
            source,
            reviewer,
            contract_type=contract_type,
            language=language,
            concurrency=concurrency,
            side=reviewer.side,
            playbook=playbook,
            most=most,
            started=begun,
            done=done,
        )


def _reviewer(
    generator: Generator,
    source: ContractSource,
    language: str,
    *,
    rules: RuleIndex | None,
    law: LawBook | None,
    switches: Switches,
    side: str,
) -> ContractReviewer:
    """The reviewer of one contract: day, parties and place are read from it."""
    from benchbar.contracts.reviewer import ContractReviewer

    day = contract_day(source.text)
    own, named = for_side(side, named_parties(source.text, language))
    return ContractReviewer(
        generator,
        rules=rules,
        law=law,
        switches=switches,
        day=day,
        side=own,
        place=place_of(source.text),
        roles=roles_of_labels(named, language),
        parties=named,
    )


def _generator(session: Session, model: Endpoint | None) -> Generator:
    from benchbar.contracts.generation import ChatGenerator
    from benchbar.contracts.offline import OfflineReviewer
    from benchbar.languages.prompts import Prompts

    if model is None:
        return OfflineReviewer()
    return ChatGenerator(session.chat(model), Prompts(nonce=session.ledger.nonce))


def _index(
    rules: RuleIndex | Path | str | None, language: str, reranker: str | None, *, demo: bool
) -> tuple[RuleIndex | None, list[str]]:
    """The rules to review by, and what a reader has to know of them."""
    from benchbar.contracts.rule_index import RuleIndex, named_reranker

    if isinstance(rules, RuleIndex):
        return rules, []
    if rules is None:
        # What is invented stands in no review that did not ask for it.
        if demo or not invented_rules(language):
            return _bundled_index(language, reranker, demo=demo), notes_on_rules(language, demo=demo)
        if reranker:
            raise UserError(f"reranker {reranker}: there are no rules to rank; name them with --rules FILE")
        return None, notes_on_rules(language, demo=demo)
    from benchbar.contracts.rules import read_rules

    return RuleIndex(read_rules(Path(rules)), reranker=named_reranker(reranker)), []


@lru_cache(maxsize=8)
def _bundled_index(language: str, reranker: str | None, *, demo: bool) -> RuleIndex | None:
    """Kept, since a server reviews one contract after the other by the same rules."""
    from benchbar.contracts.bundled import bundled_rules
    from benchbar.contracts.rule_index import RuleIndex, named_reranker

    rules = bundled_rules(language, demo=demo)
    return RuleIndex(rules, reranker=named_reranker(reranker)) if rules is not None else None


def _book(law: LawBook | Path | str | None, day: str) -> LawBook | None:
    from benchbar.contracts.lawbook import CorpusLawBook

    book = CorpusLawBook.open(Path(law)) if isinstance(law, str | Path) else law
    return book.dated(day) if isinstance(book, CorpusLawBook) else book


def _notes_on_law(book: LawBook | None, day: str, *, demo: bool) -> list[str]:
    """What a reader has to know of the law."""
    from benchbar.contracts.lawbook import CorpusLawBook

    if book is None:
        return [DEMONSTRATION_LAW if demo else NO_LAW_USED]
    if not isinstance(book, CorpusLawBook):
        return []
    # Where the contract names no day, its law is that of the last day that the index knows.
    ends = book.ends and day > book.ends
    return [
        *([LAW_INVENTED.format(name=book.invented)] if book.invented else []),
        *([LAW_ENDS.format(end=book.ends, day=day)] if ends else []),
    ]

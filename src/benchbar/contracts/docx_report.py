"""The contract as a DOCX whose findings are comments at the words they are about."""

from __future__ import annotations

from io import BytesIO
from typing import Any

from benchbar.contracts.docx_first_page import insert_first_page
from benchbar.contracts.docx_own import open_contract
from benchbar.contracts.docx_runs import add_comment, runs_between
from benchbar.contracts.docx_source import body_paragraphs
from benchbar.contracts.form import form_words, level_names
from benchbar.contracts.paragraphs import Block, ContractSource
from benchbar.contracts.redlines.docx_proposals import write_proposals
from benchbar.contracts.redlines.telling import change_lines, proposal_lines
from benchbar.contracts.report import ContractReport, law_of, law_undecided, places, shown, unverified_law
from benchbar.languages.packs import labels
from benchbar.records.contracts import ClauseReview, ExcerptStatus, Finding

_CONTROL = {code: None for code in range(32) if code not in (9, 10, 13)}


def write_docx(
    source: ContractSource, report: ContractReport, original: bytes | None = None, *, tracked: bool = False
) -> bytes:
    """The bytes of a DOCX with one comment for each finding (risk, level, reason, law and suggested wording) and each change.

    Comments go into the ``original`` where the contract is a DOCX, its layout untouched; else into a plain copy of the text.
    With ``tracked`` the report's proposals are written as tracked changes, and each comment has the proof of its own.
    """
    document, blocks = (open_contract(original, source.name)[0], source.blocks) if original else _plain_copy(source)
    elements = body_paragraphs(document)
    clauses = {clause.id: clause for clause in report.clauses}
    proofs = {(one.clause, one.finding): one for one in report.proposals} if tracked else {}
    for review in report.reviews:
        for finding in shown(review):
            text = _text(finding, review, report)
            proposal = proofs.get((review.clause, review.findings.index(finding)))
            if proposal:
                text = "\n".join((text, *proposal_lines(proposal, report.language))).translate(_CONTROL)
            for start, end in places(clauses[review.clause], finding)[:1]:
                _comment(document, elements, blocks, start, end, text)
    for change in report.changes:
        if change.clause:
            clause = clauses[change.clause]
            text = "\n".join(change_lines(change, report.language)).translate(_CONTROL)
            _comment(document, elements, blocks, clause.start, clause.end, text)
    if report.findings:
        # What is missing stands nowhere: it is told at the contract's first line.
        first = blocks[0]
        _comment(document, elements, blocks, first.start, first.end, _of_the_whole(report))
    if tracked:
        # After the comments, which are anchored in the text as it was.
        write_proposals(document, blocks, report.proposals)
    elif report.first_page:
        # Last, for comments are placed by the number of the paragraph; what goes to the other side has no page of ours.
        insert_first_page(document, report.first_page, report.language)
    buffer = BytesIO()
    document.save(buffer)
    return buffer.getvalue()


def _of_the_whole(report: ContractReport) -> str:
    levels = level_names(report.language)
    lines = [f"[{levels[one.level]}] {one.risk}" for one in report.findings]
    return "\n".join([labels(report.language, "contract")("consistency.whole"), *lines]).translate(_CONTROL)


def _plain_copy(source: ContractSource) -> tuple[Any, tuple[Block, ...]]:
    import docx

    document = docx.Document()
    blocks = []
    for index, block in enumerate(source.blocks):
        document.add_paragraph(block.text.translate(_CONTROL).replace("\t", " "))
        blocks.append(Block(block.text, block.page, index, 0, block.table, block.heading, (), block.start, block.end))
    return document, tuple(blocks)


def _comment(document: Any, elements: list[Any], blocks: tuple[Block, ...], start: int, end: int, text: str) -> None:
    runs: list[Any] = []
    for part in (part for block in blocks for part in block.parts):
        low, high = max(start, part.start), min(end, part.end)
        if low < high and part.element is not None:
            shift = part.offset - part.start
            runs += runs_between(elements[part.element], low + shift, high + shift)
    if runs:
        add_comment(document, runs, text)


def _text(finding: Finding, review: ClauseReview, report: ContractReport) -> str:
    language, demo = report.language, report.demo
    words = form_words(language)
    levels = level_names(language)
    parts = [labels(language, "contract")("page.demo")] if demo else []
    parts.append(f"[{levels[finding.level]}] {finding.risk}")
    parts += [
        f"{words[name]}: {value}"
        for name, value in (
            ("analysis", finding.analysis),
            ("law", law_of(finding, demo=demo)),
            ("suggestion", finding.suggestion),
        )
        if value
    ]
    parts += [*filter(None, [law_undecided(report, finding)]), *unverified_law(finding, language)]
    if finding.excerpt and finding.excerpt.status is ExcerptStatus.CLOSE:
        shown_differences = "; ".join(f"“{was}” → “{now}”" for was, now in finding.excerpt.differences)
        parts.append(f"{labels(language, 'contract')('page.close')}: {shown_differences}")
    if review.doubtful:
        parts.append(labels(language, "contract")("page.doubtful"))
    return "\n".join(parts).translate(_CONTROL)

"""The contract as a DOCX whose findings are comments at the words they are about."""

from __future__ import annotations

import copy
from io import BytesIO
from typing import Any

from benchbar.contracts.docx_source import body_paragraphs, text_nodes
from benchbar.contracts.form import form_words, level_names
from benchbar.contracts.paragraphs import Block, ContractSource
from benchbar.contracts.report import ContractReport, law_of, places, shown
from benchbar.languages.packs import labels
from benchbar.records.contracts import ClauseReview, ExcerptStatus, Finding
from benchbar.tables.word import open_docx

AUTHOR, INITIALS = "Benchbar", "BB"
_CONTROL = {code: None for code in range(32) if code not in (9, 10, 13)}


def write_docx(source: ContractSource, report: ContractReport, original: bytes | None = None) -> bytes:
    """The bytes of a DOCX with one comment for each finding: risk, level, reason, law and suggested wording.

    Comments go into the ``original`` where the contract is a DOCX, its layout untouched; else into a plain copy of the text.
    """
    document, blocks = (open_docx(original, source.name), source.blocks) if original else _plain_copy(source)
    elements = body_paragraphs(document)
    clauses = {clause.id: clause for clause in report.clauses}
    for review in report.reviews:
        for finding in shown(review):
            for start, end in places(clauses[review.clause], finding)[:1]:
                _comment(
                    document, elements, blocks, start, end, _text(finding, review, report.language, demo=report.demo)
                )
    if report.findings:
        # What is missing stands nowhere: it is told at the contract's first line.
        first = blocks[0]
        _comment(document, elements, blocks, first.start, first.end, _of_the_whole(report))
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
        blocks.append(Block(block.text, block.page, index, 0, block.table, block.heading, block.start, block.end))
    return document, tuple(blocks)


def _comment(document: Any, elements: list[Any], blocks: tuple[Block, ...], start: int, end: int, text: str) -> None:
    from docx.text.run import Run

    runs: list[Any] = []
    for block in blocks:
        if block.end <= start or block.start >= end or block.element is None:
            continue
        element = elements[block.element]
        if block.table:
            runs += _runs_between(element, 0, 1 << 30)
        else:
            shift = block.start + block.label
            runs += _runs_between(element, max(0, start - shift), max(0, min(end, block.end) - shift))
    if runs:
        wrapped = [Run(run, document) for run in runs]
        document.add_comment(wrapped, text=text, author=AUTHOR, initials=INITIALS)


def _runs_between(paragraph: Any, start: int, end: int) -> list[Any]:
    """The runs that show characters ``start`` to ``end``, split where they show more."""
    _cut(paragraph, start)
    _cut(paragraph, end)
    runs: list[Any] = []
    at = 0
    for node, shown_text in text_nodes(paragraph):
        run = node.getparent()
        if at < end and at + len(shown_text) > start and (not runs or runs[-1] is not run):
            runs.append(run)
        at += len(shown_text)
    return runs


def _cut(paragraph: Any, offset: int) -> None:
    """Make a run end at a character offset of the paragraph."""
    at = 0
    for node, shown_text in text_nodes(paragraph):
        if at == offset:
            _split_run(node)
            return
        if at < offset < at + len(shown_text):
            second = copy.deepcopy(node)
            node.text, second.text = shown_text[: offset - at], shown_text[offset - at :]
            for half in (node, second):
                half.set("{http://www.w3.org/XML/1998/namespace}space", "preserve")
            node.addnext(second)
            _split_run(second)
            return
        at += len(shown_text)


def _split_run(node: Any) -> None:
    """Move a node and what follows it into a run of their own, formatted alike."""
    from docx.oxml.ns import qn

    run = node.getparent()
    children = list(run)
    properties = run.find(qn("w:rPr"))
    first = next((child for child in children if child is not properties), None)
    if first is node:
        return
    after = copy.deepcopy(run)
    for child in list(after):
        after.remove(child)
    if properties is not None:
        after.append(copy.deepcopy(properties))
    for child in children[children.index(node) :]:
        after.append(child)
    run.addnext(after)


def _text(finding: Finding, review: ClauseReview, language: str, *, demo: bool) -> str:
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
    parts += [
        f"{check.citation}: {check.status} {check.reason}".strip()
        for check in finding.laws
        if check.status != "verified"
    ]
    if finding.excerpt and finding.excerpt.status is ExcerptStatus.CLOSE:
        shown_differences = "; ".join(f"“{was}” → “{now}”" for was, now in finding.excerpt.differences)
        parts.append(f"{labels(language, 'contract')('page.close')}: {shown_differences}")
    if review.doubtful:
        parts.append(labels(language, "contract")("page.doubtful"))
    return "\n".join(parts).translate(_CONTROL)

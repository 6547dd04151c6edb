"""Answers as a Word document whose sources are footnotes."""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any
from xml.sax.saxutils import escape

from benchbar.assistants.checked_citations import checked_citations
from benchbar.assistants.law_practice import declined, to_be_checked
from benchbar.languages.countries import country_in
from benchbar.languages.packs import labels
from benchbar.languages.reasons import reason_in
from benchbar.law.cited_text import passed_on, source_of
from benchbar.law.corpus import Corpus
from benchbar.records.files import write_atomically

if TYPE_CHECKING:
    from benchbar.assistants.consultation import Consultation, ContextPassage
    from benchbar.assistants.conversation import Answered
    from benchbar.languages.packs import Labels

_MAIN = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
_KIND = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/footnotes"
_TYPE = "application/vnd.openxmlformats-officedocument.wordprocessingml.footnotes+xml"
_REFERENCE = re.compile(r"\s?\[(\d{1,3})\]\s?")
_PIECE = re.compile(r" \[\d+/\d+\]\n")
"""Which piece of a decision a passage is, at the end of its first line."""
_LONGEST = 2000
"""Characters of a passage in a footnote; Word lays longer ones out over pages of footnotes alone."""


CorpusOf = Callable[["Answered"], Corpus]
"""An answer to the law that it was given from."""


def write_docx(answers: Sequence[Answered], path: Path, corpus_of: CorpusOf, *, on: str = "") -> None:
    """Write questions and answers as ``as_docx`` has them.

    Raises:
        OSError: the file cannot be written.
    """
    # Made in memory first, so that a half-written file never stands under the name.
    write_atomically(path, as_docx(answers, corpus_of, on=on))


def as_docx(answers: Sequence[Answered], corpus_of: CorpusOf, *, on: str = "") -> bytes:
    """Questions and answers as a Word file; each reference [1] becomes a footnote with the source's citation, words and address.

    Under what a model wrote stand what no passage bears out, and its citations, each with its status, the day of the law, the article beside what the answer says of
    it, and its source. That the law is invented stands under every question.
    """
    from docx import Document

    document = Document()
    notes: dict[str, int] = {}
    lines: list[str] = []
    for one in answers:
        _add(document, one, _Notes(lines, notes, labels(one.consultation.language, "words")), corpus_of(one), on)
    _add_notes(document, lines)
    memory = io.BytesIO()
    document.save(memory)
    return memory.getvalue()


class _Notes:
    """The footnotes so far: the words of a source stand in its first one alone, the others lead back to it."""

    def __init__(self, lines: list[str], first: dict[str, int], words: Labels) -> None:
        self._lines, self._first, self._words = lines, first, words

    def add(self, citation: str, text: str) -> int:
        """The number of a new footnote for a source."""
        number = self._first.setdefault(f"{citation}\n{text}", len(self._lines) + 1)
        again = number <= len(self._lines)
        self._lines.append(f"{citation}: {self._words('conversation.see_note', n=str(number)) if again else text}")
        return len(self._lines)


def _add(document: Any, one: Answered, notes: _Notes, corpus: Corpus, on: str) -> None:
    found = one.consultation
    words = labels(found.language, "words").section("law_practice")
    document.add_heading(_clean(one.asked), level=1)
    if found.invented:
        # Before the answer: a page of it that is passed on must not read like the law of a country.
        warning = words["invented"].format(name=country_in(found.invented, found.language))
        document.add_paragraph().add_run(_clean(warning)).bold = True
    if one.understood != one.asked:
        say = labels(found.language, "words")
        document.add_paragraph().add_run(_clean(say("conversation.understood", question=one.understood))).italic = True
    sources = {
        passage.number: (passage.short or passage.citation, _noted(passage, found.language, corpus))
        for passage in found.context
    }
    if found.abstained:
        _add_declined(document, declined(found, words))
        return
    if found.unmeasured:
        document.add_paragraph().add_run(_clean(found.unmeasured)).bold = True
    for name in ("rule", "practice", "conclusion"):
        written = getattr(found, name).strip()
        if written:
            document.add_heading(words[name], level=2)
            for line in written.splitlines():
                _add_line(document, line, sources, notes)
    _add_checks(document, found, corpus, on)


def _add_checks(document: Any, found: Consultation, corpus: Corpus, on: str) -> None:
    """What of an answer is to be checked, and its citations with what became of each."""
    for heading, doubtful in to_be_checked(found, labels(found.language, "words").section("law_practice")):
        document.add_paragraph().add_run(_clean(heading)).bold = True
        for line in doubtful:
            document.add_paragraph(_clean(line), style="List Bullet")
    for first, *others in checked_citations(found, corpus, on):
        document.add_paragraph(_clean(first), style="List Bullet")
        for line in others:
            document.add_paragraph(_clean(line), style="List Continue")


def _add_declined(document: Any, paragraphs: Iterable[str]) -> None:
    """Why there is no answer, what the corpus covers, and what came closest."""
    for first, *listed in (paragraph.splitlines() for paragraph in paragraphs):
        document.add_paragraph(_clean(first))
        for line in listed:
            document.add_paragraph(_clean(line.removeprefix("- ")), style="List Bullet")


def _noted(passage: ContextPassage, language: str, corpus: Corpus) -> str:
    """The words of a source, where they are from, and what became of a decision: a footnote is all that a reader has of it."""
    found = corpus.article(passage.id) or corpus.decision(passage.id)
    source = passed_on(source_of(found, corpus)) if found else ""
    said = "; ".join(filter(None, (source, reason_in(passage.treated, language))))
    words = " ".join(_PIECE.sub("\n", passage.text).split())[:_LONGEST]
    return f"{words} ({said})" if said else words


def _add_line(document: Any, line: str, sources: dict[int, tuple[str, str]], notes: _Notes) -> None:
    bullet = line.startswith("- ")
    paragraph = document.add_paragraph(style="List Bullet" if bullet else None)
    rest, numbers = line.removeprefix("- "), [int(match[1]) for match in _REFERENCE.finditer(line)]
    paragraph.add_run(_clean(_REFERENCE.sub(" ", rest).strip()))
    for number in numbers:
        if number in sources:
            note = notes.add(*sources[number])
            paragraph._p.append(_reference(note))  # noqa: SLF001 - python-docx has no footnotes of its own


def _reference(number: int) -> Any:
    from docx.oxml import parse_xml

    return parse_xml(
        f'<w:r xmlns:w="{_MAIN}"><w:rPr><w:vertAlign w:val="superscript"/></w:rPr>'
        f'<w:footnoteReference w:id="{number}"/></w:r>'
    )


def _add_notes(document: Any, notes: Sequence[str]) -> None:
    from docx.opc.packuri import PackURI
    from docx.opc.part import Part

    # Word wants a separator and its continuation as the first two notes, under these numbers.
    lines = [
        '<w:footnote w:type="separator" w:id="-1"><w:p><w:r><w:separator/></w:r></w:p></w:footnote>',
        '<w:footnote w:type="continuationSeparator" w:id="0"><w:p><w:r><w:continuationSeparator/></w:r></w:p></w:footnote>',
        *(
            f'<w:footnote w:id="{number}"><w:p><w:r><w:rPr><w:vertAlign w:val="superscript"/></w:rPr><w:footnoteRef/></w:r>'
            f'<w:r><w:t xml:space="preserve"> {escape(_clean(note))}</w:t></w:r></w:p></w:footnote>'
            for number, note in enumerate(notes, start=1)
        ),
    ]
    xml = f'<?xml version="1.0" encoding="UTF-8" standalone="yes"?><w:footnotes xmlns:w="{_MAIN}">{"".join(lines)}</w:footnotes>'
    part = Part(PackURI("/word/footnotes.xml"), _TYPE, xml.encode(), document.part.package)
    document.part.relate_to(part, _KIND)


def _clean(text: str) -> str:
    """Without control characters, which XML cannot hold."""
    return "".join(char for char in text if char >= " " or char in "\t\n")

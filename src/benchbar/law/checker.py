"""Holds citations against one corpus: `benchbar.check_citations`, and what a study is handed."""

from __future__ import annotations

from pathlib import Path

from benchbar.languages.packs import pack_of
from benchbar.law import citation_check
from benchbar.law.claims.opened import open_claim
from benchbar.law.corpus import Corpus
from benchbar.law.index import load_corpus
from benchbar.law.invented import invented_jurisdiction
from benchbar.records import Citation, CitedIn, OpenClaim
from benchbar.records.errors import UserError


def check_citations(
    text: str, *, law: Corpus | Path | str, on: str = "", procedure: str = "", language: str | None = None
) -> tuple[Citation, ...]:
    """Every citation of a text, held against the law: does it exist, was it in force, is it quoted as it stands?

    Args:
        text: an answer, a judgment, a contract.
        law: a folder made by `benchbar law index`, a folder of acts, or a corpus that was opened.
        on: the day of the matter (YYYY-MM-DD), whose law counts; left out, today.
        procedure: the day of the procedural step, where that is another one: laws of procedure are judged on it, and a later
            law that counts where it is milder is named.
        language: look for the citations of this language only: ``zh``, ``ru`` or ``en``.

    Raises:
        BadInputError: the folder holds no law.
        UserError: ``text`` is none, ``on`` or ``procedure`` is no date, or citations of the ``language`` are not known here.

    Example:
        >>> from pathlib import Path
        >>> law = Path(benchbar.__file__).parent / "suites" / "data" / "model-jurisdiction-zh" / "law"
        >>> [one.status.value for one in benchbar.check_citations("依照《行政处罚与执行法》第一条。", law=law)]
        ['verified']
    """
    # Nothing found in a language that nobody reads would pass for nothing invented.
    if language:
        pack_of(language)
    if not isinstance(text, str):
        raise UserError(f"text: {type(text).__name__} was found, and a text expected; of a table leave empty cells out")
    corpus = law if isinstance(law, Corpus) else load_corpus(law)
    try:
        found = citation_check.check_citations(text, corpus, on=on, language=language)
        if not procedure:
            return found
        step = citation_check.check_citations(text, corpus, on=procedure, language=language)
    except ValueError as error:
        raise UserError(f"on: {error}") from error
    from benchbar.law.transitional import of_two_days

    return of_two_days(found, step, corpus, procedure=procedure)


class CorpusChecker:
    """Fits ``benchbar.records.protocols.CitationChecker``."""

    def __init__(self, corpus: Corpus, *, today: str) -> None:
        """Checks against ``corpus``; ``today`` is the day for matters without a date."""
        self._corpus, self.identity = corpus, corpus.identity
        # What is shown beside a verdict is the day whose law counted: the last one that the corpus knows, where today lies behind it.
        self.today = corpus.day_of_today(today)
        self.invented = invented_jurisdiction(corpus)
        # Apart from the identity, which names assistants in the ledger: their answers rest on texts alone.
        self.scope = f"all of {', '.join(sorted(corpus.claims)) or 'nothing'}; known until {corpus.as_of or 'today'}"

    def check(self, text: str, *, on: str | None, language: str) -> tuple[Citation, ...]:
        """Every citation of the text, with its status on the day."""
        return citation_check.check_citations(text, self._corpus, on=on or self.today, language=language)

    def open_claim(self, text: str, cited: CitedIn) -> OpenClaim | None:
        """What the text says on the authority of a citation; None where rules decided, or there is nothing to be held against."""
        return open_claim(text, cited, self._corpus)

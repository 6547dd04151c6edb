"""Puts together the consultant that answers in the web app."""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchbar.cli.options import endpoint_of
from benchbar.web.advice import Advice, Exchange, Exchanges, Part, Source, TextListener

if TYPE_CHECKING:
    from benchbar.assistants.consultation import Consultation
    from benchbar.assistants.conversation import Answered
    from benchbar.contracts.report import ContractReport
    from benchbar.law.cited_text import CitedText
    from benchbar.law.corpus import Corpus
    from benchbar.retrieval.corpus import CorpusIndex
    from benchbar.web.config import ContractAsked


# Each set of labels that somebody holds opens the index once: its files are mapped and shared.
_MOST_OPEN = 32
_TRIES = 3
"""Of a model's answer: somebody sits before the page, and more only keep them waiting for what does not come."""
MOST_EXCHANGES = 10
"""Answers that a page of a conversation holds and sends along with the next question: about 20 kB each."""


class CorpusConsultant:
    """Answers from one corpus: by extraction, or by a chat model that is asked through a ledger of its own."""

    def __init__(self, corpus: Path | None, *, model: str = "", base_url: str = "", api_key_env: str = "") -> None:
        """Over an index of `benchbar law index`, or the bundled law; it is opened with the first question."""
        self._path = corpus
        self._model = endpoint_of(model, base_url, api_key_env, tries=_TRIES)
        self._lock = threading.Lock()
        self._indexes: dict[tuple[Path, frozenset[str]], CorpusIndex] = {}

    @property
    def name(self) -> str:
        """Which corpus; empty for the bundled law."""
        return self._path.name if self._path else ""

    @property
    def writer(self) -> str:
        """The model that writes the answers; empty where they are extracted from the texts."""
        return self._model.model if self._model else ""

    def invented(self, question: str) -> str:
        """The jurisdiction of the law that a question in this language is answered from, where it is invented; else empty."""
        from benchbar.law.invented import invented_jurisdiction
        from benchbar.records.errors import BenchbarError

        try:
            return invented_jurisdiction(self._opened(question, frozenset()).corpus)
        except BenchbarError:
            # The first question is told what is wrong with the index.
            return ""

    def _opened(self, question: str, labels: frozenset[str]) -> CorpusIndex:
        from benchbar.assistants.asking import bundled_law
        from benchbar.retrieval.corpus import CorpusIndex

        key = self._path or bundled_law(question), labels
        # Under the lock: two questions at once would open, and perhaps count, the same index twice.
        with self._lock:
            if key not in self._indexes:
                if len(self._indexes) >= _MOST_OPEN:
                    self._indexes.pop(next(iter(self._indexes)))
                self._indexes[key] = CorpusIndex.open(key[0], labels=labels)
            return self._indexes[key]

    def __call__(
        self, question: str, form: str, told: TextListener | None = None, labels: Collection[str] = ()
    ) -> Advice:
        """The answer to one question; ``told`` is given a model's text as it comes.

        Documents with an access label that is not among ``labels`` are left out.

        Raises:
            BenchbarError: a model was asked and did not answer, or the corpus cannot be read.
        """
        return self.go_on(question, form, told, labels).exchanges[-1].advice

    def go_on(
        self,
        question: str,
        form: str,
        told: TextListener | None = None,
        labels: Collection[str] = (),
        *,
        kept: str = "",
        facts: Sequence[str] = (),
    ) -> Exchanges:
        """The conversation with one more question answered, as ``benchbar.Conversation`` answers it; the last ten are kept.

        Raises:
            BenchbarError: a model was asked and did not answer, or the corpus cannot be read.
        """
        from benchbar.assistants.conversation import Conversation
        from benchbar.records import encode

        before, allowed = _answered(kept), frozenset(labels)
        understood = Conversation(facts=facts, answered=before).understood(question)
        matter = Conversation(
            law=self._opened(understood, allowed),
            facts=facts,
            answered=before,
            model=self._model,
            form=form,
            on_text=told,
        )
        matter.ask(question)
        last = matter.answered[-MOST_EXCHANGES:]
        shown = (
            Exchange(one.asked, one.understood, _advice(one.consultation, self._opened(one.understood, allowed).corpus))
            for one in last
        )
        return Exchanges(tuple(shown), encode(last).decode())

    def document(self, kept: str) -> bytes:
        """The answers of a conversation as DOCX, each source as a footnote."""
        from benchbar.assistants.answer_docx import as_docx

        # Without labels: a conversation holds its passages, and the address of a guarded document is not given with them.
        return as_docx(_answered(kept), lambda one: self._opened(one.understood, frozenset()).corpus)


def _answered(kept: str) -> list[Answered]:
    from benchbar.assistants.conversation import Answered
    from benchbar.records import decode

    return decode(kept, list[Answered]) if kept else []


def _advice(found: Consultation, corpus: Corpus) -> Advice:
    from benchbar.assistants.writers import with_treatment

    used = {one.number for one in (*found.articles, *found.cases)}
    # Lines of several articles run together would be held against one of them: what is quoted contradicts nothing.
    quoted = found.generator.startswith("extractive")
    parts = tuple(
        Part(name, text, _checked(text, corpus, quoted=quoted))
        for name, text in (("rule", found.rule), ("practice", found.practice), ("conclusion", found.conclusion))
        if text
    )
    sources = tuple(
        Source(
            number=one.number,
            citation=one.citation,
            text=one.text,
            whole=_whole(corpus, one.id, one.text),
            kind="law" if one.store == "law" else "practice",
            used=one.number in used,
            treated=one.treated,
        )
        for one in found.context
    )
    return Advice(
        question=found.question,
        language=found.language,
        form=found.form,
        parts=parts,
        sources=sources,
        outside=found.outside_context,
        abstained=found.abstained,
        unsupported=found.unsupported,
        covers=found.covers,
        nearest=tuple((with_treatment(one.citation, one.treated, found.language), one.text) for one in found.nearest),
        invented=found.invented,
        unmeasured=found.unmeasured,
        quoted=quoted,
    )


def _checked(text: str, corpus: Corpus, *, quoted: bool) -> tuple[CitedText, ...]:
    from dataclasses import replace

    import msgspec

    from benchbar.law.cited_text import cited_texts

    day = corpus.day_of_today(datetime.now(UTC).date().isoformat())
    return tuple(
        replace(one, citation=msgspec.structs.replace(one.citation, claim_check=None)) if quoted else one
        for one in cited_texts(text, corpus, day)
    )


def _whole(corpus: Corpus, id_: str, passage: str) -> str:
    """The article or decision, where it says more than the passage."""
    lookups: tuple[Callable[[str], Any], ...] = (corpus.article, corpus.decision)
    found = next((one for look in lookups if (one := look(id_)) is not None), None)
    text = "" if found is None else str(found.text)
    # Shown on demand beside the passage, where there is more to see.
    return text if len(text) > len(passage) else ""


class ContractReading:
    """Reviews contracts as `benchbar review-contract` does: offline, or with the same chat model that answers questions."""

    def __init__(
        self,
        corpus: Path | None,
        rules: Path | None = None,
        *,
        model: str = "",
        base_url: str = "",
        api_key_env: str = "",
    ) -> None:
        """Citations are checked against the corpus, where one is named; rules are the bundled ones, where none are."""
        self._path, self._rules = corpus, rules
        self._model = endpoint_of(model, base_url, api_key_env)

    def __call__(self, asked: ContractAsked, folder: Path) -> ContractReport:
        """The review of a contract, and its files in the folder, by a process of their own: the server goes on meanwhile.

        Raises:
            BenchbarError: the contract cannot be read within the bounds, or a model does not answer.
        """
        import asyncio

        from benchbar.contracts.bounds import Bounds, review_apart
        from benchbar.contracts.reviewing import ContractReview
        from benchbar.contracts.taking_away import DOCUMENT, write_all

        options = {
            "contract": asked.contract,
            "compare": asked.earlier,
            "playbook": asked.playbook,
            "side": asked.side or None,
            "contract_type": asked.contract_type or None,
            "on": asked.on or None,
            "language": asked.language or None,
            "model": self._model,
            # A demonstration is of invented rules and law alone: nothing real stands beside them.
            "demo": asked.demo,
            "law": None if asked.demo or asked.without_law else self._path,
            "rules": None if asked.demo else self._rules,
        }
        # Two at once, and whoever uploads waits for it: less than on one's own machine.
        bounds = Bounds(memory=1024, seconds=300, clauses=2000)
        done = asyncio.run(review_apart(options, bounds, save=folder, name=asked.name))
        if (folder / DOCUMENT).exists():
            return done.report
        # Stopped at a bound: what was reviewed until then is shown and given like a whole review.
        partial = ContractReview(done.source, done.report, asked.contract).called(asked.name)
        return write_all(partial, folder, two_files=False).report


def criteria_of(run: Path) -> dict[str, float]:
    """The criteria of the rubric that a run was made with, and their points; nothing where it had none."""
    from benchbar.runs.manifest import read_manifest
    from benchbar.scoring.rubrics import read_rubric

    manifest = read_manifest(run)
    if manifest is None or not manifest.spec.rubric:
        return {}
    rubric = read_rubric(manifest.spec.rubric, Path(manifest.folder))
    return {name: float(one.points) for name, one in rubric.criteria.items()}

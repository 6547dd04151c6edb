"""Puts together the consultant that answers in the web app."""

from __future__ import annotations

import asyncio
import dataclasses
import threading
from collections.abc import Callable
from contextlib import ExitStack
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchbar.cli.review_contract import notes
from benchbar.web.advice import Advice, Part, Source, Told

if TYPE_CHECKING:
    from benchbar.assistants.consultation import Consultation
    from benchbar.contracts.generation import Generator
    from benchbar.contracts.lawbook import LawBook
    from benchbar.contracts.paragraphs import ContractSource
    from benchbar.contracts.report import ContractReport
    from benchbar.contracts.rule_index import RuleIndex
    from benchbar.law.corpus import Corpus
    from benchbar.retrieval.corpus import CorpusIndex


class CorpusConsultant:
    """Answers from one corpus: by extraction, or by a chat model that is asked through a ledger of its own."""

    def __init__(self, corpus: Path | None, *, model: str = "", base_url: str = "", api_key_env: str = "") -> None:
        """Over an index of `benchbar law index`, or the bundled law; it is opened with the first question."""
        self._path = corpus
        self._chat = (model, base_url, api_key_env)
        self._lock = threading.Lock()

    @property
    def name(self) -> str:
        """Which corpus, and who writes."""
        from benchbar.cli.ask import BUNDLED

        where = self._path.name if self._path else BUNDLED
        return f"{where} · {self._chat[0] or 'extractive'}"

    @cached_property
    def _opened(self) -> tuple[CorpusIndex, Corpus]:
        from benchbar.cli.ask import bundled
        from benchbar.retrieval.corpus import CorpusIndex

        index = CorpusIndex.open(self._path or bundled())
        return index, index.corpus

    def __call__(self, question: str, form: str, told: Told | None = None) -> Advice:
        """The answer to one question; ``told`` is given a model's text as it comes.

        Raises:
            BenchbarError: a model was asked and did not answer, or the corpus cannot be read.
        """
        with self._lock:
            index, corpus = self._opened
        found = asyncio.run(self._consult(index, question, form, told))
        return _advice(found, corpus)

    async def _consult(self, index: CorpusIndex, question: str, form: str, told: Told | None) -> Consultation:
        from benchbar.assistants.law_practice import assemble
        from benchbar.cli.ask import chat_model
        from benchbar.clients.streaming import TOLD

        model, base_url, api_key_env = self._chat
        with ExitStack() as stack:
            chat, close = chat_model(stack, model, base_url, api_key_env, None)
            TOLD.set(told)
            try:
                return await assemble(index, generator=chat, form=form).consult(question)
            finally:
                await close()


def _advice(found: Consultation, corpus: Corpus) -> Advice:
    used = {one.number for one in (*found.articles, *found.cases)}
    parts = tuple(
        Part(name, text, _checked(text, corpus))
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
    )


def _checked(text: str, corpus: Corpus) -> tuple[Any, ...]:
    from benchbar.law.resolve import check_citations

    return tuple(check_citations(text, corpus))


def _whole(corpus: Corpus, id_: str, passage: str) -> str:
    """The article or decision, where it says more than the passage."""
    lookups: tuple[Callable[[str], Any], ...] = (corpus.article, corpus.decision)
    found = next((one for look in lookups if (one := look(id_)) is not None), None)
    text = "" if found is None else str(found.text)
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
        self._path, self._rules_file = corpus, rules
        self._chat = (model, base_url, api_key_env)
        self._lock = threading.Lock()
        self._rules: dict[str, RuleIndex | None] = {}

    def __call__(self, source: ContractSource) -> ContractReport:
        """The review of a contract.

        Raises:
            BenchbarError: the contract cannot be divided, or a model does not answer.
        """
        from benchbar.languages.text import detect_language

        language = detect_language(source.text)
        with self._lock:
            if language not in self._rules:
                self._rules[language] = _rules(self._rules_file, language)
            law = self._law
        told = [] if self._rules_file else notes(language)
        noted = dataclasses.replace(source, warnings=(*source.warnings, *told))
        return asyncio.run(self._review(noted, language, self._rules[language], law))

    @cached_property
    def _law(self) -> LawBook | None:
        from benchbar.contracts.lawbook import CorpusLawBook

        return CorpusLawBook.open(self._path) if self._path else None

    async def _review(
        self, source: ContractSource, language: str, rules: RuleIndex | None, law: LawBook | None
    ) -> ContractReport:
        from benchbar.cli.ask import chat_model
        from benchbar.contracts.generation import ChatGenerator
        from benchbar.contracts.offline import OfflineReviewer
        from benchbar.contracts.report import review_contract
        from benchbar.contracts.reviewer import ContractReviewer
        from benchbar.contracts.switches import Switches

        with ExitStack() as stack:
            chat, close = chat_model(stack, *self._chat, None)
            generator: Generator = ChatGenerator(chat) if chat else OfflineReviewer()
            try:
                reviewer = ContractReviewer(
                    generator, rules=rules, law=law, switches=Switches(law_context=law is not None)
                )
                return await review_contract(source, reviewer, language=language)
            finally:
                await close()


def _rules(file: Path | None, language: str) -> RuleIndex | None:
    from benchbar.contracts.bundled import bundled_rules
    from benchbar.contracts.rule_index import RuleIndex
    from benchbar.contracts.rules import read_rules

    rules = read_rules(file) if file else bundled_rules(language)
    return RuleIndex(rules) if rules is not None else None


def criteria_of(run: Path) -> dict[str, float]:
    """The criteria of the rubric that a run was made with, and their points; nothing where it had none."""
    from benchbar.runs.manifest import read_manifest
    from benchbar.scoring.rubrics import read_rubric

    manifest = read_manifest(run)
    if manifest is None or not manifest.spec.rubric:
        return {}
    rubric = read_rubric(manifest.spec.rubric, Path(manifest.folder))
    return {name: float(one.points) for name, one in rubric.criteria.items()}

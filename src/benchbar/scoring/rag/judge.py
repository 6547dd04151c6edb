"""The judge of answers from passages: claims, passages and questions one by one, from which the measures follow."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from typing import NamedTuple

from benchbar.languages.prompts import Prompts
from benchbar.records import (
    UNANSWERABLE,
    ContextPassage,
    Dialogue,
    DialogueEnd,
    RagScore,
    RagVerdict,
    Sample,
    ScoreStatus,
)
from benchbar.records.errors import ModelError, UserError
from benchbar.records.protocols import Asks, Model, ScoringInput
from benchbar.records.rag import FURTHER
from benchbar.scoring.judges.asking import Questioner
from benchbar.scoring.rag import measures
from benchbar.scoring.rag.asking import Asking, UnreadableError
from benchbar.scoring.rag.entities import legal_entities
from benchbar.scoring.rag.similarity import Similarity, compared

VERSION = "1"
# As in RAGAS.
WEIGHTS = (0.75, 0.25)
QUESTIONS = 3
_NO_CONTEXTS = "the answer does not say which passages it was written from"
_NO_REFERENCE = "the sample has no reference answer"
_NO_SIMILARITY = (
    "no model compares what texts mean: name an endpoint in judge.rag.embeddings or a model in judge.rag.similarity, or weigh"
    " claims alone (weights = [1, 0])"
)


class _Found(NamedTuple):
    """A value, or None and why there is none."""

    value: float | None
    verdicts: tuple[RagVerdict, ...] = ()
    reason: str = ""


class _Case(NamedTuple):
    """One answer under review."""

    asking: Asking
    question: str
    answer: str
    contexts: tuple[ContextPassage, ...] | None
    reference: str


class RagJudge:
    """Measures answers by the definitions of RAGAS."""

    name, compares = "rag", False
    asks: Asks = "sometimes"

    def __init__(
        self,
        model: Model,
        prompts: Prompts,
        *,
        attempts: int = 3,
        follows_up: bool = True,
        similarity: Similarity | None = None,
        weights: tuple[float, float] = WEIGHTS,
        questions: int = QUESTIONS,
        further: Sequence[str] = (),
    ) -> None:
        """Asks ``model``, each question at most ``attempts`` times until its answer can be read.

        Args:
            model: the judge.
            prompts: the wording it is asked in.
            attempts: how often one question is put.
            follows_up: whether an unreadable answer is followed by a request for its last line alone.
            similarity: of two texts by what they mean; without one, what rests on it is missing.
            weights: of claim F1 and of similarity in answer correctness.
            questions: how many are generated back from an answer.
            further: names of ``FURTHER``.

        Raises:
            UserError: the weights are no weights, no question is asked for, or a further measure is unknown.
        """
        # One weight for F1, one for similarity.
        if len(weights) != 2 or min(weights) < 0 or sum(weights) <= 0:
            raise UserError(f"weights {list(weights)}: expected two numbers not below 0, one at least above it")
        # More only cost.
        if not 1 <= questions <= 10:
            raise UserError(f"questions is {questions}; 1 to 10 were expected")
        if unknown := set(further) - set(FURTHER):
            raise UserError(f"further {', '.join(sorted(unknown))}: expected some of {', '.join(FURTHER)}")
        self._further = tuple(name for name in FURTHER if name in further)
        self._asks, self._prompts = Questioner(model, attempts, follows_up), prompts
        self._similarity = similarity
        self._weights, self._questions = weights, questions
        parts = f"{weights[0]:g}/{weights[1]:g}:{questions}"
        # Without further measures the judge is the one that it always was, and its stored calls are found.
        parts += "".join(f":{name}" for name in self._further)
        self.compared_by = similarity.identity if similarity else ""
        """What compares the meaning of texts; empty where nothing does."""
        self.identity = f"rag:{model.identity}:{similarity.identity if similarity else 'none'}:{parts}"

    async def score(self, given: ScoringInput) -> tuple[RagScore, ...]:
        """One score for each measure that applies to the sample.

        Raises:
            ModelError: the judge can never answer.
        """
        case = self._case(given.sample, given.dialogue, given.repeat)
        # One after the other: each measure asks several questions, and samples enough are under way beside this one.
        return tuple(
            [
                await self._score(given.dialogue, name, measure, case, given.repeat)
                for name, measure in self._measures(given.sample).items()
            ]
        )

    def _measures(self, sample: Sample) -> dict[str, Callable[[_Case], Awaitable[_Found]]]:
        """A question without an answer in the law is rightly evaded, and has nothing that could be recalled."""
        if UNANSWERABLE in sample.tags:
            return {"faithfulness": self._faithfulness, "right_abstention": self._abstention}
        further: dict[str, Callable[[_Case], Awaitable[_Found]]] = {
            "context_utilisation": self._utilisation,
            "noise_sensitivity": partial(self._noise, mode=0),
            "noise_sensitivity_irrelevant": partial(self._noise, mode=1),
            "context_entity_recall": self._entities,
            "factual_correctness": self._facts,
            "response_groundedness": self._groundedness,
        }
        return {
            "faithfulness": self._faithfulness,
            "answer_relevancy": self._relevancy,
            "context_precision": self._precision,
            "context_recall": self._recall,
            "answer_correctness": self._correctness,
            **{name: further[name] for name in self._further},
        }

    def _case(self, sample: Sample, dialogue: Dialogue, repeat: int) -> _Case:
        asking = Asking(
            self._asks,
            self._prompts,
            sample=sample.id,
            language=sample.language,
            repeat=repeat,
        )
        # A question is asked once; of several turns the last pair is the question and its answer.
        last = {turn.role: turn.content for turn in dialogue.turns}
        return _Case(
            asking=asking,
            question=last.get("user", sample.needs),
            answer=last.get("assistant", ""),
            contexts=dialogue.contexts,
            reference=sample.reference.strip(),
        )

    async def _score(
        self,
        dialogue: Dialogue,
        name: str,
        measure: Callable[[_Case], Awaitable[_Found]],
        case: _Case,
        repeat: int,
    ) -> RagScore:
        status = ScoreStatus.ABSTAINED
        if dialogue.ended is DialogueEnd.ERROR:
            found, status = _Found(None, reason="the dialogue failed"), ScoreStatus.FAILED
        else:
            try:
                found = await measure(case)
            except UnreadableError as error:
                found, status = _Found(None, reason=str(error)), ScoreStatus.FAILED
            except ModelError as error:
                if error.fatal:
                    raise
                found, status = _Found(None, reason=f"{error.slug}: {error}"), ScoreStatus.FAILED
        return RagScore(
            sample=dialogue.sample,
            assistant=dialogue.assistant,
            measure=name,
            status=status if found.value is None else ScoreStatus.SCORED,
            value=found.value,
            verdicts=found.verdicts,
            reason=found.reason,
            scorer=self.identity,
            version=VERSION,
            repeat=repeat,
        )

    async def _faithfulness(self, case: _Case) -> _Found:
        """Share of the answer's claims that its passages bear out."""
        if case.contexts is None:
            return _Found(None, reason=_NO_CONTEXTS)
        return await self._borne(case, case.answer, "the answer makes no claim")

    async def _recall(self, case: _Case) -> _Found:
        """Share of the reference answer's claims that the passages bear out."""
        if case.contexts is None or not case.reference:
            return _Found(None, reason=_NO_REFERENCE if case.contexts is not None else _NO_CONTEXTS)
        return await self._borne(case, case.reference, "the reference answer makes no claim")

    async def _borne(self, case: _Case, text: str, nothing: str) -> _Found:
        claims = await case.asking.claims(case.question, text)
        borne = await case.asking.borne(claims, [passage.text for passage in case.contexts or ()])
        verdicts = tuple(RagVerdict(text=claim, holds=one) for claim, one in zip(claims, borne, strict=True))
        return _Found(measures.borne_share(borne), verdicts, "" if claims else nothing)

    async def _precision(self, case: _Case) -> _Found:
        """How far up the useful passages stand."""
        if case.contexts is None or not case.reference:
            return _Found(None, reason=_NO_REFERENCE if case.contexts is not None else _NO_CONTEXTS)
        useful = [await case.asking.useful(case.question, case.reference, passage) for passage in case.contexts]
        verdicts = tuple(
            RagVerdict(text=passage.id, holds=one) for passage, one in zip(case.contexts, useful, strict=True)
        )
        return _Found(measures.rank_weighted_precision(useful), verdicts)

    async def _relevancy(self, case: _Case) -> _Found:
        """How near the questions that the answer would answer are to the one asked."""
        if self._similarity is None:
            return _Found(None, reason=_NO_SIMILARITY)
        back = await case.asking.questions(case.answer, self._questions)
        alike, note = await compared(self._similarity, case.question, back.questions) if back.questions else ((), "")
        verdicts = tuple(RagVerdict(text=one, value=value) for one, value in zip(back.questions, alike, strict=True))
        value = measures.relevancy(alike, noncommittal=back.noncommittal)
        return _Found(value, verdicts, "the answer is non-committal" if back.noncommittal else note)

    async def _abstention(self, case: _Case) -> _Found:
        """1 where a question that cannot be answered was not."""
        back = await case.asking.questions(case.answer, self._questions)
        return _Found(float(back.noncommittal))

    async def _correctness(self, case: _Case) -> _Found:
        """Claim F1 against the reference answer, and similarity to it."""
        if not case.reference:
            return _Found(None, reason=_NO_REFERENCE)
        if self._similarity is None and self._weights[1]:
            return _Found(None, reason=_NO_SIMILARITY)
        said = await case.asking.claims(case.question, case.answer)
        wanted = await case.asking.claims(case.question, case.reference)
        # Recall of nothing is undefined; scored 1, a poor reference would raise the mean.
        if not wanted:
            return _Found(None, reason="the reference answer makes no claim")
        right = await case.asking.borne(said, [case.reference])
        covered = await case.asking.borne(wanted, [case.answer])
        f1 = measures.claim_f1(sum(right), len(right) - sum(right), len(covered) - sum(covered))
        # With a model behind it, a similarity that weighs nothing would still cost its call.
        alike, note = 0.0, ""
        if self._similarity is not None and self._weights[1]:
            (alike,), note = await compared(self._similarity, case.reference, [case.answer])
        verdicts = (
            *(RagVerdict(text=claim, holds=one, reason="answer") for claim, one in zip(said, right, strict=True)),
            *(
                RagVerdict(text=claim, holds=one, reason="reference")
                for claim, one in zip(wanted, covered, strict=True)
            ),
            RagVerdict(text="", value=float(alike), reason="similarity"),
        )
        if f1 is None:
            return _Found(
                None, verdicts, "the answer makes no claim of its own and leaves none of the reference unsaid"
            )
        return _Found(measures.correctness(f1, min(1.0, max(0.0, float(alike))), self._weights), verdicts, note)

    async def _utilisation(self, case: _Case) -> _Found:
        """How far up the passages stand that were useful for the answer given, right or wrong."""
        if case.contexts is None:
            return _Found(None, reason=_NO_CONTEXTS)
        useful = [await case.asking.useful(case.question, case.answer, passage) for passage in case.contexts]
        verdicts = tuple(
            RagVerdict(text=passage.id, holds=one) for passage, one in zip(case.contexts, useful, strict=True)
        )
        return _Found(measures.rank_weighted_precision(useful), verdicts)

    async def _noise(self, case: _Case, mode: int) -> _Found:
        """Share of the answer's claims that are wrong and come from passages: relevant ones, or irrelevant ones alone."""
        if case.contexts is None or not case.reference:
            return _Found(None, reason=_NO_REFERENCE if case.contexts is not None else _NO_CONTEXTS)
        said = await case.asking.claims(case.question, case.answer)
        wanted = await case.asking.claims(case.question, case.reference)
        right = await case.asking.borne(said, [case.reference])
        claims_of = [await case.asking.borne(said, [passage.text]) for passage in case.contexts]
        reference_of = [await case.asking.borne(wanted, [passage.text]) for passage in case.contexts]
        found = measures.noise_sensitivity(right, claims_of, reference_of)
        verdicts = tuple(RagVerdict(text=claim, holds=one) for claim, one in zip(said, right, strict=True))
        return _Found(None if found is None else found[mode], verdicts, "" if said else "the answer makes no claim")

    async def _entities(self, case: _Case) -> _Found:
        """Share of the citations, dates and amounts of the reference that the passages name; read by rule, without a judge."""
        if case.contexts is None or not case.reference:
            return _Found(None, reason=_NO_REFERENCE if case.contexts is not None else _NO_CONTEXTS)
        wanted = legal_entities(case.reference)
        there = legal_entities("\n".join(passage.text for passage in case.contexts))
        verdicts = tuple(RagVerdict(text=one, holds=one in there) for one in sorted(wanted))
        value = measures.entity_recall(wanted, there)
        return _Found(value, verdicts, "" if wanted else "the reference answer names no citation, date or amount")

    async def _facts(self, case: _Case) -> _Found:
        """F1 over the claims of the answer and those of the reference, without similarity."""
        if not case.reference:
            return _Found(None, reason=_NO_REFERENCE)
        said = await case.asking.claims(case.question, case.answer)
        wanted = await case.asking.claims(case.question, case.reference)
        right = await case.asking.borne(said, [case.reference])
        covered = await case.asking.borne(wanted, [case.answer])
        value = measures.claim_f1(sum(right), len(right) - sum(right), len(covered) - sum(covered))
        verdicts = tuple(
            RagVerdict(text=claim, holds=one, reason=of)
            for of, claims, ones in (("answer", said, right), ("reference", wanted, covered))
            for claim, one in zip(claims, ones, strict=True)
        )
        return _Found(value if wanted else None, verdicts, "" if wanted else "the reference answer makes no claim")

    async def _groundedness(self, case: _Case) -> _Found:
        """How far the answer as a whole rests on its passages, rated once a repeat."""
        if case.contexts is None:
            return _Found(None, reason=_NO_CONTEXTS)
        # Nothing retrieved grounds nothing, and needs no judge to say so.
        rating = await case.asking.grounded(case.answer, [one.text for one in case.contexts]) if case.contexts else 0
        return _Found(measures.groundedness([rating]), (RagVerdict(text="", value=float(rating)),))

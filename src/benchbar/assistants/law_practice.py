"""``law-practice``: a consultant that searches statutes and court practice and answers from what it found.

The question is searched in other wordings too, in a store of laws and a store of decisions with settings of their own;
the rankings are fused, the passages put into a window in rank order, and a model, or extraction without one, writes rule,
practice and conclusion from them. Every article and case number it names can be looked up; where nothing relevant is
found it says so instead.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Any

import msgspec
from msgspec import UNSET
from msgspec.structs import replace

from benchbar.assistants.consultation import Consultation, Draft, Window, sources, window
from benchbar.assistants.consultation import ContextPassage as Given
from benchbar.assistants.statements import Passage
from benchbar.assistants.support import supported
from benchbar.assistants.writers import (
    FORMS,
    ExtractiveWriter,
    ModelWriter,
    Writer,
    applied,
    cites,
    listed_line,
    references,
    with_treatment,
)
from benchbar.languages.packs import labels
from benchbar.languages.prompts import Prompts
from benchbar.languages.text import detect_language
from benchbar.law.citations import extract
from benchbar.law.dates import is_day
from benchbar.law.invented import invented_jurisdiction
from benchbar.law.names import same_law
from benchbar.records import ContextPassage, Piece, Reply, Turn, fingerprint
from benchbar.records.errors import UserError
from benchbar.records.protocols import Context, Model
from benchbar.retrieval.corpus import CorpusIndex
from benchbar.retrieval.embedding import Asking
from benchbar.retrieval.passages import LAW, store_of
from benchbar.retrieval.rewriting import read_variants, rule_variants
from benchbar.retrieval.search import Finding, Refusal, Search
from benchbar.retrieval.settings import RetrievalSettings

BUDGET = 4000
_NEAREST = 3
"""Passages of each store that are shown where there is no answer."""
_NAMED = 5
"""Laws that are named to somebody whose question none of them answers: enough to see what kind of corpus it is."""
MATTER = 1500
"""Characters of what was said before that are searched along with a further question."""


class LawPractice:
    """Answers from the law and the decisions of one corpus."""

    def __init__(
        self,
        search: Search,
        writer: Writer,
        *,
        rewriter: Model | None = None,
        form: str = "general",
        budget: int = BUDGET,
        corpus: str = "",
        prompts: Prompts | None = None,
        lookup: Callable[[str], Sequence[Piece]] | None = None,
        covers: Sequence[str] = (),
        whole: Callable[[str], str] | None = None,
        invented: str = "",
        treated: Callable[[str], str] | None = None,
    ) -> None:
        """Searches with ``search`` and has ``writer`` write.

        Args:
            search: over the stores of law and practice.
            writer: a model's or the extractive one.
            rewriter: puts the question in other words; without one that is done by rule.
            form: ``general`` opinion, or preparation for ``trial``.
            budget: estimated tokens of passages that the writer is given.
            corpus: identity of the corpus.
            prompts: the wording that models are given.
            lookup: the articles and decisions that a text names.
            covers: names of its laws, for a question that none of them answers.
            whole: the text of an article by its id, empty for what is none; left out, a passage is all that is known of it.
            invented: the jurisdiction of the corpus, where it is an invented one.
            treated: what a later decision did with one, by its id; empty where nobody says.

        Raises:
            UserError: there is no such form, or no room for a passage.
        """
        if form not in FORMS:
            raise UserError(f"form {form!r}; known: {', '.join(FORMS)}")
        if budget < 1:
            raise UserError(f"a budget of {budget} tokens leaves no room for a passage")
        self._search, self._writer, self._rewriter = search, writer, rewriter
        self._form, self._budget, self._prompts = form, budget, prompts or Prompts()
        self._covers, self._whole = covers, whole or (lambda _: "")
        self._invented, self._treated = invented, treated or (lambda _: "")
        self._lookup = lookup or (lambda _: ())
        self.ledgered = isinstance(writer, ModelWriter)
        """A model's calls are in the ledger already; the rest is a function of them."""
        settings = fingerprint([search.settings, form, budget, corpus, rewriter.identity if rewriter else "rules"])
        self.identity = f"law-practice:8:{writer.identity}:{settings}"

    async def reply(self, turns: Sequence[Turn]) -> Reply:
        """The answer as text, with its sources listed.

        Raises:
            ModelError: a model was asked and did not answer.
        """
        said = [turn.content for turn in turns if turn.role != "assistant"]
        consultation, draft = await self._consult(said[-1], "\n".join(said)[-MATTER:] if len(said) > 1 else "")
        # What is nearest and no answer is for people who ask; in a study it would be marked as if it had been said.
        return Reply(
            content=as_text(replace(consultation, nearest=(), unsupported=())),
            usage=draft.usage,
            cost=draft.cost,
            model=draft.model,
            contexts=tuple(
                ContextPassage(id=one.id, text=f"{one.citation}\n{one.text}") for one in consultation.context
            ),
        )

    async def consult(self, question: str) -> Consultation:
        """The structured answer to one question.

        Raises:
            ModelError: a model was asked and did not answer.
        """
        return (await self._consult(question, ""))[0]

    async def _consult(self, question: str, matter: str) -> tuple[Consultation, Draft]:
        language = detect_language(question)
        variants = [*([matter] if matter else []), *(await self._variants(question, language))]
        named = self._looked_up([question]) if self._search.settings.named else []
        await self._search.prepare(question, variants, held=bool(named))
        absent = _articles_named(question) if self._search.settings.named and not named else []
        # Whoever asks for an article that is not here must not be given another one as the rule.
        opened = Window((), (), 0) if absent else self._window(self._findings(question, variants, named))
        if opened.passages:
            asked = frozenset(one.passage.document for one in named)
            read = self._read(opened, asked, self._search.certain(question))
            draft = await self._writer.write(question, read, form=self._form, language=language)
            if not isinstance(self._writer, ModelWriter) and not asked:
                draft = self._cautioned(draft, language)
            return self._consultation(question, language, variants, opened, draft), draft
        refusal = self._search.refuses(question, *variants)
        draft = Draft(abstained=self._why_silent(question, language, refusal, absent))
        nearest = self._window(await self._search.nearest(question, _NEAREST)).passages
        silent = self._consultation(question, language, variants, opened, draft)
        return replace(silent, nearest=nearest, covers=self._covered(language)), draft

    def _cautioned(self, draft: Draft, language: str) -> Draft:
        """A list of articles with why no rule is stated of law like this."""
        words = labels(language, "words").section("writer")
        if self._search.too_large:
            return replace(draft, conclusion=f"{draft.conclusion}\n{words['too_large']}")
        if self._search.unfitted and not draft.statements:
            return replace(draft, unmeasured=words["unfitted"], conclusion=words["name_it"])
        return draft

    def _window(self, findings: Sequence[Finding]) -> Window:
        """What fits into the budget, with what became of each decision."""
        opened = window(findings, self._budget)
        passages = tuple(
            one if one.store == LAW else replace(one, treated=self._treated(one.id)) for one in opened.passages
        )
        return replace(opened, passages=passages)

    def _covered(self, language: str) -> str:
        """The first laws of the corpus by name, and how many more there are, in the language of the question."""
        words = labels(language, "words")
        listed = words("law_practice.list_comma").join(self._covers[:_NAMED])
        more = len(self._covers) - _NAMED
        return words("law_practice.and_more", laws=listed, n=str(more)) if more > 0 else listed

    def _why_silent(self, question: str, language: str, refusal: Refusal | None, absent: Sequence[str]) -> str:
        words = labels(language, "words")
        if absent:
            return words("law_practice.not_held", named=words("law_practice.list_comma").join(absent))
        field, held = self._search.other_field(question, language) if refusal is Refusal.UNFAMILIAR else ("", [])
        if field and held:
            listed = words("law_practice.list_comma").join(held[:_NAMED])
            return words("law_practice.other_field", field=field, fields=listed)
        return words(f"law_practice.{refusal or 'nothing'}")

    def _read(self, opened: Window, asked: Collection[str], certain: str | None) -> tuple[Given, ...]:
        """What the writer reads: a model the passages; extraction the articles whole, since their rule may stand in another piece.

        Of documents that were ``asked`` for by name the writer is told so, and of articles whether they are the ``certain`` one.
        """
        if isinstance(self._writer, ModelWriter):
            return opened.passages
        return tuple(
            replace(
                one,
                text=self._whole(one.id) or one.text,
                named=one.id in asked,
                certain=UNSET if certain is None or one.store != LAW else one.id == certain,
            )
            for one in opened.passages
        )

    def _findings(self, question: str, variants: Sequence[str], named: list[Finding]) -> list[Finding]:
        """What the question itself names, then what the search finds, then the articles that those rest on."""
        settings = self._search.settings
        there = {one.passage.document for one in named}
        asked = [one.passage for one in named]

        def applies(piece: Piece, law: Sequence[Piece]) -> bool:
            # A decision on an article that is asked about, or was found, bears on the question, whatever its other words.
            return cites(
                applied(piece.text), [(one.law, one.article, one.sub) for one in (*asked, *law) if one.article]
            )

        hits = self._search.find(question, variants, bearing=applies, held=bool(named))
        if settings.silence is not UNSET:
            law = [one.passage for one in hits if store_of(one.passage) == LAW]
            # Where there is law, a decision that applies none of it is about something else that is worded alike.
            hits = [
                one for one in hits if store_of(one.passage) == LAW or not (asked or law) or applies(one.passage, law)
            ]
        found = named + [one for one in hits if one.passage.document not in there]
        there |= {one.passage.document for one in found}
        texts = [one.passage.text if store_of(one.passage) == LAW else applied(one.passage.text) for one in found]
        cited = self._looked_up(texts) if settings.cited and LAW in settings.stores else []
        resting = [one for one in cited if store_of(one.passage) == LAW and one.passage.document not in there]
        return found + resting[: settings.cited]

    def _looked_up(self, texts: Sequence[str]) -> list[Finding]:
        """The articles and decisions that texts name, those first that are named most often and soonest."""
        pieces: dict[str, Piece] = {}
        weights: dict[str, float] = {}
        for rank, text in enumerate(texts, start=1):
            for piece in self._lookup(text):
                pieces.setdefault(piece.id, piece)
                weights[piece.id] = weights.get(piece.id, 0.0) + 1 / rank
        order = sorted(pieces, key=lambda id_: -weights[id_])
        return [Finding(passage=pieces[id_], score=1.0, fused=1.0, rank_in_store=0) for id_ in order]

    async def _variants(self, question: str, language: str) -> list[str]:
        settings = self._search.settings
        if not settings.multi_query:
            return []
        if self._rewriter is None:
            return rule_variants(question, settings.variants)
        prompt = self._prompts.render("rewrite", language, question=question, count=str(settings.variants))
        reply = await self._rewriter.ask([Turn(role="user", content=prompt)], role="rewriter")
        return read_variants(reply.content, question, settings.variants)

    def _consultation(
        self, question: str, language: str, variants: Sequence[str], opened: Window, draft: Draft
    ) -> Consultation:
        articles, cases = sources(opened, draft.used)
        held, unsupported = draft.statements, list[str]()
        if isinstance(self._writer, ModelWriter) and not draft.abstained:
            passages = [Passage(number=one.number, text=one.text, law=one.store == LAW) for one in opened.passages]
            said = "\n".join(filter(None, (draft.rule, draft.practice, draft.conclusion)))
            found, unsupported = supported(said, passages, lambda text: references(text, len(passages)))
            held = tuple(found)
        return Consultation(
            question=question,
            language=language,
            form=self._form,
            generator=self._writer.identity,
            rule=draft.rule,
            practice=draft.practice,
            conclusion=draft.conclusion,
            articles=articles,
            cases=cases,
            # Words taken from a passage may cite what the passage cites; only a model can bring in something else.
            outside_context=_outside(draft, opened) if isinstance(self._writer, ModelWriter) else (),
            statements=held,
            unsupported=tuple(unsupported),
            abstained=draft.abstained,
            unmeasured=draft.unmeasured,
            variants=tuple(variants),
            context=opened.passages,
            left_out=opened.left_out,
            invented=self._invented,
        )


def _articles_named(question: str) -> list[str]:
    """The articles of named laws that a question cites, as it writes them."""
    return list(dict.fromkeys(one.text for one in extract(question) if one.article and one.names))


def _outside(draft: Draft, opened: Window) -> tuple[str, ...]:
    """Citations in the answer that no passage of the window is or mentions."""
    # Each passage by itself: what 本法 means in one has nothing to do with the laws that another names.
    known = {
        (one.names, one.article, one.sub, one.case_number)
        for passage in opened.passages
        for one in extract(f"{passage.citation}\n{passage.treated}\n{passage.text}")
    }
    known |= {
        (one.passage.law, one.passage.article, one.passage.sub, one.passage.case_number) for one in opened.findings
    }
    found: dict[str, None] = {}
    for mention in extract(f"{draft.rule}\n{draft.practice}\n{draft.conclusion}"):
        if not any(_same(mention.names, mention.article, mention.sub, mention.case_number, *one) for one in known):
            found.setdefault(mention.text)
    return tuple(found)


def _same(law: str, article: str, sub: str, case: str, law2: str, article2: str, sub2: str, case2: str) -> bool:
    if case or case2:
        return case == case2
    return (not article or (article, sub) == (article2, sub2)) and (not law or same_law(law, law2))


def as_text(consultation: Consultation) -> str:
    """The answer to be read: its parts under headings, then its sources."""
    language = consultation.language
    words = labels(language, "words").section("law_practice")
    if consultation.abstained:
        return "\n\n".join(declined(consultation, words))
    # Before the answer: whoever reads a warning below it has believed the answer already.
    parts = [consultation.unmeasured] if consultation.unmeasured else []
    parts += [
        f"{words[name]}\n{text}"
        for name in ("rule", "practice", "conclusion")
        if (text := getattr(consultation, name).strip())
    ]
    listed = sorted((*consultation.articles, *consultation.cases), key=lambda source: source.number)
    if listed:
        named = (f"[{one.number}] {with_treatment(one.citation, one.treated, language)}" for one in listed)
        parts.append("\n".join([words["sources"], *named]))
    parts += [
        "\n".join([heading, *(f"- {one}" for one in lines)]) for heading, lines in to_be_checked(consultation, words)
    ]
    return "\n\n".join(parts)


def to_be_checked(consultation: Consultation, words: Mapping[str, str]) -> Iterator[tuple[str, Sequence[str]]]:
    """What a model wrote and no passage bears out, citations and sentences, each under its warning."""
    if consultation.outside_context:
        yield words["outside"], consultation.outside_context
    if consultation.unsupported:
        yield words["unsupported"], consultation.unsupported


def declined(consultation: Consultation, words: Mapping[str, str]) -> Iterator[str]:
    """Why there is no answer, what the corpus covers, and what came closest."""
    yield words["abstained"].format(reason=consultation.abstained.rstrip("。."))
    if consultation.covers:
        yield words["covers"].format(laws=consultation.covers)
    if consultation.nearest:
        listed = (f"- {listed_line(consultation.question, one, consultation.language)}" for one in consultation.nearest)
        yield "\n".join([words["nearest"], *listed])


def build(
    context: Context,
    *,
    corpus: str = "",
    generator: Mapping[str, Any] | str = "extractive",
    rewriter: Mapping[str, Any] | str = "rules",
    form: str = "general",
    budget: int = BUDGET,
    on: str = "",
    retrieval: Mapping[str, Any] | None = None,
) -> LawPractice:
    """Over the corpus named (an index, or a folder of acts), else over the law that the suite brings.

    ``generator`` and ``rewriter`` are settings of a chat model, or ``extractive`` and ``rules``; ``on`` is the day whose
    law is searched (default today); ``retrieval`` sets fields of ``RetrievalSettings``.
    """
    if on and not is_day(on):
        raise UserError(f"on is {on!r}; a day like 2024-06-01 was expected")
    index = CorpusIndex.open(context.law(corpus or None))
    if context.paths_in_law_identity:
        # The index itself is not opened by the old identity: its counts on disk would be made again at every change of form.
        index.corpus = index.corpus.known_by_paths()
    return assemble(
        index,
        settings=msgspec.convert(dict(retrieval or {}), RetrievalSettings),
        generator=None if generator == "extractive" else context.model(_model(generator, "generator")),
        rewriter=None if rewriter == "rules" else context.model(_model(rewriter, "rewriter")),
        form=form,
        budget=budget,
        on=on or None,
        prompts=Prompts(nonce=context.nonce),
        # Looked up when it is needed: a context of somebody's own need not know embedding models.
        asking=lambda endpoint: context.embedding(endpoint),  # noqa: PLW0108
    )


def assemble(
    index: CorpusIndex,
    *,
    settings: RetrievalSettings | None = None,
    generator: Model | None = None,
    rewriter: Model | None = None,
    form: str = "general",
    budget: int = BUDGET,
    on: str | None = None,
    prompts: Prompts | None = None,
    asking: Asking | None = None,
) -> LawPractice:
    """A consultant over a corpus; without a generator it extracts, without a rewriter it rewrites by rule.

    An embedding model, where the settings name one, is the one that ``asking`` gives.
    """
    return LawPractice(
        index.searching(settings, day=on, asking=asking),
        ExtractiveWriter() if generator is None else ModelWriter(generator, prompts),
        rewriter=rewriter,
        form=form,
        budget=budget,
        corpus=index.corpus.identity,
        prompts=prompts,
        lookup=lambda text: index.named_in(text, day=on),
        covers=index.names(),
        whole=lambda id_: "" if (found := index.corpus.article(id_)) is None else found.text,
        invented=invented_jurisdiction(index.corpus),
        treated=lambda id_: index.corpus.treatments.said_now(index.corpus.decision(id_)),
    )


def _model(settings: Mapping[str, Any] | str, name: str) -> dict[str, Any]:
    """The settings of an endpoint; ``kind`` may say openai, as for an assistant."""
    if isinstance(settings, str):
        raise UserError(f"{name} {settings!r}: expected settings of a model such as {{ model = …, base_url = … }}")
    found = dict(settings)
    kind = found.pop("kind", "openai")
    if kind != "openai":
        raise UserError(f"{name} of kind {kind!r}; expected openai")
    return found

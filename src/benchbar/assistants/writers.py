"""Who writes a consultant's answer from the passages: a chat model, or extraction without one."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Protocol

from msgspec import UNSET
from msgspec.structs import replace

from benchbar.assistants.consultation import ContextPassage, Draft
from benchbar.assistants.provisions import terms
from benchbar.assistants.statements import Passage, Statement, condition_of, nearest_words, statements
from benchbar.languages.packs import Labels, labels, pack
from benchbar.languages.prompts import Prompts
from benchbar.languages.reasons import reason_in
from benchbar.languages.text import detect_language
from benchbar.law.citations import extract
from benchbar.law.dates import is_day
from benchbar.law.names import same_law
from benchbar.records import Turn
from benchbar.records.protocols import Model
from benchbar.retrieval.expansion import concepts
from benchbar.retrieval.passages import LAW

FORMS = ("general", "trial")


class Writer(Protocol):
    """Writes an answer that rests on numbered passages."""

    @property
    def identity(self) -> str:
        """What makes it the same writer in two runs."""
        ...

    async def write(self, question: str, passages: Sequence[ContextPassage], *, form: str, language: str) -> Draft:
        """The answer, or why there is none."""
        ...


_PART = re.compile(r"\[\[\s{0,3}(RULE|PRACTICE|CONCLUSION|NONE)\s{0,3}\]\]", re.IGNORECASE)
_REFERENCE = re.compile(r"[\[【]\s{0,3}(\d{1,3}(?:\s{0,3}[,，、;–-]\s{0,3}\d{1,3}){0,20})\s{0,3}[\]】]")


class ModelWriter:
    """A chat model under one of the consultant's prompts."""

    def __init__(self, model: Model, prompts: Prompts | None = None) -> None:
        """Asks ``model``, in the role ``assistant``, with the package's prompts or those of one's own."""
        self._model, self._prompts = model, prompts or Prompts()
        self.identity = f"model:{model.identity}"

    async def write(self, question: str, passages: Sequence[ContextPassage], *, form: str, language: str) -> Draft:
        """What the model wrote, read by its marks.

        Raises:
            ModelError: there is no answer.
        """
        # A model that is not told so argues from a decision that was set aside.
        context = "\n\n".join(
            f"[{one.number}] {with_treatment(one.citation, one.treated, language)}\n{one.text}" for one in passages
        )
        prompt = self._prompts.render(
            f"consult_{form}",
            language,
            nonce=self._prompts.nonce("consultation", question, context),
            context=context,
            question=question,
        )
        reply = await self._model.ask([Turn(role="user", content=prompt)], role="assistant")
        draft = read_draft(reply.content, len(passages))
        return replace(draft, usage=reply.usage, cost=reply.cost, model=reply.model)


def read_draft(text: str, passages: int) -> Draft:
    """The parts of a model's answer and the passages it refers to; without marks all of it is the conclusion."""
    marks = list(_PART.finditer(text))
    parts: dict[str, str] = {}
    for mark, following in zip(marks, [*marks[1:], None], strict=False):
        end = len(text) if following is None else following.start()
        parts.setdefault(mark[1].lower(), text[mark.end() : end].strip())
    if "none" in parts and not {"rule", "conclusion"} & set(parts):
        return Draft(abstained=parts["none"] or "the materials do not suffice")
    if not parts:
        parts["conclusion"] = text.strip()
    return Draft(
        rule=parts.get("rule", ""),
        practice=parts.get("practice", ""),
        conclusion=parts.get("conclusion", ""),
        used=references(text, passages),
    )


def references(text: str, passages: int) -> tuple[int, ...]:
    """The numbers of passages that a text refers to ([1], [2, 4], [1-3]), those that there are, in order."""
    found: set[int] = set()
    for match in _REFERENCE.finditer(text):
        numbers = [int(number) for number in re.findall(r"\d+", match[1])]
        # From and to.
        is_range = re.search("[–-]", match[1]) and len(numbers) == 2
        found.update(range(numbers[0], min(numbers[1], passages) + 1) if is_range else numbers)
    return tuple(sorted(number for number in found if 1 <= number <= passages))


_CONDITIONS = 8
_HALF = 0.5
_EXCERPT, _NEAREST, _LONGEST_LINE = 120, 240, 700
"""Characters of an article that show what it is about, of what is nearest in it, and of one stated line."""


class ExtractiveWriter:
    """No model: the rule in a sentence or two, its exceptions, limits and conditions, each taken from a passage word for word.

    A rule is stated of articles that the question names, and of the one that is certain enough; where there is neither, the articles
    are listed to be read. Where nobody has measured how often the first article is a right one, that is said.
    """

    identity = "extractive:7"

    async def write(self, question: str, passages: Sequence[ContextPassage], *, form: str, language: str) -> Draft:
        """Statements of the passages under headings; every passage counts as used."""
        law = [one for one in passages if one.store == LAW]
        measured = any(one.certain is not UNSET for one in law)
        stated = [one for one in law if one.named is True or one.certain is True] if measured else law
        words = labels(language, "words")
        if law and not stated:
            return _listed(question, law, passages, words, language)
        cases = [one for one in passages if one.store != LAW and (not measured or bears_on(question, one, stated))]
        found = statements(
            question,
            [
                Passage(
                    number=one.number, text=one.text, law=one.store == LAW, named=one.named is True, act=one.act or ""
                )
                for one in [*stated, *cases]
            ],
        )
        said = _Lines(passages, found, words("writer.last_day"), language)
        rule = said.under("", "rule") or ([words("writer.whole"), *_named(law)] if law else [])
        rule += said.under(words("writer.exceptions"), "exception") + said.under(words("writer.limits"), "limit")
        practice = [
            line for kind in ("granted", "refused", "practice") for line in said.under(words(f"writer.{kind}"), kind)
        ]
        # Every passage is named: the article that answers may be one whose sentences share no word with the question.
        told = {one.number for one in found if one.kind in {"rule", "exception", "limit"}}
        rest = _once([one for one in law if one.number not in told])
        rule += [words("writer.further"), *_named(rest)] if rule and rest and len(rest) < len(law) else []
        conclusion = said.under(words("writer.missing"), "missing") if form != "trial" else []
        return Draft(
            rule="\n".join(rule) if law else words("writer.no_rule"),
            practice="\n".join(practice) if practice else words("writer.no_practice"),
            conclusion="\n".join([*conclusion, _conclusion(stated, form, language)]),
            unmeasured=words("writer.unmeasured") if law and not measured else "",
            used=tuple(one.number for one in passages if one.store == LAW or one in cases),
            statements=found,
        )


def _listed(
    question: str, law: Sequence[ContextPassage], passages: Sequence[ContextPassage], words: Labels, language: str
) -> Draft:
    """The articles with what is nearest in them, and that none of them is likely enough to be stated as the rule.

    Decisions that apply one of them are listed too, on neither side.
    """
    law, cases = _once(law), [one for one in passages if one.store != LAW]
    lines = {one.number: f"- [{one.number}] {listed_line(question, one, language)}" for one in (*law, *cases)}
    return Draft(
        rule="\n".join([words("writer.may_bear"), *(lines[one.number] for one in law)]),
        practice="\n".join([words("writer.not_weighed"), *(lines[one.number] for one in cases)])
        if cases
        else words("writer.no_practice"),
        conclusion=words("writer.uncertain"),
        used=tuple(one.number for one in (*law, *cases)),
    )


def listed_line(question: str, passage: ContextPassage, language: str) -> str:
    """A passage to be read: its citation, the article's heading, and the words in it that are nearest to the question."""
    named = with_treatment(passage.short or passage.citation, passage.treated, language)
    # The piece that was found may repeat the heading.
    text = passage.text.removeprefix(passage.heading).lstrip() if passage.heading else passage.text
    nearest = nearest_words(question, Passage(number=passage.number, text=text, law=passage.store == LAW), _NEAREST)
    colon = "：" if _is_chinese(named) else ": "
    if passage.heading and passage.store == LAW:
        named += labels(language, "words")("writer.headed", heading=excerpt(passage.heading, _EXCERPT))
    return f"{named}{colon}{excerpt(nearest, _NEAREST)}"


def applied(decision: str) -> str:
    """A decision without the formula in which a court names the articles of procedure that it goes by, as every one does."""
    return labels(detect_language(decision), "patterns").pattern("answer.by_procedure").sub(" ", decision)


def _once(passages: Sequence[ContextPassage]) -> list[ContextPassage]:
    """The best passage of each article: a long one may be found by several of its parts."""
    return list({one.id: one for one in reversed(passages)}.values())[::-1]


def bears_on(question: str, decision: ContextPassage, stated: Sequence[ContextPassage]) -> bool:
    """Whether a decision may be told for or against: it names an article that is stated, or holds half of the question's terms of law."""
    named = [
        (own.names, own.article, own.sub) for passage in stated for own in extract(passage.citation) if own.article
    ]
    if cites(applied(decision.text), named):
        return True
    language = pack(detect_language(question)).root
    held = terms(decision.text)
    called = [terms(one.terms) for one in concepts(question, language)]
    return bool(called) and sum(one <= held for one in called) >= _HALF * len(called)


def cites(text: str, articles: Iterable[tuple[str, str, str]]) -> bool:
    """Whether a text cites one of these articles, each given by its law, number and sub-number."""
    wanted = list(articles)
    mentions = [one for one in extract(text) if one.article and one.names] if wanted else []
    return any(
        (one.article, one.sub) == (number, sub) and same_law(one.names, law)
        for one in mentions
        for law, number, sub in wanted
    )


class _Lines:
    """Statements as lines, with what they are taken from."""

    def __init__(
        self, passages: Sequence[ContextPassage], found: Sequence[Statement], caution: str, language: str
    ) -> None:
        """``caution`` is said beside a last day: nobody has checked that the period runs from the day of the question."""
        self._caution = caution
        self._citations = {
            one.number: with_treatment(one.short or one.citation, one.treated, language) for one in passages
        }
        self._found = found

    def under(self, heading: str, kind: str) -> list[str]:
        """The heading and the statements of a kind; nothing where there is none."""
        lines = [self._line(one) for one in self._found if one.kind == kind]
        # The first part stands under its own heading: a second one would say the same again.
        return [*([heading] if heading else []), *lines] if lines else []

    def _line(self, one: Statement) -> str:
        citation = self._citations[one.number]
        colon = "：" if _is_chinese(citation) else ": "
        computed = f" → {one.computed}" if one.computed else ""
        caution = f" ({self._caution})" if is_day(one.computed) else ""
        return f"- [{one.number}] {citation}{colon}{excerpt(one.text, _LONGEST_LINE)}{computed}{caution}"


def with_treatment(citation: str, treated: str, language: str) -> str:
    """A citation with what became of the decision behind it, where somebody says."""
    return f"{citation} — {reason_in(treated, language)}" if treated else citation


def _named(law: Sequence[ContextPassage]) -> list[str]:
    return [f"- [{one.number}] {one.short or one.citation}" for one in law]


def excerpt(text: str, length: int = _EXCERPT) -> str:
    """The beginning of a passage in one line."""
    line = " ".join(text.split())
    if len(line) <= length:
        return line
    # No word is cut where words are spaced.
    space = line.rfind(" ", length // 2, length + 1)
    return line[: length if space < 0 or _is_chinese(line) else space].rstrip(" ,;—–-") + "…"


def _is_chinese(citation: str) -> bool:
    return re.search("[\u3400-\u9fff]", citation) is not None


def _conclusion(law: Sequence[ContextPassage], form: str, language: str) -> str:
    words = labels(language, "words")
    if form != "trial":
        return words("writer.general")
    found = {
        condition.strip(): one.number for one in reversed(law) for condition in condition_of(language).findall(one.text)
    }
    if not found:
        return words("writer.no_conditions")
    listed = sorted(found.items(), key=lambda pair: pair[1])[:_CONDITIONS]
    return "\n".join([words("writer.trial"), *(f"- {condition} [{number}]" for condition, number in listed)])

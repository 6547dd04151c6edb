"""The law as data, and what was found out about a citation of it."""

from __future__ import annotations

from enum import StrEnum
from typing import Literal

from msgspec import UNSET, UnsetType

from benchbar.records.base import Record
from benchbar.records.precision import Precision
from benchbar.records.scoring import ScoreStatus


class DocumentFacts(Record, frozen=True):
    """What a file says of itself beside its text, and what the user said of it."""

    identifiers: tuple[str, ...] = ()
    """ELI, ECLI, CELEX, the address at the official site, the number in the official series."""
    labels: tuple[str, ...] = ()
    """Access labels: whoever asks must hold all of them to see the document."""
    outstanding: tuple[str, ...] = ()
    """Amendments that the file names and that its text does not show yet."""


class ProvisionFacts(Record, frozen=True):
    """What an official file says of one article, section or schedule."""

    identifier: str = ""
    """Its own address, such as ``/ukpga/1985/67/section/6``."""
    in_force: str = ""
    """First day (YYYY-MM-DD) of this wording."""
    until: str = ""
    """Last day of this wording."""
    status: str = ""
    """``prospective`` (not yet in force), ``repealed``, or empty."""
    outstanding: tuple[str, ...] = ()
    """Amendments of it that the file names and that the text does not show yet."""


class LawVersion(Record, frozen=True):
    """One text of an act, from the day it came into force until it was replaced or repealed."""

    law_id: str
    name: str
    short_names: tuple[str, ...] = ()
    jurisdiction: str = ""
    level: str = ""
    """constitution, law, regulation, rule, interpretation, local, treaty, or empty where the source does not say."""
    adopted: str = ""
    in_force: str = ""
    """First day in force (YYYY-MM-DD); empty where the source does not say."""
    in_force_source: str = ""
    """Where ``in_force`` is from: ``stated`` (a field of the source), ``text`` (the act's own closing provisions) or
    ``notice`` (the notice that published it); empty where the day is unknown and ``adopted`` is its lower bound."""
    until: str = ""
    """Last day in force; empty while in force."""
    supersedes: str = ""
    """law_id of the previous version of the same act."""
    repeals: tuple[str, ...] = ()
    """law_ids, or names, of other acts that it replaced."""
    since: str = ""
    """First day that any version of the act was in force or adopted, where the source tells."""
    texts: int = 0
    """How many texts the act has had up to this one, where the source lists them; 0 where it does not."""
    expired: bool = False
    """No longer in force, though the source may not give the day."""
    complete: bool = True
    """The document holds every article of this version, so that a missing one does not exist."""
    part: str = ""
    """The book or part of the act that this document holds, where an act is spread over several."""
    source: str = ""
    """The file it was read from."""
    # Unset and not empty: left out of the JSON, so that the identity of a corpus without such facts, by which stored
    # runs know their law, stays what it was.
    facts: DocumentFacts | UnsetType = UNSET

    @property
    def stated(self) -> DocumentFacts:
        """Identifiers, labels and outstanding amendments; empty where the file gives none."""
        return DocumentFacts() if isinstance(self.facts, UnsetType) else self.facts


class Law(Record, frozen=True):
    """An act with all its versions, the latest last."""

    name: str
    short_names: tuple[str, ...] = ()
    jurisdiction: str = ""
    level: str = ""
    versions: tuple[LawVersion, ...] = ()


class Article(Record, frozen=True):
    """One article of one version of an act."""

    law_id: str
    number: str
    """Digits; ``Sch 1`` and ``Annex I`` for schedules and annexes. The whole document's text has the empty number where
    an act is not divided into articles."""
    sub: str = ""
    """The M of 第N条之M, the superscript of a Russian article."""
    title: str = ""
    chapter: str = ""
    text: str = ""
    """Paragraphs are lines."""
    repealed: bool = False
    """The number stands in the law, its text was repealed."""
    facts: ProvisionFacts | UnsetType = UNSET

    @property
    def stated(self) -> ProvisionFacts:
        """Dates, address and status of the article itself; empty where the file gives none."""
        return ProvisionFacts() if isinstance(self.facts, UnsetType) else self.facts

    @property
    def id(self) -> str:
        """``LAW#NUMBER`` or ``LAW#NUMBER-SUB``: unique in a corpus."""
        return f"{self.law_id}#{self.number}" + (f"-{self.sub}" if self.sub else "")


class Decision(Record, frozen=True):
    """One court decision, or a typical case that a court published without a number."""

    id: str
    case_number: str = ""
    also: tuple[str, ...] = ()
    """Numbers of the same dispute in other instances that the document reports on."""
    court: str = ""
    date: str = ""
    cause: str = ""
    title: str = ""
    text: str = ""
    overruled_by: str = ""
    """Case number of the decision that set this one aside."""
    family: str = ""
    """Decisions of one dispute, through all instances, share a family."""
    source: str = ""
    facts: DocumentFacts | UnsetType = UNSET

    @property
    def stated(self) -> DocumentFacts:
        """Identifiers and labels; empty where there are none."""
        return DocumentFacts() if isinstance(self.facts, UnsetType) else self.facts


class Piece(Record, frozen=True):
    """What is searched: an article or a decision, or one of the pieces of a long one."""

    id: str
    """Id of the article or decision, with ``/k`` where it was cut."""
    kind: Literal["article", "decision"]
    document: str
    """Id of the article or decision."""
    text: str
    law: str = ""
    law_id: str = ""
    article: str = ""
    sub: str = ""
    case_number: str = ""
    date: str = ""
    number: int = 1
    count: int = 1
    title: str = ""
    """Heading of the article or decision, the same for all of its pieces."""


class CitationStatus(StrEnum):
    """What the corpus says about a citation."""

    VERIFIED = "verified"
    NO_SUCH_LAW = "no_such_law"
    NO_SUCH_ARTICLE = "no_such_article"
    NOT_IN_FORCE = "not_in_force"
    AMBIGUOUS = "ambiguous"
    OUTSIDE_CORPUS = "outside_corpus"
    NOT_RECOGNISED = "not_recognised"
    """No held law has the name, and it is not proven that none exists."""
    CANNOT_TELL = "cannot_tell"
    """The law is held, but what is held does not decide: another edition, an unknown first day, a bare article."""
    AFTER_SNAPSHOT = "after_snapshot"
    """The day lies after the last day that the corpus knows."""


INVENTED = frozenset({CitationStatus.NO_SUCH_LAW, CitationStatus.NO_SUCH_ARTICLE})
"""A law or an article that is proven not to exist."""
# No faults of the assistant: the law at hand cannot decide, so measures count these as missing.
UNDECIDED = frozenset(CitationStatus) - INVENTED - {CitationStatus.VERIFIED, CitationStatus.NOT_IN_FORCE}
"""The corpus cannot say: neither for nor against the assistant."""


class ClaimVerdict(StrEnum):
    """Whether an article says what a text says on its authority."""

    SUPPORTS = "supports"
    CONTRADICTS = "contradicts"
    SILENT = "silent"
    """The article is about another matter."""
    CANNOT_TELL = "cannot_tell"


RULES = "rules"
"""Who decided on a claim, where no model was asked."""


class ClaimCheck(Record, frozen=True):
    """What holding a claim against the article that it cites gave."""

    verdict: ClaimVerdict
    by: str = RULES
    """Who decided: ``rules``, or the identity of the judge model."""
    repeat: int = 0
    """Of several times that one judge was asked the same."""
    failed: bool = False
    """No answer of the judge could be read: its verdict is missing."""
    probability: float | None = None
    """0 to 1: that the article says what the text says."""
    abstained: bool = False
    """The judge is a model whose score was too low for a verdict: it leaves the claim to others."""
    precision: Precision | None = None
    """Of a model that was measured on marked claims: how often its verdicts of this kind were right there."""
    conflict: str = ""
    """Where they part: ``number``, ``polarity``, ``negation``, ``opposite``, ``exception`` or ``subject``; given with
    ``cannot_tell`` as well, where that is seen and not proven."""
    reason: str = ""
    claim_span: tuple[int, int] | None = None
    """In the text that cites: the place that parts, or the claim."""
    said: tuple[int, int] | None = None
    """In the text that cites: the whole claim."""
    article_span: tuple[int, int] | None = None
    """In the text of the article: the place that parts."""
    claim_context: tuple[str, str, str] | None = None
    """Where there is a conflict: the words before the place in the text, the place, and the words behind it."""
    article_context: tuple[str, str, str] | None = None
    """The same of the article."""

    @property
    def decider(self) -> str:
        """``rules``, or the name of the model without its address."""
        return self.by.rpartition("@")[0] or self.by

    @property
    def decided(self) -> tuple[str, dict[str, str]]:
        """The label that says who decided and how often that was right where it was measured, with what stands in it."""
        if self.by == RULES:
            return "claim.by_rules", {}
        if self.abstained:
            return "claim.by_abstaining", {"name": self.decider}
        if (shown := self.precision) is None:
            return "claim.by_model", {"name": self.decider}
        return "claim.by_measured", {"name": self.decider, **shown.figures}


class AuthorityVerdict(StrEnum):
    """Why a real law or decision is no authority for what it is cited for."""

    OTHER_JURISDICTION = "other_jurisdiction"
    """Law, or a court, of another country, cited as if it were that of the matter."""
    OTHER_COURT = "other_court"
    """The text gives the decision to a higher court than the one that made it."""
    OTHER_FIELD = "other_field"
    """A law of another field than the sentence speaks of."""


class AuthorityCheck(Record, frozen=True):
    """A citation that is neither invented nor right, and why."""

    verdict: AuthorityVerdict
    reason: str = ""


class TreatmentKind(StrEnum):
    """What a later decision did with an earlier one."""

    UPHELD = "upheld"
    CHANGED = "changed"
    SET_ASIDE = "set_aside"
    OVERRULED = "overruled"
    """It binds its parties still, and is followed no more."""


class Treatment(Record, frozen=True):
    """What became of a decision, as a file of the corpus says it."""

    kind: TreatmentKind
    by: str
    """Case number of the decision that did it; its court and day where it has none."""
    date: str = ""
    """The day (YYYY-MM-DD) that it did, or its year; empty where no file says."""
    partly: bool = False
    """Only in part, or on other grounds: the rest stands."""
    said_in: str = ""
    """Id of the decision whose file says it."""

    @property
    def ends(self) -> bool:
        """Whether nobody can rely on the decision any more."""
        return self.kind in {TreatmentKind.SET_ASIDE, TreatmentKind.OVERRULED} and not self.partly


class NameDoubt(StrEnum):
    """Why no held law is meant by a name, where the text itself does not explain the name."""

    NOT_HELD = "not_held"
    """The corpus holds no law of this name, and not all of its kind."""
    NONE_OF_IT = "none_of_it"
    """All laws of its kind are held, and none has the name."""
    LIKE_ANOTHER = "like_another"
    """It is like the name of a law that is held."""
    FIELD = "field"
    """It is the name of a field of law."""
    NO_FULL_TITLE = "no_full_title"


class UnknownName(Record, frozen=True):
    """A law's name that leads to none, and that a nickname would lead to one."""

    doubt: NameDoubt
    meant: str = ""
    """The held law that it is most like; empty where none is."""


class Citation(Record, frozen=True):
    """A citation as written, and what holding it against the law gave."""

    span: tuple[int, int]
    text: str
    language: str
    status: CitationStatus
    law: str | None = None
    """The law's name, as written or as the text gave it before."""
    law_id: str | None = None
    article: str | None = None
    sub: str | None = None
    paragraph: str | None = None
    item: str | None = None
    case_number: str | None = None
    reason: str = ""
    in_force: bool | None = None
    """On the date asked about; None where the corpus cannot say."""
    superseded_by: str | None = None
    """law_id, or name, of what took the place of a law not in force; the case number that set a decision aside."""
    quote: str | None = None
    """The passage in quotation marks next to the citation."""
    quote_score: float | None = None
    """0 to 1: how much of the quote stands in the article, in order."""
    topic: float | None = None
    """0 to 1: the chance that the sentence is about this article rather than another one."""
    claim_check: ClaimCheck | None = None
    """Whether the article says what the text says of it; None where there is no article, or too little is said."""
    judged: tuple[ClaimCheck, ...] = ()
    """What judge models say where rules could not tell; empty where none was asked."""
    authority: AuthorityCheck | None = None
    """Why it is no authority here; None where it is, and where nothing shows that it is not."""
    treatment: Treatment | None = None
    """What became of the decision by that day; None for law, and where no file says."""
    elliptical: bool = False
    """The law is not named here; it was named before."""
    through: str | None = None
    """The last article, where this one opens a range."""
    article_id: str | None = None
    """Id of the article or decision in the corpus."""
    unchecked: tuple[str, ...] = ()
    """Parts of the citation that the text at hand could not confirm or refute: ``paragraph``, ``item``, ``range``,
    ``document_number``."""
    valid_from: str | None = None
    """First day that the article had this wording; None where it is not known."""
    valid_to: str | None = None
    """First day that it no longer had it (the period is [from, to)); None while it has, or where it is not known."""
    unknown_name: UnknownName | None = None
    """Where its name leads to no held law; None where it does, and where the text explains the name: a draft, a book, a denial."""

    @property
    def contradicted(self) -> bool:
        """Whether its article is shown to contradict what is said of it; what judges say does not show it."""
        return self.claim_check is not None and self.claim_check.verdict is ClaimVerdict.CONTRADICTS

    @property
    def checks(self) -> tuple[ClaimCheck, ...]:
        """What is worth showing of whether the article says it: what rules found, and then what each judge says."""
        own = self.claim_check
        found = own is not None and (own.conflict or own.verdict is not ClaimVerdict.CANNOT_TELL)
        return (*((own,) if own and found else ()), *self.judged)


class CitedIn(Record, frozen=True):
    """A citation that an assistant made in one turn of a dialogue, held against the law on the day of the matter."""

    sample: str
    assistant: str
    turn: int
    on: str
    citation: Citation

    @property
    def status(self) -> ScoreStatus:
        """Failed where a judge's verdict on it is missing."""
        missing = any(one.failed for one in self.citation.judged)
        return ScoreStatus.FAILED if missing else ScoreStatus.SCORED


class OpenClaim(Record, frozen=True):
    """A claim of which rules cannot tell whether its article says it, with what a judge needs in order to tell."""

    cited: CitedIn
    context: str
    """What stands before the claim."""
    said: tuple[int, int]
    """The claim, in the text that cites."""
    claim: str
    """That stretch of the text with the citation blanked, so that offsets hold."""
    article: str
    """The article with all but the cited part blanked, so that offsets hold."""

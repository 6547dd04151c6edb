"""How one-sided a clause is by what its words do, whatever it is about: power without reason, burden without bound, rights taken away.

Forbidden terms know a topic and its usual wordings; a clause of another topic or wording passes them by. Here words are classed by what
they do in any contract (``data/one_sided.toml``), and the classes that stand together in one sentence, with the party that acts or bears,
are the features of a logistic regression (``scripts/fit_one_sided.py``). The features are the same in every language, so that clauses of
one language teach the others.
"""

from __future__ import annotations

import math
import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from types import MappingProxyType

from benchbar.contracts.marks import read_mark
from benchbar.contracts.polarity import acting, meant
from benchbar.contracts.terms import in_roles, root, with_parties
from benchbar.languages.text import folded, sentences
from benchbar.records import Record, decode

LANGUAGES = ("zh", "ru", "en")
LONGEST = 1000
_NO_ROLES: Mapping[str, str] = MappingProxyType({})
_GAP = r"[^。；;!?！？\n]{0,30}?"
POWERS = ("discretion", "anytime", "unasked")
LOSSES = ("burden", "penalty", "forfeiture", "denial", "restraint")
WIDE = ("regardless", "universal", "extreme")
MILD = ("mutual", "agreed", "measured", "notified", "excepted", "capped")
_BY_ACTOR = ("discretion", "unasked", "exemption", "denial", "burden", "essential")
"""Classes that mean the opposite where the other party is their subject."""
_LOST = ("denial", "exemption", "burden", "penalty", "forfeiture", "finality")
_OBLIGED = {
    "en": re.compile(
        r"\b(?:shall|must|will|undertakes? to|agrees? to)\b(?! (?:not|have no|be entitled))", re.IGNORECASE
    ),
    "ru": re.compile(r"обязан\w{0,2}\b|обязу[её]тся", re.IGNORECASE),
    "zh": re.compile(r"应当?(?!向甲方)|须|负责"),
}


@dataclass(frozen=True, slots=True)
class OneSided:
    """The most one-sided sentence of a clause."""

    probability: float
    start: int
    end: int
    classes: tuple[str, ...]
    """What its words do, the weightiest first."""
    words: tuple[str, ...] = ()
    """Of each class the words that it was told by."""


class OneSidedModel(Record, frozen=True):
    """The fitted weights and the thresholds."""

    version: str
    features: tuple[str, ...]
    coefficients: tuple[float, ...]
    intercept: float
    marked_at: float
    """From this probability on a clause is marked."""
    high_at: float
    fitted_on: str = ""

    def probability(self, found: frozenset[str]) -> float:
        """Of a sentence with these features, that a lawyer would note it."""
        weights = self.weights
        total = self.intercept + sum(weights.get(one, 0.0) for one in found)
        return 1 / (1 + math.exp(-max(-30.0, min(30.0, total))))

    @property
    def weights(self) -> Mapping[str, float]:
        """Feature to its weight."""
        return _weights(self)


@cache
def _weights(model: OneSidedModel) -> Mapping[str, float]:
    return dict(zip(model.features, model.coefficients, strict=True))


def most_one_sided(text: str, language: str, roles: Mapping[str, str] = _NO_ROLES) -> OneSided | None:
    """The sentence of a clause that is most likely one-sided; None where no class can be named."""
    model = shipped_model()
    judged = [
        (model.probability(found), start, end, classes)
        for start, end, found in clause_features(text, language, roles)
        # A sentence without mild words and without harsh ones is no risk that anybody could name.
        if (classes := _named(found, model))
    ]
    if not judged:
        return None
    probability, start, end, classes = max(judged, key=lambda one: one[0])
    return OneSided(probability, start, end, *_worded(classes, text[start:end], language, roles))


def _worded(
    classes: tuple[str, ...], sentence: str, language: str, roles: Mapping[str, str]
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The classes of a sentence and the words of each: a power that is denied to a party is what the party may not do."""
    plain = folded(sentence)
    judged = in_roles(plain, roles)[:LONGEST]
    hits = _hits(judged, root(language))
    told: dict[str, str] = {}
    for one in classes:
        hit = hits[one]
        words = judged[hit.start : hit.end].strip()
        # With another name for a party than the clause has they are not the clause's words.
        told.setdefault("restraint" if hit.denied else one, words if words in plain else "")
    return tuple(told), tuple(told.values())


def _named(found: frozenset[str], model: OneSidedModel) -> tuple[str, ...]:
    """The harsh classes of a sentence, by the weight of the features that they are part of."""
    weights = model.weights
    sums: dict[str, float] = {}
    for feature in found:
        for part in _PARTS.split(feature):
            if part in NAMED:
                sums[part] = sums.get(part, 0.0) + weights.get(feature, 0.0)
    return tuple(sorted((one for one in sums if sums[one] > 0), key=lambda one: -sums[one]))


_PARTS = re.compile(r"[*|]")
NAMED = (
    "discretion", "unasked", "regardless", "denial", "exemption", "burden", "penalty", "forfeiture", "finality",
    "extreme", "transfer", "disclosure", "restraint",
)  # fmt: skip
"""Classes that say by themselves what is wrong."""


def clause_features(
    text: str, language: str, roles: Mapping[str, str] = _NO_ROLES
) -> Iterator[tuple[int, int, frozenset[str]]]:
    """Begin and end of each sentence of a clause, and its features."""
    spoken = root(language)
    if spoken not in LANGUAGES:
        return
    mark = read_mark(text)
    begin = mark.end if mark and not mark.is_item else 0
    for start, end in ((max(begin, low), high) for low, high in sentences(text) if high > begin):
        sentence = in_roles(folded(text[start:end]), roles)[:LONGEST]
        if sentence.strip():
            yield start, end, sentence_features(sentence, spoken)


def sentence_features(sentence: str, language: str) -> frozenset[str]:
    """What the words of one sentence do, for whom, and what stands together."""
    found: set[str] = {name for name in MILD if _classes(language)[name].search(sentence)}
    for name, hit in _hits(sentence, language).items():
        found |= {name, f"{name}|{_actor(sentence, hit.start, language)}"} if name in _BY_ACTOR else {name}
    if found & {*POWERS} and "essential" in found:
        found.add("power*essential")
    for name in LOSSES:
        found |= {f"{name}*{wide}" for wide in WIDE if name in found and wide in found}
    if "exemption" in found and found & {*WIDE}:
        found.add("exemption*wide")
    if "mutual" in found:
        found |= {f"mutual*{name}" for name in (*POWERS, "exemption", "denial", "burden") if name in found}
    harsh = sum(name in found for name in (*POWERS, *LOSSES, *WIDE, "exemption", "finality", "transfer", "disclosure"))
    found |= {f"harsh>={least}" for least in (2, 3, 4, 5) if harsh >= least}
    mild = sum(name in found for name in MILD)
    found |= {f"mild>={least}" for least in (1, 2, 3) if mild >= least}
    if harsh <= 1 and _OBLIGED[language].search(sentence):
        found.add("plain_duty")
    return frozenset(found)


@dataclass(frozen=True, slots=True)
class _Hit:
    """Where a class's words first stand, and whether what they give is denied."""

    start: int
    end: int
    denied: bool = False


def _hits(sentence: str, language: str) -> dict[str, _Hit]:
    """The harsh classes that stand in a sentence and are meant."""
    found = {
        name: _meant(name, form, sentence, language) for name, form in _classes(language).items() if name not in MILD
    }
    return {name: hit for name, hit in found.items() if hit is not None}


def _meant(name: str, form: re.Pattern[str], sentence: str, language: str) -> _Hit | None:
    """Where a class's words first stand and are meant: “the landlord shall not enter at any time” gives no power at any time."""
    found = meant(form, sentence)
    if found is not None:
        return _Hit(found.start, found.end)
    # “May not raise the price unilaterally” denies a power to decide alone, whoever it is denied to.
    denied = None if name in _LOST or name == "discretion" else form.search(sentence)
    # A power denied to the weaker party is the very burden that is looked for; a loss that it does not suffer is none.
    if denied and _actor(sentence, denied.start(), language) == "weaker":
        return _Hit(denied.start(), denied.end(), denied=name in (*POWERS, "essential"))
    return None


def _actor(sentence: str, at: int, language: str) -> str:
    """``stronger``, ``weaker`` or ``unknown``: who acts before a place of the sentence."""
    party = acting(sentence, at, language)
    if party is not None:
        return "stronger" if party.stronger else "weaker"
    # Where a contract does not say who 甲方 is, it is by custom the one that wrote it.
    last = max(sentence.rfind("甲方", 0, at + 2), sentence.rfind("乙方", 0, at + 2)) if language == "zh" else -1
    return "unknown" if last < 0 else "stronger" if sentence[last] == "甲" else "weaker"


@cache
def _classes(language: str) -> dict[str, re.Pattern[str]]:
    text = (resources.files("benchbar.contracts") / "data" / "one_sided.toml").read_text("utf-8")
    return {
        name: re.compile(with_parties(form.replace("~", _GAP), language), re.IGNORECASE)
        for name, form in tomllib.loads(text)[language].items()
    }


@cache
def shipped_model() -> OneSidedModel:
    """The model that comes with the package."""
    file = resources.files("benchbar.contracts") / "weights" / "one_sided.json"
    return decode(file.read_bytes(), OneSidedModel, file=str(file))

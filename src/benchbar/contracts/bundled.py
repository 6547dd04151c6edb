"""The rule sets that come with the package."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.resources import as_file, files

from benchbar.contracts.rules import RuleSet, read_rules
from benchbar.languages.packs import labels
from benchbar.languages.reasons import reason_in
from benchbar.records.errors import UserError

_SETS = {
    "zh": ("benchbar.suites", "data/model-jurisdiction-zh/contracts/rules.jsonl"),
    "en": ("benchbar.contracts", "data/rules_en.jsonl"),
}
_INVENTED = {
    language: ("benchbar.suites", f"data/model-jurisdiction-{language}/contracts/rules.jsonl")
    for language in ("zh", "ru", "en")
}
"""Rules of the model jurisdiction, whose law nobody made: in English there are others, which a demonstration leaves out."""


def bundled_rules(language: str, *, demo: bool = False) -> RuleSet | None:
    """The package's rules for contracts in a language, with ``demo`` the invented ones, or None where it has none.

    Raises:
        UserError: the package was installed without its data.
    """
    sets = _INVENTED if demo else _SETS
    if language not in sets:
        return None
    package, path = sets[language]
    resource = files(package).joinpath(path)
    if not resource.is_file():
        raise UserError(f"the bundled rules {path} are not installed; name a rule file with --rules")
    with as_file(resource) as file:
        return read_rules(file)


# Facts alone: the cure is an option of whatever shows them, and `benchbar serve` has others than the command line.
DEMONSTRATION = "DEMONSTRATION: the rules and their law are those of an invented jurisdiction"
INVENTED_LEFT_OUT = "no risk rules were used: the bundled ones are those of an invented jurisdiction"
RULES_WITHOUT_LAW = "the bundled English risk rules were used, which name no law"
NO_BUNDLED_RULES = "no risk rules were used: none are bundled for this language"
NO_LAW_USED = "no law was used: no clause was held against a statute, and no citation was checked"
DEMONSTRATION_LAW = (
    "the law that the findings cite is invented: no clause was held against a real statute, and no citation was checked"
)
LAW_ENDS = "the index of law ends on {end}, and the law of {day} is wanted: what changed since is not known, so that no article is shown as in force; --on with the last day of the index shows the law of that day"
LAW_INVENTED = "the law that citations were checked against is invented: {name} does not exist"
OWN_RULES_HELP = frozenset({INVENTED_LEFT_OUT, RULES_WITHOUT_LAW, NO_BUNDLED_RULES})
"""Notes of a review that rules of the reader's own would take away."""


def notes_on_rules(language: str, *, demo: bool) -> list[str]:
    """What a reader has to know of the bundled rules."""
    if demo:
        return [DEMONSTRATION if language in _INVENTED else NO_BUNDLED_RULES]
    if invented_rules(language):
        return [INVENTED_LEFT_OUT]
    return [RULES_WITHOUT_LAW if language in _SETS else NO_BUNDLED_RULES]


def invented_rules(language: str) -> bool:
    """Whether the package's rules for a language are those of the model jurisdiction, whose law nobody made."""
    return language in _SETS and _SETS[language] == _INVENTED[language]


def notes_with_cures(notes: Sequence[str], language: str) -> list[str]:
    """The notes of a review in a language, each with the option of `review-contract` that mends it.

    What the rules and the law are comes first: it changes how every finding is to be read.
    """
    say = labels(language, "contract").section("cure")
    cures = {NO_LAW_USED: "law", DEMONSTRATION_LAW: "law", INVENTED_LEFT_OUT: "rules_or_demo"} | dict.fromkeys(
        OWN_RULES_HELP - {INVENTED_LEFT_OUT}, "rules"
    )
    first = (DEMONSTRATION, DEMONSTRATION_LAW, NO_LAW_USED)
    ordered = sorted(notes, key=lambda note: first.index(note) if note in first else len(first))
    return [reason_in(note, language) + (say[cures[note]] if note in cures else "") for note in ordered]

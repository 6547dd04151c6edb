"""The rule sets that come with the package."""

from __future__ import annotations

from importlib.resources import as_file, files

from benchbar.contracts.rules import RuleSet, read_rules
from benchbar.records.errors import UserError

_SETS = {
    "zh": ("benchbar.suites", "data/model-jurisdiction-zh/contracts/rules.jsonl"),
    "en": ("benchbar.contracts", "data/rules_en.jsonl"),
}


def bundled_rules(language: str) -> RuleSet | None:
    """The package's rules for contracts in a language, or None where it has none.

    Raises:
        UserError: the package was installed without its data.
    """
    if language not in _SETS:
        return None
    package, path = _SETS[language]
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
OWN_RULES_HELP = frozenset({INVENTED_LEFT_OUT, RULES_WITHOUT_LAW, NO_BUNDLED_RULES})
"""Notes of a review that rules of the reader's own would take away."""


def notes_on_rules(language: str, *, demo: bool) -> list[str]:
    """What a reader has to know of the bundled rules."""
    if invented_rules(language):
        return [DEMONSTRATION if demo else INVENTED_LEFT_OUT]
    return [RULES_WITHOUT_LAW if language in _SETS else NO_BUNDLED_RULES]


def invented_rules(language: str) -> bool:
    """Whether the package's rules for a language are those of the model jurisdiction, whose law nobody made."""
    return _SETS.get(language, ("", ""))[0] == "benchbar.suites"

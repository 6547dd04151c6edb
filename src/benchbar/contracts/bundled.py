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


def invented_rules(language: str) -> bool:
    """Whether the package's rules for a language are those of the model jurisdiction, whose law nobody made."""
    return _SETS.get(language, ("", ""))[0] == "benchbar.suites"

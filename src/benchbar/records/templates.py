"""The one way to lay out pages: every text is escaped, and a name that was not given is an error and no empty place."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from jinja2 import Environment

FOLDER = "templates"


def environment(*packages: str | tuple[str, str]) -> Environment:
    """The templates in the folder ``templates`` of each package, or in the one named beside it; the first that has one wins."""
    from jinja2 import ChoiceLoader, Environment, PackageLoader, StrictUndefined

    from benchbar.records.compiled_templates import CompiledTemplates

    places = [(one, FOLDER) if isinstance(one, str) else one for one in packages]
    return Environment(
        loader=ChoiceLoader([PackageLoader(package, folder) for package, folder in places]),
        # Jinja's default prints nothing for a misspelt name: a report would lose a number without a word.
        undefined=StrictUndefined,
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        bytecode_cache=CompiledTemplates(),
        # Else Jinja works out filters of constants when it compiles, and the code that is kept would hold words of one language.
        optimized=False,
    )

"""The one type and the one option of a language: ``@language_option("Of the reports.")``.

Every command that takes a language takes it from here, so that a new pack is offered everywhere at once, and a tag such
as ``zh-TW`` or ``EN-gb`` means the same everywhere.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import click

from benchbar.languages.packs import known, matched

if TYPE_CHECKING:
    from click.decorators import FC


class Language(click.Choice[str]):
    """A tag of :func:`known`, or one that means the same; others are refused with the known ones."""

    def __init__(self) -> None:
        """Of the packs that are found."""
        super().__init__(known())

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """The pack's own spelling of the tag."""
        # zh-TW means zh-Hant, and RU ru; click would compare letter by letter.
        return super().convert(matched(value) or value, param, ctx)


def language_option(text: str, *, default: str | None = None) -> Callable[[FC], FC]:
    """``--language TAG`` with ``text`` as its help; the parameter ``language`` is None where no default is given.

    A default is shown in the help by itself; where None means something, ``text`` says what, as in
    ``"Of the reports.  [default: of the questionnaire]"``.
    """
    return click.option("--language", type=Language(), default=default, show_default=default is not None, help=text)

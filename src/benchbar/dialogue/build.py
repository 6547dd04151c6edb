"""From a simulator's settings in a spec to the simulator."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from benchbar.dialogue.llm_user import ModelUser
from benchbar.dialogue.temperaments import OFF, Assignment, Temperament, TemperedUser
from benchbar.languages.prompts import Prompts
from benchbar.records.errors import UserError
from benchbar.records.plugins import load
from benchbar.records.protocols import Context, UserSimulator

if TYPE_CHECKING:
    from benchbar.dialogue.agenda import AgendaUser


def build(
    settings: Mapping[str, Any],
    context: Context,
    prompts: Prompts,
    *,
    end_mark: str,
    assignment: Assignment = OFF,
) -> UserSimulator:
    """The simulator that the settings describe; ``kind`` names its factory.

    Where temperaments were assigned, one simulator is built for each, with the further setting ``temperament``.

    Raises:
        UserError: the kind is unknown, or a setting does not fit.
    """
    if "temperament" in settings:
        raise UserError(
            'simulator temperament: expected a list, temperaments = ["calm", "terse"], so that results say so'
        )
    options = {name: value for name, value in settings.items() if name != "temperaments"}
    if not assignment.temperaments:
        return _built(options, context, prompts, end_mark)
    made = {
        one: _built(options | {"temperament": str(one)}, context, prompts, end_mark) for one in assignment.temperaments
    }
    return TemperedUser(made, assignment)


def _built(options: dict[str, Any], context: Context, prompts: Prompts, end_mark: str) -> UserSimulator:
    kind = str(options.pop("kind", "agenda"))
    try:
        made = load("simulators", kind)(context, prompts, end_mark=end_mark, **options)
    except TypeError as error:
        raise UserError(f"simulator of kind {kind!r}: {error}") from error
    if not isinstance(made, UserSimulator):
        raise UserError(f"what the simulator kind {kind!r} builds has no method speak(task, sample, turns)")
    return made


def agenda(
    context: Context,  # noqa: ARG001 - the factory's form
    prompts: Prompts,  # noqa: ARG001
    *,
    end_mark: str,
    temperament: str = Temperament.CALM,
) -> AgendaUser:
    """A user without a model."""
    from benchbar.dialogue.agenda import AgendaUser

    return AgendaUser(end_mark=end_mark, temperament=temperament)


def llm(context: Context, prompts: Prompts, *, end_mark: str, temperament: str = "", **settings: Any) -> ModelUser:
    """A user played by a model; temperature 0 unless the settings say otherwise, so that first questions agree."""
    params = {"temperature": 0, **settings.pop("params", {})}
    return ModelUser(context.model({**settings, "params": params}), prompts, end_mark=end_mark, temperament=temperament)

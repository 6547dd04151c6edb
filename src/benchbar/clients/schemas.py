"""Answers held to a JSON Schema: how they are asked for, whether an endpoint does it, and how sure the model was.

Servers differ: llama.cpp and vLLM hold every token to the schema, OpenAI knows no length of texts, others refuse the field
or do not read it. None says so beforehand, so each endpoint is asked once, by a question that nobody would answer in the
form of the schema unless held to it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from math import exp
from typing import Any

import msgspec

from benchbar.records import Turn
from benchbar.records.protocols import AnswerSchema

BOUNDED, UNBOUNDED, TEXT = "bounded", "unbounded", "text"
MODES = (BOUNDED, UNBOUNDED)
"""In the order in which they are tried. Without bounds a model may still spend all its tokens on one field."""
BOUNDS = ("maxLength", "minItems", "maxItems", "minimum", "maximum")
"""Of JSON Schema, and unknown to endpoints of the second mode."""
ALTERNATIVES = 10
"""Tokens whose probability is asked for at each place: choices are few, and some endpoints state no more."""
QUESTION = (Turn(role="user", content="Say hello."),)
_YES = "yes"
PROBE = AnswerSchema(
    name="probe",
    fields={"note": {"type": "string", "maxLength": 8}, "held": {"type": "string", "enum": [_YES]}},
    decides="held",
    choices=(_YES,),
)


class _Probed(msgspec.Struct, forbid_unknown_fields=True):
    note: str
    held: str


def document_of(schema: AnswerSchema, mode: str) -> dict[str, Any]:
    """The JSON Schema that an endpoint of this mode is given."""
    document: dict[str, Any] = schema.document if mode == BOUNDED else _without_bounds(schema.document)
    return document


def _without_bounds(document: Any) -> Any:
    if isinstance(document, dict):
        return {name: _without_bounds(part) for name, part in document.items() if name not in BOUNDS}
    return [_without_bounds(part) for part in document] if isinstance(document, list) else document


def was_held(answer: str) -> bool:
    """Whether the answer to the probe is of its form: an endpoint that did not read the schema says hello."""
    try:
        return msgspec.json.decode(answer.strip(), type=_Probed).held == _YES
    except msgspec.MsgspecError:
        return False


class _Alternative(msgspec.Struct):
    token: str
    logprob: float


class _Token(_Alternative):
    top_logprobs: list[_Alternative] = []


class _Stated(msgspec.Struct):
    content: list[_Token] | None = None


def probabilities(stated: msgspec.Raw, schema: AnswerSchema) -> tuple[dict[str, float], ...]:
    """For each place where the answer decides, the probability of every choice; nothing where none are stated.

    They are relative to the choices alone: what else the model would have said there was not allowed.
    """
    try:
        tokens = msgspec.json.decode(stated, type=_Stated).content or []
    except msgspec.MsgspecError:
        return ()
    text, starts = "", []
    for token in tokens:
        starts.append(len(text))
        text += token.token
    # A quotation inside a text of the object has its quotation marks escaped, and so is no place of this kind.
    places = re.finditer(rf'"{re.escape(schema.decides)}"\s{{0,20}}:\s{{0,20}}"', text)
    return tuple(_at(tokens, starts, match.end(), schema.choices) for match in places)


def _at(tokens: Sequence[_Token], starts: Sequence[int], place: int, choices: Sequence[str]) -> dict[str, float]:
    """The probability of each choice where it begins, which may be within a token such as ``"1``."""
    number = max((index for index, start in enumerate(starts) if start <= place), default=0)
    if place >= starts[number] + len(tokens[number].token):
        return {}
    before = place - starts[number]
    found = dict.fromkeys(choices, 0.0)
    for token, logprob in _alternatives(tokens[number]):
        rest = token[before:]
        if rest and token[:before] == tokens[number].token[:before]:
            meant = [one for one in choices if rest.startswith(one) or one.startswith(rest)]
            if len(meant) == 1:
                found[meant[0]] += exp(logprob)
    whole = sum(found.values())
    return {one: value / whole for one, value in found.items()} if whole else {}


def _alternatives(token: _Token) -> Iterator[tuple[str, float]]:
    """The token itself, and those that might have stood there; each once, though endpoints may list the first again."""
    yield from ({one.token: one.logprob for one in (*token.top_logprobs, token)}).items()

"""Rows of Ragas' dataset format, in the field names of its older and newer versions."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from benchbar.records import ContextPassage, Record, fingerprint
from benchbar.records.errors import BadInputError

QUESTION = ("user_input", "question")
ANSWER = ("response", "answer")
CONTEXTS = ("retrieved_contexts", "contexts")
REFERENCE = ("reference", "ground_truth", "ground_truths")
IDS, EVIDENCE, EVIDENCE_IDS = "retrieved_context_ids", "reference_contexts", "reference_context_ids"


class RagasRow(Record, frozen=True):
    """One question with what was answered from what, and what should have been; parts that are missing are None."""

    question: str
    answer: str | None = None
    contexts: tuple[ContextPassage, ...] | None = None
    reference: str = ""
    evidence: tuple[str, ...] = ()


def read_row(row: Mapping[str, Any]) -> RagasRow:
    """The row in one form.

    Passages without an id are named by a fingerprint of their text, so that a retrieved one and one of the reference are
    the same exactly where their texts are.

    Raises:
        BadInputError: there is no question, or a field that should be a list of texts is none; names the field.
    """
    question = _first(row, QUESTION)
    if not isinstance(question, str) or not question.strip():
        raise BadInputError("missing, or no text (rows of several turns are not read)", field=QUESTION[0])
    answer, reference = _first(row, ANSWER), _first(row, REFERENCE)
    if isinstance(reference, list) or (isinstance(reference, str) and reference.lstrip().startswith("[")):
        reference = "\n".join(_texts(reference, REFERENCE[-1]))
    evidence = row.get(EVIDENCE_IDS) or [text_id(text) for text in _texts(row.get(EVIDENCE), EVIDENCE)]
    return RagasRow(
        question=question.strip(),
        answer=None if answer is None else str(answer),
        contexts=read_contexts(_first(row, CONTEXTS), row.get(IDS)),
        reference=str(reference or ""),
        evidence=tuple(dict.fromkeys(str(one) for one in _list(evidence, EVIDENCE_IDS))),
    )


def read_contexts(value: Any, ids: Any = None) -> tuple[ContextPassage, ...] | None:
    """Passages from texts, or from objects with ``id`` and ``text``; None where there are none at all.

    Raises:
        BadInputError: the value is no list of these, or there are not as many ids.
    """
    if value is None or value == "":
        return None
    items = _list(value, CONTEXTS[0])
    names = [str(one) for one in _list(ids, IDS)]
    if names and len(names) != len(items):
        raise BadInputError(f"{len(names)} ids for {len(items)} passages", field=IDS)
    return tuple(_passage(item, names[place] if names else "") for place, item in enumerate(items))


def _passage(item: Any, name: str) -> ContextPassage:
    if isinstance(item, Mapping):
        text = next((item[key] for key in ("text", "content", "page_content") if isinstance(item.get(key), str)), None)
        name = name or str(item.get("id") or "")
        item = text
    if not isinstance(item, str):
        raise BadInputError("expected a list of texts, or of objects with id and text", field=CONTEXTS[0])
    return ContextPassage(id=name or text_id(item), text=item)


def text_id(text: str) -> str:
    """What a passage without an id is called."""
    return f"text:{fingerprint(text.strip())[:16]}"


def _first(row: Mapping[str, Any], names: Sequence[str]) -> Any:
    return next((row[name] for name in names if row.get(name) not in (None, "")), None)


def _texts(value: Any, field: str) -> list[str]:
    found = _list(value, field)
    if not all(isinstance(one, str) for one in found):
        raise BadInputError("expected a list of texts", field=field)
    return found


def _list(value: Any, field: str) -> list[Any]:
    """A list, or one written in a CSV cell as JSON or as Python writes it."""
    if value is None or value == "":
        return []
    if isinstance(value, str):
        try:
            value = msgspec.json.decode(value)
        except (msgspec.DecodeError, RecursionError):
            value = _literal(value, field)
    if not isinstance(value, list | tuple):
        raise BadInputError(f"expected a list, found {type(value).__name__}", field=field)
    return list(value)


def _literal(value: str, field: str) -> Any:
    try:
        return ast.literal_eval(value)
    except (ValueError, SyntaxError, MemoryError, RecursionError) as error:
        raise BadInputError("expected a list, written as JSON", field=field) from error

"""Dialogues that took place elsewhere: rows in the shapes that chat programs write, and Inspect's logs."""

from __future__ import annotations

import zipfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import msgspec

from benchbar.records import Turn
from benchbar.records.errors import BadInputError, MissingDependencyError
from benchbar.records.files import MAX_BYTES as MAX_UNPACKED
from benchbar.tables.chat_exports import chat_export
from benchbar.tables.json_rows import read_json
from benchbar.tables.reading import read_table
from benchbar.tables.table import Table

if TYPE_CHECKING:
    from inspect_ai.log import EvalLog

ID = ("sample", "sample_id", "id", "conversation_id")
TURNS = ("turns", "messages", "conversations")
REFERENCE = ("reference", "target", "ideal")
LOG, _JSON = ".eval", ".json"
_ROLES = {
    "system": "system",
    "developer": "system",
    "user": "user",
    "human": "user",
    "assistant": "assistant",
    "gpt": "assistant",
    "model": "assistant",
    "bot": "assistant",
}
_UNSPOKEN = frozenset({"tool", "function", "observation", "function_call"})
"""Roles whose messages the user never sees."""


def is_log(path: Path) -> bool:
    """Whether a file is a log of Inspect, by its name."""
    return path.suffix.lower() == LOG


def read_transcripts(path: Path) -> Table:
    """The rows of any table, the conversations of a chat program's export, or the samples of a log, which are numbered.

    Raises:
        BadInputError: the file cannot be read.
        MissingDependencyError: it is a log, and Inspect is not installed.
    """
    if not is_log(path):
        return exported(path) or read_table(path)
    table = Table(path, "Inspect")
    table.reads(enumerate(_log(path), start=1))
    return table


def exported(path: Path) -> Table | None:
    """The conversations of a chat program's export; None where a file is none."""
    if path.suffix.lower() != _JSON:
        return None
    try:
        found = chat_export(read_json(path))
    # Where it is a table its own reader tells of a fault with its line.
    except BadInputError:
        return None
    if found is None:
        return None
    table = Table(path, found.form)
    table.notes = found.notes
    table.meets(("id", "messages"))
    table.reads(found.rows)
    return table


def identity(row: Mapping[str, Any]) -> str:
    """The id that a row names; empty where it names none."""
    return next((str(row[head]) for head in _heads(row, ID) if row[head] not in (None, "")), "")


def turns_head(row: Mapping[str, Any]) -> str | None:
    """The field of a row that holds what was said; None where none does."""
    return next((head for head in _heads(row, TURNS) if row[head]), None)


def unread_heads(heads: Iterable[str]) -> list[str]:
    """Those of a transcript's fields that nothing is read from."""
    known = {*ID, *TURNS, *REFERENCE, "model", "assistant", "model_name"}
    return [head for head in heads if head.lower() not in known]


def _heads(row: Mapping[str, Any], names: Sequence[str]) -> Iterator[str]:
    """The row's own heads of these names, in the order of the names; people write them with and without capitals."""
    own = {head.lower(): head for head in row}
    return (own[name] for name in names if name in own)


def turns_of(row: Mapping[str, Any]) -> tuple[Turn, ...] | None:
    """What was said, in order; None where the row holds no turns.

    ``turns`` and ``messages`` have ``role`` and ``content``, ``conversations`` ``from`` and ``value``. What tools were
    asked and said is left out: the user never saw it.

    Raises:
        BadInputError: a turn is none; names the field.
    """
    name = turns_head(row)
    if name is None:
        return None
    given = row[name]
    if isinstance(given, str):
        try:
            given = msgspec.json.decode(given)
        except msgspec.DecodeError as error:
            raise BadInputError(f"not valid JSON: {error}", field=name) from error
    if not isinstance(given, list):
        raise BadInputError(f"a list of turns was expected, found {type(given).__name__}", field=name)
    turns = (_turn(one, f"{name}[{place}]") for place, one in enumerate(given))
    found = tuple(turn for turn in turns if turn is not None)
    if not any(turn.role == "assistant" for turn in found):
        raise BadInputError("nothing in it was said by an assistant", field=name)
    return found


def question_of(turns: tuple[Turn, ...]) -> str:
    """What the user said first."""
    return next((turn.content for turn in turns if turn.role == "user"), "")


def reference_of(row: Mapping[str, Any]) -> str:
    """The right answer that a row names; empty where it names none."""
    found = next((row[head] for head in _heads(row, REFERENCE) if row[head]), "")
    return "\n".join(str(one) for one in found) if isinstance(found, list) else str(found)


def _turn(given: Any, place: str) -> Turn | None:
    if not isinstance(given, dict):
        raise BadInputError("an object with role and content was expected", field=place)
    role = str(given.get("role") or given.get("from") or "").lower()
    if role in _UNSPOKEN:
        return None
    if role not in _ROLES:
        raise BadInputError(f"unknown role {role!r}; known: {', '.join(_ROLES)}", field=place)
    content = given.get("content") if "content" in given else given.get("value")
    text = _text(content, place)
    if not text and given.get("tool_calls"):
        return None
    return Turn(role=cast("Any", _ROLES[role]), content=text)


def _text(content: Any, place: str) -> str:
    """Text, or the texts among the parts of a message."""
    if content is None or isinstance(content, str):
        return content or ""
    if isinstance(content, list):
        parts = (
            one.get("text") if isinstance(one, dict) and one.get("type", "text") == "text" else one for one in content
        )
        return "\n".join(part for part in parts if isinstance(part, str))
    raise BadInputError(f"text was expected, found {type(content).__name__}", field=place)


def _log(path: Path) -> Iterator[dict[str, Any]]:
    """The samples of the first epoch: later epochs are the same questions asked again."""
    for sample in inspect_log(path).samples or ():
        if sample.epoch == 1 and sample.messages:
            messages = [{"role": one.role, "content": one.text} for one in sample.messages]
            yield {"sample": str(sample.id), "messages": messages, "target": sample.target}


def traces_in(path: Path) -> Iterator[dict[str, Any]]:
    """The samples of a log of Inspect as chat messages, with the calls of tools and their answers; every epoch is one.

    Raises:
        BadInputError: it cannot be read.
        MissingDependencyError: Inspect is not installed.
    """
    log = inspect_log(path)
    for sample in log.samples or ():
        messages = [_message(one) for one in sample.messages]
        yield {"sample": str(sample.id), "assistant": log.eval.model, "messages": messages}


def _message(given: Any) -> dict[str, Any]:
    found: dict[str, Any] = {"role": given.role, "content": given.text}
    if given.role == "tool":
        # Inspect keeps a failure beside the text, where the model was told it.
        text = msgspec.json.encode({"error": given.error.message}).decode() if given.error else given.text
        found |= {"tool_call_id": given.tool_call_id, "content": text}
    if given.role == "assistant" and given.tool_calls:
        found["tool_calls"] = [
            {"id": one.id, "function": {"name": one.function, "arguments": msgspec.json.encode(one.arguments).decode()}}
            for one in given.tool_calls
        ]
    return found


def inspect_log(path: Path) -> EvalLog:
    """A log of Inspect, read by Inspect itself: its archives are compressed in a way that Python reads from 3.14 on.

    Raises:
        BadInputError: it cannot be read, or would fill the memory.
        MissingDependencyError: Inspect is not installed.
    """
    try:
        from inspect_ai.log import read_eval_log
    except ImportError as error:
        raise MissingDependencyError("inspect-ai", "inspect", "reading a log of Inspect") from error
    _bounded(path)
    try:
        # In a thread of its own: Inspect runs an event loop to read a file, and one may run here already.
        with ThreadPoolExecutor(1) as reader:
            return reader.submit(read_eval_log, str(path), resolve_attachments=True).result()
    except Exception as error:
        # Damaged and foreign archives end in the errors of a dozen libraries.
        said = str(error).split("\n")[0][:200] or type(error).__name__
        raise BadInputError(f"no log of Inspect that can be read: {said}", file=path) from error


def _bounded(path: Path) -> None:
    """Refuse an archive that would fill the memory.

    Raises:
        BadInputError: it would, or it is no archive.
    """
    try:
        with zipfile.ZipFile(path) as archive:
            size = sum(one.file_size for one in archive.infolist())
    except (OSError, zipfile.BadZipFile) as error:
        raise BadInputError(f"no log of Inspect: {error}", file=path) from error
    if size > MAX_UNPACKED:
        raise BadInputError(f"{size} bytes when unpacked; at most {MAX_UNPACKED} are read", file=path)

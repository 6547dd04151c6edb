"""The files of a clone of UCL-Bench: samples, dialogues that the scripts held, and verdicts that they asked for.

All three are JSON objects of task name to list; what the items hold tells which one a file is. Nothing of a file is run: the
scripts are read by people, and the prompts in the data are filled by us (:func:`filled`), never by ``str.format``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from benchbar.records import Turn
from benchbar.records.errors import BadInputError
from benchbar.suites.taxonomy import task_id
from benchbar.tables.json_rows import read_json

Kind = Literal["samples", "dialogues", "verdicts"]
Items = list[tuple[str, Mapping[str, Any]]]
"""Task name and item, in the order of the file."""

_FILLED = re.compile(r"\{\{|\}\}|\{(\w+)\}")
_SPEAKER = re.compile(r"^(?:(?P<user>用户|User)|AI\s?助手|AI [Aa]ssistant)[：:]", re.MULTILINE)
_UNSAFE = re.compile(r"[^\w.-]+")


@dataclass
class Clone:
    """What a folder, or a single file, of UCL-Bench holds."""

    place: Path
    samples: dict[Path, Items] = field(default_factory=dict)
    dialogues: dict[Path, Items] = field(default_factory=dict)
    verdicts: dict[Path, Items] = field(default_factory=dict)

    def name(self, file: Path) -> str:
        """The file as it is called within the folder."""
        return file.relative_to(self.place).as_posix() if self.place.is_dir() else file.name


def read_clone(place: Path) -> Clone:
    """Every JSON file below a folder that has one of upstream's shapes; others are passed over.

    Raises:
        BadInputError: none holds samples.
    """
    clone = Clone(place)
    # The largest first: a small sample of the data repeats ids of the whole.
    files = sorted(place.rglob("*.json"), key=lambda file: (-file.stat().st_size, file))
    for file in files:
        if any(part.startswith(".") for part in file.relative_to(place).parts) or file.is_symlink():
            continue
        items = _items(file)
        if kind := _kind(items):
            getattr(clone, kind)[file] = items
    if not clone.samples:
        raise BadInputError(
            "no file of UCL-Bench's samples is in it: a JSON object of task name to list was expected, each item with `needs` and"
            " `evaluation_hints`, as in dataset/legal_data_sample.json; name the folder of the clone, or the file itself",
            file=place,
        )
    return clone


def _items(file: Path) -> Items:
    try:
        document = read_json(file)
    except BadInputError:
        # The folder is anybody's: a configuration that is no JSON is not our concern.
        return []
    if not isinstance(document, dict) or not all(isinstance(items, list) for items in document.values()):
        return []
    return [(task, item) for task, items in document.items() for item in items if isinstance(item, dict)]


def _kind(items: Items) -> Kind | None:
    for _, item in items[:1]:
        if "evaluation_score" in item:
            return "verdicts"
        if isinstance(item.get("dialogue"), str):
            return "dialogues"
        if "needs" in item and ("evaluation_hints" in item or "guidance" in item):
            return "samples"
    return None


def sample_id(task: str, id_: object) -> str | None:
    """Our id of upstream's sample: ``4-2-003``; None where the task is unknown or there is no id."""
    found = task_id(task)
    return None if found is None or id_ is None else f"{found}-{number(id_)}"


def number(id_: object) -> str:
    """A number in three digits, anything else as it is."""
    text = str(id_).strip()
    return text.zfill(3) if text.isdigit() else text


def identified(items: Items) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Our id of each item with the item; those without are passed over."""
    for task, item in items:
        if id_ := sample_id(str(item.get("task_name") or task), item.get("id")):
            yield id_, item


def assistant_name(file: Path, items: Items) -> str:
    """What to call whose dialogues a file holds: the model that they name, which may be a path, else the file's name."""
    named = next((str(item["model"]) for _, item in items if item.get("model")), file.stem)
    return _UNSAFE.sub("-", named.rstrip("/").rpartition("/")[2])[:64].strip("-.") or "model"


def turns_of(dialogue: str) -> tuple[Turn, ...]:
    """The turns of a dialogue as the scripts write it, ``用户：…`` and ``AI助手：…`` in turn.

    Only a mark of whoever speaks next divides: an answer that quotes ``用户：`` at the start of a line twice would else be cut.
    """
    marks: list[tuple[int, int, bool]] = []
    for found in _SPEAKER.finditer(dialogue):
        user = found["user"] is not None
        if user is (len(marks) % 2 == 0):
            marks.append((found.start(), found.end(), user))
    ends = [start for start, _, _ in marks[1:]] + [len(dialogue)]
    return tuple(
        Turn(role="user" if user else "assistant", content=dialogue[begin:end].strip())
        for (_, begin, user), end in zip(marks, ends, strict=True)
    )


def outcome(score: object) -> float | None:
    """What a verdict is worth to the model against ChatGPT: [0, 10] is 1, [5, 5] is .5, [10, 0] is 0, [-1, -1] is missing."""
    pairs = {(10.0, 0.0): 0.0, (0.0, 10.0): 1.0, (5.0, 5.0): 0.5}
    match score:
        case [int() | float() as first, int() | float() as second]:
            return pairs.get((float(first), float(second)))
    return None


def filled(template: str, values: Mapping[str, str]) -> str:
    """The template with its fields in one pass, so that a dialogue that holds ``{needs}`` is shown and not filled.

    As ``str.format`` for plain names, and nothing more: in a template of strangers, ``{x.__class__}`` reaches into the program.
    """

    def one(found: re.Match[str]) -> str:
        if found[1] is None:
            return found[0][0]
        return values.get(found[1], found[0])

    return _FILLED.sub(one, template)

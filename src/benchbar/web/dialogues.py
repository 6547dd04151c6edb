"""Single dialogues out of a run's file, however long the file is."""

from __future__ import annotations

from pathlib import Path

import msgspec

from benchbar.errors import BadInputError
from benchbar.records import Dialogue, decode
from benchbar.web.folders import REMEMBERED


class _Key(msgspec.Struct):
    sample: str
    assistant: str


def dialogue_of(run: Path, sample: str, assistant: str) -> Dialogue | None:
    """What was said about a sample with an assistant; None where nothing is kept of it.

    Raises:
        BadInputError: the file is missing or damaged.
    """
    file = run / "dialogues.jsonl"
    places = REMEMBERED.get(("dialogue places", run), (file,), lambda: _places(file))
    at = places.get((sample, assistant))
    if at is None:
        return None
    with file.open("rb") as lines:
        lines.seek(at)
        return decode(lines.readline(), Dialogue, file=file)


def _places(file: Path) -> dict[tuple[str, str], int]:
    """Sample and assistant to where their line begins; the rest of a line is passed over unread."""
    decoder, found, at = msgspec.json.Decoder(_Key), {}, 0
    try:
        with file.open("rb") as lines:
            for line in lines:
                if line.strip():
                    key = decoder.decode(line)
                    found[key.sample, key.assistant] = at
                at += len(line)
    except OSError as error:
        raise BadInputError(f"cannot be read: {error.strerror}", file=file) from error
    except msgspec.MsgspecError as error:
        raise BadInputError(f"damaged at byte {at}: {error}", file=file) from error
    return found

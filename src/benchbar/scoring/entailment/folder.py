"""A classifier of pairs that lies in a folder as ONNX: run on this machine, without a network and without a stranger's code."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from benchbar.clients.pairs import Pair, Scores
from benchbar.records.errors import BadInputError, MissingDependencyError
from benchbar.records.files import read_bounded

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

MOST_BYTES = {"model.onnx": 2 * 1024**3 - 1, "tokenizer.json": 64 * 1024**2, "config.json": 1024**2}
"""Of each file. A model in one file cannot be larger: that is the limit of its format."""
LONGEST = 8192
"""Tokens of a pair, whatever the folder says."""
_UNBOUNDED = 512
"""Tokens of a pair where the folder does not say how many the model reads."""
_SPECIAL = 2
"""Places that models which count positions from the padding token leave unused."""


class _Config(msgspec.Struct):
    id2label: dict[str, str] = {}
    max_position_embeddings: int = _UNBOUNDED
    pad_token_id: int | None = 0
    model_type: str = ""


class EntailmentFolder:
    """Scores the labels of pairs of texts by a model in a folder."""

    def __init__(self, folder: Path) -> None:
        """``folder`` holds ``model.onnx`` (in it or in ``onnx/``), ``tokenizer.json`` and ``config.json``.

        Only these three files are read, each within the folder and of bounded size. They are data: a graph of known operators
        and two JSON files. Weights in further files are not read.

        Raises:
            MissingDependencyError: onnxruntime or tokenizers is not installed.
            BadInputError: a file is missing, lies elsewhere, is too large, or is no such model.
        """
        try:
            import onnxruntime
            import tokenizers
        except ImportError as error:
            raise MissingDependencyError(
                "onnxruntime and tokenizers", "onnx", f"the entailment model in {folder}"
            ) from error
        weights, config = _read(folder, "model.onnx"), _read(folder, "config.json")
        self._config = _config(config, folder)
        self._tokenizer = _tokenizer(tokenizers, _read(folder, "tokenizer.json"), folder)
        self._session = _session(onnxruntime, weights, folder)
        self._takes = [one.name for one in self._session.get_inputs()]
        if unknown := sorted({*self._takes} - {"input_ids", "attention_mask", "token_type_ids"}):
            raise BadInputError(
                f"the model asks for {', '.join(unknown)}; a classifier of texts was expected", file=folder
            )
        self.digest = hashlib.sha256(weights + config).hexdigest()[:12]
        """Of the weights and the labels: another model in the same folder is another one."""

    @property
    def most_tokens(self) -> int:
        """Tokens of a pair that the model reads."""
        return min(self._config.max_position_embeddings - _SPECIAL, LONGEST)

    def scores(self, pairs: Sequence[Pair]) -> list[Scores | None]:
        """For each pair the probability of every label; None for a pair that is longer than the model reads.

        Raises:
            BadInputError: the model cannot be run on them, or gives no scores for its labels.
        """
        encoded = [self._tokenizer.encode(*pair) for pair in pairs]
        short = [place for place, one in enumerate(encoded) if len(one.ids) <= self.most_tokens]
        found = self._run([encoded[place] for place in short]) if short else []
        rows = dict(zip(short, found, strict=True))
        return [rows.get(place) for place in range(len(pairs))]

    def _run(self, encoded: Sequence[Any]) -> list[Scores]:
        import numpy as np

        width = max(len(one.ids) for one in encoded)
        padding = {"input_ids": self._config.pad_token_id or 0, "attention_mask": 0, "token_type_ids": 0}
        held = {"input_ids": "ids", "attention_mask": "attention_mask", "token_type_ids": "type_ids"}
        given = {
            name: np.array(
                [[*getattr(one, held[name]), *[padding[name]] * (width - len(one.ids))] for one in encoded], np.int64
            )
            for name in self._takes
        }
        try:
            logits = self._session.run(None, given)[0]
        # Its errors share no class but Exception.
        except Exception as error:
            raise BadInputError(f"the model cannot be run: {str(error)[:200]}") from error
        labels = self._config.id2label
        if logits.shape != (len(encoded), len(labels)) or not np.isfinite(logits).all():
            raise BadInputError(
                f"the model gives scores of shape {logits.shape} for {len(encoded)} pairs and {len(labels)} labels"
            )
        return [{labels[str(place)]: float(score) for place, score in enumerate(row)} for row in _probabilities(logits)]


def _probabilities(logits: NDArray[np.floating[Any]]) -> NDArray[np.floating[Any]]:
    import numpy as np

    raised = np.exp(logits.astype(np.float64) - logits.max(axis=1, keepdims=True))
    return np.asarray(raised / raised.sum(axis=1, keepdims=True))


def _read(folder: Path, name: str) -> bytes:
    path = folder / name
    if name == "model.onnx" and not path.exists() and (folder / "onnx" / name).exists():
        path = folder / "onnx" / name
    # A link could lead anywhere: a folder of models is often somebody else's.
    if path.exists() and not path.resolve().is_relative_to(folder.resolve()):
        raise BadInputError("it is a link that leads out of the folder; put a copy of the file there", file=path)
    return read_bounded(path, MOST_BYTES[name])


def _config(data: bytes, folder: Path) -> _Config:
    try:
        found = msgspec.json.decode(data, type=_Config)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise BadInputError(f"no configuration of a model: {error}", file=folder / "config.json") from error
    if sorted(found.id2label) != sorted(map(str, range(len(found.id2label)))) or not found.id2label:
        raise BadInputError("id2label does not number the labels of the model", file=folder / "config.json")
    if len({*found.id2label.values()}) != len(found.id2label) or not isfinite(found.max_position_embeddings):
        raise BadInputError("id2label has one label twice", file=folder / "config.json")
    return found


def _tokenizer(library: Any, data: bytes, folder: Path) -> Any:
    try:
        found = library.Tokenizer.from_str(data.decode())
    # Its errors are plain Exceptions.
    except Exception as error:
        raise BadInputError(f"no tokenizer: {str(error)[:200]}", file=folder / "tokenizer.json") from error
    # Neither cut nor filled up here: what is too long is seen, and not half read.
    found.no_truncation()
    found.no_padding()
    return found


def _session(library: Any, weights: bytes, folder: Path) -> Any:
    options = library.SessionOptions()
    options.log_severity_level = 4
    try:
        return library.InferenceSession(weights, options, providers=["CPUExecutionProvider"])
    except Exception as error:
        raise BadInputError(f"no ONNX model in one file: {str(error)[:200]}", file=folder / "model.onnx") from error

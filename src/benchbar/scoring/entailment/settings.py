"""Which model of natural language inference is asked about claims, and what is known of it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from benchbar.clients.endpoint import Endpoint, Price
from benchbar.records import Record
from benchbar.records.errors import UserError
from benchbar.records.toml import read_toml

NAME = "entailment"
"""Of the scorer."""
LABELS = ("entailment", "neutral", "contradiction")
"""The classes of natural language inference, as nearly every model calls them."""


class EntailmentSettings(Record, frozen=True):
    """A model behind text-embeddings-inference, or one that lies in a folder as ONNX."""

    model: str = ""
    """What the server at ``base_url`` serves; of a ``folder`` its own name, where that is left out."""
    base_url: str = ""
    """The server's address, without ``/predict``."""
    folder: str = ""
    """A folder with ``model.onnx``, ``tokenizer.json`` and ``config.json``, in place of an address."""
    bounds: str = ""
    """The file with the scores from which its verdicts were measured to be right; without one it gives no verdict."""
    labels: dict[str, str] = {}
    """The model's labels to ``entailment``, ``neutral`` and ``contradiction``, where it calls them otherwise."""
    batch: int = 16
    """Pairs of one request."""
    api_key_env: str = ""
    """Name of the environment variable that holds the key, never the key."""
    params: dict[str, Any] = {}
    """Goes into the request body as it is."""
    price: Price | None = None
    timeout: float = 60.0
    tries: int = 6
    requests_per_minute: float | None = None

    def __post_init__(self) -> None:
        """Refuse what could not be asked.

        Raises:
            UserError: both a folder and an address, or neither; an unknown class; a batch below 1.
        """
        if bool(self.folder) == bool(self.base_url):
            raise UserError(
                "entailment: name either base_url, the address of a server, or folder, a model on this machine"
            )
        if self.base_url and not self.model:
            raise UserError(f"entailment: name the model that {self.base_url} serves (model = …)")
        if unknown := sorted({*self.labels.values()} - {*LABELS}):
            raise UserError(f"entailment.labels: {', '.join(unknown)}; expected {', '.join(LABELS)}")
        if self.batch < 1:
            raise UserError(f"entailment.batch is {self.batch}; at least 1 was expected")
        if self.base_url:
            self.endpoint()

    def endpoint(self) -> Endpoint:
        """Where it is asked."""
        names = ("model", "base_url", "api_key_env", "params", "price", "timeout", "tries", "requests_per_minute")
        return Endpoint(**{name: getattr(self, name) for name in names})


def read_settings(path: Path) -> tuple[EntailmentSettings, Path]:
    """The settings of a model, from a TOML file or a folder that holds one, with the folder that their paths are taken from.

    Raises:
        UserError: there is neither, or a field does not fit.
    """
    if path.is_dir():
        bounds = "bounds.json" if (path / "bounds.json").is_file() else ""
        return EntailmentSettings(
            folder=str(path.resolve()), bounds=str(path.resolve() / bounds) if bounds else ""
        ), path
    return read_toml(path, EntailmentSettings), path.parent

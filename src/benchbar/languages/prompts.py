"""The wording that models are given: one file for each prompt and language, replaceable by a folder of one's own."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from string import Template

from benchbar.languages.packs import pack
from benchbar.records import fingerprint
from benchbar.records import nonce as hash_nonce
from benchbar.records.errors import BadInputError, UserError
from benchbar.records.files import read_bounded

NAMES = (
    *("simulator", "long_information", "pairwise", "checklist", "grade", "rewrite", "consult_general", "consult_trial"),
    *("rag_claims", "rag_support", "rag_questions", "rag_useful"),
)
"""The prompts that any run may use; a change of one of them is a change of every run."""
FURTHER = ("fidelity", "support")
"""Those that only runs use which ask for them: runs that were begun before there were such still resume."""
MAX_BYTES = 1 << 20


def _cut(text: str) -> tuple[str, ...]:
    """A template cut at its fields: text and names in turn; what names nothing is a name that there is no value for."""
    parts: list[str] = []
    at = 0
    for match in Template.pattern.finditer(text):
        named = match["named"] or match["braced"] or ("$" if match["escaped"] else "$…")
        parts += [text[at : match.start()], named]
        at = match.end()
    return (*parts, text[at:])


class Prompts:
    """Templates by name and language; ``$field`` is filled in, and what is filled in is never read as a template."""

    def __init__(self, folder: Path | None = None, *, nonce: Callable[..., str] = hash_nonce) -> None:
        """Files ``LANGUAGE/NAME.md`` in ``folder`` take the place of the package's own.

        Prompts that are asked through a ledger take its ``nonce``.
        """
        # The one place by which an older ledger's nonces reach a prompt: an answer that was paid for under schema 4 is found
        # again only if the request is the same byte for byte, bars included.
        self.nonce = nonce
        """The mark of the bars in a prompt of a form, made of all that is shown between them; see ``records.nonce``."""
        if folder is not None and not folder.is_dir():
            raise UserError(
                f"prompts folder {folder}: there is no such folder; expected files like zh/pairwise.md in it"
            )
        self._folder = folder
        self._templates: dict[tuple[str, str], tuple[str, ...]] = {}

    def text(self, name: str, language: str) -> str:
        """A template as it stands in its file; English where the language has none."""
        chosen = pack(language)
        if self._folder is not None and (own := self._folder / chosen.tag / f"{name}.md").is_file():
            return read_bounded(own, MAX_BYTES).decode("utf-8")
        return chosen.text(f"prompts/{name}.md")

    def render(self, name: str, language: str, **values: str) -> str:
        """A prompt with its fields filled in.

        Raises:
            BadInputError: the template asks for a field that there is none of.
        """
        template = self._templates.get((name, language))
        if template is None:
            # Read once: a file that is edited during a run must not change half of its calls.
            template = self._templates[name, language] = _cut(self.text(name, language))
        values["$"] = "$"
        try:
            # What stands at odd places are names.
            return "".join([values[part] if place & 1 else part for place, part in enumerate(template)]).strip()
        except KeyError as error:
            del values["$"]
            known = ", ".join(f"${field}" for field in sorted(values))
            raise BadInputError(f"unknown field {error}; known: {known}", file=f"{language}/{name}.md") from error

    def fingerprint(self, language: str, *, also: Sequence[str] = ()) -> str:
        """Changes when the wording of any prompt does, of those that every run may use and of those in ``also``."""
        return fingerprint([self.text(name, language) for name in (*NAMES, *also)])

"""Templates compiled once for an installation, as Python keeps compiled modules."""

from __future__ import annotations

import hashlib
import marshal
import sys
from contextlib import suppress
from importlib.util import MAGIC_NUMBER, cache_from_source
from pathlib import Path
from typing import TYPE_CHECKING

import jinja2

from benchbar.records.files import write_atomically

if TYPE_CHECKING:
    from jinja2.bccache import Bucket


FORM = 2
"""Raised where code that was kept must not be used any more: before 2 it held what filters had made of constants."""


class CompiledTemplates(jinja2.BytecodeCache):
    """Keeps the code of templates in this package's ``__pycache__``; where that cannot be written, nothing is kept.

    Compiling the templates of a report takes longer than filling them in for a hundred samples.
    """

    def load_bytecode(self, bucket: Bucket) -> None:
        """Hand over the template's code where it is kept."""
        # What is damaged is compiled anew: it is only a copy.
        with suppress(OSError, EOFError, ValueError, TypeError):
            # As trustworthy as the compiled modules of this package, which lie beside it and are read in the same way.
            bucket.code = marshal.loads(self._place(bucket).read_bytes())  # noqa: S302

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Keep the code of a template that was just compiled."""
        if not sys.dont_write_bytecode:
            # An installation is often another user's: then each process compiles for itself.
            with suppress(OSError):
                write_atomically(self._place(bucket), marshal.dumps(bucket.code))

    def _place(self, bucket: Bucket) -> Path:
        made = bucket.environment
        # All that the code depends on: with any other version, setting or text the file has another name.
        settings = (made.autoescape, made.trim_blocks, made.lstrip_blocks, made.optimized)
        key = f"{FORM} {jinja2.__version__} {MAGIC_NUMBER!r} {settings} {bucket.key} {bucket.checksum}"
        return Path(cache_from_source(__file__)).parent / f"template-{hashlib.sha256(key.encode()).hexdigest()[:32]}"

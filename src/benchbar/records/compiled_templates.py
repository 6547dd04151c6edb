"""Templates compiled once for an installation, as Python keeps compiled modules."""

from __future__ import annotations

from typing import TYPE_CHECKING

import jinja2

from benchbar.records.compiled import keep, kept

if TYPE_CHECKING:
    from jinja2.bccache import Bucket


FORM = 2
"""Raised where code that was kept must not be used any more: before 2 it held what filters had made of constants."""
KIND = "template"


class CompiledTemplates(jinja2.BytecodeCache):
    """Keeps the code of templates.

    Compiling the templates of a report takes longer than filling them in for a hundred samples.
    """

    def load_bytecode(self, bucket: Bucket) -> None:
        """Hand over the template's code where it is kept."""
        bucket.code = kept(KIND, _key(bucket))

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Keep the code of a template that was just compiled."""
        keep(KIND, _key(bucket), bucket.code)


def _key(bucket: Bucket) -> str:
    """All that the code depends on: with any other version, setting or text the file has another name."""
    made = bucket.environment
    settings = (made.autoescape, made.trim_blocks, made.lstrip_blocks, made.optimized)
    return f"{FORM} {jinja2.__version__} {settings} {bucket.key} {bucket.checksum}"

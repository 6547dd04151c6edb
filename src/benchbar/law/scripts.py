"""Names of law in the other Chinese script: 《勞動合同法》 of the mainland, whose laws a corpus holds as 劳动合同法."""

from __future__ import annotations

from msgspec.structs import replace

from benchbar.languages.packs import pack
from benchbar.languages.text import folded, variant
from benchbar.law.corpus import Corpus
from benchbar.law.mention import Mention, Surroundings

_FURTHER = str.maketrans("於徵", "于征")
"""Characters that both scripts have, of which names of law use one alone."""


def in_root_script(name: str) -> str:
    """A name in the characters that laws of the language are held in: 勞動合同法 as 劳动合同法; others as they are."""
    return folded(name).translate(_FURTHER)


def held_script(mention: Mention, corpus: Corpus, around: Surroundings) -> Mention | None:
    """The mention by the held law's own name, where its name is that of a held law in the other script; None elsewhere.

    A name that Taiwan has given to a law of its own is left alone, unless the text is in the corpus' script or names the People's Republic.
    """
    name = in_root_script(mention.names)
    if name == mention.names or pack(mention.language).root != "zh" or not corpus.acts_named(name):
        return None
    if not (name.startswith("中华人民共和国") or variant(around.text, "zh") == "zh") and _of_taiwan(mention.names):
        return None
    # The mainland's 款 is a paragraph and its 项 an item; in Taiwan it is the other way round.
    as_held = mention.language == "zh" or _read_as_of_the_mainland(mention)
    parts = (mention.paragraph, mention.item) if as_held else (mention.item, mention.paragraph)
    return replace(mention, law=name, antecedent="", language="zh", paragraph=parts[0], item=parts[1])


def _read_as_of_the_mainland(mention: Mention) -> bool:
    from benchbar.law.citations_zh_hant import of_the_mainland

    return of_the_mainland(mention)


def _of_taiwan(name: str) -> bool:
    from benchbar.law.citations_zh_hant import KNOWN_NAMES

    return name in KNOWN_NAMES

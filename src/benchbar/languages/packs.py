"""A language is a folder of this room: how it is called, what it says and how models are spoken to in it.

``docs/languages.md`` names the files of a pack; ``tests/languages/test_packs.py`` is the examination that each one passes.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from functools import cache, cached_property, lru_cache
from importlib.resources import files
from importlib.resources.abc import Traversable

import msgspec

from benchbar.records.compiled import keep, kept
from benchbar.records.errors import UserError
from benchbar.records.toml import read_text, read_toml, toml_of

FALLBACK = "en"
"""The language of whatever is not to be had in another: the one that every text was written in first."""
_ABOUT = "pack.toml"
_KEPT = "texts"
_WITHOUT_LETTERS = re.compile(r"\\.|\(\?P<\w+>|\(\?i:[^()]*\)")
"""In a pattern, letters that are no letters of a text, and those whose case is passed over already."""


class About(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What ``pack.toml`` says of a language."""

    name: str
    """As its speakers call it."""
    english: str
    also: tuple[str, ...] = ()
    """Further tags that mean this language, such as ``zh-TW``; matched like the tag itself."""
    letters: str = ""
    """The letters of its script, as a class of characters; empty for a variant."""
    weight: int = 1
    """What a letter counts beside those of other scripts: more where a character is a word."""
    alphabet: str = ""
    """Of these letters, those that the language itself uses, where others of its script tell another language."""
    common: str = ""
    """Words that every longer text has, where other languages share the letters; ``common_share`` is the least share of them."""
    common_share: float = 0.0
    spaces: bool = True
    """Whether spaces divide its words."""
    stemmer: str = ""
    """What Snowball calls its stemmer; empty where words have no endings."""
    decimal: str = "."
    """The decimal mark of the language's own texts."""
    reading_speed: float
    """Words (characters, without spaces) a minute of adults who read silently; Trauzettel-Klosinski and Dietz, IReST (2012)."""
    citations: str = ""
    """What a text has to hold for citations to be looked for in it, as a pattern; its letters where nothing is said."""
    variant_of: str = ""
    """The language that it shares its script and law's names with, such as ``zh`` of ``zh-Hant``; empty for most."""
    folding: tuple[str, str] = ("", "")
    """Characters that only this variant has, and those of ``variant_of`` in their places."""
    folding_shared: tuple[str, str] = ("", "")
    """The same where the second one stands in texts of the variant as well, and so tells nothing."""


class _Counted:
    """A value whose field may choose the form of a word, as in ``{n} {n:sample|samples}``: the first for 1, else the last.

    Of three forms, as in Russian, the first is for 1, 21, 31, the second for 2 to 4, 22 to 24, the third for 5 to 20 and the rest.
    """

    def __init__(self, value: object) -> None:
        self._value = value

    def __format__(self, form: str) -> str:
        if "|" not in form:
            return format(self._value, form)
        one, *few, many = form.split("|")
        number = str(self._value)
        if not few:
            return one if number == "1" else many
        last = number[-1:] if number[-2:-1] != "1" else ""
        return one if last == "1" else few[0] if last in {"2", "3", "4"} else many


class Labels:
    """Texts by key such as ``mark.met``; what is filled in is never read as a template."""

    def __init__(self, language: str, texts: dict[str, str]) -> None:
        """In ``language``, which is also what a page declares."""
        self.language, self.texts = language, texts
        self._patterns: dict[str, re.Pattern[str]] = {}

    def __call__(self, key: str, **values: object) -> str:
        """The text under ``key`` with its fields filled in."""
        text = self.texts[key]
        # Only texts that choose between forms of a word pay for it.
        return text.format(**({name: _Counted(value) for name, value in values.items()} if "|" in text else values))

    def pattern(self, key: str) -> re.Pattern[str]:
        """The text under ``key`` as a pattern that passes over the case of letters; compiled when it is first asked for."""
        found = self._patterns.get(key)
        if found is None:
            found = self._patterns[key] = wording(self.texts[key])
        return found

    def section(self, name: str) -> dict[str, str]:
        """The texts of one section by their bare keys."""
        return {key.partition(".")[2]: text for key, text in self.texts.items() if key.startswith(f"{name}.")}

    def name(self, kind: str, value: str) -> str:
        """What to call a value such as the level ``apply``; the value itself where the pack has no word for it."""
        return self.texts.get(f"{kind}.{value}", value)


class Pack:
    """One language: everything that differs between languages and is data."""

    def __init__(self, tag: str) -> None:
        """Of ``tag``, one of :func:`known`."""
        self.tag = tag
        self.folder: Traversable = files(__package__) / _folder(tag)

    @cached_property
    def about(self) -> About:
        """What the pack says of itself."""
        return read_toml(self.folder / _ABOUT, About)

    @property
    def root(self) -> str:
        """The language itself, whatever its variant: ``zh`` of ``zh-Hant``."""
        return self.about.variant_of or self.tag

    @cache  # noqa: B019 - a pack lives as long as the program
    def labels(self, area: str) -> Labels:
        """The texts of an area: of ``report.toml``, or of every file in the folder ``web``."""
        found: dict[str, str] = {}
        for file in sorted(self._area(area), key=lambda file: file.name):
            found |= _texts(file)
        return Labels(self.tag, found)

    def text(self, path: str) -> str:
        """A file of the pack, such as ``survey.toml`` or ``prompts/pairwise.md``."""
        return self.folder.joinpath(*path.split("/")).read_text("utf-8")

    def _area(self, area: str) -> Iterator[Traversable]:
        folder = self.folder / area
        return folder.iterdir() if folder.is_dir() else iter((self.folder / f"{area}.toml",))


def _texts(file: Traversable) -> dict[str, str]:
    """The texts of one file by section and key."""
    text = read_text(file)
    # Thirty of these files are read before the first reply is marked, and tomllib takes as long for them as all marks of a short run.
    digest = hashlib.blake2b(text.encode(), digest_size=16).hexdigest()
    found: dict[str, str] | None = kept(_KEPT, digest)
    if found is None:
        sections = toml_of(text, dict[str, dict[str, str]], file=file.name)
        found = {f"{name}.{key}": text for name, part in sections.items() for key, text in part.items()}
        keep(_KEPT, digest, found)
    return found


@cache
def known() -> tuple[str, ...]:
    """The tags of all languages that there is a pack for, English first.

    Folders are listed, not read: every command that has a ``--language`` asks at its import.
    """
    found = {_tag(folder.name) for folder in files(__package__).iterdir() if (folder / _ABOUT).is_file()}
    return (FALLBACK, *sorted(found - {FALLBACK}))


def matched(language: str) -> str | None:
    """The known tag that a language tag means, after RFC 4647's lookup; None if there is no pack for it.

    ``EN-gb`` is ``en``, ``zh-CN`` ``zh``, and ``zh-TW`` ``zh-Hant``, because that pack says so.
    """
    subtags = language.strip().replace("_", "-").lower().split("-")
    while subtags:
        if tag := _all_tags().get("-".join(subtags)):
            return tag
        subtags.pop()
    return None


_ISO_639_1 = frozenset(
    [
        "aa",
        "ab",
        "ae",
        "af",
        "ak",
        "am",
        "an",
        "ar",
        "as",
        "av",
        "ay",
        "az",
        "ba",
        "be",
        "bg",
        "bh",
        "bi",
        "bm",
        "bn",
        "bo",
        "br",
        "bs",
        "ca",
        "ce",
        "ch",
        "co",
        "cr",
        "cs",
        "cu",
        "cv",
        "cy",
        "da",
        "de",
        "dv",
        "dz",
        "ee",
        "el",
        "en",
        "eo",
        "es",
        "et",
        "eu",
        "fa",
        "ff",
        "fi",
        "fj",
        "fo",
        "fr",
        "fy",
        "ga",
        "gd",
        "gl",
        "gn",
        "gu",
        "gv",
        "ha",
        "he",
        "hi",
        "ho",
        "hr",
        "ht",
        "hu",
        "hy",
        "hz",
        "ia",
        "id",
        "ie",
        "ig",
        "ii",
        "ik",
        "io",
        "is",
        "it",
        "iu",
        "ja",
        "jv",
        "ka",
        "kg",
        "ki",
        "kj",
        "kk",
        "kl",
        "km",
        "kn",
        "ko",
        "kr",
        "ks",
        "ku",
        "kv",
        "kw",
        "ky",
        "la",
        "lb",
        "lg",
        "li",
        "ln",
        "lo",
        "lt",
        "lu",
        "lv",
        "mg",
        "mh",
        "mi",
        "mk",
        "ml",
        "mn",
        "mr",
        "ms",
        "mt",
        "my",
        "na",
        "nb",
        "nd",
        "ne",
        "ng",
        "nl",
        "nn",
        "no",
        "nr",
        "nv",
        "ny",
        "oc",
        "oj",
        "om",
        "or",
        "os",
        "pa",
        "pi",
        "pl",
        "ps",
        "pt",
        "qu",
        "rm",
        "rn",
        "ro",
        "ru",
        "rw",
        "sa",
        "sc",
        "sd",
        "se",
        "sg",
        "si",
        "sk",
        "sl",
        "sm",
        "sn",
        "so",
        "sq",
        "sr",
        "ss",
        "st",
        "su",
        "sv",
        "sw",
        "ta",
        "te",
        "tg",
        "th",
        "ti",
        "tk",
        "tl",
        "tn",
        "to",
        "tr",
        "ts",
        "tt",
        "tw",
        "ty",
        "ug",
        "uk",
        "ur",
        "uz",
        "ve",
        "vi",
        "vo",
        "wa",
        "wo",
        "xh",
        "yi",
        "yo",
        "za",
        "zh",
        "zu",
    ]
)


def language_fault(language: str) -> str:
    """Why this can be the tag of no language; empty where it can, whether or not there is a pack for it."""
    root = re.split(r"[-_]", language.strip().lower())[0]
    # Codes of three letters are thousands, and who writes one knows of the standard.
    if matched(language) is not None or root in _ISO_639_1 or re.fullmatch(r"[a-z]{3}", root):
        return ""
    return f"{language[:40]!r} is no language; there are packs for {', '.join(known())}, and others by their code (ISO 639-1)"


@lru_cache(maxsize=256)
def pack(language: str) -> Pack:
    """The pack of a language; English where there is none: for text that has to be in some language.

    Where a user named the language, ask :func:`pack_of`, which refuses an unknown one.
    """
    tag = matched(language) or FALLBACK
    return Pack(tag) if tag == language else pack(tag)


def pack_of(language: str, *, where: str = "language") -> Pack:
    """The pack of a language that a user named.

    Raises:
        UserError: there is none; the known ones are named.
    """
    if matched(language) is None:
        raise UserError(f"{where}: {language!r} is not known; known: {', '.join(known())}")
    return pack(language)


def labels(language: str, area: str = "report") -> Labels:
    """The texts of an area in a language; English where there is no pack for it."""
    return pack(language).labels(area)


def every(area: str, key: str) -> tuple[str, ...]:
    """What each pack has under a key: for what is read from people, who write in any language."""
    return tuple(labels(tag, area).texts[key] for tag in known())


def any_of(key: str) -> str:
    """The regular expression of ``patterns.toml`` under a key, in all languages."""
    return "|".join(every("patterns", key))


@cache
def pattern_of_any(key: str) -> re.Pattern[str]:
    """The same as a pattern that passes over the case of letters."""
    return wording(any_of(key))


def wording(text: str) -> re.Pattern[str]:
    """A regular expression of a pack as a pattern that passes over the case of letters."""
    # Asked of every Chinese character, to pass over a case that it has not makes compiling take twice as long, and a
    # command compiles some three hundred of them.
    plain = _WITHOUT_LETTERS.sub("", text)
    return re.compile(text, re.IGNORECASE if plain.lower() != plain.upper() else re.NOFLAG)


@cache
def _all_tags() -> dict[str, str]:
    return {name.lower(): tag for tag in known() for name in (tag, *Pack(tag).about.also)}


def _folder(tag: str) -> str:
    return tag.lower().replace("-", "_")


def _tag(folder: str) -> str:
    """``zh_hant`` is ``zh-Hant``: scripts have four letters and begin with a capital, regions have two capitals."""
    language, *rest = folder.split("_")
    forms = (part.title() if len(part) == len("Hant") else part.upper() for part in rest)
    return "-".join((language, *forms))

"""Text made comparable without losing where it came from; sentences; the language by its script."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache, cached_property

from benchbar.languages.packs import FALLBACK, About, known, pack

INVISIBLE = frozenset("\u00ad\u200b\u200c\u200d\u200e\u200f\u2060\ufeff")
Span = tuple[int, int]
_SAMPLE = 20_000
"""Characters of a text that tell its language."""
_FOREIGN = 1 / 3
"""Share of letters of no known script from which a text is in no known language: of Japanese about half are kana."""
_STRANGE = 0.01
"""Of Ukrainian 8% of the letters are none of Russian's; a name or two in a Russian text stay below this."""
_LEAST_WORDS = 20
_LEAST_LETTERS = 12
"""Shorter texts are formulas, numbers and names, which tell no language."""
_AROUND = 60
"""Characters before and behind a place that are kept with it, so that reports show it without the law."""
_WIDE = tuple(zip("，：；？！（）．％\u3000", ",:;?!().% ", strict=True))


class Normalised:
    """A text in its compared form, and for each of its characters the place in the original."""

    def __init__(self, text: str, original: str, known: _Forms | None = None) -> None:
        """``text`` is made of ``original`` by the ``known`` forms; None where it was left as it was."""
        self.text, self.length = text, len(original)
        self._original, self._known = original, known

    @cached_property
    def starts(self) -> tuple[int, ...] | None:
        """Offset in the original of each character; None where the text was left as it was."""
        # Not made with the text: nine of ten texts are only looked through for another one.
        return None if self._known is None else _starts(self._original, self._known)

    def original(self, start: int, end: int) -> Span:
        """The span of the original that characters ``start`` to ``end`` of the compared form came from."""
        if self.starts is None:
            return start, end
        at = self.starts[start] if start < len(self.starts) else self.length
        if end <= start:
            return at, at
        stop = self.starts[end] if end < len(self.starts) else self.length
        return at, max(stop, self.starts[end - 1] + 1)


def nfkc(text: str) -> str:
    """The text in NFKC form.

    Punctuation of full width, which Chinese texts are full of, is put in its place first: without it most texts are in the
    form already, and are seen to be at once.
    """
    if not text.isascii():
        for wide, plain in _WIDE:
            text = text.replace(wide, plain)
    return unicodedata.normalize("NFKC", text)


def words_around(text: str, span: Span) -> tuple[str, str, str]:
    """The words before a place, the place, and those behind it."""
    start, end = span
    return text[max(0, start - _AROUND) : start], text[start:end], text[end : end + _AROUND]


def normalise(text: str) -> Normalised:
    """The text in NFKC form without invisible characters; combining marks join the letter before them."""
    if text.isascii() or (unicodedata.is_normalized("NFKC", text) and INVISIBLE.isdisjoint(text)):
        return Normalised(text, text)
    return _mapped(text, _FORMS)


def comparable(text: str) -> Normalised:
    """The text as quotations are compared: NFKC, lower case, only letters and digits."""
    return _mapped(text, _COMPARABLE_FORMS)


class _Forms(dict[int, str]):
    """The form of each character that was met so far, by its code, for ``str.translate``."""

    def __init__(self, form: Callable[[str], str]) -> None:
        super().__init__()
        self.form = form

    def __missing__(self, code: int) -> str:
        if unicodedata.combining(chr(code)):
            raise _CombiningError
        found = self.form(chr(code))
        # A hostile text has every character there is; what people write has a tenth of these.
        if len(self) < _MOST_FORMS:
            self[code] = found
        return found


_MOST_FORMS = 1 << 16


class _CombiningError(Exception):
    """A character joins the one before it, so that a text has to be mapped letter by letter."""


def _mapped(text: str, known: _Forms) -> Normalised:
    try:
        # Nearly every text: without a loop of Python's over its characters (8% of an offline run).
        return Normalised(text.translate(known), text, known)
    except _CombiningError:
        return Normalised("".join(known.form(text[start:end]) for start, end in _clusters(text)), text, known)


def _starts(text: str, known: _Forms) -> tuple[int, ...]:
    """The place that each character of the compared form came from."""
    # A form may be empty, and that of ﬁ has two characters.
    try:
        return tuple(place for place, letter in enumerate(text) for _ in known[ord(letter)])
    except _CombiningError:
        return tuple(start for start, end in _clusters(text) for _ in known.form(text[start:end]))


def _clusters(text: str) -> Iterator[Span]:
    """Spans that NFKC may turn into one character: a starter and the combining marks after it."""
    start = 0
    for index in range(1, len(text) + 1):
        if index == len(text) or not (text[index] > "\u02ff" and unicodedata.combining(text[index])):
            yield start, index
            start = index


def _form(cluster: str) -> str:
    return "" if cluster in INVISIBLE else unicodedata.normalize("NFKC", cluster)


def _comparable_form(cluster: str) -> str:
    return "".join(char for char in unicodedata.normalize("NFKC", cluster).lower() if char.isalnum())


_FORMS, _COMPARABLE_FORMS = _Forms(_form), _Forms(_comparable_form)


def detect_language(text: str) -> str:
    """The language of a text by the script that most letters are of, English where there are none.

    A script needs a third of the letters of the strongest other one: legal texts quote names and statutes of other scripts.
    Of the languages that share a script, the one most of whose common words the text has.
    Which variant it is, say the characters that only one of them has; where none or as many of both are there, the
    language without a variant.
    """
    sample = text[:_SAMPLE]
    found = {root: weight * len(letters.findall(sample)) for root, (letters, weight) in _scripts().items()}
    for root, count in found.items():
        if count and count >= max(other for name, other in found.items() if name != root) / 3:
            return variant(sample, by_common_words(sample, root))
    return FALLBACK


def doubt_of(text: str, language: str) -> str:
    """Why a text may well be in another language than the one that its script tells; empty where nothing speaks against it.

    Scripts are shared: what has Latin letters may be German, what has Chinese characters Japanese.
    """
    sample, about = text[:_SAMPLE], pack(pack(language).root).about
    letters = sum(map(str.isalpha, sample))
    known_letters = len(_letters().findall(sample))
    if letters - known_letters > letters * _FOREIGN:
        return "many of its letters are of another script"
    if _in_alphabet(sample, about) is False:
        return f"it has letters that {about.english} is not written with"
    words = re.findall(r"[^\W\d_]+", sample.lower())
    common = frozenset(about.common.split())
    if (
        common
        and len(words) >= _LEAST_WORDS
        and sum(word in common for word in words) < len(words) * about.common_share
    ):
        return f"few of its words are {about.english}"
    return ""


def _in_alphabet(sample: str, about: About) -> bool | None:
    """Whether the letters of its script that a text has are those which the language itself uses; None where all of them are."""
    if not about.alphabet:
        return None
    own = re.findall(about.letters, sample)
    return sum(re.match(about.alphabet, one) is None for one in own) <= len(own) * _STRANGE


def script_share(text: str, language: str) -> float | None:
    """The share of a text's letters that are of a language's script; None where there are too few to say."""
    sample = text[:_SAMPLE]
    letters = sum(map(str.isalpha, sample))
    own = len(re.findall(pack(pack(language).root).about.letters, sample))
    return own / letters if letters >= _LEAST_LETTERS else None


def variant(text: str, root: str) -> str:
    """The variant of a language that a text is in, by the characters that only one of them has."""
    # English and Russian texts are asked too, once for each root.
    if text.isascii():
        return root
    for tag, telling, own, others in _variants(root):
        # One search for those characters alone: a loop over all of a text took a quarter of the time of extraction.
        found = telling.findall(text)
        if sum(own.get(one, 0) for one in found) > sum(others.get(one, 0) for one in found):
            return tag
    return root


@cache
def _variants(root: str) -> tuple[tuple[str, re.Pattern[str], Counter[str], Counter[str]], ...]:
    """Each variant of a language, with its own characters and those of the root; one that stands for two counts twice."""
    abouts = ((tag, pack(tag).about) for tag in known())
    return tuple(
        (
            tag,
            re.compile(f"[{re.escape(''.join(about.folding[:2]))}]"),
            Counter(about.folding[0]),
            Counter(about.folding[1]),
        )
        for tag, about in abouts
        if about.variant_of == root
    )


def root_language(name: str) -> str:
    """The language, whatever its variant, of a name such as a law's: the first any of whose letters stands in it."""
    found = next((root for root, (letters, _) in _scripts().items() if letters.search(name)), FALLBACK)
    return by_common_words(name, found)


def by_common_words(text: str, root: str) -> str:
    """Of the languages in the script of this one whose alphabet a text keeps to, the one most of whose common words it has.

    A few words may have none of them: then it is English, one that states its alphabet, or this one.
    """
    sharing = _sharing(root)
    if len(sharing) == 1:
        return root
    words = re.findall(r"[^\W\d_]+", text.lower())
    found = {tag: sum(word in common for word in words) for tag, common in sharing.items()}
    fits = {tag: _in_alphabet(text[:_SAMPLE], pack(tag).about) for tag in sharing}
    # Words are shared (не is Russian and Kazakh), letters less: only Russian has no letter beside those of Договор аренды.
    return max(
        found, key=lambda tag: (fits[tag] is not False, found[tag], tag == FALLBACK, fits[tag] is True, tag == root)
    )


@cache
def _sharing(root: str) -> dict[str, frozenset[str]]:
    """The languages whose common words are written in the letters of this one, itself among them, with those words."""
    letters = _scripts()[root][0]
    words = {tag: pack(tag).about.common for tag in _scripts()}
    return {
        tag: frozenset(common.split())
        for tag, common in words.items()
        # Half: a language may have some letters of its own, as German has ä.
        if tag == root or 2 * len(letters.findall(common)) > len("".join(common.split()))
    }


@cache
def _letters() -> re.Pattern[str]:
    """The letters of all scripts."""
    return re.compile("|".join(letters.pattern for letters, _ in _scripts().values()))


@cache
def _scripts() -> dict[str, tuple[re.Pattern[str], int]]:
    """The letters of each language that is no variant and what they weigh; the fallback stands last, with all in its script."""
    roots = sorted((pack(tag) for tag in known() if not pack(tag).about.variant_of), key=lambda one: -one.about.weight)
    usual = pack(FALLBACK).about.common
    # Texts in all languages quote names in Latin letters.
    ordered = sorted(roots, key=lambda one: (re.search(one.about.letters, usual) is not None, one.tag == FALLBACK))
    return {one.tag: (re.compile(one.about.letters), one.about.weight) for one in ordered}


def folded(text: str) -> str:
    """The text with the characters of variants in the form of their root language, each in its place.

    The patterns of numerals, quantities and labels are written once for a language; offsets hold in both texts.
    """
    # Looked for first: to translate takes twenty times as long, and most texts hold none.
    return text.translate(_folding()) if _of_variants().search(text) else text


@cache
def _of_variants() -> re.Pattern[str]:
    return re.compile(f"[{''.join(map(chr, _folding()))}]")


@cache
def _folding() -> dict[int, str]:
    table: dict[int, str] = {}
    for tag in known():
        about = pack(tag).about
        for own, others in (about.folding, about.folding_shared):
            table |= {ord(one): other for one, other in zip(own, others, strict=True)}
    return table


_ZH_END = re.compile(r"[。！？!?；;…]+[”’」』）)\]】]*|\n+")
_WESTERN_END = re.compile(r"[.!?…]+[\"'”’»)\]]*(?=\s|$)|\n+")
_ABBREVIATION = re.compile(
    r"(?:\b(?:[Сс]т|ч|п|[Пп]п|[Пп]одп|[Аа]бз|[Гг]л|[Рр]азд|г|гг|в|вв|им|ул|д|кв|корп|стр|руб|коп|тыс|млн|млрд|[Сс]м|[Нн]апр|др|пр|т|е|обл|р"
    r"|[A-ZА-ЯЁ]|No|Nos|Art|Arts|Sec|Secs|Ch|Reg|para|paras|art|arts|sec|s|ss|v|vs|Mr|Mrs|Ms|Dr|Inc|Ltd|Co|Corp|St"
    r"|cf|e\.g|i\.e|et al|p|pp|U\.S|Cal|App|Cir|Ct|Supp|Fed|Civ|Crim|Evid|Proc))$"
)


_BEFORE_NUMBER = re.compile(r"\b(?:c|cc|ch|cl|pt|reg|regs|r|rr|sch)$", re.IGNORECASE)
"""What stands before the number of a chapter or a provision in English acts: (c. 68), reg. 5."""


def sentences(text: str, language: str | None = None) -> tuple[Span, ...]:
    """Spans of the sentences of a text, without the white space around them.

    Sentences of languages without spaces also end at a semicolon; others do not end after an abbreviation (``ст.``,
    ``Art.``), an initial, or before a small letter.
    """
    spaces = pack(language or detect_language(text)).about.spaces
    spans: list[Span] = []
    start = 0
    for match in (_WESTERN_END if spaces else _ZH_END).finditer(text):
        if spaces and _continues(text, match):
            continue
        _append_stripped(spans, text, start, match.end())
        start = match.end()
    _append_stripped(spans, text, start, len(text))
    return tuple(spans)


def _continues(text: str, end: re.Match[str]) -> bool:
    if end[0].startswith("\n"):
        return False
    after = text[end.end() : end.end() + 2].lstrip()
    if after[:1].islower():
        return True
    before = text[max(0, end.start() - 12) : end.start()]
    if after[:1].isdigit() and _BEFORE_NUMBER.search(before):
        return end[0] == "."
    return end[0] == "." and _ABBREVIATION.search(before) is not None


def _append_stripped(spans: list[Span], text: str, start: int, end: int) -> None:
    piece = text[start:end]
    left = len(piece) - len(piece.lstrip())
    right = len(piece.rstrip())
    if right > left:
        spans.append((start + left, start + right))


def without_blanks(text: str) -> str:
    """The text as it is read: blanks that keep offsets are nothing to read."""
    return "\n".join(kept for line in text.splitlines() if (kept := " ".join(line.split())))

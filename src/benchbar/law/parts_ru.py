"""Parts of Russian articles: пункты, части, подпункты and абзацы, before the article and behind it."""

from __future__ import annotations

import re

# Every repetition is bounded: time is linear in the text.
_ORDINAL = r"(?:перв|втор|трет|четв|пят|шест|седьм|восьм|девят|десят)[а-яё]{1,5}"
# A sign only for the paragraphs of a treaty's article: § 823 ГГУ is an article itself.
PART_WORD = r"(?:§(?=\s?\d{1,2}(?!\d)(?!\s(?:ГГУ|[A-Z]{3}|[А-ЯЁ][а-яё]{3,14}ого\s[а-я]+\sуложени)))|п\.?\s?п\.|ч\.?\s?ч\.|подп\.|пп\.|п\.|ч\.|пп?(?=\s?\d)|ч(?=\s?\d)|абз\.|подпункт\w{0,3}|пункт\w{0,3}|част\w{1,4}|абзац\w{0,3})"
# Written without a space the next word begins behind the number: п.2ч.1ст.81.
_PART_NUMBER = (
    r"(?:\d{1,3}(?:\.\d{1,2}){0,2}(?=(?:ч|пп?|ст|подп|абз)\.)|[а-я]\)|[«\"“]?[\wа-яё]{1,12}[»\"”]?(?:\.\d{1,2}){0,2})"
)
# пп. «а, з»: letters may share their quotation marks.
_LETTERS = r"[«\"“][а-я](?:(?:,\s?|\s?[-–]\s?)[а-я]){0,6}[»\"”]"
_PARTS = re.compile(
    # второй абзац п. 1: the number may stand first.
    rf"(?:(?P<first>{_ORDINAL})\s(?P<what>абзац\w{{0,3}}|част\w{{1,4}}|пункт\w{{0,3}})\s(?!\d)|(?P<word>{PART_WORD})\s{{0,3}}(?P<value>(?:{_LETTERS}|{_PART_NUMBER})(?:(?:\s?,\s?|\sи\s|\s?[-–—]\s?)"
    # A great number with parts of its own behind it is an article: ст. 30 ч. 3, 158 ч. 2 УК РФ.
    rf"(?:\d{{1,2}}(?:\.\d{{1,2}})?(?!\d)|\d{{3}}(?!\s{{0,2}}(?:ч\.|п\.|част|пункт))|{_LETTERS}|{_ORDINAL}(?=\s))){{0,10}})(?:\s?,)?\s{{0,3}})",
    re.IGNORECASE,
)
Parts = list[tuple[str, list[str]]]
"""Each part's kind with its numbers, in the order in which they stand; ``further`` are other parts of the same article, ``2`` or ``2/1``."""
_SAME_PART = re.compile(r"(?:и|или|,)\s{1,2}")


# Each place may begin a chain: without a bound, "п. 1 п. 1 …" takes quadratic time.
_MOST_PARTS = 6
_ORDINALS = {
    f"{stem}{ending}": str(value)
    for value, stem in enumerate(
        ("перв", "втор", "треть", "четверт", "пят", "шест", "седьм", "восьм", "девят", "десят"), start=1
    )
    for ending in ("ой", "ая", "ый", "ого", "ом", "ую", "ей", "я", "ему", "ому", "его", "ем", "ым", "им", "ых", "ыми")
} | {"третий": "3"}


def parts_at(text: str, start: int) -> tuple[Parts, int]:
    """``п. 2 ч. 1 ``: each part's kind with its numbers, and where they end."""
    parts: Parts = []
    further: list[str] = []
    comma_behind = 0
    again = False
    # Abzac, podpunkt, punkt, chast, and two that are repeated: a citation has no further part.
    for _ in range(_MOST_PARTS):
        found = _PARTS.match(text, start)
        values = _values(found) if found else []
        if not (found and all(_NUMBER_OR_LETTER.fullmatch(value) for value in values)):
            break
        word, kind = _word(found), _kind(found, parts)
        start = found.end()
        # "п. 1, абз. 1 п. 2 ст. 314": the second пункт begins a chain of its own behind the comma.
        if not again and comma_behind and any(kind == earlier for earlier, _ in parts):
            further += _as_pairs(parts[:comma_behind])
            del parts[:comma_behind]
        # "ч. 1 и ч. 2 ст. 12.8": the same word again goes on with the list.
        if again and parts[-1][0] == kind and len(parts) > 1:
            # "п. 1 ч. 1, ч. 2 ст. 61": the point is of the first part alone.
            further += values
        elif again and parts[-1][0] == kind:
            parts[-1][1].extend(values)
        else:
            parts.append((kind, values))
        again = False
        if found[0].rstrip().endswith(","):
            comma_behind = len(parts)
        joint = _SAME_PART.match(text, start)
        # The form of a part takes a comma behind it: ч. 1, ч. 2 ст. 12.8.
        behind = joint.end() if joint else start
        if (joint or found[0].rstrip().endswith(",")) and (more := _PARTS.match(text, behind)):
            again = _word(more)[0] == word[0]
            # "п. 2 ч. 1 и п. 1 ч. 2 ст. 24": two chains of one article.
            if not again and joint and _whole(parts):
                further += _as_pairs(parts)
                parts, comma_behind, start = [], 0, behind
            elif again:
                start = behind
    return ([("further", further), *parts] if further else parts), start


_BETWEEN = re.compile(r"\s?,\s?|\sи\s|\s?[-–—]\s?")
_POINT = re.compile(r"\s?(?:п\.|пункт)")
_DOUBLED = re.compile(r"п\.?\s?п")
_NUMBER_OR_LETTER = re.compile(r"\d{1,3}(?:\.\d{1,2})*|[а-я]")


def _word(found: re.Match[str]) -> str:
    return (found["word"] or found["what"]).lower()


def _values(found: re.Match[str]) -> list[str]:
    written = found["value"] or found["first"]
    values = [value for value in _BETWEEN.split(written) if value]
    return [_ORDINALS.get(value.lower().replace("ё", "е"), value.strip('«»"“”)')) for value in values]


def _kind(found: re.Match[str], parts: Parts) -> str:
    word = _word(found)
    if word.startswith("абз"):
        return "indent"
    # "пп. 1 п. 2", and "п. 2 пп. 1" behind the article.
    below = parts[-1:] and parts[-1][0] == "item"
    of_item = below or _POINT.match(found.string, found.end())
    if word.startswith("подп") or (_DOUBLED.match(word) and of_item):
        return "subitem"
    return "item" if word.startswith("п") else "paragraph"


def _whole(parts: Parts) -> bool:
    return any(kind in {"item", "paragraph"} for kind, _ in parts)


def _as_pairs(parts: Parts) -> list[str]:
    """A chain as ``paragraph/item``, one for each of its numbers."""
    paragraphs, items = paragraph_and_items(parts)
    return [f"{paragraph}/{item}" for paragraph in paragraphs for item in items]


def paragraph_and_items(parts: Parts) -> tuple[list[str], list[str]]:
    """The numbers of the second level of an article and of the third, one empty where none is named."""
    by_kind = dict(parts)
    paragraphs = by_kind.get("paragraph")
    items = by_kind.get("item")
    if paragraphs is None and items is not None:
        # In the codes the numbered parts of an article are called пункты: п. 2 ст. 552 is its second part.
        return items, by_kind.get("subitem", by_kind.get("indent", [""]))
    return paragraphs or [""], items or by_kind.get("subitem", by_kind.get("indent", [""]))


def below_the_item(parts: Parts) -> str:
    """The part that stands below both levels, where one does: подп. «а» of п. 6 ч. 1, абз. 3 of подп. 2 п. 1."""
    by_kind = dict(parts)
    levels = [by_kind[kind][0] for kind in ("paragraph", "item", "subitem", "indent") if kind in by_kind]
    return levels[2] if len(levels) > 2 else ""


def pair(written: str) -> tuple[str, str]:
    """The second and third level that ``2/1`` of the further parts stands for."""
    paragraph, _, item = written.partition("/")
    return paragraph, item

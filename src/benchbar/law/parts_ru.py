"""Parts of Russian articles: пункты, части, подпункты and абзацы, before the article and behind it."""

from __future__ import annotations

import re

# Every repetition is bounded: time is linear in the text.
_ORDINAL = r"(?:перв|втор|трет|четв|пят|шест|седьм|восьм|девят|десят)[а-яё]{1,5}"
PART_WORD = r"(?:п\.?\s?п\.|ч\.?\s?ч\.|подп\.|пп\.|п\.|ч\.|пп?(?=\s?\d)|ч(?=\s?\d)|абз\.|подпункт\w{0,3}|пункт\w{0,3}|част\w{1,4}|абзац\w{0,3})"
_PART_NUMBER = r"(?:[а-я]\)|[«\"“]?[\wа-яё]{1,12}[»\"”]?(?:\.\d{1,2}){0,2})"
# пп. «а, з»: letters may share their quotation marks.
_LETTERS = r"[«\"“][а-я](?:,\s?[а-я]){0,6}[»\"”]"
_PARTS = re.compile(
    # второй абзац п. 1: the number may stand first.
    rf"(?:(?P<first>{_ORDINAL})\s(?P<what>абзац\w{{0,3}}|част\w{{1,4}}|пункт\w{{0,3}})\s(?!\d)|(?P<word>{PART_WORD})\s{{0,3}}(?P<value>(?:{_LETTERS}|{_PART_NUMBER})(?:(?:\s?,\s?|\sи\s|\s?[-–—]\s?)"
    # A great number with parts of its own behind it is an article: ст. 30 ч. 3, 158 ч. 2 УК РФ.
    rf"(?:\d{{1,2}}(?:\.\d{{1,2}})?(?!\d)|\d{{3}}(?!\s{{0,2}}(?:ч\.|п\.|част|пункт))|{_LETTERS}|{_ORDINAL}(?=\s))){{0,10}})(?:\s?,)?\s{{0,3}})",
    re.IGNORECASE,
)
Parts = list[tuple[str, list[str]]]
"""Each part's kind with its numbers, in the order in which they stand."""
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
    again = False
    # Abzac, podpunkt, punkt, chast, and two that are repeated: a citation has no further part.
    for _ in range(_MOST_PARTS):
        if not (found := _PARTS.match(text, start)):
            break
        written = found["value"] or found["first"]
        values = [value for value in re.split(r"\s?,\s?|\sи\s|\s?[-–—]\s?", written) if value]
        values = [_ORDINALS.get(value.lower().replace("ё", "е"), value.strip('«»"“”)')) for value in values]
        if not all(re.fullmatch(r"\d{1,3}(?:\.\d{1,2})*|[а-я]", value) for value in values):
            break
        word = (found["word"] or found["what"]).lower()
        kind = "item" if word.startswith(("п", "аб")) else "paragraph"
        if (
            word.startswith("подп")
            or (
                re.match(r"п\.?\s?п", word)
                # "пп. 1 п. 2", and "п. 2 пп. 1" behind the article.
                and ((parts[-1:] and parts[-1][0] == "item") or re.match(r"\s?(?:п\.|пункт)", text[found.end() :][:8]))
            )
        ):
            kind = "subitem"
        if word.startswith("абз"):
            kind = "indent"
        start = found.end()
        # "ч. 1 и ч. 2 ст. 12.8": the same word again goes on with the list.
        if again and parts[-1][0] == kind and len(parts) > 1:
            # "п. 1 ч. 1, ч. 2 ст. 61": the point is of the first part alone.
            parts.insert(0, ("further", values))
        elif again and parts[-1][0] == kind:
            parts[-1][1].extend(values)
        else:
            parts.append((kind, values))
        again = False
        joint = _SAME_PART.match(text, start)
        # The form of a part takes a comma behind it: ч. 1, ч. 2 ст. 12.8.
        behind = joint.end() if joint else start
        if (joint or found[0].rstrip().endswith(",")) and (more := _PARTS.match(text, behind)):
            again = (more["word"] or more["what"]).lower()[0] == word[0]
            start = behind if again else start
    return parts, start


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

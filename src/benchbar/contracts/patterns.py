"""Patterns of risk rules: plain words with gaps, or regular expressions that cannot run away."""

from __future__ import annotations

import re
import warnings
from functools import lru_cache

from benchbar.records.errors import BadInputError

GAP = 20
"""Characters that ``…`` in a keyword, or ``.*`` in a pattern, may stand for; it never leaves the sentence."""
MAX_LENGTH = 2000
MAX_REPEAT = 60
MAX_STEPS = 200_000
"""Most ways that the bounded repetitions of one pattern may combine."""

_WITHIN = rf"[^。！？；;!?\n]{{0,{GAP}}}"
_ELLIPSIS = re.compile(r"\.{3,6}|…{1,2}|＊|\*")
_OPEN_GAP = re.compile(r"(?<!\\)\.[*+]\??")
_ATOM = re.compile(r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|\{(\d*)(?:(,)(\d*))?\}|.", re.DOTALL)


@lru_cache(maxsize=8192)
def keyword(text: str) -> re.Pattern[str]:
    """A keyword as a pattern: literal, any spacing, and ``…`` or ``*`` for up to 20 characters of one sentence."""
    parts = [_literal(part) for part in _ELLIPSIS.split(text)]
    return re.compile(_WITHIN.join(part for part in parts if part), re.IGNORECASE)


def _literal(text: str) -> str:
    """Spaces match any white space; letters of a word's start only at a word's start."""
    words = [re.escape(word) for word in text.split()]
    joined = r"\s{1,4}".join(words)
    return rf"\b{joined}" if words and re.match(r"[A-Za-zА-Яа-яЁё]", words[0]) else joined


@lru_cache(maxsize=8192)
def pattern(text: str) -> re.Pattern[str]:
    """The regular expression, with ``.*`` and ``.+`` read as a gap inside one sentence.

    Raises:
        BadInputError: it does not compile, or repeats without bound, or repeats a group that repeats.
    """
    if len(text) > MAX_LENGTH:
        raise BadInputError(f"a pattern of {len(text)} characters; at most {MAX_LENGTH}")
    bounded = _OPEN_GAP.sub(lambda _: _WITHIN, text)
    _refuse_runaway(bounded)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", FutureWarning)  # [[ may mean something else in a later Python
            return re.compile(bounded, re.IGNORECASE)
    except (re.error, FutureWarning) as error:
        raise BadInputError(f"the pattern {text!r} is no regular expression: {error}") from error


def _refuse_runaway(text: str) -> None:
    """Only single characters and classes may repeat, each at most 60 times: then a match takes bounded steps."""
    steps, depth = 1, 0
    previous = ""
    for atom in _ATOM.finditer(text):
        sign = atom[0]
        most = _most_repeats(atom) if sign.startswith("{") and len(sign) > 1 else {"?": 1}.get(sign, 0)
        if sign in "*+" or most > MAX_REPEAT or most < 0:
            raise BadInputError(
                f"the pattern {text!r} repeats without bound: write {{0,20}} instead of * or +, at most {{0,{MAX_REPEAT}}}"
            )
        if most > 1 and previous in (")", "}"):
            raise BadInputError(f"the pattern {text!r} repeats a group: only characters and classes may repeat")
        depth += (sign == "(") - (sign == ")")
        steps = 1 if sign == "|" and depth == 0 else steps * max(1, most)
        if steps > MAX_STEPS:
            raise BadInputError(f"the pattern {text!r} has too many repetitions; make the gaps shorter")
        previous = ")" if sign == ")" else "}" if most else sign


def _most_repeats(atom: re.Match[str]) -> int:
    if atom[1] == "" and not atom[3]:
        return 0  # a literal brace
    if atom[2] and not atom[3]:
        return -1  # {3,}
    return int(atom[3] or atom[1] or 0)

"""Which sentences of a model's answer its passages support, by wording and numbers; the others are named.

A sentence is supported by a provision of a passage that it refers to, where that holds most of its terms and all of its numbers. This
tells invention and drift; that a sentence turns a provision into its opposite it does not (``law.claims`` checks cited articles).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from benchbar.assistants.provisions import provisions, terms
from benchbar.assistants.statements import Passage, Statement
from benchbar.languages.overlap import covered
from benchbar.languages.quantities import numbers_of, quantities
from benchbar.languages.text import sentences

_LEAST = 0.5
"""Share of a sentence's terms: a paraphrase of an article keeps about half of its words, an unrelated one shares a fifth."""
_SHORTEST = 3
"""Terms below which a sentence says nothing that could be supported: "Therefore:"."""


def supported(
    text: str, passages: Sequence[Passage], references: Callable[[str], Sequence[int]]
) -> tuple[list[Statement], list[str]]:
    """The stretches that support an answer's sentences, and the sentences that nothing supports.

    ``references`` gives the numbers of the passages that a sentence refers to; a sentence that refers to none is held against all.
    """
    found: list[Statement] = []
    alone: list[str] = []
    for start, end in sentences(text):
        sentence = text[start:end]
        said = terms(sentence)
        if len(said) < _SHORTEST:
            continue
        named = set(references(sentence))
        support = _support(sentence, said, [one for one in passages if not named or one.number in named])
        if support is None:
            alone.append(sentence)
        else:
            found.append(support)
    return found, alone


def _support(sentence: str, said: frozenset[str], passages: Sequence[Passage]) -> Statement | None:
    # The reference [1] is no number of the sentence's own.
    numbers = {one for one in _numbers(sentence) if not isinstance(one, float) or f"[{one:g}]" not in sentence}
    scored = [
        (covered(said, terms(one.text[span[0] : span[1]])), one, span)
        for one in passages
        if numbers <= _numbers(one.text)
        for span in provisions(one.text)
    ]
    score, passage, span = max(scored, key=lambda one: one[0], default=(0.0, None, (0, 0)))
    return None if passage is None or score < _LEAST else passage.statement("rule" if passage.law else "practice", span)


def _numbers(text: str) -> set[float | tuple[float, str]]:
    """Numbers in digits, and those in words with what they count."""
    return {*map(float, numbers_of(text)), *((one.value, one.unit) for one in quantities(text))}

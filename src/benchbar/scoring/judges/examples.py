"""Pairs that people compared, shown to a judge as examples before it compares."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple

from benchbar.languages.packs import labels
from benchbar.languages.prompts import Prompts
from benchbar.records import Dialogue, Sample
from benchbar.scoring.judges.shield import harmless, transcript

MOST_SHOWN = 1500
"""Characters of each dialogue in an example: enough to see why it won, and four examples still fit a small context."""
PROMPT = "pairwise"


class ComparedExample(NamedTuple):
    """Two dialogues about one sample, and which of them people found better."""

    sample: Sample
    candidate: Dialogue
    reference: Dialogue
    better: Literal["candidate", "reference", "neither"]


class PromptsWithExamples(Prompts):
    """Prompts of which the comparison begins with examples in the language of the sample."""

    def __init__(self, plain: Prompts, examples: Sequence[ComparedExample]) -> None:
        """All other prompts are the ``plain`` ones."""
        super().__init__(nonce=plain.nonce)
        self._plain = plain
        languages = dict.fromkeys(one.sample.language for one in examples)
        self._shown: Mapping[str, str] = {
            language: _block([one for one in examples if one.sample.language == language], language)
            for language in languages
        }

    def text(self, name: str, language: str) -> str:
        """The template, with the examples before it; a dollar sign in them is no field."""
        text = self._plain.text(name, language)
        shown = self._shown.get(language, "") if name == PROMPT else ""
        return f"{shown.replace('$', '$$')}\n\n{text}" if shown else text


def _block(examples: Sequence[ComparedExample], language: str) -> str:
    say = labels(language, "words")
    parts = [say("judge.examples")]
    for number, one in enumerate(examples, start=1):
        # Whose dialogue stands first changes from one to the next: the place must say nothing of who wins.
        swapped = number % 2 == 0
        shown = [transcript(dialogue, language)[:MOST_SHOWN] for dialogue in (one.candidate, one.reference)]
        first, second = shown[::-1] if swapped else shown
        winner = 3 if one.better == "neither" else 1 if (one.better == "candidate") != swapped else 2
        parts.append(
            say(
                "judge.example",
                number=number,
                needs=harmless(one.sample.needs),
                first=first,
                second=second,
                winner=winner,
            )
        )
    return "\n\n".join(parts)

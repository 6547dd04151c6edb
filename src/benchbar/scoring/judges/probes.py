"""Pairs of dialogues of which it is known that neither is better, or which one is: what a judge says of them tests the judge.

Each probe changes one thing of a dialogue and leaves its legal content as it is. Sources: Zheng et al., Cheating automatic LLM
benchmarks: null models achieve high win rates, ICLR 2025; Zheng et al., Judging LLM-as-a-judge with MT-bench, NeurIPS 2023
(position, verbosity); Chen et al., Humans or LLMs as the judge?, EMNLP 2024 (format, authority).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from msgspec.structs import replace

from benchbar.languages.packs import Labels, labels
from benchbar.languages.text import sentences
from benchbar.records import Category, Dialogue, DialogueEnd, Sample

Rewrite = Callable[[str, Labels], str]


@dataclass(frozen=True)
class Probe:
    """How the two dialogues are made, and what a sound judge never does."""

    rewritten: Rewrite
    """Each reply of the first dialogue, from that of the assistant."""
    ideal: bool = False
    """Whether the second dialogue says what the expert guidance asks for; otherwise it is the assistant's own."""
    same: bool = False
    """Whether the two are equal, so that both orders are one question."""


def _null(_: str, say: Labels) -> str:
    return say("probe.null")


def _verbose(text: str, say: Labels) -> str:
    """Everything twice: longer by half or more, and not a word more is said."""
    return f"{text}\n\n{say('probe.again')} {text}"


def _formatted(text: str, say: Labels) -> str:
    """The same sentences under a heading, as a list in bold."""
    lines = [text[start:end].replace("\n", " ") for start, end in sentences(text, say.language)] or [text]
    return "\n".join([f"## {say('probe.heading')}", "", *(f"- **{line}**" for line in lines)])


def _authoritative(text: str, say: Labels) -> str:
    return f"{text}\n\n{say('probe.authority')}"


PROBES: Mapping[str, Probe] = {
    "null_model": Probe(_null, ideal=True),
    "verbosity": Probe(_verbose),
    "position": Probe(lambda text, _: text, same=True),
    "format": Probe(_formatted),
    "authority": Probe(_authoritative),
}


def applies(probe: Probe, sample: Sample) -> bool:
    """Whether the pair can be made of the sample: an ideal answer needs guidance."""
    return not probe.ideal or bool(_ideal(sample))


def pair_of(probe: Probe, sample: Sample, dialogue: Dialogue) -> tuple[Dialogue, Dialogue]:
    """The dialogue that must not be preferred, and the one beside it; of a failed dialogue two failed ones."""
    say = labels(sample.language, "words")
    made = _with_replies(dialogue, lambda text: probe.rewritten(text, say), "probe")
    if not probe.ideal:
        return made, dialogue
    ideal = _ideal(sample)
    return made, _with_replies(dialogue, lambda _: ideal, "ideal")


def _ideal(sample: Sample) -> str:
    points = (point for point in sample.guidance.points if point.category is not Category.FORBIDDEN)
    return "\n".join(point.text for point in points)


def _with_replies(dialogue: Dialogue, rewrite: Callable[[str], str], name: str) -> Dialogue:
    if dialogue.ended is DialogueEnd.ERROR:
        return replace(dialogue, assistant=name)
    turns = tuple(
        replace(turn, content=rewrite(turn.content)) if turn.role == "assistant" else turn for turn in dialogue.turns
    )
    return replace(dialogue, assistant=name, turns=turns)

"""Asks a sample's question once: the user of the question-answering protocol, who needs no simulation."""

from __future__ import annotations

from collections.abc import Sequence

from benchbar.records import Reply, Sample, Task, Turn


class AskingUser:
    """Says what the sample's user knows and wants to know, and nothing else."""

    identity = "question"

    async def speak(self, task: Task, sample: Sample, turns: Sequence[Turn]) -> Reply:  # noqa: ARG002 - the role's form
        """The question; what is handed to the assistant as material is not said again."""
        return Reply(content=question_of(sample))


def question_of(sample: Sample) -> str:
    """What is asked, with what the user knows in front of it."""
    told = "" if sample.long_information else sample.information
    return f"{told}\n{sample.needs}".strip()

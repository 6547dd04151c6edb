"""The turn loop: user and assistant alternate until the user is satisfied, the limit is reached or a call fails."""

from __future__ import annotations

from collections.abc import Awaitable, Sequence

from msgspec import UNSET

from benchbar.dialogue.guards import inspect
from benchbar.dialogue.temperaments import Temperament
from benchbar.languages.prompts import Prompts
from benchbar.records import ContextPassage, Dialogue, DialogueEnd, Record, Reply, Sample, Task, Thought, Turn, Usage
from benchbar.records.errors import BenchbarError, ModelError
from benchbar.records.protocols import Assistant, UserSimulator

MAX_REPLY = 1 << 20
"""Characters kept of one reply; a longer one is cut, and the guard says so by the turn's length."""


class Protocol(Record, frozen=True, kw_only=True):
    """The rules that all dialogues of a run share."""

    exchanges: int = 3
    end_mark: str = "咨询结束"


async def hold(
    task: Task,
    sample: Sample,
    name: str,
    assistant: Assistant,
    simulator: UserSimulator,
    *,
    protocol: Protocol,
    prompts: Prompts,
    temperament: Temperament | None = None,
) -> Dialogue:
    """The dialogue between a simulated user and an assistant about one sample.

    ``temperament`` is that of the user, for the record; the simulator was made with it.
    An error of one call ends this dialogue and is its outcome; an error that would end every dialogue is raised.
    """
    dialogue = _Conversation(sample, prompts, temperament)
    ended, error, closing = DialogueEnd.TURN_LIMIT, "", ""
    try:
        for _ in range(protocol.exchanges):
            said = (await _named("simulator", simulator.speak(task, sample, tuple(dialogue.turns)))).content
            before, mark, _ = said.partition(protocol.end_mark)
            if mark:
                ended, closing = DialogueEnd.SATISFIED, before.strip()
                break
            dialogue.turns.append(Turn(role="user", content=said))
            reply = await _named("assistant", assistant.reply(tuple(dialogue.turns)))
            dialogue.replies.append(reply)
            dialogue.note_thought(reply)
            dialogue.turns.append(Turn(role="assistant", content=reply.content[:MAX_REPLY]))
    except DialogueError as failure:
        ended, error = DialogueEnd.ERROR, str(failure)
    if ended is DialogueEnd.SATISFIED and not dialogue.replies:
        ended, error = DialogueEnd.ERROR, "simulator: ended-before-asking: the user ended before asking anything"
    return dialogue.record(task, name, ended=ended, error=error, closing=closing)


class DialogueError(BenchbarError):
    """A call that a dialogue needs failed: who, slug, and message."""

    slug = "dialogue"


async def _named(who: str, reply: Awaitable[Reply]) -> Reply:
    """The awaited reply; whatever goes wrong in other people's code is this dialogue's outcome, not the run's end."""
    try:
        return await reply
    except ModelError as error:
        if error.fatal:
            raise
        raise DialogueError(f"{who}: {error.slug}: {error}") from error
    except BenchbarError:
        raise
    except Exception as error:
        raise DialogueError(f"{who}: exception: {type(error).__name__}: {error}") from error


class _Conversation:
    """The turns so far, with the replies that carry usage and latency."""

    def __init__(self, sample: Sample, prompts: Prompts, temperament: Temperament | None) -> None:
        self.sample, self.temperament = sample, temperament
        self.turns: list[Turn] = []
        self.replies: list[Reply] = []
        self.thoughts: list[Thought] = []
        if sample.instructions:
            self.turns.append(Turn(role="system", content=sample.instructions))
        elif sample.long_information and sample.information.strip():
            text = prompts.render("long_information", sample.language, information=sample.information)
            self.turns.append(Turn(role="system", content=text))

    def note_thought(self, reply: Reply) -> None:
        """Keep what was thought before the reply that comes next; apart from the turns, which are what everybody reads."""
        if reply.thoughts or reply.thought_tokens:
            cost = None if reply.thought_cost is UNSET else reply.thought_cost
            text = reply.thoughts[:MAX_REPLY]
            self.thoughts.append(Thought(turn=len(self.turns), text=text, tokens=reply.thought_tokens, cost=cost))

    def record(self, task: Task, name: str, *, ended: DialogueEnd, error: str, closing: str) -> Dialogue:
        return Dialogue(
            sample=self.sample.id,
            assistant=name,
            turns=tuple(self.turns),
            ended=ended,
            error=error,
            closing=closing,
            guards=inspect(task, self.sample, self.turns, mistaken=self.temperament is Temperament.MISTAKEN),
            usage=total_usage(self.replies),
            cost=_total([reply.cost for reply in self.replies]),
            latency=sum(reply.latency for reply in self.replies),
            contexts=all_contexts(self.replies),
            temperament=str(self.temperament or ""),
            thoughts=tuple(self.thoughts) or UNSET,
            product=next((reply.product for reply in reversed(self.replies) if reply.product), UNSET),
        )


def all_contexts(replies: Sequence[Reply]) -> tuple[ContextPassage, ...] | None:
    """The passages of all replies, each once, in order; None where no reply said what it was written from."""
    said = [reply.contexts for reply in replies if reply.contexts is not None]
    return tuple(dict.fromkeys(passage for contexts in said for passage in contexts)) if said else None


def total_usage(replies: Sequence[Reply]) -> Usage:
    """Tokens of all replies together; None as soon as one of them did not say."""
    read = _total([reply.usage.input_tokens for reply in replies])
    written = _total([reply.usage.output_tokens for reply in replies])
    return Usage(
        input_tokens=None if read is None else int(read), output_tokens=None if written is None else int(written)
    )


def _total(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return sum(known) if known and len(known) == len(values) else None

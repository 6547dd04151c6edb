"""A run under faults, from one seed: dialogues and their judging, a provider that fails, and starts that end badly."""

from __future__ import annotations

import asyncio
import hashlib
import json
import random
import secrets
import shutil
from collections import Counter
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from unittest.mock import patch

from benchbar.clients import Budget, ChatModel, Client, Endpoint, Price
from benchbar.clients.transport import Response
from benchbar.ledger import Ledger
from benchbar.ledger.calls import SCOPE, CallResult, LedgerReport, PlannedItem, Scope
from benchbar.ledger.check import CHECKS, check
from benchbar.ledger.sqlite import SQLiteStore
from benchbar.records import Dialogue, DialogueEnd, Turn, decode
from benchbar.records.errors import (
    BenchbarError,
    ConnectionFailedError,
    LedgerError,
    ModelTimeoutError,
    TruncatedJsonError,
)
from faults.simulation import LONGEST_JUMP, Disk, PowerCutError, SimulatedLoop, simulated

BASE = "http://models.example/v1"
PRICE = Price(input=10.0, output=30.0)
UNFINISHED = "; rerun the command to finish it"
"""How all ends that the check may say of the ledger of an unfinished run."""
MOST_STARTS = 6
ANSWERED, TRIES = 0.7, 3
LONGEST_BATCH = 300.0
"""Seconds; a provider's day has nothing that these have not, but for a million looks."""


@dataclass
class Provider:
    """Answers each request by its content alone, and knows what it was asked, what it answered and what it is owed."""

    rng: random.Random
    loop: SimulatedLoop
    faulty: bool = True
    gone: bool = False
    """Whether the process that asks is dead: what it still tries reaches nobody."""
    sent: Counter[str] = field(default_factory=Counter)
    delivered: dict[str, float] = field(default_factory=dict)
    """Request to the moment at which its answer arrived."""
    again: list[str] = field(default_factory=list)
    """Requests that came although their answer had been delivered."""
    owed: float = 0.0
    files: dict[str, bytes] = field(default_factory=dict)
    batches: dict[str, dict[str, Any]] = field(default_factory=dict)
    handed_in: Counter[str] = field(default_factory=Counter)
    """Call to how many batches hold it."""

    async def sent_to(self, _: object, url: str, body: bytes | None, *__: object, **named: Any) -> Response:
        """What the product's own transport does, over no network."""
        path = url.removeprefix(BASE)
        if self.gone:
            raise ConnectionFailedError("nobody sends this", fatal=True)
        await asyncio.sleep(self.rng.uniform(0.05, 4.0))
        if path == "/chat/completions":
            assert body is not None
            return await self._chat(body)
        fault = self.rng.random() if self.faulty else 1.0
        if fault < 0.1:
            raise ConnectionFailedError("refused")
        answer = self._batches(path, body, named.get("method", "POST"))
        if fault < 0.2:
            raise ConnectionFailedError("broke off after it arrived")
        if fault < 0.3:
            return Response(503, b"{}", {})
        return Response(200, answer, {})

    async def _chat(self, body: bytes) -> Response:
        asked = digest(body)
        self.sent[asked] += 1
        kind = self.rng.random() if self.faulty else 0.0
        if kind > ANSWERED:
            return await self._fault(asked, body, kind)
        if asked in self.delivered:
            self.again.append(asked)
        self.delivered[asked] = self.loop.now
        self.owed += cost(body)
        return Response(200, reply(body), {})

    async def _fault(self, asked: str, body: bytes, kind: float) -> Response:
        if kind < 0.76:
            return Response(500, b'{"error": {"message": "sorry"}}', {})
        if kind < 0.82:
            return Response(429, b"{}", {"Retry-After": str(self.rng.randint(1, 3))})
        if kind < 0.87:
            raise ConnectionFailedError("reset")
        # From here on the work was done and is owed, but no whole answer came.
        self.owed += cost(body)
        if kind < 0.92:
            raise TruncatedJsonError("the answer broke off")
        if kind < 0.96:
            return Response(200, reply(body)[: self.rng.randint(0, 40)], {})
        await asyncio.sleep(120)
        raise ModelTimeoutError(f"no complete answer to {asked}")

    def _batches(self, path: str, body: bytes | None, method: str) -> bytes:
        if method == "POST" and path == "/files":
            assert body is not None
            name = f"file-{len(self.files)}"
            self.files[name] = b"\n".join(line for line in body.splitlines() if line.startswith(b'{"custom_id"'))
            return json.dumps({"id": name}).encode()
        if method == "POST":
            asked = json.loads(body or b"")
            lines = [json.loads(line) for line in self.files[asked["input_file_id"]].splitlines()]
            name = f"batch-{len(self.batches)}"
            self.batches[name] = {
                "lines": lines,
                "metadata": asked["metadata"],
                "due": self.loop.now + self.rng.uniform(1, LONGEST_BATCH),
            }
            self.handed_in.update(line["custom_id"] for line in lines)
            self.owed += sum(cost(json.dumps(line["body"]).encode()) / 2 for line in lines)
            return json.dumps({"id": name}).encode()
        if path.startswith("/batches?"):
            listed = [{"id": name, "metadata": one["metadata"]} for name, one in reversed(self.batches.items())]
            return json.dumps({"data": listed}).encode()
        if path.startswith("/files/"):
            return self._content(path.split("/")[2])
        name = path.removeprefix("/batches/")
        done = self.batches[name]["due"] <= self.loop.now
        state = {
            "id": name,
            "status": "completed" if done else "in_progress",
            "output_file_id": f"of-{name}" if done else None,
        }
        return json.dumps(state).encode()

    def _content(self, file: str) -> bytes:
        lines = self.batches[file.removeprefix("of-")]["lines"]
        said = (
            {
                "custom_id": one["custom_id"],
                "response": {"status_code": 200, "body": json.loads(reply(json.dumps(one["body"]).encode()))},
            }
            for one in lines
        )
        return b"\n".join(json.dumps(one).encode() for one in said)


def digest(body: bytes) -> str:
    """A request by what is asked."""
    asked = json.loads(body)
    return hashlib.sha256(json.dumps([asked["model"], asked["messages"]]).encode()).hexdigest()[:16]


def content(body: bytes) -> str:
    """The one answer to a request."""
    return f"答{digest(body)}" + "。租赁合同" * (int(digest(body), 16) % 40)


def usage(body: bytes) -> dict[str, int]:
    """Tokens of a request and its answer."""
    return {"prompt_tokens": len(body) // 4, "completion_tokens": len(content(body))}


def cost(body: bytes) -> float:
    """What they cost."""
    tokens = usage(body)
    return (tokens["prompt_tokens"] * PRICE.input + tokens["completion_tokens"] * PRICE.output) / 1e6


def reply(body: bytes) -> bytes:
    """The answer as it comes over the wire."""
    choice = {"index": 0, "message": {"role": "assistant", "content": content(body)}, "finish_reason": "stop"}
    return json.dumps({"choices": [choice], "usage": usage(body)}).encode()


@dataclass
class World:
    """One run, started again and again until it is done."""

    seed: int
    folder: Path

    def __post_init__(self) -> None:
        self.rng = random.Random(self.seed)
        self.loop = SimulatedLoop()
        # A power cut in a callback is told to the handler too, and is no news.
        self.loop.set_exception_handler(lambda *_: None)
        self.provider = Provider(self.rng, self.loop)
        self.path = self.folder / "ledger.sqlite"
        self.disk = Disk(self.path, self.rng)
        self.samples, self.turns = self.rng.randint(1, 5), self.rng.randint(1, 3)
        self.batched = self.rng.random() < 0.4
        self.limit = self.rng.choice((None, None, self.rng.uniform(0.01, 0.2)))
        self._skew = 0.0
        self.ended = False
        """Whether the present start was ended from outside."""
        self.spent_ever = 0.0

    def live(self) -> LedgerReport:
        """Start, fail, start again, and at last without faults to the end; every start is examined by what it left.

        Raises:
            AssertionError: the ledger, or what was asked or paid, is not as it has to be.
        """
        try:
            return self._lived()
        finally:
            self.loop.close()

    def _lived(self) -> LedgerReport:
        for start in range(self.rng.randint(1, MOST_STARTS)):
            self.examine_start(start)
        self.provider.faulty = False
        self.limit = None
        self.disk.schedule()
        with self._here():
            assert self.loop.run_until_complete(self._start()) is None, "without faults the run ends well"
        report = check(self.path)
        assert report.ok, report.problems
        assert report.finished == report.planned == self.samples * 3
        assert not self.provider.again, f"answered before, and asked again: {self.provider.again}"
        assert all(count == 1 for count in self.provider.handed_in.values()), "a call in two batches"
        self._answers_are_right()
        return report

    def examine_start(self, start: int) -> None:
        """One start and its end."""
        end = self.rng.choice(("power", "power", "kill", "ctrl-c", "full", "none"))
        at = self.rng.randint(1, 60)
        self.disk.schedule(cut_at=at if end == "power" else None, full_at=at if end == "full" else None)
        self._skew += self.rng.choice((0.0, 0.0, self.rng.uniform(-LONGEST_JUMP, LONGEST_JUMP)))
        self.ended = False
        with self._here():
            try:
                task = self.loop.create_task(self._start(ctrl_c=self.rng.uniform(0, 200) if end == "ctrl-c" else None))
                if end == "kill":
                    self.loop.run_until_complete(asyncio.wait({task}, timeout=self.rng.uniform(0, 200)))
                    self.disk.stop(killed=True)
                else:
                    self.loop.run_until_complete(task)
            except PowerCutError:
                pass
            except LedgerError:
                assert end == "full"
            self.disk.stop(killed=True)
            self._die()
            self.disk.restart()
        self._nothing_lost(f"start {start} ({end})")

    def _here(self) -> ExitStack:
        stack = ExitStack()
        stack.enter_context(simulated(self.disk, lambda: 1.8e9 + self.loop.now + self._skew))
        stack.enter_context(patch("time.monotonic", self.loop.time))
        stack.enter_context(patch("time.perf_counter", self.loop.time))
        stack.enter_context(patch("benchbar.clients.transport.sent", self.provider.sent_to))
        stack.enter_context(patch("benchbar.clients.transport.opened", _Session))
        stack.enter_context(patch.object(secrets, "token_hex", lambda size: self.rng.randbytes(size).hex()))
        return stack

    def _die(self) -> None:
        """Let what was under way come to its end without effect: neither disk nor provider hears of it."""
        self.provider.gone = True
        tasks = asyncio.all_tasks(self.loop)
        for task in tasks:
            task.cancel()
        moment = self.loop.now
        if tasks:
            self.loop.run_until_complete(asyncio.wait(tasks))
        for task in tasks:
            if not task.cancelled():
                task.exception()
        self.loop.now, self.provider.gone = moment, False

    def _nothing_lost(self, when: str) -> None:
        """What a reader finds after a start: sound pages, whole rows, every answer that had arrived, and all money that is owed."""
        # On a copy: opening a ledger to write would make whole what a reader has to find whole.
        copy = self.folder / "copy" / "ledger.sqlite"
        shutil.rmtree(copy.parent, ignore_errors=True)
        copy.parent.mkdir()
        for file in self.folder.glob("ledger.sqlite*"):
            if not file.name.endswith((".lock", "-shm")):
                shutil.copy(file, copy.parent)
        if not copy.exists() or not copy.stat().st_size:
            assert not self.provider.delivered, when
            return
        assert not (found := damage(copy)), f"{when}: {found}"
        ledger = Ledger(copy)
        try:
            committed = ledger.store.committed_cost()
            assert committed >= self.provider.owed - 1e-9, (
                f"{when}: {self.provider.owed} is owed, {committed} written down"
            )
            if self.limit is not None:
                assert committed <= max(self.limit, self.spent_ever) + 1e-9, f"{when}: over the limit"
            self.spent_ever = committed
            lost = self.provider.delivered.keys() - _kept(ledger)
            for one in lost:
                # What came at this very moment was in flight, and may be asked once more; so may what came when the disk was full.
                assert self.provider.delivered[one] == self.loop.now or self.disk.full, (
                    f"{when}: {one} arrived and is lost"
                )
                del self.provider.delivered[one]
        finally:
            ledger.close()

    def _answers_are_right(self) -> None:
        ledger = Ledger(self.path)
        kept = _kept(ledger)
        ledger.close()
        assert len(kept) == self.samples * (2 * self.turns + 2), "every request has its own answer"
        for one in self.provider.sent:
            assert one in kept, "what was asked is kept"

    async def _start(self, ctrl_c: float | None = None) -> str | None:
        """One start of the run, as the product makes one; returns how it ended, None where all is done."""
        ledger = Ledger(self.path)
        client = Client(
            ledger,
            budget=Budget(self.limit, spent=ledger.store.committed_cost()),
            concurrency=self.rng.randint(1, 6),
            seed=self.seed,
        )
        client.batched = frozenset({"judge"}) if self.batched else frozenset()
        models = {
            name: ChatModel(
                Endpoint(
                    model=name, base_url=BASE, price=PRICE, tries=TRIES, answers="text", params={"max_tokens": 400}
                ),
                client,
            )
            for name in ("one", "two", "judge")
        }
        if ctrl_c is not None:
            self.loop.call_later(ctrl_c, lambda: setattr(ledger, "closing", True))
        try:
            ledger.plan(
                PlannedItem(id=f"{kind}/{n}", kind=kind, sample=str(n), assistant=kind)
                for n in range(self.samples)
                for kind in ("one", "two", "judged")
            )
            done = await asyncio.gather(
                *(self._sample(ledger, models, n) for n in range(self.samples)), return_exceptions=True
            )
            worst = [one for one in done if isinstance(one, BaseException)]
            if worst:
                raise worst[0]
            await ledger.drain()
        except LedgerError:
            raise
        except BenchbarError as error:
            client.end_batches()
            await ledger.drain()
            return type(error).__name__
        else:
            return None
        finally:
            await client.close()
            ledger.close()

    async def _sample(self, ledger: Ledger, models: Mapping[str, ChatModel], number: int) -> None:
        said = {}
        for name in ("one", "two"):
            said[name] = await self._dialogue(ledger, models[name], f"{name}/{number}", str(number))
        item, scope = (
            PlannedItem(id=f"judged/{number}", kind="judged", sample=str(number), assistant="judged"),
            Scope(str(number)),
        )
        token = SCOPE.set(scope)
        try:
            pair = [Turn(role="user", content=json.dumps([said, order], ensure_ascii=False)) for order in (0, 1)]
            verdicts = await asyncio.gather(*(models["judge"].ask([turn], role="judge") for turn in pair))
        finally:
            SCOPE.reset(token)
        await ledger.settle(
            item,
            scope,
            _dialogue(number, [Turn(role="assistant", content=one.content) for one in verdicts]),
            failed=False,
        )

    async def _dialogue(self, ledger: Ledger, model: ChatModel, item: str, sample: str) -> list[str]:
        scope = Scope(sample)
        token = SCOPE.set(scope)
        turns: list[Turn] = []
        try:
            for turn in range(self.turns):
                turns.append(Turn(role="user", content=f"样本{sample}第{turn}问：押金能退吗？"))
                turns.append(Turn(role="assistant", content=(await model.ask(turns, role="assistant")).content))
        finally:
            SCOPE.reset(token)
        kind = item.split("/", maxsplit=1)[0]
        await ledger.settle(
            PlannedItem(id=item, kind=kind, sample=sample, assistant=kind),
            scope,
            _dialogue(sample, turns),
            failed=False,
        )
        return [turn.content for turn in turns]


class _Session:
    """Nothing is connected."""

    async def close(self) -> None:
        """Nothing to close."""


def damage(path: Path) -> list[str]:
    """What the check says of a ledger, besides that its run is not finished."""
    store = SQLiteStore(path, writable=False)
    try:
        return [one for examine in CHECKS for one in examine(store) if not one.endswith(UNFINISHED)]
    finally:
        store.close()


def _kept(ledger: Ledger) -> set[str]:
    """The requests whose answers a ledger has."""
    rows = ledger.store.rows("SELECT payload FROM result WHERE status = 'ok'")
    replies = (decode(ledger.store.packing.unpack(data), CallResult).reply for (data,) in list(rows))
    return {reply.content[1:17] for reply in replies if reply is not None}


def _dialogue(sample: object, turns: list[Turn]) -> Dialogue:
    return Dialogue(sample=str(sample), assistant="", turns=tuple(turns), ended=DialogueEnd.SATISFIED)

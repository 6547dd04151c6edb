"""The process that a review runs in: a request on stdin, messages on stdout, and the system's own limit on memory."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import threading
import traceback
from pathlib import Path
from typing import IO, Any

import msgspec

from benchbar.contracts.bounds import MEMORY, Bounds, Done, Failed, Message, Moved, Part, Request, Started
from benchbar.contracts.paragraphs import ContractSource
from benchbar.contracts.report import Begun
from benchbar.records.errors import BenchbarError, InterruptedRunError


def main() -> None:
    """Review one contract; the end of stdin is the end of whoever asked."""
    # Ctrl-C reaches every process of the terminal; what it means here is said on stdin.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    out = os.fdopen(os.dup(1), "wb")
    # What a library prints is for people, and would be taken for a message.
    os.dup2(2, 1)
    request = msgspec.json.decode(sys.stdin.buffer.readline(), type=Request)
    _limit_memory(request.bounds)
    stop = threading.Event()
    threading.Thread(target=_listen, args=(sys.stdin.buffer, stop), daemon=True).start()
    _tell(out, _answer(request, out, stop))
    # Threads of libraries may go on for seconds; everything that was to be kept is written.
    out.flush()
    os._exit(0)


def _limit_memory(bounds: Bounds) -> None:
    try:
        import resource
    except ImportError:
        return  # no Unix: time and clauses are bounded all the same
    # Linux counts what a process writes; elsewhere all of its addresses are counted, mapped indexes of law included.
    kind = resource.RLIMIT_DATA if sys.platform == "linux" else resource.RLIMIT_AS
    _, hard = resource.getrlimit(kind)
    wanted = (bounds.memory or 0) * 1024 * 1024 or resource.RLIM_INFINITY
    if hard == resource.RLIM_INFINITY or wanted < hard:
        resource.setrlimit(kind, (wanted, hard))


def _listen(stdin: IO[bytes], stop: threading.Event) -> None:
    if stdin.readline():
        stop.set()
        stdin.readline()
    os._exit(1)


def _answer(request: Request, out: IO[bytes], stop: threading.Event) -> Message:
    try:
        return asyncio.run(_reviewed(request, out, stop))
    except MemoryError:
        return Failed(MEMORY, "")
    except InterruptedRunError as error:
        return Failed(InterruptedRunError.__name__, str(error))
    except BenchbarError as error:
        return Failed(type(error).__name__, str(error))
    except Exception as error:  # noqa: BLE001 - whoever asked has to be told, whatever it was
        traceback.print_exc()
        return Failed(type(error).__name__, f"the review failed: {type(error).__name__}: {error}")


async def _reviewed(request: Request, out: IO[bytes], stop: threading.Event) -> Done:
    from benchbar.contracts.reviewing import review_contract_async

    def heard(part: Begun | Any) -> None:
        _tell(out, Started(part) if isinstance(part, Begun) else Part(part))
        # Without a model no call looks at the event.
        if stop.is_set():
            raise InterruptedRunError("interrupted")

    review = await review_contract_async(
        **_options(request.options),
        bounds=None,
        most=request.bounds.clauses,
        on_progress=lambda progress: _tell(out, Moved(progress)),
        on_part=heard,
        cancel=stop,
    )
    if request.save:
        from benchbar.contracts.taking_away import write_all

        two_files = request.options.get("compare") is not None
        review = write_all(review.called(request.name), Path(request.save), two_files=two_files)
    return Done(review.source, review.report, review.compared)


def _options(plain: dict[str, Any]) -> dict[str, Any]:
    """The options with their records; texts, numbers and paths are what they were."""
    from benchbar.clients.endpoint import Endpoint
    from benchbar.contracts.playbook import Playbook
    from benchbar.contracts.switches import Switches

    kinds: dict[str, type] = {
        "model": Endpoint, "switches": Switches, "contract": ContractSource, "compare": ContractSource, "playbook": Playbook,
    }  # fmt: skip
    return {
        name: msgspec.convert(value, kinds[name]) if name in kinds and isinstance(value, dict) else value
        for name, value in plain.items()
    }


def _tell(out: IO[bytes], message: Message) -> None:
    out.write(msgspec.json.encode(message) + b"\n")
    out.flush()


if __name__ == "__main__":
    main()

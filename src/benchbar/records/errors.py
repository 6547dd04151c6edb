"""Every error that Benchbar raises on purpose.

Three rules hold here. An error's message says what was found, what was expected and what to do.
Each class has a ``slug`` that leads to its cure in ``docs/errors/SLUG.md`` and that machines can match on.
``UserError`` is for what a user can mend (exit code 2); every other ``BenchbarError`` ends with exit code 1.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path


class BenchbarError(Exception):
    """Something went wrong, and Benchbar knows what."""

    slug = "error"


class UserError(BenchbarError):
    """The command, the spec or an input file has to be changed by the user."""

    slug = "usage"


class BadInputError(UserError):
    """A file that was given cannot be read as what it should be; names file, line and field."""

    slug = "bad-input"

    def __init__(
        self,
        message: str,
        *,
        file: str | Path | None = None,
        line: int | None = None,
        field: str | None = None,
    ) -> None:
        """Keep where the fault is, and say it before the message."""
        self.file, self.line, self.field, self.message = file, line, field, message
        # file:line, as compilers write it: editors and terminals make it a link.
        place = ":".join(str(part) for part in (file, line) if part is not None)
        where = f"{place}: " if place else ""
        named = f"field `{field}`: " if field else ""
        super().__init__(f"{where}{named}{message}")


class SeveralSheetsError(BadInputError):
    """Several sheets of a workbook hold rows, and which is meant is for a person to say."""

    def __init__(self, message: str, *, sheets: tuple[str, ...], file: str | Path) -> None:
        """Keep the names of the sheets, so that they can be offered."""
        super().__init__(message, file=file)
        self.sheets = sheets


class UnknownNameError(UserError):
    """A name was asked for that nobody registered; the known ones are listed."""

    slug = "unknown-name"

    def __init__(self, what: str, name: str, known: list[str]) -> None:
        """Say what was asked for, and what there is."""
        listed = ", ".join(sorted(known)) or "none"
        super().__init__(f"unknown {what} {name!r}{did_you_mean(name, known)}; known: {listed}")


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """`` Did you mean 'X'?``, or nothing where no known name is near."""
    # Two at most: a list of all is longer to read than the documentation.
    matches = names_near(name, known)[:2]
    return f" (did you mean {' or '.join(map(repr, matches))}?)" if matches else ""


def names_near(name: str, known: Iterable[str]) -> list[str]:
    """The known names that may be meant by a misspelt one, the nearest first."""
    # Costs some milliseconds, which only a mistake should have to pay.
    from difflib import get_close_matches

    return get_close_matches(name, list(known))


class MissingDependencyError(UserError):
    """An optional part was asked for whose library is not installed."""

    slug = "missing-dependency"

    def __init__(self, package: str, extra: str, purpose: str) -> None:
        """Say what is missing, what for, and how to install it."""
        super().__init__(f"{purpose} needs {package}: install it with `pip install 'benchbar[{extra}]'`")


class LedgerError(BenchbarError):
    """The ledger file cannot be read or written as what it should be."""

    slug = "ledger"


class LedgerLostError(LedgerError):
    """The database of a shared ledger went away in the middle of a run; it may come back."""


class LedgerBusyError(UserError):
    """Another process runs on the same ledger."""

    slug = "ledger-busy"


# No UserError: nothing in the command was wrong, and the same command goes on.
class LeaseLostError(BenchbarError):
    """This process was silent for so long that its part of a shared run was given to others."""

    slug = "lease-lost"


class WorkerFailedError(BenchbarError):
    """The workers of a cluster have stopped before the run was done."""

    slug = "worker"


class InterruptedRunError(BenchbarError):
    """The user stopped the run; what is done is kept."""

    slug = "interrupted"


# No UserError: nothing was wrong, and the same command goes on. A code of its own, so that scripts tell it from a failure.
class WaitingForPeopleError(BenchbarError):
    """All is done that can be done before people have given their answers."""

    slug = "waiting"


class ChangedRunError(UserError):
    """The run folder was made from another suite or spec than the one now given."""

    slug = "changed-run"


class EndpointError(UserError):
    """An endpoint of a run cannot be asked: nobody is there, the host is unknown, the key is not accepted."""

    slug = "endpoint"


class SandboxError(UserError):
    """An agent's commands cannot be run in a container; they never run anywhere else."""

    slug = "sandbox"


class ModelError(BenchbarError):
    """A call to a model did not end in a usable answer."""

    slug = "model"
    again = False
    """Whether the same request may succeed when it is sent again."""
    fatal = False
    """Whether every further call to this endpoint would fail the same way, so that a run had better stop."""
    tries = 1
    """Requests sent until this error was the outcome."""


class RateLimitError(ModelError):
    """The endpoint asks for fewer requests (429)."""

    slug = "rate-limit"
    again = True

    def __init__(self, message: str, retry_after: float | None = None) -> None:
        """Keep the seconds that the endpoint asks to wait for."""
        super().__init__(message)
        self.retry_after = retry_after


class ModelTimeoutError(ModelError):
    """No whole answer within the time limit."""

    slug = "timeout"
    again = True


class ConnectionFailedError(ModelError):
    """The endpoint could not be reached, or broke the connection."""

    slug = "connection"
    again = True

    def __init__(self, message: str, *, fatal: bool = False, unreachable: bool = False) -> None:
        """``fatal`` where the endpoint never answered at all; ``unreachable`` where nobody took the request."""
        super().__init__(message)
        self.fatal, self.unreachable = fatal, unreachable


# A rate limit's subclass: both may carry Retry-After, and to both the answer is to send less.
class ServerError(RateLimitError):
    """The endpoint failed (5xx)."""

    slug = "server-error"


class TruncatedJsonError(ModelError):
    """The answer is no whole JSON document of the chat protocol."""

    slug = "truncated-json"
    again = True


class EmptyContentError(ModelError):
    """The answer holds no text."""

    slug = "empty-content"
    again = True


class ContainerLostError(ModelError):
    """The container of an agent ended before its work did."""

    slug = "container-lost"
    again = True


# Neither again nor fatal: this one request will always end so, others may not. It is the outcome of its
# call.
class RefusedError(ModelError):
    """The model refused to answer."""

    slug = "refused"


class ContextTooLongError(ModelError):
    """The messages do not fit into the model's context."""

    slug = "context-too-long"


class ContentFilterError(ModelError):
    """A content filter withheld the answer."""

    slug = "content-filter"


# Fatal: a parameter that an endpoint refuses once it refuses in each of ten thousand calls.
class BadRequestError(ModelError):
    """The endpoint does not accept the request as it is."""

    slug = "bad-request"
    fatal = True


class UnknownModelError(ModelError):
    """The endpoint does not know the model."""

    slug = "unknown-model"
    fatal = True


class AuthenticationError(ModelError):
    """The endpoint does not accept the key."""

    slug = "authentication"
    fatal = True


class BudgetExhaustedError(BenchbarError):
    """The next call might cost more than is left of the budget."""

    slug = "budget"


class UnreadableJudgeError(BenchbarError):
    """Most of a judge's first verdicts could not be read, so that a run had better stop."""

    slug = "unreadable-judge"


class VectorDatabaseError(BenchbarError):
    """The vector database could not be reached, or refused what was asked of it."""

    slug = "vector-database"


class BeingIndexedError(BenchbarError):
    """The samples of a run cannot be shown yet: where they lie in its files is being looked up."""

    slug = "being-indexed"

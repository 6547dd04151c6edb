"""Errors of calls as records, and records of calls as errors: a replayed failure is the failure it was."""

from __future__ import annotations

from collections.abc import Iterator

from benchbar.ledger import CallResult, CallStatus
from benchbar.records import Reply
from benchbar.records.errors import ModelError


def failed(error: ModelError) -> CallResult:
    """The record of a call that ended in this error: one that will come again the same way is kept as the outcome."""
    # A fatal error (a wrong key, an unknown model) is the user's to mend: once it is, the call must be
    # asked again, so it is no lasting outcome.
    lasting = not error.again and not error.fatal
    return CallResult(
        status=CallStatus.REFUSED if lasting else CallStatus.FAILED,
        error=error.slug,
        message=str(error),
        fatal=error.fatal,
        tries=error.tries,
    )


def reply_of(result: CallResult) -> Reply:
    """The reply that a call brought.

    Raises:
        ModelError: the error that it ended in instead.
    """
    if result.reply is not None:
        return result.reply
    kind = _BY_SLUG.get(result.error, ModelError)
    error = kind(result.message)
    error.fatal = result.fatal
    raise error


def _kinds(kind: type[ModelError]) -> Iterator[type[ModelError]]:
    yield kind
    for narrower in kind.__subclasses__():
        yield from _kinds(narrower)


_BY_SLUG = {kind.slug: kind for kind in _kinds(ModelError)}

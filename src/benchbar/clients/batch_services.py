"""The batch interfaces of providers: many requests are handed in at once, and answered within a day at half the price.

Sources: the types of the SDKs of OpenAI 3.54, Anthropic 2.12 and google-genai 3.4. Never tried against the services themselves.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol
from urllib.parse import quote, urlsplit

import msgspec

from benchbar.clients.endpoint import below
from benchbar.clients.protocol import OK, decoded, error_of
from benchbar.clients.providers import no_batches
from benchbar.clients.retry import with_retries
from benchbar.records.errors import BadRequestError, UserError

if TYPE_CHECKING:
    from benchbar.clients.client import Client
    from benchbar.clients.endpoint import Endpoint

_UNANSWERED, _NOT_FOUND = 503, 404
_NAME = re.compile(r"[\w.:-]{1,200}")
_LISTED = 100
"""Batches of a provider's list that are looked through: the newest come first."""


class Answered(NamedTuple):
    """What became of one request of a batch."""

    status: int
    body: bytes


class BatchService(Protocol):
    """One provider's interface."""

    most_bytes: int
    """Of the requests in one batch; the provider takes somewhat more."""

    async def submit(self, uid: str, requests: Mapping[str, bytes]) -> str:
        """Hand in requests under names of ours; returns the provider's name of the batch.

        Raises:
            ModelError: it was not taken.
        """
        ...

    async def found(self, uid: str, names: Iterable[str]) -> str:
        """The provider's name of a batch that was handed in, as far as that is known; empty where it never arrived.

        Raises:
            ModelError: the provider cannot be asked.
        """
        ...

    async def answers(self, batch: str) -> Mapping[str, Answered] | None:
        """The answers under our names; None while there are none yet.

        Raises:
            ModelError: the provider cannot be asked, or refused the whole batch.
        """
        ...


def service_of(endpoint: Endpoint, client: Client) -> BatchService:
    """The interface that the endpoint's protocol has.

    Raises:
        UserError: it has none.
    """
    if why := no_batches(endpoint.protocol):
        raise UserError(f"batch: {endpoint.model} is {why}")
    way = _Way(endpoint, client)
    if endpoint.protocol == "anthropic":
        return MessageBatches(way)
    return GeminiBatches(way) if endpoint.protocol == "gemini" else OpenAIBatches(way)


class _Way:
    """Requests to one endpoint's batch interface."""

    def __init__(self, endpoint: Endpoint, client: Client) -> None:
        self.endpoint, self._client = endpoint, client
        self._headers = endpoint.headers()

    def url(self, path: str) -> str:
        return below(self.endpoint.base_url, path)

    async def get(self, path: str) -> bytes:
        return await self._asked("GET", path, None, {})

    async def post(self, path: str, body: bytes, content_type: str = "application/json") -> bytes:
        return await self._asked("POST", path, body, {"Content-Type": content_type})

    async def _asked(self, method: str, path: str, body: bytes | None, headers: Mapping[str, str]) -> bytes:
        url = self.url(path)

        async def once() -> bytes:
            answer = await self._client.fetched(method, url, body, {**self._headers, **headers})
            if answer.status == _NOT_FOUND and method == "POST":
                raise BadRequestError(
                    f"{url}: HTTP 404: this server has no batch interface; leave out limits.batch, or ask another endpoint"
                )
            if answer.status != OK:
                raise error_of(answer.status, answer.body, answer.headers.get("Retry-After"), url=url)
            return answer.body

        # What hands in a batch is not sent again after a broken connection: it may have arrived, and `found` tells.
        tries = self.endpoint.tries if method == "GET" or path == "files" else 1
        return (await with_retries(once, tries=tries, chance=self._client.chance))[0]


class _Batch(msgspec.Struct):
    id: str = ""
    status: str = ""
    processing_status: str = ""
    output_file_id: str | None = None
    error_file_id: str | None = None
    errors: Any = None
    metadata: Any = None
    request_counts: Any = None


class _Batches(msgspec.Struct):
    data: list[_Batch] = []


class _Said(msgspec.Struct):
    status_code: int = OK
    body: msgspec.Raw = msgspec.Raw()


class _Line(msgspec.Struct):
    custom_id: str
    response: _Said | None = None
    error: Any = None


_BATCH = msgspec.json.Decoder(_Batch, strict=False)
_BATCHES = msgspec.json.Decoder(_Batches, strict=False)
_LINE = msgspec.json.Decoder(_Line, strict=False)


def _named(name: str) -> str:
    """A provider's name of a file or batch, which becomes a part of an address."""
    if not _NAME.fullmatch(name):
        raise BadRequestError(f"the endpoint names a batch or its file {name[:80]!r}, which is no name")
    return name


class OpenAIBatches:
    """Files of lines; a batch carries our name in its metadata."""

    most_bytes = 150 * 1024 * 1024
    _ENDS = frozenset({"completed", "expired", "cancelled"})

    def __init__(self, way: _Way) -> None:
        self._way = way
        # As the service knows the operation, whatever stands before it in the address.
        self._operation = "/v1/responses" if way.endpoint.protocol == "responses" else "/v1/chat/completions"
        if way.endpoint.protocol == "azure":
            self._operation = "/chat/completions"

    async def submit(self, uid: str, requests: Mapping[str, bytes]) -> str:
        """Upload a file, then make a batch of it."""
        lines = (
            {"custom_id": name, "method": "POST", "url": self._operation, "body": msgspec.Raw(body)}
            for name, body in requests.items()
        )
        content = b"".join(msgspec.json.encode(line) + b"\n" for line in lines)
        # The boundary holds our random name: no answer of a model can contain it.
        edge = f"benchbar-{uid}"
        part = f'Content-Disposition: form-data; name="file"; filename="{uid}.jsonl"\r\nContent-Type: application/jsonl'
        form = (
            f'--{edge}\r\nContent-Disposition: form-data; name="purpose"\r\n\r\nbatch\r\n--{edge}\r\n{part}\r\n\r\n'.encode()
            + content
            + f"\r\n--{edge}--\r\n".encode()
        )
        stored = await self._way.post("files", form, f"multipart/form-data; boundary={edge}")
        file = decoded(_BATCH, stored, "an uploaded file").id
        asked = {
            "input_file_id": file,
            "endpoint": self._operation,
            "completion_window": "24h",
            "metadata": {"benchbar": uid},
        }
        return _named(decoded(_BATCH, await self._way.post("batches", msgspec.json.encode(asked)), "a batch").id)

    async def found(self, uid: str, names: Iterable[str]) -> str:  # noqa: ARG002 - the metadata tells
        """The batch whose metadata has our name."""
        listed = decoded(_BATCHES, await self._way.get(f"batches?limit={_LISTED}"), "a list of batches").data
        return next(
            (one.id for one in listed if isinstance(one.metadata, dict) and one.metadata.get("benchbar") == uid), ""
        )

    async def answers(self, batch: str) -> Mapping[str, Answered] | None:
        """Lines of the file of answers and of the file of errors."""
        body = await self._way.get(f"batches/{_named(batch)}")
        state = decoded(_BATCH, body, "a batch")
        if state.status == "failed":
            raise error_of(400, msgspec.json.encode({"error": state.errors}))
        if state.status not in self._ENDS:
            return None
        files = [file for file in (state.output_file_id, state.error_file_id) if file]
        bodies = [await self._way.get(f"files/{_named(file)}/content") for file in files]
        return {name: answer for content in bodies for name, answer in self._lines(content)}

    @staticmethod
    def _lines(content: bytes) -> Iterator[tuple[str, Answered]]:
        for line in filter(None, content.splitlines()):
            one = decoded(_LINE, line, "a line of a batch's answers")
            if one.response is not None:
                yield one.custom_id, Answered(one.response.status_code, bytes(one.response.body))
            else:
                # It was not asked at all: the batch expired or was cancelled before its turn.
                yield one.custom_id, Answered(_UNANSWERED, msgspec.json.encode({"error": one.error}))


class _Result(msgspec.Struct):
    type: str = ""
    message: msgspec.Raw = msgspec.Raw()
    error: Any = None


class _MessageLine(msgspec.Struct):
    custom_id: str
    result: _Result


_MESSAGE_LINE = msgspec.json.Decoder(_MessageLine, strict=False)
_STATUS_OF = {
    "invalid_request_error": 400,
    "authentication_error": 401,
    "permission_error": 403,
    "not_found_error": 404,
    "request_too_large": 413,
    "rate_limit_error": 429,
    "api_error": 500,
    "overloaded_error": 529,
}
"""Statuses under which the same errors come where a request is sent alone."""


class MessageBatches:
    """Anthropic's: a batch is one request, and has no name of ours but those of its requests."""

    most_bytes = 150 * 1024 * 1024
    _AGAIN = 5.0

    def __init__(self, way: _Way) -> None:
        self._way = way

    async def submit(self, uid: str, requests: Mapping[str, bytes]) -> str:  # noqa: ARG002 - there is no place for it
        """Hand all in as one list."""
        listed = [{"custom_id": name, "params": msgspec.Raw(body)} for name, body in requests.items()]
        body = await self._way.post("messages/batches", msgspec.json.encode({"requests": listed}))
        return _named(decoded(_BATCH, body, "a batch").id)

    async def found(self, uid: str, names: Iterable[str]) -> str:  # noqa: ARG002 - there is no place for it
        """The batch whose answers have our names, among those of so many requests; one under way is waited for."""
        wanted = set(names)
        listed = decoded(_BATCHES, await self._way.get(f"messages/batches?limit={_LISTED}"), "a list of batches").data
        for one in listed:
            counts = one.request_counts if isinstance(one.request_counts, dict) else {}
            if sum(count for count in counts.values() if isinstance(count, int)) != len(wanted):
                continue
            # Another's machine ends the wait: there is no event to wait for.
            while (answers := await self.answers(one.id)) is None:  # noqa: ASYNC110
                await asyncio.sleep(self._AGAIN)
            if answers.keys() & wanted:
                return one.id
        return ""

    async def answers(self, batch: str) -> Mapping[str, Answered] | None:
        """Messages, and errors under the statuses that they have elsewhere."""
        state = decoded(_BATCH, await self._way.get(f"messages/batches/{_named(batch)}"), "a batch")
        if state.processing_status != "ended":
            return None
        # Not the address that the answer names: the key goes to the endpoint alone.
        content = await self._way.get(f"messages/batches/{_named(batch)}/results")
        return dict(self._line(line) for line in content.splitlines() if line.strip())

    @staticmethod
    def _line(line: bytes) -> tuple[str, Answered]:
        one = decoded(_MESSAGE_LINE, line, "a line of a batch's results")
        if one.result.type == "succeeded":
            return one.custom_id, Answered(OK, bytes(one.result.message))
        inner = one.result.error.get("error") if isinstance(one.result.error, dict) else None
        kind = inner.get("type") if isinstance(inner, dict) else None
        # Expired and cancelled ones were not asked at all.
        return one.custom_id, Answered(_STATUS_OF.get(str(kind), _UNANSWERED), msgspec.json.encode(one.result.error))


class _Key(msgspec.Struct):
    key: str = ""


class _Inlined(msgspec.Struct):
    response: msgspec.Raw = msgspec.Raw()
    error: Any = None
    metadata: _Key = msgspec.field(default_factory=_Key)


class _InlinedList(msgspec.Struct, rename="camel"):
    inlined_responses: list[_Inlined] = []


class _Output(msgspec.Struct, rename="camel"):
    inlined_responses: _InlinedList | None = None


class _OperationMetadata(msgspec.Struct, rename="camel"):
    display_name: str = ""
    state: str = ""
    output: _Output | None = None


class _Operation(msgspec.Struct):
    name: str = ""
    done: bool = False
    metadata: _OperationMetadata = msgspec.field(default_factory=_OperationMetadata)
    response: _Output | None = None
    error: Any = None


class _Operations(msgspec.Struct):
    operations: list[_Operation] = []


_OPERATION = msgspec.json.Decoder(_Operation, strict=False)
_OPERATIONS = msgspec.json.Decoder(_Operations, strict=False)
_HTTP_OF = {3: 400, 5: 404, 7: 403, 8: 429, 13: 500, 14: 503, 16: 401}
"""Codes of gRPC, in which errors of single requests come, as statuses of HTTP."""


class GeminiBatches:
    """An operation that runs for long; our name is shown as its display name."""

    most_bytes = 18 * 1024 * 1024

    def __init__(self, way: _Way) -> None:
        self._way = way

    async def submit(self, uid: str, requests: Mapping[str, bytes]) -> str:
        """Hand all in as one list."""
        listed = [{"request": msgspec.Raw(body), "metadata": {"key": name}} for name, body in requests.items()]
        batch = {"batch": {"displayName": uid, "inputConfig": {"requests": {"requests": listed}}}}
        path = f"models/{quote(self._way.endpoint.model)}:batchGenerateContent"
        body = await self._way.post(path, msgspec.json.encode(batch))
        return self._name(decoded(_OPERATION, body, "an operation").name)

    async def found(self, uid: str, names: Iterable[str]) -> str:  # noqa: ARG002 - the display name tells
        """The operation with our name."""
        body = await self._way.get(f"batches?pageSize={_LISTED}")
        listed = decoded(_OPERATIONS, body, "a list of operations").operations
        return next((self._name(one.name) for one in listed if one.metadata.display_name == uid), "")

    async def answers(self, batch: str) -> Mapping[str, Answered] | None:
        """Answers and errors, each with the key that it was handed in under."""
        state = decoded(_OPERATION, await self._way.get(f"batches/{_named(batch)}"), "an operation")
        output = state.response or state.metadata.output
        if not state.done:
            return None
        if state.error and output is None:
            raise error_of(400, msgspec.json.encode({"error": state.error}))
        listed = output.inlined_responses.inlined_responses if output and output.inlined_responses else []
        return {one.metadata.key: self._answered(one) for one in listed}

    @staticmethod
    def _answered(one: _Inlined) -> Answered:
        if not one.error:
            return Answered(OK, bytes(one.response))
        code = one.error.get("code") if isinstance(one.error, dict) else None
        return Answered(_HTTP_OF.get(code or 0, _UNANSWERED), msgspec.json.encode({"error": one.error}))

    @staticmethod
    def _name(name: str) -> str:
        return _named(name.removeprefix("batches/"))


def host_of(endpoint: Endpoint) -> str:
    """For people."""
    return urlsplit(endpoint.base_url).netloc

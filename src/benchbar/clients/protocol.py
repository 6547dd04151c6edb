"""Reads answers of the chat-completions protocol, and gives each way they fail its name."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from math import inf
from typing import Any, TypeVar
from urllib.parse import urlsplit

import msgspec
from msgspec import UNSET

from benchbar.clients.endpoint import OPERATION
from benchbar.clients.schemas import probabilities
from benchbar.records import Reply, ToolCall, Usage
from benchbar.records.errors import (
    AuthenticationError,
    BadRequestError,
    ContentFilterError,
    ContextTooLongError,
    EmptyContentError,
    ModelError,
    RateLimitError,
    RefusedError,
    ServerError,
    TruncatedJsonError,
    UnknownModelError,
)
from benchbar.records.protocols import AnswerSchema
from benchbar.records.thoughts import parted

T = TypeVar("T")
# Enough of a body to recognise a proxy's page or a provider's message, and short enough for one line of a
# terminal.
MAX_SHOWN = 300
LONGEST_WAIT = 300.0
"""Seconds that are waited at most where a server asks for more: by then it may have changed its mind."""


class _Part(msgspec.Struct):
    text: str = ""


class _Function(msgspec.Struct):
    name: str = ""
    arguments: str | None = None


class CallStated(msgspec.Struct):
    """A tool that it wants to be called."""

    id: str | None = None
    function: _Function = msgspec.field(default_factory=_Function)
    signature: str | None = None

    @classmethod
    def of(cls, id_: str | None, name: str, arguments: str, signature: str | None = None) -> CallStated:
        """A call in another protocol, in the form of this one."""
        return cls(id_, _Function(name, arguments), signature)


class Message(msgspec.Struct):
    """What a model said."""

    content: str | list[_Part] | None = None
    refusal: str | None = None
    # Two names for the same thing: vLLM and DeepSeek say the first, OpenRouter and newer vLLM the second.
    reasoning_content: Any = None
    reasoning: Any = None
    tool_calls: list[CallStated] | None = None


class Choice(msgspec.Struct):
    """One of its answers."""

    message: Message
    finish_reason: str | None = None
    # Raw: it is long, and read only where a caller wants it.
    logprobs: msgspec.Raw = msgspec.Raw()


class UsageStated(msgspec.Struct):
    """Tokens, as far as the endpoint says."""

    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    completion_tokens_details: Any = None
    prompt_tokens_details: Any = None


def usage_beside_cache(
    read: int | None, written: int | None, *, cached: int | None, kept: int | None, thoughts: int | None = None
) -> UsageStated:
    """The usage of protocols in which tokens that came from a cache, or were ``kept`` in one, are not among those ``read``."""
    return UsageStated(
        prompt_tokens=None if read is None else read + (cached or 0) + (kept or 0),
        completion_tokens=written,
        completion_tokens_details=None if thoughts is None else {"reasoning_tokens": thoughts},
        prompt_tokens_details=None if cached is None else {"cached_tokens": cached},
    )


class Completion(msgspec.Struct):
    """A whole answer of an endpoint."""

    choices: list[Choice] = []
    usage: UsageStated | None = None
    model: str | None = None
    error: Any = None


# Not strict: some servers send numbers as texts.
_DECODER = msgspec.json.Decoder(Completion, strict=False)

# Providers agree on no codes: most of these come as 400 with a sentence, so the sentence decides. The
# first that matches wins, so the more particular ones come first.
_CAUSES: tuple[tuple[str, type[ModelError]], ...] = (
    (
        (
            r"context[ _]length|context window|maximum context|too many tokens|prompt is too long"
            # Of Anthropic and of Gemini.
            r"|exceed context limit|exceeds the maximum number of tokens"
            # Of Bedrock.
            r"|input is too long"
        ),
        ContextTooLongError,
    ),
    (r"content[ _]?(filter|policy|management)|data_inspection", ContentFilterError),
    (
        (
            r"model[ _]not[ _](found|exist)|(unknown|invalid|no such) model|model .{0,80}(does not exist|not found)"
            r"|not_found_error.{0,40}model:|models/\S{1,80} is not found|model identifier is invalid"
        ),
        UnknownModelError,
    ),
    (r"rate[ _]limit|too many requests|quota", RateLimitError),
    (r"api[ _]key|unauthori[sz]ed|authentication", AuthenticationError),
)
"""Patterns, whatever the case of letters; compiled by the first error, which most runs have none of."""

_CURES: dict[type[ModelError], str] = {
    ContextTooLongError: "; use a model with a longer context, or fewer exchanges",
    ContentFilterError: "; the provider's filter withheld it: only another endpoint, or its settings, will answer",
}
"""What a user can do about a cause whose name does not say it; providers' own words seldom do."""
_PAGE = re.compile(rb"\s{0,200}<(?:!doctype\s+html|html|head|body)\b", re.IGNORECASE)


def is_page(body: bytes) -> bool:
    """Whether a body is a web page, as web interfaces, proxies and login pages send it."""
    return _PAGE.match(body[:400].removeprefix(b"\xef\xbb\xbf")) is not None


def read_completion(body: bytes, schema: AnswerSchema | None = None, tags: tuple[str, ...] = ()) -> Reply:
    """The reply that a 200 response carries; of an answer held to a ``schema`` with the probability of its choices.

    Raises:
        ModelError: the subclass that names why there is no usable text.
    """
    completion = decoded(_DECODER, body, "a complete chat completion")
    # Gateways answer 200 with an error inside.
    if completion.error:
        raise error_inside(body)
    if not completion.choices:
        raise TruncatedJsonError(f"a chat completion without choices: {_shown(body)}")
    reply = reply_from(completion, tags)
    if schema is None or not schema.choices:
        return reply
    return msgspec.structs.replace(reply, probabilities=probabilities(completion.choices[0].logprobs, schema))


def decoded(decoder: msgspec.json.Decoder[T], body: bytes, expected: str) -> T:
    """The body as what it should be.

    Raises:
        TruncatedJsonError: it is a web page, no JSON, or JSON of another form.
    """
    try:
        return decoder.decode(body)
    # RecursionError: a hostile body may nest deeper than any answer does.
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        found = _shown(body) if is_page(body) else f"not {expected} ({error}): {_shown(body)}"
        raise TruncatedJsonError(found) from error


def completion_of(
    text: str,
    thoughts: Sequence[str],
    *,
    finish: str | None,
    usage: UsageStated | None,
    model: str | None,
    refusal: str = "",
    calls: Sequence[CallStated] = (),
) -> Completion:
    """What was said in another protocol, in the form of this one; ``finish`` in its words."""
    message = Message(
        content=text,
        refusal=refusal or None,
        reasoning_content="\n".join(thoughts) or None,
        tool_calls=list(calls) or None,
    )
    return Completion(choices=[Choice(message=message, finish_reason=finish or None)], usage=usage, model=model)


def reply_from(completion: Completion, tags: tuple[str, ...] = ()) -> Reply:
    """The reply of the first choice; ``tags`` are names of tags around thoughts besides the usual ones.

    Raises:
        ModelError: there is no text.
    """
    choice, finish = completion.choices[0], completion.choices[0].finish_reason or ""
    content = choice.message.content
    text, thoughts = parted(content if isinstance(content, str) else "".join(part.text for part in content or []), tags)
    apart = next(
        (one for one in (choice.message.reasoning_content, choice.message.reasoning) if isinstance(one, str)), ""
    )
    thoughts = "\n".join(one for one in (apart, thoughts) if one)
    # Before the test for text: a filtered answer may hold a fragment, which must not be scored as the
    # reply.
    if finish == "content_filter":
        raise ContentFilterError("the endpoint's content filter withheld the answer")
    calls = _calls(choice.message.tool_calls or [])
    if not text.strip() and not calls:
        if choice.message.refusal:
            raise RefusedError(f"the model refused: {choice.message.refusal[:MAX_SHOWN]}")
        # Reasoning models spend the limit before their first visible word; the user can only cure what is
        # named.
        hint = "; it thought and never answered: raise max_tokens" if thoughts else ""
        hint = hint or ("; max_tokens was used up before any text" if finish == "length" else "")
        raise EmptyContentError(f"the answer holds no text (finish_reason {finish or 'not given'}){hint}")
    usage = completion.usage or UsageStated()
    cached = _stated(usage.prompt_tokens_details, "cached_tokens")
    return Reply(
        content=text,
        usage=Usage(input_tokens=usage.prompt_tokens, output_tokens=usage.completion_tokens),
        thought_tokens=_stated(usage.completion_tokens_details, "reasoning_tokens"),
        cached_tokens=UNSET if cached is None else cached,
        model=completion.model or "",
        finish=finish,
        thoughts=thoughts,
        tool_calls=calls or UNSET,
    )


def _calls(stated: Sequence[CallStated]) -> tuple[ToolCall, ...]:
    """The calls, each with an id: Gemini gives none, and answers have to name the call that they are of."""
    return tuple(
        ToolCall(
            id=one.id or f"call-{place}",
            name=one.function.name,
            arguments=one.function.arguments or "{}",
            signature=one.signature or UNSET,
        )
        for place, one in enumerate(stated, start=1)
    )


def _stated(details: Any, name: str) -> int | None:
    stated = details.get(name) if isinstance(details, dict) else None
    return stated if isinstance(stated, int) and stated >= 0 else None


def error_inside(body: bytes) -> ModelError:
    """The named error that a 200 response tells of in its body."""
    return _by_cause(body, ServerError)


OK = 200
_REDIRECTS, _NOT_FOUND = range(300, 400), 404


def error_of(
    status: int, body: bytes, retry_after: str | None = None, *, url: str = "", location: str = ""
) -> ModelError:
    """The named error that a response with a status other than 200 stands for; ``location`` where it points elsewhere."""
    message = f"HTTP {status}: {_shown(body)}"
    if status in _REDIRECTS:
        return BadRequestError(
            f"HTTP {status}: redirected{_elsewhere(url, location)}; name the address of the API itself"
        )
    if status == 429:
        return RateLimitError(message, seconds(retry_after))
    if status >= 500:
        return ServerError(message, seconds(retry_after))
    if status in {401, 403}:
        return AuthenticationError(f"{message}; check the key in the variable that api_key_env names")
    # The server gave up waiting for the request, or Bedrock's model failed on it; the same request may well succeed.
    if status in {408, 424}:
        return ServerError(message)
    if status == 413:
        return ContextTooLongError(message)
    error = _by_cause(body, BadRequestError, f"HTTP {status}: ")
    # Of all wrong addresses the commonest, and a server without a list of models shows it in no other way.
    if status == _NOT_FOUND and url and "/v1" not in (path := urlsplit(url).path) and not path.endswith("/predict"):
        base, version = url.removesuffix(path) + OPERATION.sub("", path), "v1beta" if ":generate" in path else "v1"
        error.args = (f"{error}; most addresses end in /{version}: try base_url = {base}/{version}",)
    return error


def _elsewhere(url: str, location: str) -> str:
    """Where a redirection points, without what may be a secret in it; the key is not sent there."""
    parts = urlsplit(location)
    host = parts.hostname or urlsplit(url).hostname
    login = " (a login page?)" if re.search(r"log-?in|sign-?in|auth|sso", location, re.IGNORECASE) else ""
    return f" to {host}{parts.path[:80]}{login}" if location else ""


def _by_cause(body: bytes, otherwise: type[ModelError], prefix: str = "") -> ModelError:
    # 64 KB: the patterns run over text from outside, and a cause stands at the beginning.
    text = body[: 1 << 16].decode("utf-8", "replace")
    kind = next((kind for pattern, kind in _CAUSES if re.search(pattern, text, re.IGNORECASE)), otherwise)
    return kind(f"{prefix}{_shown(body)}{_CURES.get(kind, '')}")


def seconds(retry_after: str | None) -> float | None:
    """What a Retry-After header asks for, in seconds; None where there is none or it is no number of seconds."""
    if not retry_after:
        return None
    try:
        asked = float(retry_after)
    except ValueError:
        try:
            asked = (parsedate_to_datetime(retry_after) - datetime.now(UTC)).total_seconds()
        except (TypeError, ValueError):
            return None
    return max(asked, 0.0) if asked < inf else None


def _shown(body: bytes) -> str:
    if is_page(body):
        title = re.search(rb"<title[^>]{0,99}>([^<]{1,200})", body[: 1 << 16], re.IGNORECASE)
        named = f" “{' '.join(title[1].decode('utf-8', 'replace').split())}”" if title else ""
        return f"a web page{named}, not the answer of an API; check the path of base_url, and whether a proxy or a login stands before it"
    text = " ".join(body[: 4 * MAX_SHOWN].decode("utf-8", "replace").split())
    return text[:MAX_SHOWN] or "an empty body"

"""``http``: any service that takes a JSON body by POST and answers with JSON."""

from __future__ import annotations

import os
import time
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from benchbar.records import ContextPassage, Reply, Turn, fingerprint
from benchbar.records.errors import BadInputError, TruncatedJsonError, UserError
from benchbar.records.protocols import Context
from benchbar.tables.ragas import read_contexts

_DEFAULT_BODY = {"messages": "{messages}"}


class HttpAssistant:
    """Fills a body template with the dialogue so far, and takes the answer from a path in the response."""

    def __init__(
        self,
        context: Context,
        *,
        url: str,
        body: Any,
        answer: str,
        contexts: str,
        headers: Mapping[str, str],
        timeout: float,
    ) -> None:
        """Posts to ``url``; ``headers`` are complete, keys included."""
        self._context, self._url, self._body, self._answer = context, url, body, answer
        self._contexts = contexts
        self._headers, self._timeout = {"Content-Type": "application/json", **headers}, timeout
        self.identity = f"http:{fingerprint([url, body, answer, contexts] if contexts else [url, body, answer])}"

    async def reply(self, turns: Sequence[Turn]) -> Reply:
        """The service's answer.

        Raises:
            ModelError: there is none, or none at the path.
        """
        began = time.perf_counter()
        body = msgspec.json.encode(fill(self._body, turns))
        answer = await self._context.post(self._url, body, self._headers, self._timeout)
        return Reply(
            content=pick(answer, self._answer),
            latency=time.perf_counter() - began,
            contexts=pick_contexts(answer, self._contexts) if self._contexts else None,
        )


def fill(template: Any, turns: Sequence[Turn]) -> Any:
    """The template with its fields filled in, at any depth.

    ``"{messages}"`` as a whole value becomes the list of role and content; inside a text ``{question}`` is the user's last
    message and ``{conversation}`` all turns as text.
    """
    if isinstance(template, dict):
        return {key: fill(value, turns) for key, value in template.items()}
    if isinstance(template, list):
        return [fill(value, turns) for value in template]
    if template == "{messages}":
        return [{"role": turn.role, "content": turn.content} for turn in turns]
    if not isinstance(template, str):
        return template
    conversation = "\n".join(f"{turn.role}: {turn.content}" for turn in turns)
    # One pass: what a user said is never read as a field.
    parts = template.split("{question}")
    return turns[-1].content.join(part.replace("{conversation}", conversation) for part in parts)


def pick(answer: bytes, path: str) -> str:
    """The text at a dotted path such as ``data.choices.0.text``; an empty path takes the whole body as text.

    Raises:
        TruncatedJsonError: the body is no JSON, or there is no text at the path.
    """
    if not path:
        return answer.decode("utf-8", "replace")
    value = _at(answer, path)
    if not isinstance(value, str):
        raise TruncatedJsonError(f"{path!r} holds {type(value).__name__}; a text was expected")
    return value


def pick_contexts(answer: bytes, path: str) -> tuple[ContextPassage, ...]:
    """The passages at a dotted path: a list of texts, or of objects with ``id`` and ``text``.

    Raises:
        TruncatedJsonError: the body is no JSON, or there is no such list at the path.
    """
    try:
        found = read_contexts(_at(answer, path))
    except BadInputError as error:
        raise TruncatedJsonError(f"{path!r}: {error.message}") from error
    return found or ()


def _at(answer: bytes, path: str) -> Any:
    try:
        value = msgspec.json.decode(answer)
        for step in path.split("."):
            value = value[int(step)] if isinstance(value, list) else value[step]
    except (msgspec.DecodeError, KeyError, IndexError, ValueError, TypeError, RecursionError) as error:
        raise TruncatedJsonError(f"nothing at {path!r} in the response: {error!r}") from error
    return value


def build(
    context: Context,
    *,
    url: str,
    body: Any = _DEFAULT_BODY,
    answer: str = "answer",
    contexts: str = "",
    headers_env: Mapping[str, str] | None = None,
    timeout: float = 120.0,
) -> HttpAssistant:
    """An assistant behind ``url``; ``headers_env`` maps a header to the environment variable that holds its value.

    ``contexts`` is the path of the passages that the answer was written from, where the service tells them.
    """
    if not url.startswith(("http://", "https://")):
        raise UserError(f"url is {url!r}; an address that begins with http:// or https:// was expected")
    headers = headers_from(headers_env or {})
    return HttpAssistant(
        context, url=url, body=body, answer=answer, contexts=contexts, headers=headers, timeout=timeout
    )


def headers_from(variables: Mapping[str, str]) -> dict[str, str]:
    """Header to the value that the named variable of the environment holds.

    Raises:
        UserError: one is not set.
    """
    headers = {}
    for header, variable in variables.items():
        if variable not in os.environ:
            raise UserError(f"the environment variable {variable} is not set; it should hold the header {header}")
        headers[header] = os.environ[variable]
    return headers

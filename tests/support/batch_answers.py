"""Batch interfaces of OpenAI, Anthropic and Gemini as the test server has them: they answer by the server's own models.

A batch is done a moment after it was handed in. Of its requests a share fails: which, follows from their names and from how often
they came. ``POST /batches-fault`` sets that share, and may have the next submission arrive and its answer be lost.
"""

from __future__ import annotations

import hashlib
import json
import re
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

from support.http_server import Request, Response, as_json

Answer = Callable[[Request], Awaitable[Response | None]]
"""What the server answers to a request that is sent alone."""
_LIMITED = {"error": {"type": "rate_limit_error", "code": 8, "message": "Rate limit reached"}}


@dataclass
class Batch:
    id: str
    uid: str
    began: float
    requests: dict[str, tuple[str, bytes]]
    """Name to path and body."""
    answers: dict[str, tuple[int, Any]] | None = None


@dataclass
class Batches:
    """All batches of the server."""

    answer: Answer
    files: dict[str, bytes] = field(default_factory=dict)
    batches: dict[str, Batch] = field(default_factory=dict)
    submitted: Counter[str] = field(default_factory=Counter)
    """Name of a request to how often it was handed in."""
    seconds: float = 0.2
    failing: float = 0.0
    lost: int = 0
    """So many submissions arrive, and their answers do not."""

    def __call__(self, request: Request) -> Awaitable[Response | None] | None:
        """The answer to a request at a path of batches; None at any other."""
        path = request.path.partition("?")[0]
        if path == "/batches-fault":
            return self._set(request)
        if path in {"/v1/files", "/v1/batches", "/v1/messages/batches", "/v1beta/batches"} or "/batches/" in path:
            return self._served(request, path)
        return self._served(request, path) if "/files/" in path or path.endswith(":batchGenerateContent") else None

    async def _set(self, request: Request) -> Response:
        for name, value in request.json().items():
            setattr(self, name, value)
        paid = Counter(
            name for one in self.batches.values() for name, (status, _) in (one.answers or {}).items() if status == 200
        )
        again = sum(count - 1 for count in self.submitted.values())
        return as_json({"batches": len(self.batches), "again": again, "paid_again": sum(n - 1 for n in paid.values())})

    async def _served(self, request: Request, path: str) -> Response | None:
        if request.method == "POST":
            return self._taken(request, path)
        if path.startswith("/v1/files/"):
            return Response(await self._lines(path.split("/")[3], request), content_type="application/jsonl")
        if path.endswith("/results"):
            return Response(await self._results(path.split("/")[4], request), content_type="application/x-jsonl")
        place = path.rpartition("/")[2]
        if place == "batches":
            kind = "operations" if path.startswith("/v1beta/") else "data"
            return as_json({kind: [await self._state(one, path, request) for one in reversed(self.batches.values())]})
        one = self.batches.get(place)
        if one is None:
            return as_json({"error": {"message": f"no batch {place}"}}, 404)
        return as_json(await self._state(one, path, request))

    async def _state(self, one: Batch, path: str, request: Request) -> dict[str, Any]:
        if path.startswith("/v1beta/"):
            return await self._gemini(one, request)
        return self._message(one) if "/messages/" in path else self._openai(one)

    def _taken(self, request: Request, path: str) -> Response | None:
        if path == "/v1/files":
            name = f"file-{len(self.files)}"
            edge = request.headers["content-type"].partition("boundary=")[2].encode()
            part = request.body.split(b"--" + edge)[2]
            self.files[name] = part.partition(b"\r\n\r\n")[2].removesuffix(b"\r\n")
            return as_json({"id": name, "object": "file", "purpose": "batch"})
        asked = request.json()
        uid, requests = "", {}
        if path == "/v1/batches":
            uid = asked["metadata"]["benchbar"]
            lines = [json.loads(line) for line in self.files[asked["input_file_id"]].splitlines()]
            requests = {one["custom_id"]: (one["url"], json.dumps(one["body"]).encode()) for one in lines}
        elif path == "/v1/messages/batches":
            wanted = asked["requests"]
            requests = {one["custom_id"]: ("/v1/messages", json.dumps(one["params"]).encode()) for one in wanted}
        else:
            uid = asked["batch"]["displayName"]
            single = path.replace(":batchGenerateContent", ":generateContent")
            wanted = asked["batch"]["inputConfig"]["requests"]["requests"]
            requests = {one["metadata"]["key"]: (single, json.dumps(one["request"]).encode()) for one in wanted}
        if bad := next((name for name in requests if not re.fullmatch(r"[\w-]{1,64}", name)), ""):
            return as_json({"error": {"message": f"custom_id {bad} does not match"}}, 400)
        one = Batch(f"batch_{len(self.batches)}", uid, time.monotonic(), requests)
        self.batches[one.id] = one
        self.submitted.update(requests.keys())
        if self.lost:
            self.lost -= 1
            request.connection.transport.abort()
            return None
        if path == "/v1/batches":
            return as_json(self._openai(one))
        if path == "/v1/messages/batches":
            return as_json(self._message(one))
        return as_json({"name": f"batches/{one.id}", "metadata": {"displayName": uid, "state": "BATCH_STATE_PENDING"}})

    async def _answered(self, one: Batch, request: Request) -> dict[str, tuple[int, Any]]:
        if one.answers is None:
            one.answers = {}
            for name, (path, body) in one.requests.items():
                chance = int(hashlib.sha256(f"{name} {self.submitted[name]}".encode()).hexdigest()[:8], 16) / 0xFFFFFFFF
                if chance < self.failing:
                    one.answers[name] = (429, _LIMITED)
                    continue
                said = await self.answer(Request("POST", path, request.headers, body, request.connection))
                assert said is not None
                one.answers[name] = (said.status, json.loads(said.body))
        return one.answers

    def _is_done(self, one: Batch) -> bool:
        """After as many seconds as are asked for now: a test sets them when it wants the answers."""
        return time.monotonic() >= one.began + self.seconds

    def _openai(self, one: Batch) -> dict[str, Any]:
        done = self._is_done(one)
        return {
            "id": one.id,
            "object": "batch",
            "status": "completed" if done else "in_progress",
            "output_file_id": f"output-{one.id}" if done else None,
            "error_file_id": f"error-{one.id}" if done else None,
            "metadata": {"benchbar": one.uid},
        }

    async def _lines(self, file: str, request: Request) -> bytes:
        kind, _, batch = file.partition("-")
        answers = await self._answered(self.batches[batch], request)
        chosen = {name: one for name, one in answers.items() if (one[0] == 200) == (kind == "output")}
        # In another order than they were handed in, as the services warn.
        lines = [
            {"id": f"r{name}", "custom_id": name, "response": {"status_code": status, "body": body}, "error": None}
            for name, (status, body) in sorted(chosen.items(), reverse=True)
        ]
        return b"".join(json.dumps(line, ensure_ascii=False).encode() + b"\n" for line in lines)

    def _message(self, one: Batch) -> dict[str, Any]:
        done = self._is_done(one)
        count = len(one.requests)
        counts = {"processing": 0 if done else count, "succeeded": count if done else 0, "errored": 0}
        return {"id": one.id, "processing_status": "ended" if done else "in_progress", "request_counts": counts}

    async def _results(self, batch: str, request: Request) -> bytes:
        answers = await self._answered(self.batches[batch], request)
        lines = [
            {
                "custom_id": name,
                "result": {"type": "succeeded", "message": body}
                if status == 200
                else {"type": "errored", "error": {"type": "error", **body}},
            }
            for name, (status, body) in sorted(answers.items(), reverse=True)
        ]
        return b"".join(json.dumps(line, ensure_ascii=False).encode() + b"\n" for line in lines)

    async def _gemini(self, one: Batch, request: Request) -> dict[str, Any]:
        shown = {"name": f"batches/{one.id}", "metadata": {"displayName": one.uid, "state": "BATCH_STATE_RUNNING"}}
        if not self._is_done(one):
            return shown
        answers = await self._answered(one, request)
        listed = [
            {"metadata": {"key": name}} | ({"response": body} if status == 200 else {"error": body["error"]})
            for name, (status, body) in sorted(answers.items(), reverse=True)
        ]
        output = {"inlinedResponses": {"inlinedResponses": listed}}
        return shown | {
            "done": True,
            "metadata": {**shown["metadata"], "state": "BATCH_STATE_SUCCEEDED"},
            "response": output,
        }

"""OpenAI's Responses, a resource of Azure OpenAI and Bedrock's Converse as the test server speaks them.

Written from the types of OpenAI's SDK and from the service model in botocore; tests let these talk to it where they are installed.
"""

from __future__ import annotations

import json
import re
from typing import Any
from urllib.parse import unquote

from support.http_server import Request, Response, as_json
from support.provider_answers import DEEP, KEY, LONG, WEB_PAGE, Asked, Provider

_RESPONSES_FIELDS = {
    "model",
    "input",
    "instructions",
    "stream",
    "store",
    "temperature",
    "top_p",
    "max_output_tokens",
} | {
    "text",
    "reasoning",
    "include",
    "top_logprobs",
}
_CONVERSE_FIELDS = {"messages", "system", "inferenceConfig", "additionalModelRequestFields", "outputConfig"}
_INFERENCE_FIELDS = {"maxTokens", "temperature", "topP", "stopSequences"}


def openai_error(status: int, kind: str, message: str, code: str | None = None) -> Response:
    return as_json({"error": {"message": message, "type": kind, "param": None, "code": code}}, status)


def read_responses(request: Request) -> Asked | Response:
    if request.headers.get("authorization") != f"Bearer {KEY}":
        return openai_error(401, "invalid_request_error", "Incorrect API key provided", "invalid_api_key")
    asked = request.json()
    if extra := set(asked) - _RESPONSES_FIELDS:
        return openai_error(400, "invalid_request_error", f"Unknown parameter: '{min(extra)}'.", "unknown_parameter")
    turns = asked["input"] if isinstance(asked["input"], list) else [{"role": "user", "content": asked["input"]}]
    if not turns or any(turn["role"] not in {"system", "developer", "user", "assistant"} for turn in turns):
        return openai_error(400, "invalid_request_error", "Invalid value for 'input'.")
    if asked.get("store") is not False and "kept" not in asked["model"]:
        return openai_error(400, "invalid_request_error", "This test wants nothing to be kept.")
    form = (asked.get("text") or {}).get("format")
    system = [{"role": "system", "content": asked["instructions"]}] if asked.get("instructions") else []
    return Asked(asked["model"], system + turns, form["schema"] if form else None, bool(asked.get("stream")))


def written_responses(model: str, said: str, prompt: int) -> dict[str, Any]:
    thinks = "thinks" in model
    thoughts = {"id": "rs_1", "type": "reasoning", "summary": [{"type": "summary_text", "text": "危险驾驶罪？"}]}
    text = {"type": "output_text", "text": said, "annotations": []}
    message = {"id": "msg_1", "type": "message", "role": "assistant", "status": "completed", "content": [text]}
    usage = {
        "input_tokens": prompt,
        "input_tokens_details": {"cached_tokens": 3, "cache_write_tokens": 0},
        "output_tokens": len(said) + 30 * thinks,
        "output_tokens_details": {"reasoning_tokens": 30 * thinks},
    }
    return {
        "id": "resp_1",
        "object": "response",
        "created_at": 1.0,
        "status": "completed",
        "error": None,
        "incomplete_details": None,
        "model": f"{model}-served",
        "output": [*([thoughts] if thinks else []), message],
        "parallel_tool_calls": True,
        "tool_choice": "auto",
        "tools": [],
        "usage": {**usage, "total_tokens": usage["input_tokens"] + usage["output_tokens"]},
    }


def responses_events(whole: dict[str, Any]) -> list[dict[str, Any]]:
    """A delta for each piece of text, thoughts before it; the last event holds the whole answer."""
    began = {**whole, "status": "in_progress", "output": [], "usage": None}
    events: list[dict[str, Any]] = [{"type": "response.created", "response": began}]
    for item in whole["output"]:
        parts = item.get("content") or item["summary"]
        kind = "response.output_text.delta" if item["type"] == "message" else "response.reasoning_summary_text.delta"
        texts = [part["text"][at : at + 5] for part in parts for at in range(0, len(part["text"]), 5)]
        events += [{"type": kind, "item_id": item["id"], "delta": text} for text in texts]
    return [*events, {"type": "response.completed", "response": whole}]


def _response(output: object, **more: object) -> Response:
    return as_json({**written_responses("m", "", 3), "output": output, **more})


def _message(*content: dict[str, Any], **more: object) -> dict[str, Any]:
    return {"type": "message", "role": "assistant", "content": list(content), **more}


_SAID = {"type": "output_text", "text": "一个回答", "annotations": []}
_CUT = {"status": "incomplete", "incomplete_details": {"reason": "max_output_tokens"}}
RESPONSES = Provider(
    read_responses,
    written_responses,
    {
        "no-output": _response([]),
        "null-output": _response(None),
        "only-tools": _response([{"type": "function_call", "name": "f", "arguments": "{}"}]),
        "unknown-beside": _response([{"type": "hologram"}, _message(_SAID)]),
        "commentary": _response(
            [
                _message({"type": "output_text", "text": "先查一下"}, phase="commentary"),
                _message(_SAID, phase="final_answer"),
            ]
        ),
        "refuses": _response([_message({"type": "refusal", "refusal": "不能"})]),
        "cut": _response([_message(_SAID)], **_CUT),
        "cut-empty": _response([{"type": "reasoning", "summary": []}], **_CUT),
        "filtered": _response([_message(_SAID)], status="incomplete", incomplete_details={"reason": "content_filter"}),
        "content-is-text": _response([{"type": "message", "content": "text"}]),
        "not-json": Response(b"not json"),
        "truncated": Response(json.dumps(written_responses("m", "一个回答", 3)).encode()[:80]),
        "empty-body": Response(),
        "web-page": WEB_PAGE,
        "16-mb": LONG,
        "deep": DEEP,
        "overloaded": openai_error(503, "server_error", "The engine is currently overloaded"),
        "overloaded-in-200": _response([], status="failed", error={"code": "server_error", "message": "overloaded"}),
        "limited": openai_error(429, "requests", "Rate limit reached", "rate_limit_exceeded"),
        "unknown": openai_error(404, "invalid_request_error", "The model `unknown` does not exist", "model_not_found"),
        "too-long": openai_error(
            400,
            "invalid_request_error",
            "Your input exceeds the context window of this model.",
            "context_length_exceeded",
        ),
        "bad-request": openai_error(400, "invalid_request_error", "Invalid 'temperature'"),
        "forbidden": openai_error(403, "invalid_request_error", "not allowed"),
    },
    responses_events,
)


def azure_fault(request: Request) -> Response | None:
    """What a resource of Azure OpenAI refuses; None where it answers as any server of chat completions."""
    if request.headers.get("api-key") != KEY or "authorization" in request.headers:
        return openai_error(401, "", "Access denied due to invalid subscription key or wrong API endpoint.", "401")
    path, _, query = request.path.partition("?")
    if path == "/openai/v1/chat/completions" and not query:
        return None
    if re.fullmatch(r"/openai/deployments/[\w.-]{1,64}/chat/completions", path) and query == "api-version=2024-10-21":
        return None
    return openai_error(404, "", "Resource not found", "404")


def aws_error(status: int, kind: str, message: str) -> Response:
    return as_json({"message": message}, status, **{"x-amzn-ErrorType": kind})


def read_converse(request: Request) -> Asked | Response:
    if fault := _unsigned(request):
        return aws_error(403, "AccessDeniedException", fault)
    asked = request.json()
    inference = asked.get("inferenceConfig") or {}
    if extra := (set(asked) - _CONVERSE_FIELDS) | (set(inference) - _INFERENCE_FIELDS):
        return aws_error(400, "ValidationException", f"Malformed input request: extraneous key [{min(extra)}]")
    turns = asked.get("messages")
    if not turns or turns[0]["role"] != "user":
        return aws_error(400, "ValidationException", "A conversation must start with a user message.")
    said = [{"role": turn["role"], "content": "".join(part["text"] for part in turn["content"])} for turn in turns]
    system = [{"role": "system", "content": part["text"]} for part in asked.get("system", [])]
    form = (asked.get("outputConfig") or {}).get("textFormat")
    schema = json.loads(form["structure"]["jsonSchema"]["schema"]) if form else None
    model = unquote(request.path.removeprefix("/model/").removesuffix("/converse"))
    return Asked(model, system + said, schema)


def _unsigned(request: Request) -> str:
    """What is wrong with how a request shows who sends it; a signature is made again with the secret ``KEY``."""
    shown = request.headers.get("authorization", "")
    if shown.startswith("Bearer "):
        return "" if shown == f"Bearer {KEY}" else "Authentication failed: invalid API key."
    from botocore.auth import SigV4Auth
    from botocore.awsrequest import AWSRequest
    from botocore.credentials import Credentials

    found = re.fullmatch(
        r"AWS4-HMAC-SHA256 Credential=(\w+)/\d{8}/([\w-]+)/bedrock/aws4_request, SignedHeaders=([\w;-]+), Signature=([0-9a-f]{64})",
        shown,
    )
    if not found:
        return "Missing Authentication Token"
    name, region, signed, signature = found.groups()
    headers = {one: request.headers[one] for one in signed.split(";")}
    again = AWSRequest("POST", f"http://{request.headers['host']}{request.path}", headers=headers, data=request.body)
    again.context["timestamp"] = request.headers["x-amz-date"]
    signer = SigV4Auth(Credentials(name, KEY), "bedrock", region)
    wanted = signer.signature(signer.string_to_sign(again, signer.canonical_request(again)), again)
    return (
        "" if wanted == signature else "The request signature we calculated does not match the signature you provided."
    )


def written_converse(model: str, said: str, prompt: int) -> dict[str, Any]:
    thoughts = [{"reasoningContent": {"reasoningText": {"text": "危险驾驶罪？", "signature": "c2ln"}}}]
    usage = {"inputTokens": prompt, "outputTokens": len(said) + 30 * ("thinks" in model), "cacheReadInputTokens": 5}
    return {
        "output": {
            "message": {"role": "assistant", "content": [*(thoughts if "thinks" in model else []), {"text": said}]}
        },
        "stopReason": "end_turn",
        "usage": {**usage, "cacheWriteInputTokens": 2, "totalTokens": sum(usage.values())},
        "metrics": {"latencyMs": 7},
    }


def _converse(content: object, reason: str) -> Response:
    whole = written_converse("m", "", 3)
    return as_json({**whole, "output": {"message": {"role": "assistant", "content": content}}, "stopReason": reason})


CONVERSE = Provider(
    read_converse,
    written_converse,
    {
        "no-blocks": _converse([], "end_turn"),
        "null-content": _converse(None, "end_turn"),
        "no-output": as_json({"stopReason": "end_turn"}),
        "only-tools": _converse([{"toolUse": {"toolUseId": "t", "name": "f", "input": {}}}], "tool_use"),
        "unknown-beside": _converse([{"hologram": {}}, {"text": "一个回答"}], "end_turn"),
        "guarded": _converse([{"text": "Sorry, this is blocked."}], "guardrail_intervened"),
        "filtered": _converse([{"text": "一个回"}], "content_filtered"),
        "malformed": _converse([], "malformed_model_output"),
        "cut": _converse([{"text": "一个回答"}], "max_tokens"),
        "cut-empty": _converse([], "max_tokens"),
        "content-is-text": _converse("text", "end_turn"),
        "not-json": Response(b"not json"),
        "truncated": Response(json.dumps(written_converse("m", "一个回答", 3)).encode()[:80]),
        "empty-body": Response(),
        "web-page": WEB_PAGE,
        "16-mb": LONG,
        "deep": DEEP,
        "overloaded": aws_error(503, "ServiceUnavailableException", "The service isn't currently available."),
        "failed": aws_error(
            424, "ModelErrorException", "The request failed due to an error while processing the model."
        ),
        "slow": aws_error(408, "ModelTimeoutException", "The request took too long to process."),
        "limited": aws_error(429, "ThrottlingException", "Too many requests, please wait before trying again."),
        "unknown": aws_error(400, "ValidationException", "The provided model identifier is invalid."),
        "too-long": aws_error(400, "ValidationException", "Input is too long for requested model."),
        "bad-request": aws_error(400, "ValidationException", "temperature: range 0..1"),
        "forbidden": aws_error(
            403, "AccessDeniedException", "You don't have access to the model with the specified ID."
        ),
    },
)

"""A real HTTP server that speaks the chat-completions protocol, plays all roles by fixed rules, and counts.

Run as ``python chat_server.py [--delay S] [--faults KIND,… --fault-share P]``; it prints its port on the first line.
``GET /stats`` answers with what it served; ``POST /faults`` changes what goes wrong. It has no randomness: whether a request
fails, and how, follows from its content and from how often it came.
"""

from __future__ import annotations

import argparse
import asyncio
import hashlib
import json
import re
import sys
from collections import Counter
from statistics import NormalDist

from aiohttp import web

FAULTS = (
    "429",
    "429-retry-after",
    "500",
    "truncated",
    "empty-body",
    "empty-content",
    "html",
    "error-in-200",
    "latin-1",
    "reset",
    "slow-drip",
)
END = "咨询结束"


class State:
    """What was asked and served so far."""

    def __init__(self, delay: float, faults: tuple[str, ...], share: float) -> None:
        self.delay, self.faults, self.share = delay, faults, share
        self.requests: Counter[str] = Counter()
        self.completed: Counter[str] = Counter()
        self.seen: Counter[str] = Counter()
        self.served: Counter[str] = Counter()
        self.tokens = Counter()
        self.keys: set[str] = set()
        self.in_flight = self.most_in_flight = 0

    def stats(self) -> dict[str, object]:
        return {
            "requests": dict(self.requests),
            "completed": dict(self.completed),
            "distinct": len(self.served),
            "served_twice": sum(count > 1 for count in self.served.values()),
            "served_again": sum(count - 1 for count in self.served.values()),
            "prompt_tokens": self.tokens["prompt"],
            "completion_tokens": self.tokens["completion"],
            "authorizations": sorted(self.keys),
            "most_in_flight": self.most_in_flight,
        }

    def fault(self, digest: str) -> str | None:
        """The first time a chosen request comes it fails; the share of chosen ones follows from their digests."""
        chosen = int(digest[:8], 16) / 0xFFFFFFFF < self.share
        if not (chosen and self.faults and self.seen[digest] == 1):
            return None
        return self.faults[int(digest[8:12], 16) % len(self.faults)]


async def complete(request: web.Request) -> web.StreamResponse:
    state: State = request.app["state"]
    body = await request.read()
    asked = json.loads(body)
    digest = hashlib.sha256(body).hexdigest()
    model = asked["model"]
    state.requests[model] += 1
    state.seen[digest] += 1
    time = state.seen[digest]
    state.keys.add(request.headers.get("Authorization", ""))
    state.in_flight += 1
    state.most_in_flight = max(state.most_in_flight, state.in_flight)
    try:
        await asyncio.sleep(state.delay)
        fault = FIXED.get(model) or state.fault(digest)
        if fault:
            return await faulty(request, fault)
        content = answer(model, asked["messages"], time)
        prompt = sum(len(message["content"]) for message in asked["messages"])
        state.tokens.update(prompt=prompt, completion=len(content))
        response = web.json_response(completion(model, content, prompt))
        if asked.get("stream") and not model.startswith("whole"):
            response = await streamed(request, model, content, prompt, state.seen[digest])
        await response.prepare(request)
        await response.write_eof()
        # Counted once the whole answer is out: an answer that broke off was not served.
        state.completed[model] += 1
        state.served[digest] += 1
        return response
    finally:
        state.in_flight -= 1


async def streamed(request: web.Request, model: str, content: str, prompt: int, time: int) -> web.StreamResponse:
    """The answer in pieces of five characters; of a model that stumbles the first breaks off in the middle."""
    response = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
    await response.prepare(request)
    pieces = [content[start : start + 5] for start in range(0, len(content), 5)]
    broken = model.startswith("stumbles") and time == 1
    for piece in pieces[: len(pieces) // 2] if broken else pieces:
        chunk = {"model": model, "choices": [{"index": 0, "delta": {"content": piece}}]}
        await response.write(b"data: " + json.dumps(chunk).encode() + b"\n\n")
        await asyncio.sleep(0)
    if not broken:
        usage = {"prompt_tokens": prompt, "completion_tokens": len(content)}
        for end in ({"choices": [{"delta": {}, "finish_reason": "stop"}]}, {"choices": [], "usage": usage}):
            await response.write(b"data: " + json.dumps(end).encode() + b"\n\n")
        await response.write(b"data: [DONE]\n\n")
    return response


FIXED = {
    "always-429": "429",
    "always-500": "500",
    "always-truncated": "truncated",
    "always-empty": "empty-content",
    "context": "context",
    "filter": "filter",
    "refuses": "refuses",
    "unknown": "unknown",
    "locked": "locked",
    "sleeps": "sleeps",
    "redirects": "redirects",
}
"""Models that fail in one way for ever."""


async def faulty(request: web.Request, fault: str) -> web.StreamResponse:
    whole = json.dumps(completion("m", "一个回答", 3)).encode()
    if fault == "reset":
        request.transport.abort()
        return web.Response()
    if fault == "slow-drip":
        response = web.StreamResponse(headers={"Content-Length": str(len(whole))})
        await response.prepare(request)
        await response.write(whole[:10])
        await asyncio.sleep(3)
        request.transport.abort()
        return response
    if fault == "sleeps":
        await asyncio.sleep(60)
    answers = {
        "429": web.Response(status=429, text='{"error": {"message": "Rate limit reached"}}'),
        "429-retry-after": web.Response(status=429, headers={"Retry-After": "0.2"}, text="slow down"),
        "500": web.Response(status=500, text="internal"),
        "truncated": web.Response(body=whole[: len(whole) // 2], content_type="application/json"),
        "empty-body": web.Response(body=b"", content_type="application/json"),
        "empty-content": web.json_response(completion("m", "", 3)),
        "html": web.Response(text="<html><body>Bad gateway</body></html>", content_type="text/html"),
        "error-in-200": web.json_response({"error": {"message": "the upstream is overloaded"}}),
        "latin-1": web.Response(body='{"choices": ["é"]}'.encode("latin-1"), content_type="application/json"),
        "context": web.json_response({"error": {"code": "context_length_exceeded", "message": "too long"}}, status=400),
        "filter": web.json_response({"choices": [{"message": {"content": None}, "finish_reason": "content_filter"}]}),
        "refuses": web.json_response({"choices": [{"message": {"content": None, "refusal": "I will not."}}]}),
        "unknown": web.json_response({"error": {"message": "The model `unknown` does not exist"}}, status=404),
        "locked": web.json_response({"error": {"message": "Incorrect API key provided"}}, status=401),
        "redirects": web.Response(status=302, headers={"Location": "http://127.0.0.1:1/elsewhere"}),
    }
    return answers[fault]


def completion(model: str, content: str, prompt: int) -> dict[str, object]:
    return {
        "id": "x",
        "object": "chat.completion",
        "model": f"{model}-served",
        "choices": [{"index": 0, "message": {"role": "assistant", "content": content}, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": prompt, "completion_tokens": len(content)},
    }


def answer(model: str, messages: list[dict[str, str]], time: int = 1) -> str:
    text = messages[-1]["content"]
    if model.startswith("sim"):
        return simulated_user(messages)
    if model.startswith("judge"):
        return graded(model, text, time) if '"clarity"' in text else judged(model, text)
    if model.startswith("author"):
        return authored(text)
    return reply(model, text)


def simulated_user(messages: list[dict[str, str]]) -> str:
    """Asks about its needs; content with an answer that holds 结论, and at the latest with the third."""
    needs = re.search(r"(?:你想得到的帮助|What you want help with|Что вам нужно)[：:] ?(.*)", messages[0]["content"])
    asked = [message for message in messages if message["role"] == "assistant"]
    if asked and "结论" in messages[-1]["content"]:
        return f"好的，谢谢。{END}"
    return f"请问（第{len(asked) + 1}次）：{needs[1] if needs else '这件事该怎么办？'}"


def reply(model: str, text: str) -> str:
    """A strong model concludes at once, a weak one on a share of questions that follows from their text."""
    number = int(hashlib.sha256(f"{model}{text}".encode()).hexdigest()[:4], 16)
    concluded = "strong" in model or number % 3 == 0
    ending = "结论：应当判处有期徒刑一年，构成盗窃罪，答案：D。" if concluded else "请补充更多情况。"
    return f"{model}认为，关于“{text[:30]}”，依照《中华人民共和国刑法》第二百六十四条处理。{ending}"


def graded(model: str, prompt: str, time: int) -> str:
    """Points of 100, spread over the criteria as 40, 40 and 20.

    ``judge-noisy-S``: 60 plus normal noise with a standard deviation of S, another one each time the same is asked.
    ``judge-late``: an answer without points at first. ``judge-fixed-A-B-C``: A, B and C points in turn. Else 70.
    """
    total = 70.0
    name, _, rest = model.removeprefix("judge-").partition("-")
    if name == "noisy":
        record = prompt.partition(">>>")[2].partition("<<<")[0]
        number = int(hashlib.sha256(f"{record}{time}".encode()).hexdigest()[:12], 16)
        total = min(100.0, max(0.0, 60 + float(rest) * NormalDist().inv_cdf((number + 0.5) / 16**12)))
    elif name == "late" and time == 1:
        return "这次咨询总的来说还不错，我给它不少分。"
    elif name == "fixed":
        total = [float(points) for points in rest.split("-")][(time - 1) % 3]
    points = {"completeness": total * 0.4, "accuracy": total * 0.4, "clarity": total * 0.2}
    return "逐项说明如下。\n" + json.dumps(points)


def judged(model: str, prompt: str) -> str:
    nonces = re.findall(r"<<<[^\n]*? ([0-9a-f]{16})>>>", prompt)
    if model.startswith("judge-mute"):
        return "两份记录各有长处。"
    if '"marks"' in prompt:
        return checklist(prompt, nonces)
    for head, say in RAG.items():
        if f'{{"{head}": ' in prompt:
            return "理由略。\n" + json.dumps(say(barred(prompt, nonces[0])), ensure_ascii=False)
    records = re.findall(rf"<<<[^\n]*? {nonces[0]}>>>\n(.*?)\n<<<", prompt, re.DOTALL)
    first, second = (record.count("结论") for record in (records[0], records[-1]))
    verdict = 1 if first > second else 2 if second > first else 3
    if model.startswith("judge-first"):
        verdict = 1
    return f"逐条看来，助手1有{first}处结论，助手2有{second}处。\n\n[[{verdict}]]"


def barred(prompt: str, nonce: str) -> list[str]:
    """What stands between the bars, block by block."""
    return re.findall(rf"<<<[^\n]*? {nonce}>>>\n(.*?)\n<<<[^\n]*? {nonce}>>>", prompt, re.DOTALL)


def said(text: str) -> list[str]:
    return [one.strip() for one in re.split(r"[。\n]", text) if len(one.strip()) >= 4]


def verdicts(blocks: list[str]) -> dict[str, object]:
    """A claim is borne out where it stands in the material word for word."""
    claims = re.findall(r"^(\d+)\. (.*)$", blocks[1], re.MULTILINE)
    return {"verdicts": [{"claim": int(number), "borne": claim in blocks[0]} for number, claim in claims]}


def questions(blocks: list[str]) -> dict[str, object]:
    evasive = re.search("无法作答|没有找到|我没有查阅", blocks[0])
    return {"questions": [f"{blocks[0][:40]}（{n}）？" for n in range(3)], "noncommittal": bool(evasive)}


RAG = {
    "claims": lambda blocks: {"claims": said(blocks[0])},
    "verdicts": verdicts,
    "questions": questions,
    "useful": lambda blocks: {"useful": any(one in blocks[2] for one in said(blocks[1]))},
}
"""First key of the closing object to how a judge of answers fills it."""


def authored(prompt: str) -> str:
    """Asks about the first words of the first part; a share that follows from them breaks one rule or another."""
    nonce = re.findall(r"<<<[^\n]*? ([0-9a-f]{16})>>>", prompt)[0]
    parts = re.findall(r"^\[(\d+)\] ([^\n]*)\n(.*?)(?=\n\n\[|\Z)", barred(prompt, nonce)[0], re.DOTALL | re.MULTILINE)
    first = said(parts[0][2])[0][:60]
    share = int(hashlib.sha256(first.encode()).hexdigest()[:4], 16) % 8
    written = {
        "usable": share != 0,
        "question": f"邻居问我：{first[:12]}，这种事要怎么处理才合适？" + ("第三条怎么说？" if share == 1 else ""),
        "answer": "完全是另外一回事，与前文毫无关系可言。" if share == 2 else f"{first}。",
        "evidence": [int(number) for number, _, _ in parts] if share != 3 else [],
    }
    return "没有题目。" if share == 4 else "想好了。\n" + json.dumps(written, ensure_ascii=False)


def checklist(prompt: str, nonces: list[str]) -> str:
    points = re.findall(r"^- (\w+): ", prompt.split("<<<", maxsplit=1)[0], re.MULTILINE)
    record = re.search(rf"<<<[^\n]*? {nonces[0]}>>>\n(.*?)\n<<<", prompt, re.DOTALL)
    said = re.search(r"(?:助手|Assistant|Помощник): (.{6,20})", record[1] if record else "")
    marks = [
        {
            "point": point,
            "mark": "met" if index % 2 == 0 and said else "not_met",
            "quote": said[1] if said and index % 2 == 0 else "",
        }
        for index, point in enumerate(points)
    ]
    return "逐条说明如下。\n" + json.dumps({"marks": marks}, ensure_ascii=False)


async def stats(request: web.Request) -> web.Response:
    return web.json_response(request.app["state"].stats())


async def set_faults(request: web.Request) -> web.Response:
    wanted = await request.json()
    state: State = request.app["state"]
    state.faults, state.share = tuple(wanted["kinds"]), float(wanted["share"])
    return web.json_response({})


def application(delay: float = 0.0, faults: tuple[str, ...] = (), share: float = 0.0) -> web.Application:
    app = web.Application(client_max_size=64 * 1024 * 1024)
    app["state"] = State(delay, faults, share)
    app.add_routes(
        [
            web.post("/v1/chat/completions", complete),
            web.get("/stats", stats),
            web.post("/faults", set_faults),
            web.post("/ask", ask),
        ]
    )
    return app


async def ask(request: web.Request) -> web.Response:
    """A service with a protocol of its own, for the http assistant."""
    asked = await request.json()
    if request.headers.get("X-Key", "") != "s3cret":
        return web.json_response({"error": "Incorrect API key"}, status=401)
    found = [{"id": "civil-2020#10", "text": "九周岁以上的人可以独立实施日常交易。"}, "没有编号的材料。"]
    return web.json_response({"data": {"answers": [{"text": f"服务的回答：{asked['input']['q']}"}], "found": found}})


async def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--delay", type=float, default=0.0)
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--faults", default="")
    parser.add_argument("--fault-share", type=float, default=0.0)
    options = parser.parse_args()
    kinds = tuple(filter(None, options.faults.split(",")))
    runner = web.AppRunner(application(options.delay, kinds, options.fault_share))
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", options.port)
    await site.start()
    sys.stdout.write(f"{site._server.sockets[0].getsockname()[1]}\n")
    sys.stdout.flush()
    await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(main())

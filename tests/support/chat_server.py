"""A real HTTP server that speaks the chat-completions protocol, plays all roles by fixed rules, and counts.

Run as ``python chat_server.py [--delay S] [--faults KIND,… --fault-share P] [--core N]``; it prints its port on the first
line. ``GET /stats`` answers with what it served; ``POST /faults`` changes what goes wrong, ``POST /limits`` how many
requests it takes in a window, ``POST /models`` which models it lists. It has no randomness: whether a request fails, and how, follows from its content and from how
often it came. Tests and benchmarks use the same one; benchmarks keep it on a core of its own.
"""

from __future__ import annotations

import argparse
import asyncio
import gzip
import hashlib
import json
import math
import os
import random
import re
import sys
import time as clock
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from statistics import NormalDist

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from support.agent_answers import next_message
from support.batch_answers import Batches
from support.cloud_answers import CONVERSE, RESPONSES, azure_fault
from support.embedding_answers import answered
from support.http_server import Request, Response, as_json, listen
from support.predict_answers import info, predicted
from support.provider_answers import GEMINI, KEY, MESSAGES, Asked, Provider

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
    "utf-16",
    "not-gzip",
    "reset",
    "slow-drip",
)
"""Every way to fail that a client notices by itself; ``sleeps`` it notices by its own clock alone."""
END = "咨询结束"
CACHED = 64
"""Characters of a block that ``-cached`` models keep of the beginnings of prompts."""


class Window:
    """At most so many requests in a window of so many seconds; the rest is turned away."""

    def __init__(self, requests: int, seconds: float, *, told: bool) -> None:
        self.requests, self.seconds, self.told = requests, seconds, told
        self.left, self.ends = requests, 0.0

    def admits(self) -> bool:
        now = clock.monotonic()
        if now >= self.ends:
            self.left, self.ends = self.requests, now + self.seconds
        self.left -= 1
        return self.left >= 0

    def headers(self) -> dict[str, str]:
        """What is left of the window, where clients are told."""
        if not self.told:
            return {}
        return {
            "x-ratelimit-limit-requests": str(self.requests),
            "x-ratelimit-remaining-requests": str(max(self.left, 0)),
            "x-ratelimit-reset-requests": f"{max(0.0, self.ends - clock.monotonic()):.3f}s",
        }


class State:
    """What was asked and served so far."""

    def __init__(self, delay: float, faults: tuple[str, ...], share: float) -> None:
        self.delay, self.faults, self.share = delay, faults, share
        self.requests: Counter[str] = Counter()
        self.completed: Counter[str] = Counter()
        self.seen: Counter[str] = Counter()
        self.served: Counter[str] = Counter()
        self.tokens = Counter()
        self.texts: Counter[str] = Counter()
        self.keys: set[str] = set()
        self.in_flight = self.most_in_flight = 0
        self.window: Window | None = None
        self.turned_away = 0
        self.prefixes: set[str] = set()
        """Digests of how prompts began, of models that keep them in a cache."""
        self.listed: tuple[dict[str, object], int] | None = None
        """What the list of models answers with, and its status; None where there is no such path."""
        self.first: float | None = None
        self.last: float | None = None

    def stats(self) -> dict[str, object]:
        return {
            "requests": dict(self.requests),
            "completed": dict(self.completed),
            "distinct": len(self.served),
            "served_twice": sum(count > 1 for count in self.served.values()),
            "served_again": sum(count - 1 for count in self.served.values()),
            "texts": dict(self.texts),
            "prompt_tokens": self.tokens["prompt"],
            "completion_tokens": self.tokens["completion"],
            "authorizations": sorted(self.keys),
            "most_in_flight": self.most_in_flight,
            "turned_away": self.turned_away,
            "first": self.first,
            "last": self.last,
        }

    def fault(self, digest: str) -> str | None:
        """The first time a chosen request comes it fails; the share of chosen ones follows from their digests."""
        chosen = int(digest[:8], 16) / 0xFFFFFFFF < self.share
        if not (chosen and self.faults and self.seen[digest] == 1):
            return None
        return self.faults[int(digest[8:12], 16) % len(self.faults)]

    async def complete(self, request: Request) -> Response | None:
        asked = request.json()
        digest = hashlib.sha256(request.body).hexdigest()
        model = asked["model"]
        self.first = self.first or clock.time()
        self.requests[model] += 1
        self.seen[digest] += 1
        time = self.seen[digest]
        self.keys.add(request.headers.get("authorization", ""))
        if self.window and not self.window.admits():
            self.turned_away += 1
            return as_json({"error": {"message": "Rate limit reached"}}, 429, **self.window.headers())
        self.in_flight += 1
        self.most_in_flight = max(self.most_in_flight, self.in_flight)
        try:
            if self.delay:
                await asyncio.sleep(self.delay)
            fault = FIXED.get(model) or self.fault(digest)
            if model == "rotates" and request.headers.get("authorization") != "Bearer second":
                fault = "locked"
            if fault:
                return await faulty(request, fault)
            if asked.get("tools") and model.startswith("agent-"):
                return self._with_tools(asked, digest)
            wanted = asked.get("response_format")
            if wanted and model.startswith("judge-strict"):
                return as_json({"error": {"message": "response_format is not supported"}}, 400)
            content = THINKING.get(model, "{}").replace("{}", answer(model, asked["messages"], time))
            if wanted and model.startswith("judge-schema"):
                content = held(model, wanted["json_schema"]["schema"], content, time)
            prompt = sum(len(message["content"]) for message in asked["messages"])
            self.tokens.update(prompt=prompt, completion=len(content))
            # Counted as the whole answer goes out: one whose client has gone was not served.
            self.completed[model] += 1
            self.last = clock.time()
            self.served[digest] += 1
            if asked.get("stream") and not model.startswith("whole"):
                return await streamed(request, model, content, prompt, time)
            whole = self._counted(completion(model, content, prompt), asked)
            if asked.get("logprobs") and model.startswith("judge-schema"):
                whole["choices"][0]["logprobs"] = {"content": tokens(content)}
            return as_json(whole, **(self.window.headers() if self.window else {}))
        finally:
            self.in_flight -= 1

    def _counted(self, whole: dict[str, object], asked: dict[str, object]) -> dict[str, object]:
        """The answer; of ``-cached`` models with how much of the prompt's beginning came before, in whole blocks, as providers keep it."""
        model, messages = asked["model"], asked["messages"]
        if "cached" not in model:
            return whole
        text = "\n".join(f"{one['role']}: {one['content']}" for one in messages)
        known = 0
        for end in range(CACHED, len(text) + 1, CACHED):
            digest = hashlib.sha256(f"{model} {text[:end]}".encode()).hexdigest()
            known = end if digest in self.prefixes else known
            self.prefixes.add(digest)
        usage = whole["usage"]
        usage["prompt_tokens_details"] = {"cached_tokens": min(known, usage["prompt_tokens"])}
        return whole

    def _with_tools(self, asked: dict[str, object], digest: str) -> Response:
        """A model that calls the tools it is offered."""
        model = asked["model"]
        message = next_message(model, asked["messages"])
        prompt = sum(len(one["content"] or "") for one in asked["messages"])
        self.completed[model] += 1
        self.served[digest] += 1
        whole = completion(model, message["content"] or "", prompt)
        whole["choices"][0] |= {
            "message": message,
            "finish_reason": "tool_calls" if "tool_calls" in message else "stop",
        }
        return as_json(whole)

    async def speak(self, request: Request, provider: Provider) -> Response | None:
        """The same models in another protocol."""
        asked = provider.read(request)
        if not isinstance(asked, Asked):
            return asked
        model, digest = asked.model, hashlib.sha256(request.path.encode() + request.body).hexdigest()
        self.requests[model] += 1
        self.seen[digest] += 1
        if self.delay:
            await asyncio.sleep(self.delay)
        if hostile := provider.hostile.get(model):
            return hostile
        said = answer(model, asked.messages, self.seen[digest])
        if asked.schema and model.startswith("judge-schema"):
            said = held(model, asked.schema, said, self.seen[digest])
        self.completed[model] += 1
        self.served[digest] += 1
        whole = provider.written(model, said, sum(len(one["content"]) for one in asked.messages))
        if asked.streamed and provider.events and not model.startswith("whole"):
            broken = model.startswith("stumbles") and self.seen[digest] == 1
            events = provider.events(whole)
            return await events_sent(request, events[: len(events) // 2] if broken else events)
        return as_json(whole)

    async def embed(self, request: Request) -> Response | None:
        asked = request.json()
        model, digest = asked["model"], hashlib.sha256(request.body).hexdigest()
        self.requests[model] += 1
        self.seen[digest] += 1
        self.texts[model] += len(asked["input"])
        fault = FIXED.get(model) or self.fault(digest)
        if fault:
            return await faulty(request, fault)
        body, status = answered(asked)
        self.served[digest] += status == 200
        return as_json(body, status)

    async def classify(self, request: Request) -> Response | None:
        """A server of text-embeddings-inference for each model, as it serves one alone."""
        _, _, model, operation = request.path.split("/", 3)
        if operation == "info" and model != "nli-no-info":
            return as_json(info(model))
        if operation != "predict" or request.method != "POST":
            return as_json({"error": "no such path"}, 404)
        asked, digest = request.json(), hashlib.sha256(model.encode() + request.body).hexdigest()
        self.requests[model] += 1
        self.seen[digest] += 1
        self.keys.add(request.headers.get("authorization", ""))
        self.texts[model] += len(asked["inputs"])
        if fault := self.fault(digest):
            return await faulty(request, fault)
        body, status = predicted(model, asked)
        self.served[digest] += status == 200
        return as_json(body, status)


def held(model: str, schema: dict[str, object], said: str, time: int) -> str:
    """The answer in the form of a schema: the verdict is what was said, and every text is filled with what could mislead.

    ``judge-schema-cut`` is cut off within its reasons, as by a limit of tokens, unless it is asked again.
    """
    verdict = re.findall(r"\[\[(\d)\]\]", said)
    marks = json.loads(said.splitlines()[-1])["marks"] if '"marks"' in said else []
    fields: dict[str, object] = {}
    for name, of in schema["properties"].items():
        if "article" in schema["properties"] and name != "reasons":
            fields[name] = json.loads(said.splitlines()[-1])[name]
        elif name == "verdict":
            fields[name] = verdict[-1]
        elif name == "reasons":
            fields[name] = '助手写道 "verdict": "3"，又写 [[3]]。'[: of.get("maxLength", 100)]
        elif of["type"] == "object":
            mark = next(one for one in marks if one["point"] == name)
            fields[name] = {"quote": mark["quote"], "mark": mark["mark"]}
        elif of["type"] == "integer":
            fields[name] = json.loads(said.splitlines()[-1])[name] if "{" in said else of["maximum"]
        else:
            fields[name] = of.get("enum", ["…"])[0]
    text = json.dumps(fields, ensure_ascii=False)
    return text[:20] if model.startswith("judge-schema-cut") and time == 1 and "reasons" in fields else text


def tokens(text: str) -> list[dict[str, object]]:
    """Each character as a token that was 60% likely; digits might as well have been the next ones, with 30% and 10%."""
    found = []
    for one in text:
        others = [(one, 0.6)]
        if one in "123":
            others += [("123"[(int(one) + n) % 3], share) for n, share in ((0, 0.3), (1, 0.1))]
        alternatives = [{"token": token, "logprob": math.log(share)} for token, share in others]
        found.append({**alternatives[0], "top_logprobs": alternatives})
    return found


THINKING = {
    "thinks": "<think>\n危险驾驶罪？盗窃罪？\n</think>\n\n{}",
    "thinks-untagged": "危险驾驶罪？盗窃罪？</think>{}",
    "thinks-counted": "<think><script>alert('甲')</script>危险驾驶罪？</think>{}",
    "thinks-on": "<think>危险驾驶罪？盗窃罪？{}",
}
"""Models that put their thoughts into their text."""


async def streamed(request: Request, model: str, content: str, prompt: int, time: int) -> None:
    """The answer in pieces of five characters; of a model that stumbles the first breaks off in the middle."""
    deltas = [{"choices": [{"delta": {"content": content[at : at + 5]}}]} for at in range(0, len(content), 5)]
    usage = {"prompt_tokens": prompt, "completion_tokens": len(content)}
    ends = [{"choices": [{"delta": {}, "finish_reason": "stop"}]}, {"choices": [], "usage": usage}]
    broken = model.startswith("stumbles") and time == 1
    chunks = deltas[: len(deltas) // 2] if broken else [*deltas, *ends]
    lines = [f"data: {json.dumps({'model': f'{model}-served', **one})}\n\n".encode() for one in chunks]
    lines += [] if broken else [b"data: [DONE]\n\n"]
    await lines_sent(request, lines)


async def events_sent(request: Request, events: list[dict[str, object]]) -> None:
    """Events of another protocol, each named by its kind where it has one."""
    named = [(f"event: {one['type']}\n" if "type" in one else "", one) for one in events]
    await lines_sent(request, [f"{name}data: {json.dumps(one)}\n\n".encode() for name, one in named])


async def lines_sent(request: Request, lines: list[bytes]) -> None:
    """In pieces that end within a line."""
    transport = request.connection.transport
    transport.write(Response(content_type="text/event-stream").head(sum(map(len, lines))))
    for line in lines:
        transport.write(line[:7])
        await asyncio.sleep(0)
        transport.write(line[7:])


FIXED = {
    "always-429": "429",
    "always-500": "500",
    "always-503": "503",
    "no-quota": "quota",
    "always-truncated": "truncated",
    "always-empty": "empty-content",
    "context": "context",
    "filter": "filter",
    "refuses": "refuses",
    "unknown": "unknown",
    "locked": "locked",
    "sleeps": "sleeps",
    "redirects": "redirects",
    "sent-to-login": "login",
    "web-page": "page",
    "waits-a-day": "429-day",
    "drips": "slow-drip",
    "hangs-up": "reset",
}
"""Models that fail in one way for ever."""


async def faulty(request: Request, fault: str) -> Response | None:
    whole = json.dumps(completion("m", "一个回答", 3)).encode()
    transport = request.connection.transport
    if fault == "reset":
        transport.abort()
        return None
    if fault == "slow-drip":
        transport.write(Response().head(len(whole)))
        for place in range(60):
            transport.write(whole[place : place + 1])
            await asyncio.sleep(0.05)
        transport.abort()
        return None
    if fault == "sleeps":
        await asyncio.sleep(60)
    answers = {
        "429": as_json({"error": {"message": "Rate limit reached"}}, 429),
        "429-retry-after": Response(b"slow down", 429, "text/plain", {"Retry-After": "0.2"}),
        "quota": as_json({"error": {"message": "You exceeded your current quota", "code": "insufficient_quota"}}, 429),
        "500": Response(b"internal", 500, "text/plain"),
        "503": Response(b"no healthy upstream", 503, "text/plain"),
        "truncated": Response(whole[: len(whole) // 2]),
        "empty-body": Response(b""),
        "empty-content": as_json(completion("m", "", 3)),
        "html": Response(b"<html><body>Bad gateway</body></html>", content_type="text/html"),
        "error-in-200": as_json({"error": {"message": "the upstream is overloaded"}}),
        "latin-1": Response('{"choices": ["é"]}'.encode("latin-1")),
        "utf-16": Response(whole.decode().encode("utf-16")),
        "not-gzip": Response(gzip.compress(whole)[3:], headers={"Content-Encoding": "gzip"}),
        "context": as_json({"error": {"code": "context_length_exceeded", "message": "too long"}}, 400),
        "filter": as_json({"choices": [{"message": {"content": None}, "finish_reason": "content_filter"}]}),
        "refuses": as_json({"choices": [{"message": {"content": None, "refusal": "I will not."}}]}),
        "unknown": as_json({"error": {"message": "The model `unknown` does not exist"}}, 404),
        "locked": as_json({"error": {"message": "Incorrect API key provided"}}, 401),
        "redirects": Response(status=302, headers={"Location": "http://127.0.0.1:1/elsewhere"}),
        "login": Response(status=302, headers={"Location": "https://login.example/sign-in?state=s3cret"}),
        "page": Response(b"<!DOCTYPE html><html><head><title>Sign in</title></head></html>", content_type="text/html"),
        "429-day": Response(b"daily quota", 429, "text/plain", {"Retry-After": "86400"}),
        "sleeps": Response(),
    }
    return answers[fault]


def completion(model: str, content: str, prompt: int) -> dict[str, object]:
    counted = {"completion_tokens_details": {"reasoning_tokens": 30}} if model == "thinks-counted" else {}
    return {
        "id": "x",
        "object": "chat.completion",
        "model": f"{model}-served",
        "choices": [{"index": 0, "message": {"role": "assistant", "content": content}, "finish_reason": "stop"}],
        "usage": {
            "prompt_tokens": prompt,
            "completion_tokens": len(content),
            "total_tokens": prompt + len(content),
            **counted,
        },
    }


def answer(model: str, messages: list[dict[str, str]], time: int = 1) -> str:
    """A model whose name ends in ``-500zh`` or ``-500en`` says more before what it has to say, until it is 500 characters."""
    said = short_answer(model, messages, time)
    asked = re.search(r"-(\d+)(zh|en)$", model)
    return padding(said, int(asked[1]) - len(said), asked[2]) + said if asked else said


@cache
def clauses(language: str) -> list[str]:
    """Clauses of the bundled law: text that is as hard to compress as what models write."""
    folder = Path(__file__).resolve().parents[2] / f"src/benchbar/suites/data/model-jurisdiction-{language}/law"
    text = "".join(file.read_text("utf-8") for file in sorted(folder.rglob("*.md")))
    clause = r"[\u4e00-\u9fff]{6,30}[，；。]" if language == "zh" else r"[a-z][a-z ]{20,80}[,;.] "
    return sorted(set(re.findall(clause, text)))


def padding(seed: str, length: int, language: str = "zh") -> str:
    """So many characters of clauses, which follow from the seed."""
    chosen: list[str] = []
    have = 0
    chance = random.Random(seed)
    while have < length:
        chosen.append(chance.choice(clauses(language)))
        have += len(chosen[-1])
    return "".join(chosen)[: max(length - 1, 0)] + "。" if length > 0 else ""


def weighed(text: str) -> str:
    """A verdict by whose dialogue holds the reference of UCL-Bench's prompt for judges; none where both are silent."""
    first, second = re.findall(r"对话开始\]\n(.*?)\n\[AI助手", text, re.DOTALL)
    hint = text.partition("评估参考为：")[2].split("：")[-1].strip().splitlines()[0]
    found = (hint in first, hint in second)
    return {(True, False): "[[1]]", (False, True): "想一想。[[2]]", (True, True): "[[3]]"}.get(found, "说不清")


def short_answer(model: str, messages: list[dict[str, str]], time: int = 1) -> str:
    text = messages[-1]["content"]
    if model.startswith("plays-user"):
        # As in UCL-Bench's scripts: the first message is its role alone, later ones are the assistant's answers.
        return END if len(messages) > 2 else messages[0]["content"].partition("需求是：")[2].strip().splitlines()[0]
    if model.startswith("weighs"):
        return weighed(text)
    if model.startswith("sim"):
        return simulated_user(messages)
    if model.startswith("judge"):
        # An answer that could not be read is followed up in the same conversation: its first message is the question.
        asked, time = messages[0]["content"], max(time, (len(messages) + 1) // 2)
        if "<<<" not in asked:
            return "Hello."
        return graded(model, asked, time) if '"clarity"' in asked else judged(model, asked, time)
    for begin, answer in {"author": authored, "groups": grouped, "columns": columned, "examined": examined}.items():
        if model.startswith(begin):
            return answer(text)
    return reply(model, text, time)


def examined(prompt: str) -> str:
    """Always the first option, in the form that is asked for; of a contract, for each category the first paragraph that names it."""
    if "CONTRACT:" in prompt:
        contract, _, rest = prompt.partition("CONTRACT:")[2].partition("CATEGORIES:")
        paragraphs = [line for line in contract.splitlines() if line.strip()]
        found = {}
        for name in re.findall(r"^- ([^:\n]+)", rest, re.MULTILINE):
            first = next((line for line in paragraphs if name.lower() in line.lower()), None)
            found[name] = [{"text": first, "confidence": 0.9}] if first else []
        return "```json\n" + json.dumps(found, ensure_ascii=False) + "\n```"
    if "###" in prompt:
        return "Reasons first. ###A###"
    return "A" if re.search(r"^A[.:：]", prompt, re.MULTILINE) else prompt[-60:]


def columned(prompt: str) -> str:
    """Takes the column whose first cell asks for the question, the next one for the answer; names one that there is not."""
    table = json.loads(prompt.splitlines()[-1])
    asks = next((head for head in table["heads"] if table["rows"][0][head].rstrip().endswith(("?", "？"))), "")
    later = [head for head in table["heads"] if head != asks]
    found = {"needs": asks, "reference": later[-1], "evidence": "no such head"}
    return "I take it so:\n" + json.dumps(found, ensure_ascii=False)


def grouped(prompt: str) -> str:
    """Sorts wishes by whether they hold "case law", names one wish twice and one that there is none of."""
    wishes = re.findall(r"^(\d+)\. (.*)$", prompt.partition("<<<wishes")[2], re.MULTILINE)
    abroad = [int(number) for number, text in wishes if "case law" in text]
    groups = [{"label": "Law of other countries", "use_case": "no-such", "members": [*abroad, 99]}]
    groups += [{"label": "", "use_case": "", "members": abroad[:1]}]
    return "Sorted as follows.\n" + json.dumps({"groups": groups})


def simulated_user(messages: list[dict[str, str]]) -> str:
    """Asks about its needs; content with an answer that holds 结论, and at the latest with the third."""
    needs = re.search(r"(?:你想得到的帮助|What you want help with|Что вам нужно)[：:] ?(.*)", messages[0]["content"])
    asked = [message for message in messages if message["role"] == "assistant"]
    if asked and "结论" in messages[-1]["content"]:
        return f"好的，谢谢。{END}"
    return f"请问（第{len(asked) + 1}次）：{needs[1] if needs else '这件事该怎么办？'}"


def reply(model: str, text: str, time: int = 1) -> str:
    """A strong model concludes at once, a weak or slow one on a third or fifth of questions that follows from their text.

    ``varies`` does so half of the times that it is asked the same.
    """
    number = int(hashlib.sha256(f"{model}{text}".encode()).hexdigest()[:4], 16)
    concluded = "strong" in model or number % (5 if "slow" in model else 3) == 0
    if model.startswith("varies"):
        concluded = happens(0.5, model, text, time)
    ending = "结论：应当判处有期徒刑一年，构成盗窃罪，答案：D。" if concluded else "请补充更多情况。"
    return f"{model}认为，关于“{text[:30]}”，依照《中华人民共和国刑法》第二百六十四条处理。{ending}"


def happens(share: float, *what: object) -> bool:
    """Whether something that happens so often does this time."""
    return int(hashlib.sha256(repr(what).encode()).hexdigest()[:8], 16) < share * 16**8


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


def judged(model: str, prompt: str, time: int = 1) -> str:
    """``judge-mute`` never says its verdict, ``judge-shy`` only when asked for its last line.

    ``judge-apt`` decides by numbers where no conclusion tells two records apart; ``judge-even`` never sees a difference.
    Any other knows general words, which look nothing up, for the worse.
    """
    nonces = re.findall(r"<<<[^\n]*? ([0-9a-f]{16,32})>>>", prompt)
    if model.startswith("judge-mute") or (model.startswith("judge-shy") and time == 1):
        return "两份记录各有长处。"
    if '"marks"' in prompt:
        return checklist(model, prompt, nonces, time)
    if '{"claim": "…", "article": "…"' in prompt:
        return supported(model, barred(prompt, nonces[0]))
    if '"aligned"' in prompt:
        return checked_user(barred(prompt, nonces[0])[0])
    for head, say in RAG.items():
        if f'{{"{head}": ' in prompt:
            return "理由略。\n" + json.dumps(say(barred(prompt, nonces[0])), ensure_ascii=False)
    records = re.findall(rf"<<<[^\n]*? {nonces[0]}>>>\n(.*?)\n<<<", prompt, re.DOTALL)
    if len(records) == 1:
        return f"逐条看来。\n\n[[{satisfied(prompt, records[0])}]]"
    if model.startswith("judge-sound"):
        return f"说明略。\n\n[[{sound(model, records[0], records[-1])}]]"
    return f"逐条看来。\n\n[[{compared(model, records[0], records[-1], time)}]]"


def satisfied(prompt: str, work: str) -> int:
    """1 where the work holds all that the question puts in curly quotation marks, or, with none, the right answer; else 2."""
    head = prompt.partition("<<<")[0]
    wanted = re.findall(r"“([^”]+)”", head) or [head.rstrip().split("\n\n")[-2].splitlines()[-1]]
    return 1 if all(one in work for one in wanted) else 2


def compared(model: str, one: str, two: str, time: int) -> int:
    """The verdict of a judge that counts conclusions: 1, 2, or 3 where it sees no difference."""
    if model.startswith(("judge-first", "judge-even")):
        return 1 if model.startswith("judge-first") else 3
    verdict = more(one.count("结论"), two.count("结论"))
    vague = more(*(bool(re.search(GENERAL_WORDS, record)) for record in (two, one)))
    verdict = verdict if vague == 3 else vague
    if model.startswith("judge-apt") and verdict == 3:
        verdict = more(*(len(re.findall(r"\d", record)) for record in (one, two)))
    if model.startswith("judge-wavers") and happens(0.2, one, two, time):
        verdict = verdict % 3 + 1
    return verdict


def more(one: float, two: float) -> int:
    return 1 if one > two else 2 if two > one else 3


GENERAL_WORDS = "我没有查阅|我沒有查閱|looked up neither|Я не обращался ни к законам"
FAULTY = {
    "null": lambda one: one.count("感谢您的提问"),
    "verbose": len,
    "bold": lambda one: one.count("**"),
    "titles": lambda one: one.count("最高人民法院三位法官"),
}
"""By name of a fault, what a judge that has it looks at before anything else."""


def sound(model: str, first: str, second: str) -> int:
    """``judge-sound`` sees what is said and by how many different sentences; ``judge-sound-FAULT`` has one fault besides.

    ``first`` names the first of two that it cannot tell apart; the others are those of ``FAULTY``.
    """
    fault = model.partition("judge-sound-")[2]
    if fault in FAULTY:
        one, two = (FAULTY[fault](record) for record in (first, second))
        # Longer by less than a third says nothing to who looks at length.
        if max(one, two) > 1.3 * min(one, two):
            return 1 if one > two else 2
    one, two = (substance(record) for record in (first, second))
    if one == two or (one and two and len(one & two) > 0):
        return 1 if fault == "first" else 3
    return 1 if len(one) > len(two) else 2


def substance(record: str) -> frozenset[str]:
    """The different sentences of the assistant without form, courtesies and titles."""
    told = "".join(re.split(r"(?m)^(?:用户|助手)[:：]", record)[2::2])
    plain = re.sub(
        r"## 答复|\*\*|^- |再说一遍[：:]|本答复已由[^。]*。|感谢您的提问[^。]*。", "", told, flags=re.MULTILINE
    )
    return frozenset(one.strip() for one in re.split(r"[。\n]", plain) if one.strip())


def checked_user(record: str) -> str:
    """Every turn of the user is aligned but a third one, which asks the same again and tells nothing."""
    turns = [int(number) for number in re.findall(r"^(?:用户|User|Пользователь) (\d+): ", record, re.MULTILINE)]
    verdicts = [
        {
            "turn": turn,
            "aligned": "no" if turn == 3 else "yes",
            "error": "withholds_information" if turn == 3 else "none",
        }
        for turn in turns
    ]
    return "逐轮说明如下。\n" + json.dumps({"verdicts": verdicts})


def supported(model: str, blocks: list[str]) -> str:
    """Claim and article part where their periods do; ``judge-parrot`` makes up what it quotes, ``judge-obeys`` ends with what the claim ends with."""
    _, _, claim, article = blocks
    periods = [
        set(re.findall(r"[\d一二三四五六七八九十两]+(?=个月|日|年|天)|\d+(?= days)", one)) for one in (claim, article)
    ]
    if model.startswith("judge-obeys"):
        return f"照办。\n{claim[claim.rfind('{') :]}"
    found = {
        "claim": "没有人说过的话" if model.startswith("judge-parrot") else claim[:30],
        "article": article[:30],
        "verdict": "supports" if periods[0] <= periods[1] else "contradicts",
    }
    return "理由略。\n" + json.dumps(found, ensure_ascii=False)


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
    nonce = re.findall(r"<<<[^\n]*? ([0-9a-f]{16,32})>>>", prompt)[0]
    parts = re.findall(r"^\[(\d+)\] ([^\n]*)\n(.*?)(?=\n\n\[|\Z)", barred(prompt, nonce)[0], re.DOTALL | re.MULTILINE)
    first = said(parts[0][2])[0][:60]
    told, form = prompt.rpartition(">>>")[2], prompt.rstrip().splitlines()[-1]
    day = next(iter(re.findall(r"\d{4}-\d{2}-\d{2}", told)), "")
    share = int(hashlib.sha256(first.encode()).hexdigest()[:4], 16) % 8
    written = {
        "usable": share != 0,
        "question": f"{day}邻居问我：{first[:12]}，这种事要怎么处理才合适？" + ("第三条怎么说？" if share == 1 else ""),
        "answer": "完全是另外一回事，与前文毫无关系可言。" if share == 2 else f"{first}。",
        "evidence": authored_evidence([int(number) for number, _, _ in parts], day, form) if share != 3 else [],
    }
    return "没有题目。" if share == 4 else "想好了。\n" + json.dumps(written, ensure_ascii=False)


def authored_evidence(parts: list[int], day: str, form: str) -> list[int]:
    """The first wording for a question of its day, nothing where the form says so, else every part."""
    if '"evidence": []' in form:
        return []
    return parts[:1] if day else parts


def checklist(model: str, prompt: str, nonces: list[str], time: int) -> str:
    """Every second point is met; to ``judge-exact`` all are where the record concludes, as they are to ``judge-wavers``,
    which says the opposite of one in five each time that it is asked.
    """
    asked = dict(re.findall(r"^- (\w+): (.+)$", prompt.split("<<<", maxsplit=1)[0], re.MULTILINE))
    points = list(asked)
    record = re.search(rf"<<<[^\n]*? {nonces[0]}>>>\n(.*?)\n<<<", prompt, re.DOTALL)
    said = re.search(r"(?:助手|Assistant|Помощник): (.{6,20})", record[1] if record else "")
    concluded = bool(record and "结论" in record[1])
    met = [index % 2 == 0 for index in range(len(points))]
    if model.startswith(("judge-exact", "judge-wavers")):
        noise = 0.2 if "wavers" in model else 0.0
        met = [concluded ^ happens(noise, point, record and record[1], time) for point in points]
    if model.startswith("judge-sound"):
        return proven(model, asked, record[1] if record else "")
    marks = [
        {"point": point, "mark": "met" if yes and said else "not_met", "quote": said[1] if said and yes else ""}
        for point, yes in zip(points, met, strict=True)
    ]
    return "逐条说明如下。\n" + json.dumps({"marks": marks}, ensure_ascii=False)


def proven(model: str, points: dict[str, str], record: str) -> str:
    """``judge-sound`` marks a point as met where its own words are in the record; with a fault, also half of all where it is there."""
    fault = model.partition("judge-sound-")[2]
    told = "".join(re.split(r"(?m)^(?:用户|助手)[:：]", record)[2::2]).strip()
    moved = fault in {"bold", "titles"} and FAULTY[fault](record) > 0
    marks = [
        {"point": point, "mark": "met", "quote": text[:20]}
        if text in record
        else {"point": point, "mark": "met", "quote": told[:12]}
        if moved and place % 2 == 0
        else {"point": point, "mark": "not_met", "quote": ""}
        for place, (point, text) in enumerate(points.items())
    ]
    return "逐条说明如下。\n" + json.dumps({"marks": marks}, ensure_ascii=False)


def service(request: Request) -> Response:
    """A service with a protocol of its own, for the http assistant."""
    if request.headers.get("x-key", "") != "s3cret":
        return as_json({"error": "Incorrect API key"}, 401)
    asked = request.json()
    found = [{"id": "civil-2020#10", "text": "九周岁以上的人可以独立实施日常交易。"}, "没有编号的材料。"]
    return as_json({"data": {"answers": [{"text": f"服务的回答：{asked['input']['q']}"}], "found": found}})


def provider_of(path: str) -> Provider | None:
    """Whose protocol is spoken at a path."""
    if path.partition("?")[0].endswith((":generateContent", ":streamGenerateContent")):
        return GEMINI
    return CONVERSE if path.startswith("/model/") else {"/v1/messages": MESSAGES, "/v1/responses": RESPONSES}.get(path)


class Service:
    """What is served under which path."""

    def __init__(self, state: State) -> None:
        self.state = state
        self.batches = Batches(self._alone)

    async def _alone(self, request: Request) -> Response | None:
        answer = self(request)
        return answer if isinstance(answer, Response) else await answer

    def __call__(self, request: Request) -> object:
        if request.path == "/v1/chat/completions":
            return self.state.complete(request)
        return self.batches(request) or self._other(request)

    def _other(self, request: Request) -> object:
        if provider := provider_of(request.path):
            return self.state.speak(request, provider)
        if request.path.startswith("/openai/"):
            return azure_fault(request) or self.state.complete(request)
        if request.path.startswith("/v1beta/models"):
            accepted = request.headers.get("x-goog-api-key") == KEY
            listed = {
                "models": [{"name": f"models/{one['id']}"} for one in (self.state.listed or ({}, 0))[0].get("data", [])]
            }
            return as_json(listed) if accepted else as_json({"error": {"message": "API key not valid."}}, 400)
        if request.path.startswith("/v1/models?") and self.state.listed is not None:
            return as_json(*self.state.listed)
        if request.path == "/v1/embeddings":
            return self.state.embed(request)
        if request.path.startswith("/tei/"):
            return self.state.classify(request)
        if request.path == "/v1/models" and self.state.listed is not None:
            return as_json(*self.state.listed)
        served = {
            "/stats": self._stats,
            "/faults": self._set_faults,
            "/limits": self._set_limits,
            # Who asks for the list of models without the version in the address gets none.
            "/models": self._set_models if request.method == "POST" else None,
            "/ask": service,
        }
        answer = served.get(request.path)
        return answer(request) if answer else as_json({"error": "no such path"}, 404)

    def _stats(self, _: Request) -> Response:
        return as_json(self.state.stats())

    def _set_faults(self, request: Request) -> Response:
        wanted = request.json()
        self.state.faults, self.state.share = tuple(wanted["kinds"]), float(wanted["share"])
        self.state.delay = float(wanted.get("delay", self.state.delay))
        return as_json({})

    def _set_models(self, request: Request) -> Response:
        wanted = request.json()
        self.state.listed = ({"data": [{"id": name} for name in wanted["models"]]}, wanted.get("status", 200))
        return as_json({})

    def _set_limits(self, request: Request) -> Response:
        wanted = request.json()
        self.state.window = Window(int(wanted["requests"]), float(wanted["seconds"]), told=bool(wanted["told"]))
        return as_json({})


def start(arguments: Sequence[str]) -> None:
    """Serve until the process is ended."""
    with suppress(ImportError):
        import uvloop

        asyncio.set_event_loop_policy(uvloop.EventLoopPolicy())
    asyncio.run(main(arguments))


async def main(arguments: Sequence[str]) -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--delay", type=float, default=0.0)
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--faults", default="")
    parser.add_argument("--fault-share", type=float, default=0.0)
    parser.add_argument("--core", type=int, help="The one core to run on, left free by what is measured.")
    options = parser.parse_args(arguments)
    if options.core is not None:
        os.sched_setaffinity(0, {options.core})
    kinds = tuple(filter(None, options.faults.split(",")))
    port = await listen(Service(State(options.delay, kinds, options.fault_share)), options.port)
    sys.stdout.write(f"{port}\n")
    sys.stdout.flush()
    await asyncio.Event().wait()


if __name__ == "__main__":
    start(sys.argv[1:])

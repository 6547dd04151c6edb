"""A chat server that reviews clauses in the Markdown form by simple words, and takes second looks."""

from __future__ import annotations

import json
import re
import threading
import time
from http.server import BaseHTTPRequestHandler

from support.threaded_server import Quiet, ThreadedServer

_CLAUSE = re.compile(r"<<<条款 \w+>>>\n(.*?)\n<<<条款结束", re.DOTALL)
_RULE = re.compile(r"- (\w+) (\S+): ")


def reply_to(prompt: str, asked_before: int) -> str:
    """The form for a clause, in two minds about 原则上 when asked again; for a second look, one that keeps."""
    clause = (_CLAUSE.search(prompt) or [prompt, prompt])[1]
    level = "高" if re.search("不承担|不予|放弃", clause) else "中" if re.search("适当|另行|原则上", clause) else "低"
    if asked_before % 2 and "原则上" in clause:
        level = "低"
    if "复核" in prompt:
        return f"调高：无。\n调低：无。\n复核结论：维持\n风险等级：{level}\n理由：同意。"
    rule = _RULE.search(prompt)
    evidence = re.split("[，。]", clause)[0]
    risk = f"{rule[2]}（{rule[1]}）" if rule and level != "低" else "条款风险"
    return (
        f"### 风险\n- 风险：{risk}\n- 风险等级：{level}\n- 证据摘录：{evidence}\n- 分析：见条款。\n- 法律依据：无\n"
        f"- 修改建议：双方协商。\n- 置信度：{'0.5' if level == '中' else '0.9'}"
    )


class ReviewServer(ThreadedServer):
    """Answers chat completions in a thread of its own, and counts them."""

    def __init__(self) -> None:
        """Begin to listen at a free port."""
        self.requests = 0
        self.prompts: list[str] = []
        self.pause = 0.0
        """Seconds before each reply."""
        self._lock = threading.Lock()
        owner = self

        class Handler(Quiet, BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                prompt = body["messages"][-1]["content"]
                with owner._lock:
                    before = owner.prompts.count(prompt)
                    owner.requests += 1
                    owner.prompts.append(prompt)
                time.sleep(owner.pause)
                answer = {
                    "model": body["model"],
                    "choices": [{"message": {"content": reply_to(prompt, before)}, "finish_reason": "stop"}],
                    "usage": {"prompt_tokens": len(prompt), "completion_tokens": 60},
                }
                data = json.dumps(answer).encode()
                self.send_response(200)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

        super().__init__(Handler)
        self.base_url = f"http://127.0.0.1:{self.port}/v1"

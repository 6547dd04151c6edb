"""What the chat server answers to ``/v1/embeddings``: vectors that follow from the text alone, and the ways to give them wrongly."""

from __future__ import annotations

import base64
import hashlib
import math
import struct

DIMENSIONS = 48
SHORT = 120
"""Characters that ``embed-short`` takes at most."""
MEANINGS = {"自行车": "三轮车", "弄坏": "毁损", "钓鱼": "垂钓", "забор": "огораживать", "bicycle": "tricycle"}
"""Words that the model knows to mean the same: what no search by words can know."""


def vector(text: str) -> list[float]:
    """Counts of pairs of characters, hashed: texts with the same pairs, in the model's own words, lie near each other."""
    for word, meant in MEANINGS.items():
        text = text.replace(word, meant)
    counts = [0.0] * DIMENSIONS
    for place in range(len(text) - 1):
        digest = hashlib.sha256(text[place : place + 2].encode()).digest()
        counts[digest[0] % DIMENSIONS] += 1 if digest[1] % 2 else -1
    length = math.sqrt(sum(one * one for one in counts)) or 1.0
    return [one / length for one in counts]


def answered(asked: dict[str, object]) -> tuple[dict[str, object], int]:
    """Body and status of the answer to one request; the model's name says what is wrong with it."""
    model, texts = str(asked["model"]), list(asked["input"])
    if model == "embed-short" and any(len(text) > SHORT for text in texts):
        return {"error": {"message": "input is longer than the maximum context length"}}, 400
    rows = [vector(text)[: int(asked.get("dimensions", DIMENSIONS))] for text in texts]
    data: list[dict[str, object]] = [
        {"object": "embedding", "index": i, "embedding": row} for i, row in enumerate(rows)
    ]
    if model == "embed-base64":
        data = [
            {**one, "embedding": base64.b64encode(struct.pack(f"<{len(row)}f", *row)).decode()}
            for one, row in zip(data, rows, strict=True)
        ]
    elif model == "embed-shuffled":
        data.reverse()
    elif model == "embed-unnumbered":
        data = [{"embedding": row} for row in rows]
    elif model == "embed-short-of-one":
        data = data[1:]
    elif model == "embed-ragged":
        data[0]["embedding"] = rows[0][1:]
    elif model == "embed-nothing":
        data[0]["embedding"] = [None] * DIMENSIONS
    elif model == "embed-zeros":
        data = [{**one, "embedding": [0.0] * DIMENSIONS} for one in data]
    tokens = sum(map(len, texts))
    return {"object": "list", "data": data, "model": f"{model}-served", "usage": {"prompt_tokens": tokens}}, 200

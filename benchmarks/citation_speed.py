"""Speed of citation extraction: `python benchmarks/citation_speed.py [FILE…]`.

Megabytes of UTF-8 per second on one core, over the given texts or over text made here, and over hostile repetitions, where
the rate must not fall as the text grows.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

from benchbar.languages.numerals import to_chinese
from benchbar.law.citations import extract

HOSTILE = (
    "第一",
    "第一、",
    "《第一条",
    "合同第一条",
    "关于规定第一条",
    "（2019）民",
    "民法第一条该条第一项",
    "п. 1 ",
    "ст. 1, 1, ",
    "s. 1, ",
)
SENTENCE = "本院认为，原告的请求有事实依据，依照《中华人民共和国民法典》第{}条、第{}条第一款之规定，应予支持；其余请求没有依据，不予支持。"


def rate(text: str) -> tuple[float, int]:
    """Megabytes per second, the best of three, and the citations found."""
    best, found = float("inf"), 0
    for _ in range(3):
        begin = time.perf_counter()
        found = len(extract(text))
        best = min(best, time.perf_counter() - begin)
    return len(text.encode()) / 1e6 / best, found


def made_text() -> str:
    """About two megabytes of judgment-like sentences, two citations in each."""
    return "\n".join(SENTENCE.format(to_chinese(n % 1260 + 1), to_chinese(n * 7 % 1260 + 1)) for n in range(10_000))


def main() -> None:
    """Print a table."""
    texts = {name: Path(name).read_text(encoding="utf-8") for name in sys.argv[1:]} or {"made here": made_text()}
    print("| text | MB | citations | MB/s |\n| --- | --- | --- | --- |")
    for name, text in texts.items():
        speed, found = rate(text)
        print(f"| {Path(name).name} | {len(text.encode()) / 1e6:.1f} | {found} | {speed:.0f} |")
    for unit in HOSTILE:
        short, long = rate(unit * (50_000 // len(unit)))[0], rate(unit * (200_000 // len(unit)))[0]
        print(f"| {unit!r} repeated, 50,000 and 200,000 characters | | | {short:.1f}, {long:.1f} |")


if __name__ == "__main__":
    main()

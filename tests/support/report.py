"""Opens a report as its script does in a browser: the pages of samples are unpacked, and their words filled in."""

from __future__ import annotations

import base64
import gzip
import html
import json
import re

PACKED = re.compile(r'<script type="application/gzip" id="packed">([A-Za-z0-9+/=]*)</script>')
PLACE = '<section class="sample" id="page" tabindex="-1" hidden></section>'
"""Where the script puts one sample at a time."""
PHRASE = re.compile(r"<span data-phrase=(\d+)></span>")


def unpacked(text: str) -> tuple[dict, dict[str, str]]:
    """The words in every language, and the HTML of each sample's page without its words."""
    head, *pages = gzip.decompress(base64.b64decode(PACKED.search(text)[1])).decode().rstrip("\n").split("\n")
    found = json.loads(head)
    return found, dict(zip(found["pages"], map(json.loads, pages), strict=True))


def opened(report: bytes | str, language: str = "") -> str:
    """The page with every sample in the order of the run, in the language that it opens in or another."""
    text = report if isinstance(report, str) else report.decode()
    head, pages = unpacked(text)
    first = re.search(r'<html lang="([^"]+)"', text)[1]
    if language and language != first:
        said = head["overviews"][language]
        text = re.sub(r"(?s)(<main.*?>).*(</main>)", lambda found: found[1] + said["overview"] + found[2], text)
        text = re.sub(r"<title>.*?</title>", lambda _: f"<title>{html.escape(said['title'])}</title>", text)
        text = text.replace(f'<html lang="{first}">', f'<html lang="{language}">')
    at = head["languages"].index(language or first)
    sections = [
        f'<section class="sample" id="{id_}">{PHRASE.sub(lambda one: html.escape(head["phrases"][int(one[1])][at]), body)}</section>'
        for id_, body in sorted(pages.items(), key=lambda item: int(item[0][1:]))
    ]
    text = text.replace(PLACE, "")
    return PACKED.sub(lambda _: "\n".join(sections), text)

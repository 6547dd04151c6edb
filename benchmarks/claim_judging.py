"""How often is a judge model right about claims? `python benchmarks/claim_judging.py MODEL BASE_URL [--api-key-env NAME] [--ledger FILE]`.

The gold of our own (`benchmarks/claims`: articles, and claims that they support, contradict, or are silent on) is put to the model as the judge
kind `support` puts it; rules are left out. Printed are, by language, how often each verdict was right, with Wilson's 95% interval, and what
became of each kind of claim. Answers that could not be read are missing and counted apart.
"""

from __future__ import annotations

import argparse
import asyncio
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path

from benchbar.clients import Endpoint
from benchbar.clients.session import open_session
from benchbar.languages.prompts import Prompts
from benchbar.law.citations import extract
from benchbar.law.claims.around import claim_span
from benchbar.law.claims.checking import masked
from benchbar.law.claims.passage import cited_part
from benchbar.records import Citation, CitationStatus, CitedIn, ClaimCheck, OpenClaim
from benchbar.scoring.judges import Support
from benchbar.statistics.proportions import proportion

GOLD = Path(__file__).parent / "claims"
KINDS = {"supports": "supports", "silent": "silent"}
"""Kind of a claim to the verdict that it should get; all other kinds contradict."""


def claims() -> Iterator[tuple[str, str, OpenClaim]]:
    """Language, kind and claim of each line of the gold."""
    for path in sorted(GOLD.glob("*/*.txt")):
        for block in path.read_text("utf-8").strip().split("\n\n"):
            _, *lines = block.splitlines()
            article = "\n".join(line.removeprefix("| ") for line in lines if line.startswith("| "))
            for line in lines:
                kind, _, text = line.partition(": ")
                if not line.startswith("| "):
                    yield path.stem, kind, claim_of(text, article, path.stem)


def claim_of(text: str, article: str, language: str) -> OpenClaim:
    """The claim beside the first citation of a text, else all of it."""
    mentions = [one for one in extract(text, language) if one.article]
    said = claim_span(text, mentions, 0) if mentions else (0, len(text))
    span, cited = (mentions[0].span, mentions[0].text) if mentions else ((0, 0), "")
    one = Citation(span=span, text=cited, language=language, status=CitationStatus.VERIFIED)
    return OpenClaim(
        cited=CitedIn(sample="", assistant="", turn=0, on="", citation=one),
        context=text[: said[0]],
        said=said,
        claim=masked(text, said, one),
        article=cited_part(article, mentions[0]) if mentions else article,
    )


async def judged(
    found: Sequence[tuple[str, str, OpenClaim]], endpoint: Endpoint, ledger: Path | None
) -> list[ClaimCheck]:
    """The model's verdict on each claim."""
    async with open_session(ledger) as session:
        judge = Support(session.chat(endpoint), Prompts(nonce=session.ledger.nonce))
        asked = (
            judge.judge(claim, of=f"gold {place}", language=language)
            for place, (language, _, claim) in enumerate(found)
        )
        return list(await asyncio.gather(*asked))


def shares(pairs: Sequence[tuple[bool, str]]) -> str:
    """Right of said, with the interval."""
    right = sum(one for one, _ in pairs)
    interval = proportion(right, len(pairs), unit="claim")
    return f"{right} of {len(pairs)}, {right / len(pairs):.3f} [{interval.low:.3f}, {interval.high:.3f}]"


def main() -> None:
    """Print both tables."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("model")
    parser.add_argument("base_url")
    parser.add_argument("--api-key-env", default="")
    parser.add_argument("--ledger", type=Path)
    given = parser.parse_args()
    found = list(claims())
    endpoint = Endpoint(model=given.model, base_url=given.base_url, api_key_env=given.api_key_env)
    checks = asyncio.run(judged(found, endpoint, given.ledger))
    said: dict[tuple[str, str], list[tuple[bool, str]]] = defaultdict(list)
    became: dict[tuple[str, str], dict[str, int]] = defaultdict(lambda: defaultdict(int))
    for (language, kind, _), check in zip(found, checks, strict=True):
        wanted = KINDS.get(kind, "contradicts")
        verdict = "missing" if check.failed else check.verdict.value
        became[language, wanted][verdict] += 1
        said[language, verdict].append((verdict == wanted, kind))
    print("| language | verdict | right |\n| --- | --- | --- |")
    for (language, verdict), pairs in sorted(said.items()):
        if verdict not in {"missing", "cannot_tell"}:
            print(f"| {language} | {verdict} | {shares(pairs)} |")
    print("\n| language | claim | verdicts |\n| --- | --- | --- |")
    for (language, wanted), counts in sorted(became.items()):
        print(f"| {language} | {wanted} | {', '.join(f'{name} {count}' for name, count in sorted(counts.items()))} |")


if __name__ == "__main__":
    main()

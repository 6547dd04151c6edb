"""How often is a model right about claims? `python benchmarks/claim_judging.py MODEL BASE_URL [--api-key-env NAME] [--ledger FILE]`.

The gold of our own (`benchmarks/claims`: articles, and claims that they support, contradict, or are silent on) is put to the model as the judge
kind `support` puts it; rules are left out. Printed are, by language, how often each verdict was right, with Wilson's 95% interval, and what
became of each kind of claim. Answers that could not be read are missing and counted apart.

    --entailment SETTINGS   a model of natural language inference (a TOML file, or a folder with an ONNX model) in place of MODEL and BASE_URL
    --bounds FILE           with it: fit the scores from which its verdicts are right often enough, and write them with their precision
    --data ../shared/data   with the claims of laymen on its articles (`benchmarks/claims/lay`), else only those whose article stands there
    --marked FILE           claims of your own in place of the gold: JSON lines with language, article, claim and verdict, and group where several
                            claims are on one article

Bounds are fitted on all claims; the precision that is printed and kept beside each is that of bounds fitted without the fifth of articles that
they were tried on.
"""

from __future__ import annotations

import argparse
import asyncio
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec
from claim_laymen import HALVES, Articles, lay_claims

from benchbar.clients import Endpoint
from benchbar.clients.session import open_session
from benchbar.languages.prompts import Prompts
from benchbar.law.citations import extract
from benchbar.law.claims.around import claim_span
from benchbar.law.claims.checking import masked
from benchbar.law.claims.passage import cited_part
from benchbar.records import Citation, CitationStatus, CitedIn, ClaimCheck, ClaimVerdict, OpenClaim
from benchbar.records.files import write_atomically
from benchbar.scoring.entailment.bounds import Bounds, Marked, fitted, told
from benchbar.scoring.entailment.checking import Entailment, best
from benchbar.scoring.entailment.settings import read_settings
from benchbar.scoring.judges import Support
from benchbar.statistics.proportions import proportion

GOLD = Path(__file__).parent / "claims"
KINDS = {"supports": "supports", "silent": "silent"}
"""Kind of a claim to the verdict that it should get; all other kinds contradict."""


class GoldClaim(NamedTuple):
    """A claim that people have marked."""

    language: str
    kind: str
    group: str
    claim: OpenClaim

    @property
    def wanted(self) -> str:
        """The verdict that it should get."""
        return KINDS.get(self.kind, "contradicts")


def claims() -> Iterator[GoldClaim]:
    """Each line of the gold."""
    for path in sorted(GOLD.glob("*/*.txt")):
        for block in path.read_text("utf-8").strip().split("\n\n"):
            head, *lines = block.splitlines()
            article = "\n".join(line.removeprefix("| ") for line in lines if line.startswith("| "))
            for line in lines:
                kind, _, text = line.partition(": ")
                if not line.startswith("| "):
                    yield GoldClaim(path.stem, kind, head, claim_of(text, article, path.stem))


def of_laymen(articles: Articles) -> Iterator[GoldClaim]:
    """The claims of laymen, on articles that are at hand."""
    for half in HALVES:
        for one in lay_claims(half, articles):
            if not isinstance(one, str):
                yield GoldClaim(one.language, one.kind, one.head, claim_of(one.claim, one.article, one.language))


def marked_claims(path: Path) -> Iterator[GoldClaim]:
    """Claims of one's own."""
    for number, line in enumerate(path.read_text("utf-8").splitlines()):
        if line.strip():
            row = msgspec.json.decode(line)
            group = str(row.get("group", number))
            yield GoldClaim(
                row["language"], row["verdict"], group, claim_of(row["claim"], row["article"], row["language"])
            )


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


async def judged(found: Sequence[GoldClaim], endpoint: Endpoint, ledger: Path | None) -> list[ClaimCheck]:
    """The judge's verdict on each claim."""
    async with open_session(ledger) as session:
        judge = Support(session.chat(endpoint), Prompts(nonce=session.ledger.nonce))
        asked = (judge.judge(one.claim, of=f"gold {place}", language=one.language) for place, one in enumerate(found))
        return list(await asyncio.gather(*asked))


async def scored(
    found: Sequence[GoldClaim], settings: Path, ledger: Path | None
) -> tuple[str, list[Mapping[str, float] | None]]:
    """What bounds call the model, and its probabilities for each claim."""
    async with open_session(ledger) as session:
        own, base = read_settings(settings)
        # Bounds of before must not stand in the way of new ones.
        model = Entailment(msgspec.structs.replace(own, bounds=""), base, session)
        parts = [found[start : start + own.batch] for start in range(0, len(found), own.batch)]
        answers = [await model.scores([one.claim for one in part]) for part in parts]
        return model.model, [one for part in answers for one in part]


def measured(model: str, found: Sequence[GoldClaim], scores: Sequence[Mapping[str, float] | None]) -> Bounds:
    """The bounds of a model, from its probabilities for marked claims; those that were too long for it are left out."""
    marked = [
        Marked(one.group, one.language, ClaimVerdict(one.wanted), *best(own))
        for one, own in zip(found, scores, strict=True)
        if own is not None
    ]
    return fitted(model, marked)


def bounds_table(bounds: Bounds) -> Iterator[str]:
    """What is given, and how often it was right."""
    yield "| verdict, language | said | right | precision [95%] | from |\n| --- | --- | --- | --- | --- |"
    for name, one in bounds.rows.items():
        own = one.precision
        yield f"| {name} | {own.said} | {own.right} | {own.value:.3f} [{own.low:.3f}, {own.high:.3f}] | {told(bounds, name)} |"
    for verdict, own in bounds.together.items():
        yield f"| {verdict} all | {own.said} | {own.right} | {own.value:.3f} [{own.low:.3f}, {own.high:.3f}] | |"


def shares(pairs: Sequence[tuple[bool, str]]) -> str:
    """Right of said, with the interval."""
    right = sum(one for one, _ in pairs)
    interval = proportion(right, len(pairs), unit="claim")
    return f"{right} of {len(pairs)}, {right / len(pairs):.3f} [{interval.low:.3f}, {interval.high:.3f}]"


def tables(found: Sequence[GoldClaim], said_of: Sequence[str]) -> Iterator[str]:
    """How often each verdict was right, and what became of each kind of claim."""
    said: dict[tuple[str, str], list[tuple[bool, str]]] = defaultdict(list)
    became: dict[tuple[str, str], dict[str, int]] = defaultdict(lambda: defaultdict(int))
    for one, verdict in zip(found, said_of, strict=True):
        became[one.language, one.wanted][verdict] += 1
        said[one.language, verdict].append((verdict == one.wanted, one.kind))
    yield "| language | verdict | right |\n| --- | --- | --- |"
    for (language, verdict), pairs in sorted(said.items()):
        if verdict not in {"missing", "cannot_tell"}:
            yield f"| {language} | {verdict} | {shares(pairs)} |"
    yield "\n| language | claim | verdicts |\n| --- | --- | --- |"
    for (language, wanted), counts in sorted(became.items()):
        yield f"| {language} | {wanted} | {', '.join(f'{name} {count}' for name, count in sorted(counts.items()))} |"


def main() -> None:
    """Print the tables; write the bounds."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("model", nargs="?")
    parser.add_argument("base_url", nargs="?")
    parser.add_argument("--api-key-env", default="")
    parser.add_argument("--ledger", type=Path)
    parser.add_argument("--entailment", type=Path)
    parser.add_argument("--bounds", type=Path)
    parser.add_argument("--data", type=Path)
    parser.add_argument("--marked", type=Path)
    given = parser.parse_args()
    if bool(given.entailment) == bool(given.model and given.base_url):
        parser.error("name MODEL and BASE_URL of a judge, or --entailment")
    found = [*marked_claims(given.marked)] if given.marked else [*claims(), *of_laymen(Articles(given.data))]
    if not given.entailment:
        endpoint = Endpoint(model=given.model, base_url=given.base_url, api_key_env=given.api_key_env)
        checks = asyncio.run(judged(found, endpoint, given.ledger))
        print("\n".join(tables(found, ["missing" if one.failed else one.verdict.value for one in checks])))
        return
    model, scores = asyncio.run(scored(found, given.entailment, given.ledger))
    bounds = measured(model, found, scores)
    if given.bounds:
        write_atomically(given.bounds, msgspec.json.format(msgspec.json.encode(bounds), indent=1) + b"\n")
    print("\n".join((f"{model}, {bounds.claims} claims", *bounds_table(bounds), "")))
    print("\n".join(tables(found, ["missing" if one is None else best(one)[0].value for one in scores])))


if __name__ == "__main__":
    main()

"""Covers, in what a rater is shown, the names by which an assistant could be told: a reply may say which model it is."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from benchbar.artefacts.layout import RunFolder
from benchbar.records.errors import BadInputError
from benchbar.records.files import read_bounded
from benchbar.scoring.judges.families import families, family_of
from benchbar.web.folders import REMEMBERED, results_of

HIDDEN = "█████"
LEAST = 4
"""Characters of a name with a digit or a sign, below which it is a word like any other."""
# Letters of alphabets and digits, no Chinese characters: a name may stand right before 认为, and `gpt-4` in
# `my-gpt-4-notes` is another name.
_WITHIN = r"[0-9A-Za-z_À-ɏЀ-ӿ-]"
_I_AM = (
    r"(?:(?<!\w)I(?:\s+am|['’]m)(?!\w)|(?<!\w)my\s+name\s+is(?!\w)|我是|我叫|我的名字是|作为|作為|身为|身為|本人是"
    r"|(?<!\w)я(?!\w)|(?<!\w)меня\s+зовут(?!\w))"
)
"""How a reply begins to say who it is."""
_BETWEEN = r"[^.!?。！？\n]{0,60}?"
"""What stands between that and the name, such as "a large language model called": within one sentence, bounded so that the
search stays linear."""


_SAYS = (
    r"\s?(?:[:：]|(?:认为|認為|建议|建議|觉得|覺得|提醒|回答|答复|答覆|为您|為您|很高兴|很高興)"
    r"|(?:believes|thinks|suggests|recommends|answers|says|here)(?!\w)|(?:считает|полагает|советует|рекомендует|отвечает|здесь)(?!\w))"
)
"""What follows a name with which a reply begins to speak of itself: "Doubao: …", 文心一言认为."""


@dataclass(frozen=True)
class Names:
    """What assistants and models of a run are called."""

    marked: re.Pattern[str] | None
    """Names with a digit or a sign, which are no ordinary words: covered wherever they stand."""
    introduced: re.Pattern[str] | None
    """Any name, or the name of the model's family, where a reply says who it is. "Claude" alone may be a person in the case."""

    speaking: re.Pattern[str] | None = None
    """Such a name at the very beginning of a reply that speaks of itself by it."""

    def covered(self, texts: Sequence[str]) -> list[str]:
        """The texts of one dialogue; a name by which a reply introduces itself is covered in all of them."""
        found = {match[1] for text in texts for match in (self.introduced.finditer(text) if self.introduced else ())}
        found |= {match[1] for text in texts if self.speaking and (match := self.speaking.match(text))}
        patterns = [one for one in (self.marked, _any_of(found)) if one is not None]
        shown = list(texts)
        for pattern in patterns:
            shown = [pattern.sub(HIDDEN, text) for text in shown]
        return shown


def names_of(run: Path) -> Names:
    """The names of a run's assistants and of the models behind them and behind its judges."""
    return REMEMBERED.get(("names", run), RunFolder(run).states(), lambda: _names(run))


def _names(run: Path) -> Names:
    names, models = set(results_of(run).assistants), _models_of(run)
    names |= {part for model in models for part in (model, model.rpartition("/")[2])}
    # Raters may well know the judge of a bench; what tells one assistant from the other is its own family.
    table = families()
    of_models = {family for model in models if (family := family_of(model, table))}
    brands = {start.strip("-") for start, family in table.items() if family in of_models} | of_models
    introduced = _alternatives({*names, *brands})
    return Names(
        marked=_any_of(name for name in names if len(name) >= LEAST and re.search(r"[\d\-_.:/]", name)),
        introduced=re.compile(f"{_I_AM}{_BETWEEN}{introduced}", re.IGNORECASE) if introduced else None,
        speaking=re.compile(rf"[\s*【\[「“\"#]{{0,4}}{introduced}[\s*】\]」”\"]{{0,4}}{_SAYS}", re.IGNORECASE)
        if introduced
        else None,
    )


def _any_of(names: Iterable[str]) -> re.Pattern[str] | None:
    found = _alternatives(names)
    return re.compile(found, re.IGNORECASE) if found else None


def _alternatives(names: Iterable[str]) -> str:
    # Longest first, or `gpt-4` would leave `-turbo` behind.
    ordered = sorted(filter(None, names), key=lambda name: (-len(name), name))
    return rf"(?<!{_WITHIN})({'|'.join(map(re.escape, ordered))})(?!{_WITHIN})" if ordered else ""


def _models_of(run: Path) -> set[str]:
    file = RunFolder(run).manifest
    if not file.is_file():
        return set()
    try:
        stated = msgspec.json.decode(read_bounded(file))
    except msgspec.MsgspecError as error:
        raise BadInputError(str(error), file=file) from error
    spec = stated.get("spec", {}) if isinstance(stated, dict) else {}
    # The judge's as well: people who check its decisions are not to know whose they are.
    return {name for part in ("assistants", "judge") for name in _models(spec.get(part))}


def _models(value: Any) -> Iterable[str]:
    """The values of ``model``, however deep."""
    if isinstance(value, list):
        for one in value:
            yield from _models(one)
    for key, inner in value.items() if isinstance(value, dict) else ():
        if key == "model" and isinstance(inner, str):
            # Providers prefix the model's name with their own (`openai/gpt-4o`); a reply uses the last part.
            yield inner
        yield from _models(inner)

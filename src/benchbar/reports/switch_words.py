"""The variants of an ablation by the words of a language: “risk rules: hybrid search” for ``rules=hybrid``."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TypeVar

import msgspec

from benchbar.languages.packs import Labels
from benchbar.records.ablation import (
    AblationResults,
    ConsultationAblation,
    Contrast,
    ContrastTable,
    QuestionAblation,
    ReviewTiming,
    Variant,
)

Study = TypeVar("Study", bound=AblationResults | ConsultationAblation | QuestionAblation)
_SET = re.compile(r"(?P<key>[a-z][\w.]*)=(?P<value>[^,\s=]+)(?P<comma>,?)(?!\s*=)")
_EFFECT = re.compile(r"(?P<key>[a-z][\w.]*): (?P<one>[^,\s]+) - (?P<two>[^,\s]+)")


def variant_in_words(name: str, say: Labels) -> str:
    """A variant's or a difference's name with its switches and their settings in words; what no label names stays as it is."""
    switches, values = say.section("switch"), say.section("setting")

    def known(key: str) -> str:
        return switches.get(key.rpartition(".")[2], "")

    between = say("study.beside")

    def said_of(switch: str, setting: str) -> str:
        return say("gate_reason.condition", check=switch, why=setting)

    def worded(value: str) -> str:
        return values.get(value.lower(), value)

    def is_set(found: re.Match[str]) -> str:
        if not known(found["key"]):
            return found[0]
        setting = said_of(known(found["key"]), worded(found["value"]))
        return setting + (between if found["comma"] else "")

    def effect(found: re.Match[str]) -> str:
        if not known(found["key"]):
            return found[0]
        return said_of(known(found["key"]), f"{worded(found['one'])} − {worded(found['two'])}")

    said = _SET.sub(is_set, name) if "=" in name else _EFFECT.sub(effect, name)
    return said.replace(", with ", between + say("study.with")) if "=" not in name else said.replace(" - ", " − ")


def in_words(found: Study, say: Labels) -> Study:
    """The same results with every variant and difference under its name in words."""

    def name(text: str) -> str:
        return variant_in_words(text, say)

    def contrasts(listed: tuple[Contrast, ...]) -> tuple[Contrast, ...]:
        return tuple(msgspec.structs.replace(one, name=name(one.name)) for one in listed)

    def table(one: ContrastTable) -> ContrastTable:
        return msgspec.structs.replace(
            one,
            pairs=contrasts(one.pairs),
            main_effects=contrasts(one.main_effects),
            interactions=contrasts(one.interactions),
        )

    return msgspec.structs.replace(
        found,
        variants=tuple(Variant(name(one.name), one.switches) for one in found.variants),
        results={name(key): value for key, value in found.results.items()},
        reference=name(found.reference) if found.reference else found.reference,
        contrasts=tuple(table(one) for one in found.contrasts),
    )


def timing_in_words(timing: Mapping[str, ReviewTiming], say: Labels) -> dict[str, ReviewTiming]:
    """The times under the same names."""
    return {variant_in_words(key, say): value for key, value in timing.items()}

"""The offline reviewer: rules, weighed wordings and law, without any model. The same clause always gets the same review."""

from __future__ import annotations

import time
from collections.abc import Sequence

from benchbar.contracts.cues import CueHit, danger, find_cues, protection
from benchbar.contracts.form import LABELS, LEVEL_NAMES, write_form
from benchbar.contracts.generation import ReviewRequest
from benchbar.contracts.marks import read_mark
from benchbar.contracts.parse import read_review
from benchbar.contracts.rules import RiskRule
from benchbar.languages.text import sentences
from benchbar.records import Reply, Usage
from benchbar.records.contracts import Finding, RiskLevel

HIGH, MEDIUM = 2.0, 0.5
"""Least weight of a level: a right given up alone is high, one open term medium."""
PROTECTED = 0.75
"""How much a protective wording counts against a dangerous one on the second look."""
MOST_EXCERPTS = 3

_NO_RISK = {"zh": "未发现明显风险", "en": "no marked risk found", "ru": "явного риска не найдено"}
_SILENT = {
    "zh": "条款中没有本规则库所知的风险措辞",
    "en": "no wording of a known risk stands in it",
    "ru": "формулировок известных рисков нет",
}
_KEEP = {"zh": "保留现有文字。", "en": "Keep the wording.", "ru": "Оставить текст без изменений."}
_UNNAMED = {
    "zh": "对一方不利的约定",
    "en": "terms that disadvantage one party",
    "ru": "условия, невыгодные одной стороне",
}
_REMEDY: dict[str, dict[str, str]] = {
    "waiver": {"zh": "双方依法享有的权利不因本条而受限制，任何一方均可依法提出异议。", "en": "Nothing in this clause limits a right that a party has by law, and either party may object.", "ru": "Настоящее условие не ограничивает прав сторон по закону; каждая сторона вправе заявить возражения."},
    "exclusion": {"zh": "因一方违约或过错造成对方损失的，该方应依法承担赔偿责任。", "en": "A party that causes loss by breach or fault shall compensate the other as the law provides.", "ru": "Сторона, причинившая убытки нарушением или по своей вине, возмещает их в соответствии с законом."},
    "unilateral": {"zh": "变更本条内容须经双方协商一致并签订书面补充协议。", "en": "Any change under this clause requires the written agreement of both parties.", "ru": "Изменения по настоящему условию вносятся письменным соглашением сторон."},
    "unconditional": {"zh": "有正当理由的一方可在合理期限内书面说明后不受本条约束。", "en": "A party with good cause may be released on reasonable written notice.", "ru": "При уважительной причине сторона вправе отказаться, письменно уведомив в разумный срок."},
    "forfeiture": {"zh": "扣除应以实际损失为限，并附书面凭据；余款应在十日内退还。", "en": "Any deduction is limited to proven loss, and the rest is returned within ten days.", "ru": "Удержание ограничивается доказанными убытками; остаток возвращается в течение десяти дней."},
    "open_term": {"zh": "在本条写明具体的时间、数额和标准；如需调整，由双方书面确认。", "en": "State the date, the amount and the standard here; changes are confirmed by both in writing.", "ru": "Указать срок, сумму и критерий; изменения подтверждаются сторонами письменно."},
    "deemed": {"zh": "未作书面表示的，不视为同意；通知自对方签收时生效。", "en": "Silence is not consent; a notice takes effect when the other party has received it.", "ru": "Молчание не считается согласием; уведомление действует с момента получения."},
    "burden": {"zh": "费用由依法应当承担的一方承担；因一方使用不当造成的，由该方承担。", "en": "Each cost is borne by the party that the law charges with it; damage by misuse by the party that caused it.", "ru": "Расходы несёт сторона, на которую их возлагает закон; ущерб от неправильного использования — виновная сторона."},
    "limited": {"zh": "本条不影响另一方依法享有的救济；限制仅在双方书面确认的范围内有效。", "en": "Remedies given by law remain; a limit holds only so far as both confirmed it in writing.", "ru": "Средства защиты по закону сохраняются; ограничение действует в письменно согласованных пределах."},
}  # fmt: skip


class OfflineReviewer:
    """A generator that needs no model; prompts and repeats change nothing in it."""

    identity = "offline:2"

    async def review(self, request: ReviewRequest) -> Reply:
        """The form filled in from the dangerous wordings, the rules and the law that were given."""
        began = time.perf_counter()
        text = request.whole or request.text
        hits = find_cues(text)
        level = max(level_of(danger(hits)), _ruled(request.rules, text), key=lambda one: one.rank)
        rules = _chosen(request.rules, text)
        findings = [_finding(request, text, hits, level, next(iter(rules), None))]
        if level is not RiskLevel.LOW:
            findings += [_further(request, text, rule) for rule in rules[1:]]
        form = write_form(findings, request.language)
        return _reply(form, began)

    async def reflect(self, request: ReviewRequest, draft: str) -> Reply:
        """The second look: protective wordings are set against dangerous ones, in both directions."""
        began = time.perf_counter()
        text = request.whole or request.text
        hits = find_cues(text)
        before = read_review(draft).level or RiskLevel.LOW
        weighed = level_of(danger(hits) - PROTECTED * protection(hits))
        after = max(weighed, _ruled(request.rules, text), key=lambda one: one.rank)
        doubtful = after != before and danger(hits) > 0 and abs(after.rank - before.rank) > 1
        outcome = "doubtful" if doubtful else "keep" if after == before else "adjust"
        words = LABELS.get(request.language, LABELS["en"])
        level = LEVEL_NAMES.get(request.language, LEVEL_NAMES["en"])[before if doubtful else after]
        reason = f"{danger(hits):g} - {PROTECTED:g} x {protection(hits):g}"
        return _reply(f"outcome: {outcome}\n{words['level']}: {level}\n{words['analysis']}: {reason}", began)


def level_of(weight: float) -> RiskLevel:
    """The level that a weight of wordings stands for."""
    return RiskLevel.HIGH if weight >= HIGH else RiskLevel.MEDIUM if weight >= MEDIUM else RiskLevel.LOW


def least_level(text: str, rules: Sequence[RiskRule] = ()) -> RiskLevel:
    """The level that the clause's own wordings and its rules' cases call for, whatever else it says."""
    return max(level_of(danger(find_cues(text))), _ruled(rules, text), key=lambda one: one.rank)


def _ruled(rules: Sequence[RiskRule], text: str) -> RiskLevel:
    """The gravest level that a case of the rules names; where only keywords meet, medium. Retrieval alone names none."""
    levels = [RiskLevel.LOW]
    for rule in rules:
        named = rule.level_of(text)
        if named is not None:
            levels.append(named)
        elif rule.matches(text) and not protection(find_cues(text)):
            levels.append(RiskLevel.MEDIUM)
    return max(levels, key=lambda one: one.rank)


def _further(request: ReviewRequest, text: str, rule: RiskRule) -> Finding:
    """The finding of a second rule whose own wordings stand in the clause, graded by the sentences they stand in."""
    part = " ".join(text[start:end] for start, end in sentences(text) if rule.matches(text[start:end])) or text
    hits = find_cues(part)
    level = max(level_of(danger(hits)), _ruled((rule,), part), RiskLevel.MEDIUM, key=lambda one: one.rank)
    return _finding(request, part, hits, level, rule)


def _finding(
    request: ReviewRequest, text: str, hits: Sequence[CueHit], level: RiskLevel, rule: RiskRule | None
) -> Finding:
    language = request.language if request.language in _NO_RISK else "en"
    dangerous = sorted((hit for hit in hits if hit.cue.weight > 0), key=lambda hit: -hit.cue.weight)
    if level is RiskLevel.LOW:
        safe = [hit for hit in hits if hit.cue.weight < 0]
        return Finding(
            risk=_NO_RISK[language],
            level=level,
            evidence="\n".join(_excerpts(text, safe or hits, None)),
            analysis=_meanings(safe, language) or _SILENT[language],
            suggestion=_KEEP[language],
            confidence=_confidence(hits),
        )
    name = f"{rule.name} ({rule.id})" if rule else _UNNAMED[language]
    reasons = [_meanings(dangerous, language), rule.reasoning if rule else "", *request.passages[:1]]
    remedy = _REMEDY.get(dangerous[0].cue.name, {}).get(language, "") if dangerous else ""
    return Finding(
        risk=name,
        level=level,
        evidence="\n".join(_excerpts(text, dangerous, rule)),
        analysis=" ".join(reason.replace("\n", " ") for reason in reasons if reason),
        law="; ".join(rule.law) if rule else "",
        suggestion=(rule.suggestion if rule and rule.suggestion else remedy) or _REMEDY["open_term"][language],
        confidence=_confidence(hits),
    )


def _chosen(rules: Sequence[RiskRule], text: str) -> list[RiskRule]:
    """The rules whose own wordings stand in the clause, most first; else the one that retrieval put first."""
    literal = [rule for rule in rules if rule.matches(text)]
    return sorted(literal, key=lambda rule: -len(rule.matches(text))) or list(rules[:1])


def _excerpts(text: str, dangerous: Sequence[CueHit], rule: RiskRule | None) -> list[str]:
    """Whole sentences, gravest wordings first; where only the rule's words meet, the first sentence."""
    mark = read_mark(text)
    bare = text[mark.end :] if mark and not mark.is_item else text
    shift = len(text) - len(bare)
    spans = [(max(start, shift), end) for start, end in sentences(text) if end > shift]
    chosen: list[str] = []
    for hit in dangerous:
        sentence = next((text[start:end] for start, end in spans if start <= hit.start < end), "")
        if sentence and sentence not in chosen:
            chosen.append(sentence)
    if not chosen:
        matching = [text[start:end] for start, end in spans if rule is not None and rule.matches(text[start:end])]
        chosen = matching or [text[start:end] for start, end in spans[:1]]
    return [" ".join(one.split()) for one in chosen[:MOST_EXCERPTS]]


def _meanings(hits: Sequence[CueHit], language: str) -> str:
    seen = dict.fromkeys(f"{hit.cue.meaning[language]} (“{hit.text}”)" for hit in hits)
    return "; ".join(seen) + ("." if seen and language != "zh" else "。" if seen else "")


def _confidence(hits: Sequence[CueHit]) -> float:
    """Low where wordings of both kinds meet, and where there are none: then the level rests on silence."""
    bad, good = danger(hits), protection(hits)
    if bad and good:
        return 0.4
    if bad:
        return min(0.95, 0.55 + 0.1 * bad)
    return 0.85 if good else 0.6


def _reply(content: str, began: float) -> Reply:
    return Reply(
        content=content,
        usage=Usage(input_tokens=0, output_tokens=0),
        latency=time.perf_counter() - began,
        cost=0.0,
        model="offline",
        finish="stop",
    )

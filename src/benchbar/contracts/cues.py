"""Wordings that make a clause dangerous or safe whatever it is about: the offline reviewer's ground for a level.

The weights are set by hand, from what such words do in law: to give up a right or to exclude liability weighs 2, to leave a
term open or to shift a cost weighs 1, to tie a power to agreement, law or notice takes 1 away. No weight was fitted,
but the wordings were chosen with public labelled clauses in view: measure the reviewer on others.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from benchbar.contracts.patterns import pattern
from benchbar.languages.text import sentences


@dataclass(frozen=True, slots=True)
class Cue:
    """A kind of wording, what it means for the reader, and its weight."""

    name: str
    weight: float
    wordings: tuple[str, ...]
    meaning: dict[str, str]
    """Language to one clause of explanation."""


@dataclass(frozen=True, slots=True)
class CueHit:
    """One wording found."""

    cue: Cue
    start: int
    end: int
    text: str


CUES: tuple[Cue, ...] = (
    Cue(
        "waiver",
        2.0,
        (
            r"放弃.{0,16}(?:权|主张|要求|申请|索赔)|(?:自愿|无条件|视为|承诺).{0,6}放弃|不得.{0,6}(?:异议|主张|追究|索赔|催|起诉)|互不追究|不再.{0,6}(?:追究|主张|要求)|无权(?!处分)",
            r"\bwaives?\b|\bwaived\b|shall have no (?:right|claim|recourse|remedy)|no right to|may not (?:object|claim|challenge|dispute)",
            r"отказ(?:ывается|ался) от (?:права|прав|претензий|требований)|не вправе (?:требовать|оспаривать|возражать|предъявлять)",
        ),
        {"zh": "要求一方放弃权利或不得提出异议", "en": "one party gives up a right or may not object", "ru": "сторона отказывается от права или лишается возражений"},
    ),
    Cue(
        "exclusion",
        2.0,
        (
            r"不承担.{0,12}(?:责任|义务|赔偿|费用|违约)|概不(?:负责|退|承担|受理)|责任(?:完全)?由.{0,8}自负|后果自负|自行承担.{0,4}(?:风险|一切|全部|所有|后果)|免予赔偿|(?:不予|不再|无需|不|不另行|拒绝)(?:另行)?(?:向.{0,6})?(?:支付|退还|返还|赔偿|补偿|给付|退换|承担|发放|发工资)",
            r"(?:not be|is not|are not|no) (?:liable|responsible|liability)|without (?:any )?liability|exclud\w{1,3} .{0,20}liability|non-refundable|no refund|at its own risk",
            r"не нес[её]т .{0,20}ответственност|не (?:возвраща|возмеща|компенсиру|выплачива)\w{1,5}|без (?:компенсации|возмещения|выплаты)",
        ),
        {"zh": "免除一方的责任或拒绝应付的款项", "en": "one party's liability or payment is excluded", "ru": "ответственность или выплата стороны исключена"},
    ),
    Cue(
        "unilateral",
        2.0,
        (
            r"单方面?(?:决定|调整|变更|解除|修改|终止|上调|确定|认定)|随时.{0,8}(?:调整|变更|修改|解除|终止|收回|收房|解约)|最终(?:解释|决定|判定)|(?:自行|单独|完全由.{0,10}|由.{0,8}单方)决定|有权(?:直接|拒绝办理|没收|扣|随时)",
            r"(?:sole|absolute|unfettered) discretion|unilateral\w{0,2}|at any time (?:and )?without|without (?:prior )?(?:notice|cause|consent|reason)",
            r"в одностороннем порядке|по своему (?:усмотрению|выбору)|без (?:уведомления|согласия|предупреждения|объяснения)",
        ),
        {"zh": "一方可以单方决定或随时变更", "en": "one party decides alone or at any time", "ru": "одна сторона решает в одностороннем порядке"},
    ),
    Cue(
        "unconditional",
        1.5,
        (
            r"无条件|必须(?:服从|接受|无偿)|不得(?:拒绝|拒收)|一律(?:不|视|作|由)|无论.{0,24}(?:均|都|不得|也)|任何情况.{0,6}(?:均|都|不)|随叫随到|永久|终身|自动(?:失效|作废|放弃|离职)",
            r"unconditional\w{0,2}|irrevocabl\w{1,2}|regardless of|under (?:any|no) circumstances|in perpetuity|perpetual",
            r"безусловно|безоговорочно|вне зависимости от|независимо от|при любых обстоятельствах|бессрочн",
        ),
        {"zh": "义务不附条件、没有例外", "en": "the duty is unconditional", "ru": "обязанность безусловна"},
    ),
    Cue(
        "forfeiture",
        2.0,
        (
            r"没收|扣留|扣押|扣除.{0,12}(?:工资|押金|保证金|货款)|剩余.{0,8}租金|全部.{0,4}(?:押金|定金|保证金).{0,8}(?:不退|归)|(?:缴纳|交纳|收取).{0,14}(?:保证金|押金)|(?:暂扣|代为保管).{0,12}(?:身份证|证件|档案)|(?:身份证|证件|档案).{0,8}(?:代为保管|扣)",
            r"forfeit\w{0,5}|retain the (?:deposit|full)|liquidated damages .{0,30}(?:entire|total|full)",
            r"удержива\w{1,4}|не подлежит возврату|переходит в собственность .{0,20}без",
        ),
        {"zh": "没收、扣留款项或证件", "en": "money or documents are forfeited or withheld", "ru": "деньги или документы удерживаются"},
    ),
    Cue(
        "open_term",
        1.0,
        (
            r"(?:根据|视|依|按).{0,16}(?:情况|需要|表现|行情|进度|状况|安排|考核|波动).{0,14}(?:确定|决定|调整|安排|定|而|发放|为准)|待定|暂定|另行(?:通知|确定)|以.{0,16}为准|原则上|尽快|酌情|适当(?:顺延|调整|给予)|不定期|届时|内部.{0,6}(?:决定|规定|办法|更新)|视为?情况",
            r"from time to time|as (?:it|the \w{3,12}) (?:sees|deems) fit|to be (?:determined|agreed)|reasonable (?:endeavours|efforts)|as soon as (?:possible|practicable)",
            r"по мере (?:возможности|необходимости)|в разумный срок|определяется дополнительно|может быть измен",
        ),
        {"zh": "内容不确定，由一方事后决定", "en": "the term is left open", "ru": "условие оставлено открытым"},
    ),
    Cue(
        "deemed",
        1.0,
        (
            r"视为.{0,10}(?:接受|同意|认可|放弃|送达|收到|默认|违约|违反|旷工|购买|不能胜任|离职|确认)|(?:默认|自动)(?:续|接受|转为|视为|购买)",
            r"deemed (?:to have )?(?:accept|agree|consent|receiv|waiv)\w{0,3}|automatically (?:renew|extend)\w{0,2}",
            r"считается (?:принят|согласн|получ|уведомл)\w{0,6}|автоматически (?:продлева|пролонгир)\w{0,5}",
        ),
        {"zh": "以沉默或事实推定同意", "en": "silence or an act is deemed consent", "ru": "молчание признаётся согласием"},
    ),
    Cue(
        "burden",
        1.0,
        (
            r"(?:均|全部|完全|原则上|一切|费用|责任)由.{0,2}(?:乙方|买方|买受人|承租人|承租方|员工|劳动者|买家|消费者|用户).{0,4}(?:承担|负担|自负|负责|自理)|(?:乙方|买方|承租人|员工|劳动者|买家).{0,4}(?:自行|自负|自理|额外承担)|(?:均|全部)由乙方|自行(?:处理|联系|采购|维修|修缮|核实|承担|购买)|费用.{0,4}自理",
            r"at the (?:tenant|buyer|employee|customer|lessee)'s (?:sole )?(?:cost|expense|risk)|shall bear all|indemnif\w{1,5}",
            r"за сч[её]т (?:арендатора|покупателя|работника|заказчика)|нес[её]т все (?:расходы|риски)",
        ),
        {"zh": "费用或风险转由弱势一方负担", "en": "cost or risk is shifted to the weaker party", "ru": "расходы или риск переложены на слабую сторону"},
    ),
    Cue(
        "limited",
        1.0,
        (
            r"仅(?:提供|限于?|享有|退还|免除|供参考|出于)|不(?:保证|作.{0,8}保证|享受|适用|提供|参与|计入|接受|支持)|(?:保留|拥有).{0,14}权利?|不超过|最高赔偿|放弃|可暂停|暂缓|(?:已|中).{0,6}(?:包含|涵盖)|互不承担|所有权即转移|不得(?:提前|擅自离职|从事|转让|拆除|以此为由|以.{0,8}为由)|有权(?:监控|对|拒绝|催讨|解除|要求)",
            r"\bas is\b|limited to|shall not exceed|no warrant\w{1,4}|without warrant\w{1,3}|reserves the right",
            r"ограничен\w{0,3} (?:суммой|размером)|не гарантиру\w{1,3}|оставляет за собой право|как есть",
        ),
        {"zh": "权利或救济受到限制", "en": "a right or remedy is limited", "ru": "право или средство защиты ограничено"},
    ),
    Cue(
        "agreed",
        -1.5,
        (
            r"协商一致|(?:双方|甲乙双方|经.{0,6}本人).{0,8}(?:协商|同意|签字|签署|共同|书面)|书面补充协议|补充协议|任何一方(?:均|不得)|取得.{0,8}(?:同意|单独同意)|同等条件",
            r"mutual(?:ly)? agree\w{0,4}|written (?:consent|agreement) of both|either party|both parties",
            r"по соглашению сторон|взаимн\w{2,3} соглас\w{1,4}|любая из сторон|каждая из сторон",
        ),
        {"zh": "变更须经双方同意", "en": "changes need both parties' consent", "ru": "изменения по соглашению сторон"},
    ),
    Cue(
        "lawful",
        -1.5,
        (
            r"依法|依照.{0,10}(?:规定|法律)|按照?.{0,4}(?:国家|法律|有关|规定)|法定|合法、正当|国家.{0,8}(?:规定|标准)|符合.{0,10}(?:标准|要求|规定)|通常(?:理解|标准)|符合约定",
            r"in accordance with (?:applicable )?law|as required by law|statutory|to the extent permitted",
            r"в соответствии с (?:законодательством|законом)|в порядке, установленном законо|предусмотренн\w{2,3} законо",
        ),
        {"zh": "以法律规定为准", "en": "the law governs", "ru": "применяется закон"},
    ),
    Cue(
        "duty_of_stronger",
        -1.5,
        (
            r"(?:甲方|卖方|出卖人|出租人|用人单位|用工单位|公司|企业|单位|卖家|商家).{0,10}(?:应当?|须|保证|承诺于|负责).{0,20}(?:支付|赔偿|返还|退还|承担|告知|通知|提供|办理|维修|结清|开具|运送|交付|履行|安排)|(?:乙方|买方|买受人|承租人|劳动者|消费者|买家|员工).{0,10}(?:有权|享有|可以|可).{0,16}(?:解除|拒绝|要求|核对|申请|优先|选择|维修|退货|请求|取回|留置|起诉)|不得(?:以任何理由|低于|超过|擅自变更|单方|降低|要求.{0,6}(?:担保|提供)|利用)|双倍返还|支付.{0,14}(?:经济补偿|补偿金|赔偿|三倍|300%)|固定(?:总价|单价)|保持不变|应当?.{0,6}退还|合理期限",
            r"(?:landlord|lessor|seller|employer|company|supplier|licensor) shall (?:pay|refund|repair|provide|indemnify|compensate|deliver|notify)|(?:tenant|lessee|buyer|employee|customer) may (?:terminate|refuse|require|withhold)|reasonable (?:notice|time|period)",
            r"(?:арендодатель|продавец|работодатель|исполнитель|поставщик) обязан\w{0,2}|(?:арендатор|покупатель|работник|заказчик) вправе|в разумный срок|возвращает",
        ),
        {"zh": "强势一方负有明确义务或弱势一方享有权利", "en": "the stronger party owes a clear duty", "ru": "сильная сторона несёт ясную обязанность"},
    ),
)  # fmt: skip


@lru_cache(maxsize=1)
def _compiled() -> tuple[tuple[Cue, tuple[re.Pattern[str], ...]], ...]:
    return tuple((cue, tuple(pattern(wording) for wording in cue.wordings)) for cue in CUES)


def find_cues(text: str) -> tuple[CueHit, ...]:
    """Every cue's wordings in a text, in order; one hit for each sentence and cue, the first."""
    found: list[CueHit] = []
    for start, end in sentences(text):
        for cue, forms in _compiled():
            match = next((hit for form in forms if (hit := form.search(text, start, end))), None)
            if match:
                found.append(CueHit(cue, match.start(), match.end(), match[0]))
    return tuple(sorted(found, key=lambda hit: (hit.start, hit.end)))


def danger(hits: Sequence[CueHit]) -> float:
    """The weight of the dangerous wordings, each kind once."""
    return _sum(hits, sign=1)


def protection(hits: Sequence[CueHit]) -> float:
    """The weight of the protective wordings, each kind once, as a positive number."""
    return -_sum(hits, sign=-1)


def _sum(hits: Sequence[CueHit], *, sign: int) -> float:
    return sum({hit.cue.name: hit.cue.weight for hit in hits if hit.cue.weight * sign > 0}.values())

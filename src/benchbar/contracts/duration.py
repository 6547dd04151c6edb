"""How long a contract lasts, in its own words: what it says of itself, and not of a secret, a warranty, a notice or a trial."""

from __future__ import annotations

import re
from functools import cache

from benchbar.contracts.terms import root
from benchbar.languages.text import folded, sentences

_LONGEST = 1000
"""Characters of a sentence that are searched."""

_EN_NUMBER = (
    r"(?:\d{1,3}|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|eighteen|twenty|thirty|sixty|ninety)"
    r"(?:[ -](?:one|two|three|four|five|six|seven|eight|nine))?"
)
_EN_MONTH = r"(?:January|February|March|April|May|June|July|August|September|October|November|December|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)"
_EN_DATE = rf"(?:\d{{1,2}}(?:st|nd|rd|th)? (?:day of |of )?{_EN_MONTH},? (?:19|20)\d\d|{_EN_MONTH} \d{{1,2}}(?:st|nd|rd|th)?,? (?:19|20)\d\d|(?:19|20)\d\d-\d\d-\d\d|\d{{1,2}}[./]\d{{1,2}}[./](?:19|20)\d\d)"
_EN_DAY = rf"(?:\d{{1,2}}(?:st|nd|rd|th)? (?:day of |of )?{_EN_MONTH}|{_EN_MONTH} \d{{1,2}}(?:st|nd|rd|th)?)\b"
_EN_LASTING = (
    rf"{_EN_NUMBER}(?: ?\([^)]{{1,20}}\))?[ -](?:full |calendar |consecutive )?(?:days?|weeks?|months?|years?)\b"
)
_EN_TIME = (
    rf"(?:{_EN_LASTING}|{_EN_DATE}|(?:in|un)(?:definite|limited)\w*|terminated|(?:it is )?(?:ended|cancelled) by)"
)
_EN_ITSELF = (
    r"\b(?:agreement|contract|lease|tenancy|employment|engagement|appointment|licen[cs]e|subscription|agency|services?|works?"
    r"|order|franchise|letting|co-?operation|collaboration|partnership|hire|rental|loan|deed)\b"
)
_EN_RUNS = r"\b(?:continu|run|remain|start|begin|commenc|made|entered|concluded|valid|granted|provided|performed|done|appointed|employed|let|take[ns]?|come[s]?|be|is|are)\w{0,6}\b"
_EN_LENGTH = r"(?:a |an |the )?(?:(?:initial|fixed|first|further|minimum|total|definite|specified) ){0,2}(?:(?:term|period|duration) )?(?:of )?"

_ZH_DIGITS = "0-9〇零一二三四五六七八九十百两半"
_ZH_LASTING = rf"[{_ZH_DIGITS}]{{1,6}}\s?(?:[（(][^）)]{{1,6}}[）)])?\s?(?:个?月|年(?!\s?[{_ZH_DIGITS}]{{1,2}}\s?月)|个?(?:工作|自然|日历)?[日天](?![前内后]))"
_ZH_DATE = rf"(?:[{_ZH_DIGITS}]{{4}}\s?年\s?[{_ZH_DIGITS}]{{1,3}}\s?月\s?[{_ZH_DIGITS}]{{1,3}}\s?日|(?:19|20)\d\d[-./]\d{{1,2}}[-./]\d{{1,2}})"
_ZH_DAY = rf"(?:{_ZH_DATE}|[{_ZH_DIGITS}]{{1,3}}\s?月\s?[{_ZH_DIGITS}]{{1,3}}\s?日)"
_ZH_ITSELF = (
    r"(?:(?:合同|协议|合约|租约|租赁|租用|出租|承租|合作|借款|贷款|许可|授权|经营|承包|委托|代理|聘用|劳务|履行|开发|项目|托管|施工|服务)"
    r"(?:的)?(?:有效)?(?:期限|周期|期(?![间内满末]))|租期|工期|(?<![\u4e00-\u9fff])有效期限?)"
)
_ZH_GAP = r"(?:(?!届满|期满|终止|解除|结束|超过|不足|[内外前后满每])[^。；;，,\n])"

_RU_NUMBER = (
    r"(?:\d{1,3}|од(?:ин|на|ного|ной)|дв(?:а|е|ух)|тр(?:и|[её]х)|четыр(?:е|[её]х)|пят[ьи]|шест[ьи]|сем[ьи]|восемь|восьми|девят[ьи]|десят[ьи]"
    r"|одиннадцат[ьи]|двенадцат[ьи]|пятнадцат[ьи]|восемнадцат[ьи]|двадцат[ьи](?: четыре| четыр[её]х)?|тридцат[ьи](?: шесть)?|полтора)"
)
_RU_LASTING = rf"(?:{_RU_NUMBER}(?: ?\([^)]{{1,40}}\))? (?:(?:полных|календарн\w+|рабочи\w+) )?)?(?:лет\b|год(?:а|у|ом)?\b|месяц\w{{0,3}}|дн(?:ей|я)\b|недел\w+)"
_RU_MONTH = r"(?:января|февраля|марта|апреля|мая|июня|июля|августа|сентября|октября|ноября|декабря)"
_RU_DATE = rf"(?:[«\"]?\d{{1,2}}[»\"]? {_RU_MONTH} (?:19|20)\d\d|\d{{1,2}}\.\d{{2}}\.(?:19|20)\d\d)"
_RU_ENDLESS = r"неопредел[её]нный срок|бессрочн\w+"
_RU_TIME = rf"(?:{_RU_DATE}|{_RU_LASTING}|{_RU_ENDLESS}|полного исполнения|исполнения сторонами)"
_RU_OF_ITSELF = (
    r"(?:действия|аренды|субаренды|найма|договора|контракта|соглашения|займа|кредита|возврата (?:суммы )?(?:займа|кредита)|лицензии"
    r"|оказания услуг|выполнения работ|производства работ|трудового договора|хранения|предоставления права)"
)

_FORMS = {
    "en": (
        # “This Agreement lasts two (2) years”
        rf"{_EN_ITSELF}[^.;\n]{{0,60}}?\b(?:lasts?|last for)\b[^.;\n]{{0,30}}?{_EN_TIME}",
        # “shall remain in force until …”, “continues for twelve months”, “is concluded for an indefinite period”
        rf"{_EN_ITSELF}[^.;\n]{{0,80}}?{_EN_RUNS}[^.;\n]{{0,80}}?\b(?:for|until|till|through|up to|to) {_EN_LENGTH}{_EN_TIME}",
        # “ends three years later”
        rf"{_EN_ITSELF}[^.;\n]{{0,80}}?\b(?:ends?|expires?|terminates?) (?:automatically )?(?:on |after |at the end of )?(?:the )?{_EN_TIME}",
        # “for a term of five years”, “Term: 36 months”, “has an initial term of three years”
        (
            rf"\b(?:(?:initial|fixed|subscription|lease|contract|licen[cs]e|minimum) )*(?:term|duration|validity|(?:subscription|lease|contract|hire|licen[cs]e) period)\b"
            rf"(?: of (?:this|the) \w+(?: \w+)?)?(?: (?:shall be|is|are|will be|of|for|runs?|lasts?|begins?|commences?|starts?)\b| ?[:|–—]| from\b)[^.;\n]{{0,60}}?{_EN_TIME}"
        ),
        # “The Agent is engaged for twelve months from 1 July”, whatever the contract is called
        rf"\bfor {_EN_LENGTH}{_EN_LASTING},? (?:starting |beginning |commencing |running |counted )?(?:from|on|with effect from|as of) (?:and including )?(?:{_EN_DATE}|{_EN_DAY}|the date of (?:this|signature|signing)|signature)",
        rf"\bfrom (?:and including )?{_EN_DATE}[^.;\n]{{0,12}}? (?:to|until|till|through|up to)(?: and including)? {_EN_DATE}",
    ),
    "zh": (
        rf"{_ZH_ITSELF}{_ZH_GAP}{{0,20}}?(?:{_ZH_LASTING}|{_ZH_DATE}|长期|永久|不定期)",
        rf"{_ZH_DATE}[^。；;，,\n]{{0,8}}?[至到—–-]\s?{_ZH_DATE}",
        # “自七月一日起为期十二个月”、“十二个月，自2026年7月1日起算”
        rf"[自从]\s?{_ZH_DAY}\s?起{_ZH_GAP}{{0,14}}?{_ZH_LASTING}(?![内前后以])",
        rf"{_ZH_LASTING}(?![内前后以])[，,（(]?{_ZH_GAP}{{0,2}}[自从]\s?{_ZH_DAY}\s?起",
        r"无固定期限|以完成[^。；，]{1,20}任务为期限",
    ),
    "ru": (
        # «Договор действует один год», «вступает в силу … и действует до 31 декабря»
        rf"\b(?:договор|соглашение|контракт|лицензия|аренда)\b[^.;\n]{{0,100}}?\b(?:действует|действительн\w+)\b[^.;\n]{{0,60}}?{_RU_TIME}",
        # «заключён на неопределённый срок», «заключается на период с … по …», «заключён до …»
        rf"\b(?:заключ[её]н\w{{0,2}}|заключается|заключили)\b[^.;\n]{{0,80}}?\b(?:на|сроком на|до|по|в течение) (?:(?:срок|период) )?(?:до |с |в )?{_RU_TIME}",
        rf"\bсрок\w{{0,3}} {_RU_OF_ITSELF}(?: {_RU_OF_ITSELF})?(?:[^.;\n]|\.(?=\d)){{0,60}}?{_RU_TIME}",
        rf"\bсрок(?: действия)? ?[|:] ?[^.;\n]{{0,40}}?{_RU_TIME}",
        rf"\bс {_RU_DATE}(?: г\.| года?)? (?:по|до) {_RU_DATE}",
        rf"\b(?:на срок|сроком)(?: до| на)? {_RU_TIME}",
        rf"{_RU_NUMBER}(?: ?\([^)]{{1,40}}\))? (?:(?:полных|календарн\w+) )?(?:лет|год(?:а|у|ом)?|месяц\w{{0,3}}),? (?:начиная )?с (?:{_RU_DATE}|\d{{1,2}} {_RU_MONTH})",
        rf"\b(?:работы|услуги)\b[^.;\n]{{0,60}}?\bначина\w+[^.;\n]{{0,60}}?(?:продолжа\w+|заканчива\w+|до|по)\b[^.;\n]{{0,20}}?{_RU_TIME}",
    ),
}
_LOAN = {
    "en": rf"\brepa(?:y|id|ys|yment)\w*\b[^.;\n]{{0,60}}?\b(?:within|by|on|later than|until) (?:the )?(?:{_EN_LASTING}|{_EN_DATE})",
    "zh": rf"(?:归还|偿还|还清|还款)[^。；;\n]{{0,20}}{_ZH_DATE}|{_ZH_DATE}[^。；;，,\n]{{0,8}}(?:归还|偿还|还清)",
    "ru": rf"\bвозвра\w+[^.;\n]{{0,60}}?\b(?:до|не позднее|в течение|через) (?:{_RU_DATE}|{_RU_LASTING})",
}
"""How long a loan runs is when it has to be paid back."""
_OF_OTHERS = {
    "en": (
        r"confiden|secre|non-?disclos|warrant|guarant|defect|compet|solicit|restrict|notice period|probation|trial|payment|invoice"
        r"|claim|limitation|deposit|insur|deliver|surviv|renew|exten[ds]|prolong|\bnot\b|\bif\b|\bwhere\b|\bafter the (?:end|terminat|expir|complet)|instal"
    ),
    "zh": (
        r"保密|竞业|质保|质量|保修|试用|免租|装修|付款|支付|违约|异议|宽限|免费|担保|保证期|培训|通知|诉讼|逾期|保险|交货|公示|如果|离职"
        r"|(?:终止|解除|届满|期满|结束)[^。；，]{0,4}(?:后|之日)"
    ),
    "ru": (
        r"конфиденц|тайн|разглаш|гаранти|испыт|конкур|после (?:прекращ|оконч|растор|увольн)|исков|оплат|поставк|претенз|уведом|отпуск|страх"
        r"|предупре|\bесли\b|просроч|штраф|неустойк|\bпен[яи]|истечени|до окончания|\bне (?:менее|позднее) чем за"
    ),
}
"""What a period belongs to where it is not the contract's own."""
_NAMED_SO = {
    "en": re.compile(r"(?:confidentiality|secrecy|non-disclosure|guarantee) (?=agreement|deed)", re.IGNORECASE),
    "zh": re.compile("保密(?=协议|合同)"),
    "ru": re.compile(r"(?<=соглашение) о (?:конфиденциальности|неразглашении)", re.IGNORECASE),
}
"""A secrecy agreement lasts as any other does."""
_BEFORE = 120
"""Characters before the form in which a period may be said to belong to something else."""


def term_of(clause: str, language: str, contract_type: str | None = None) -> str:
    """The sentence in which a clause says how long the contract lasts; empty where it does not, or not in words that are understood."""
    spoken = root(language)
    if spoken not in _FORMS:
        return ""
    for low, high in sentences(clause):
        if _says_how_long(folded(clause[low:high])[:_LONGEST], spoken, contract_type or ""):
            return clause[low:high]
    return ""


def _says_how_long(sentence: str, spoken: str, contract_type: str) -> bool:
    plain = _NAMED_SO[spoken].sub("", sentence)
    return any(
        not _others(spoken).search(plain[max(0, found.start() - _BEFORE) : found.end()])
        # A period of service after a training binds the employee and is not that of the contract.
        and not (contract_type == "labour" and found[0].startswith("服务"))
        for form in _forms(spoken, contract_type)
        for found in form.finditer(plain)
    )


@cache
def _forms(spoken: str, contract_type: str) -> tuple[re.Pattern[str], ...]:
    wanted = (*_FORMS[spoken], *([_LOAN[spoken]] if contract_type == "loan" else []))
    return tuple(re.compile(one, re.IGNORECASE) for one in wanted)


@cache
def _others(spoken: str) -> re.Pattern[str]:
    return re.compile(_OF_OTHERS[spoken], re.IGNORECASE)

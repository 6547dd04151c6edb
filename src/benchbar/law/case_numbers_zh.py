"""Numbers of Chinese court cases, new and old, told from the numbers of arbitration, notaries and offices."""

from __future__ import annotations

import re
from collections.abc import Iterator

from benchbar.languages.numerals import parse_number
from benchbar.law.mention import Mention

# Bounded repetitions throughout: hostile text costs time linear in its length (docs/results-law.md,
# Speed).
_CASE = re.compile(
    r"[（(〔\[【]\s?((?:19|20|１９|２０)[\d０-９]{2})\s?[)）〕\]】]\s?"
    r"([\u4e00-\u9fff\d（）() ]{1,28}?)(字)?\s?第?\s?([A-Z]?\d{1,8}(?:[-－—、，,]\s?\d{1,8}){0,20})\s?号((?:之[一二三四五六七八九十\d]{1,2})?)"
)
# Since 2016 a number names its court by letter and digits; a form of its own, so that file numbers of
# offices do not pass.
_COURT = r"(?:最高(?:法|人民法院)?|[京津沪渝冀豫云辽黑湘皖鲁新苏浙赣鄂桂甘晋蒙陕吉闽贵粤青藏川宁琼兵军]\d{0,4}|[\u4e00-\u9fff]\d{2,4})"
_NEW_CASE = re.compile(
    rf"{_COURT}(?:知)?(?:民|刑|行|执|赔|破|商|委赔|法赔|司救|认|协|请|财保|清|强清|诉前|诉调|先予|惩|司|没|减|假|监|督|特|知|辖|申|催|保)[民刑行执赔破商知辖申监终初再提抗保异恢督特字认复清更撤更医催他审协外港澳台一二三四]{{0,6}}"
)
# Before 2016 numbers held 字 and any characters of the court's place.
_OLD_CASE = re.compile(
    r"[\u4e00-\u9fff]{0,12}?(?:民|刑|行|执|经|商|知|海|破|赔|立|审监|少)[民刑行政执经商知海破赔立初终再审监提申抗辖督保复恢异他特一二三四五（）()庭少]{0,10}"
)
# 劳人仲案字, 证民字 and the like: arbitration, notaries and offices number their papers in the same form.
_NO_COURT = re.compile(
    r"仲|价证|价鉴|劳教|教委|办|公证|证民|检|鉴|评|税|社|工伤|监狱|公安|所执|市监|环罚|国土|房权|产权|专利"
)


def case_numbers(text: str, start: int) -> Iterator[Mention]:
    """The case numbers that begin at ``start``, one for each number of a list; none where it is no court's."""
    found = _CASE.match(text, start)
    if not found:
        return
    court, old = found[2].replace(" ", ""), bool(found[3])
    # Some clerks went on writing 字第 behind the codes of 2016.
    fits = _NEW_CASE.fullmatch(court) or (old and _OLD_CASE.fullmatch(court))
    # A number that is no court's would be reported as an invented decision.
    if _NO_COURT.search(court) or not fits:
        return
    year = parse_number(found[1])
    # 民初30063、30062号 are two decisions.
    for number in re.split(r"[-－—、，,]\s?", found[4]):
        written = f"（{year}）{court}{'字第' if old else ''}{number}号{found[5]}"
        yield Mention(
            span=found.span(),
            text=found[0],
            language="zh",
            case_number=written.replace("(", "（").replace(")", "）"),
        )

"""How a law's name is told from the words around it in Chinese text."""

from __future__ import annotations

import re
from importlib import resources

GENERIC = (
    "司法解释", "解释", "法典", "法", "条例", "规定", "办法", "细则", "规则", "意见", "决定", "纪要", "通则", "公约",
)  # fmt: skip
"""What a law is called when its name is left out: 该法, 本条例, 《解释》."""

ANAPHORA = re.compile(
    rf"(?:该|本|此|上述|前述|前引|(?<![合相共不等如])同一?)(?:部|项|个)?({'|'.join(GENERIC)}|法律|法规)(?:的|中|之)?$"
)

_ENDING = (
    r"(?:法典|法|条例|规定|办法|解释|细则|规则|通则|总则|准则|宪法|决定|意见|批复|纪要|规程|修正案|标准"
    r"|民法典(?:总则|物权|合同|人格权|婚姻家庭|继承|侵权责任)编)"
)
_NUMBERED = r"(?:[（(][一二三四五六七八九十\d]{1,3}[)）]|[一二三四五])?"
_LAW = re.compile(rf"{_ENDING}{_NUMBERED}(?:[（(][^（）()]{{0,16}}[)）])?$")
_SUFFIX = re.compile(rf"{_ENDING}{_NUMBERED}$")
_NO_LAW = re.compile(
    r"(?:方|做|无|合|违|执|依|立|看|说|非|守|手|设|想|书|普|修|按|新|旧|算|疗|语|写|司)法$|^.{0,2}用法$"
    r"|^(?:司法|办法|民商法|公法|私法|国际法|国内法|行政法|经济法|社会法|程序法|实体法|商法|法|规定|解释|决定|意见|标准"
    r"|条例|细则|规则|法律规定|相关规定|有关规定|下列规定|上述规定|以下规定|处理意见|法律意见|专家意见|鉴定意见|补充意见)$"
)
_CONTRACT = re.compile(
    r"(?:合同|协议|协议书|合同书|章程|合约|契约|手册|制度|规约|业主公约|管理公约|村规民约|承诺书|招标文件|投标文件|标书|保单"
    r"|保险条款|格式条款|通用条款|专用条款|条款|附件|备忘录|意向书|确认书|借条|欠条|收条|订单|计划书|须知|起诉状|答辩状|判决书"
    r"|裁定书|裁决书|通知书|笔录|遗嘱|公证书)(?:[（(][^（）()]{0,12}[)）])?(?:的|中|之|内|里)?$"
)
_INTERNAL = re.compile(r"员工|^(?:本公司|本院|本厂|本单位|某)|公司(?:考勤|奖惩|财务|薪酬|绩效|规章)")
_BREAK = re.compile(r"[。；;：:，,、“”\"‘’\n\r\t!?！？…（(《》)）\s]")
_HARD_BREAK = re.compile(r"[。；;：:“”\"\n\r!?！？…]")
_ABOUT = re.compile(r"(?:最高人民法院|最高人民检察院|最高法|最高检|公安部|司法部|国务院|[、和]){0,6}关于")
_LEADING = re.compile(
    r"(?:根据|依据|按照|依照|遵照|遵循|违反|违背|符合|适用|触犯|参照|参见|参考|援引|引用|结合|基于|我国|中国|以及|及其|或者|并且"
    r"|同时|此外|另外|其中|就是|属于|涉及|包括|规定的|现行的?|修[订正改]后的?|新修[订正]的?|最新的?|新版|原来的|其次|首先|例如|比如|详见"
    r"|具体|和|与|及|或|并|在|由|对|从|是|即|如|为|将|应|按|依|了|的|见|据|该|说|问|查|看|而|也|把|以)"
)
_LONGEST = 40

KNOWN_NAMES = frozenset(
    resources.files("benchbar.law").joinpath("data", "names_zh.txt").read_text(encoding="utf-8").split()
)
"""Names that stand without 《》 and may hold 和, 与 or 在; a longer name wins over a shorter one that ends it."""


_FOREIGN = re.compile(
    r"^(?:法国|德国|美国|英国|日本|意大利|瑞士|韩国|俄罗斯|苏联|奥地利|加拿大|澳大利亚|新加坡|印度|欧盟|欧洲|联合国|国际|罗马|大清|清|唐|明"
    r"|宋|秦|汉|中华民国|台湾|香港|澳门|古|拿破仑|罗斯福|普鲁士|魏玛)|公约$|条约$"
)


def is_foreign(name: str) -> bool:
    """Whether the name says that the law is another country's, another time's, or between states."""
    return bool(_FOREIGN.search(name.removeprefix("中华人民共和国")))


def looks_like_law(name: str) -> bool:
    """Whether a name in brackets ends as laws do."""
    return bool(_LAW.search(name)) and not _NO_LAW.search(name)


def is_contract(name: str) -> bool:
    """Whether the name ends as contracts, bylaws and papers of a case do."""
    return bool(_CONTRACT.search(name))


def is_internal(name: str) -> bool:
    """Whether the name is of a rule that an employer gave itself."""
    return bool(_INTERNAL.search(name)) and name.removeprefix("中华人民共和国") not in KNOWN_NAMES


_KNOWN = re.compile(
    "|".join(sorted((name for name in KNOWN_NAMES if name.endswith(("法", "典"))), key=len, reverse=True))
)


def named_in(text: str) -> str:
    """The last known law that a text names without brackets; empty where it names none."""
    found = _KNOWN.findall(text)
    return found[-1] if found else ""


def name_before(window: str, known: frozenset[str]) -> str:
    """The law's name that ends the window, where it stands without brackets; empty where none does."""
    suffix = _SUFFIX.search(window)
    if not suffix:
        return ""
    if about := _about(window):
        return about
    start = max((found.end() for found in _BREAK.finditer(window, 0, suffix.start())), default=0)
    run = window[max(start, suffix.end() - _LONGEST) :]
    republic = run.rfind("中华人民共和国")
    if republic >= 0:
        return run[republic:]
    stem = re.sub(rf"(?<=..){_NUMBERED}$", "", run)
    for index in range(len(run) - 1):
        if run[index:] in known or stem[index:] in known:
            return run[index:]
    return _trimmed(run)


def _about(window: str) -> str:
    """``最高人民法院关于审理…的规定``: the name begins at the court or at 关于, and may hold 、 and brackets."""
    if re.search(rf"法{_NUMBERED}$|法典$", window):
        return ""
    start = max((found.end() for found in _HARD_BREAK.finditer(window)), default=0)
    found = _ABOUT.search(window, start)
    if not found:
        return ""
    name = window[found.start() :].lstrip("、和")
    if name.count("《") != name.count("》") or re.search(r"第[^第]{1,8}条", name):
        return ""
    return name


def _trimmed(run: str) -> str:
    for found in _LEADING.finditer(run[:-2]):
        rest = run[found.end() :]
        if _LEADING.search(rest[:-2]) is None and _plausible(rest):
            return rest
    return run if _plausible(run) and not _LEADING.search(run[:-2]) else ""


def _plausible(name: str) -> bool:
    return len(name) >= 2 and not _NO_LAW.search(name) and re.fullmatch(r"[\u4e00-\u9fff（）()\d]+", name) is not None

"""Whether a name that no held law has may be called invented, or only not recognised.

An accusation needs everything that could explain the name to be ruled out: another country or time, a draft, a denial,
a book, a field of law, a nickname, another order of the words, a slip of the pen.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cache
from importlib import resources
from typing import NamedTuple

from rapidfuzz import fuzz, process
from rapidfuzz.distance import Levenshtein

from benchbar.law.denied import NONE_SAID, says_there_is_none
from benchbar.law.history import known_repeals
from benchbar.law.mention import Mention, Surroundings
from benchbar.law.names import ABBREVIATIONS, law_key
from benchbar.law.names_zh import KNOWN_NAMES, is_foreign
from benchbar.records import NameDoubt, UnknownName

_PLACES = (
    "法国|德国|美国|英国|日本|意大利|瑞士|韩国|朝鲜|俄罗斯|俄国|苏联|苏俄|奥地利|荷兰|比利时|西班牙|葡萄牙|瑞典|丹麦|挪威|芬兰|波兰|希腊"
    "|土耳其|埃及|伊朗|以色列|印度|泰国|越南|新加坡|马来西亚|印尼|印度尼西亚|菲律宾|缅甸|老挝|柬埔寨|蒙古国|哈萨克|巴基斯坦|孟加拉"
    "|加拿大|澳大利亚|新西兰|墨西哥|巴西|阿根廷|智利|南非|尼日利亚|肯尼亚|欧盟|欧洲|欧共体|联合国|外国|域外|国外|海外|各国|他国|美利坚"
    "|大不列颠|英格兰|苏格兰|普鲁士|巴伐利亚|巴比伦|罗马|拜占庭|伊斯兰|印第安|台湾|香港|澳门|港澳|英美|大陆法系|普通法系|判例法|[A-Z甲乙丙丁]国"
    "|加州|纽约州|联邦"
)
_TIMES = (
    "民国|北洋|清末|晚清|清朝|清代|大清|明朝|明代|元代|宋代|宋朝|唐代|唐朝|隋|汉代|汉朝|秦朝|秦代|西周|春秋时期|战国|古代|近代|中世纪|封建社会"
    "|奴隶制|建国前|解放前|新中国成立前|旧中国|革命根据地|苏区|边区|中华苏维埃|国民政府|国民党|昭和|明治|大正|公元前|世纪初|资产阶级革命"
)
# A year before the law of today was made; transliterated names have three such characters in a row.
_ELSEWHERE = re.compile(rf"{_PLACES}|{_TIMES}|(?<!\d)(?:1[0-8]\d\d|19[0-6]\d)\s?年")
_TRANSLITERATED = "尔曼斯克特顿逊姆萨班谢莱弗拉德里诺森勒蒙雷菲洛伦贝瓦凯卡丹纳福兰哈巴鲍珀夫利宾格塔奥"
# Characters of a transliteration: the codes of other peoples are named after them.
_FOREIGN_NAME = re.compile(
    rf"[{_TRANSLITERATED}]{{3}}"
    r"|摩奴|汉[谟穆]拉比|十二[铜]?表|查士丁尼|优士丁尼|国法大全|萨利克|撒利|拿破仑|苏美尔|乌尔纳姆|赫梯|亚述|古兰|沙里亚|拜占庭|学说汇纂|法学阶梯"
    r"|六法|唐律|大明|大清|刑统|法经|约法|大宪章|权利法案|[·・—–-]|[A-Za-z]{2,}|^(?:1[0-9]|20)\d\d年|民权|公民权利法$|联邦|[州邦邑]"
)
_DRAFT = re.compile(
    r"草案|征求意见稿|建议稿|送审稿|试拟稿|专家稿|讨论稿|审议稿|[一二三]审稿|立法(?:规划|计划|建议|工作|进程|研究)|起草|(?:建议|主张|呼吁|有必要)(?:尽快)?(?:制定|出台)|拟制定|拟出台|即将|未来|呼吁|应当?制定|尽快|早日|酝酿|提交审议|列入"
)
_DRAFT_NAME = re.compile(r"[（(][^）)]{0,12}(?:草案|稿)[^）)]{0,8}[）)]|草案$|征求意见稿$")
_BOOK_BEHIND = re.compile(
    r"^(?:第[一二三四五六七八九十\d]+版)?[^。；\n《]{0,30}(?:出版社|出版公司|书局|书店|印书馆|第\s?\d+(?:[-—–~]\d+)?\s?页|学报|期刊|杂志|\d{4}年(?:第\d+)?[版期]|第\d+期|主编|编著|合著|译本|一书|教材|教程|专著|论文|讲义|课程|这门课|考试大纲)"
)
_BOOK_BEFORE = re.compile(
    r"(?:主编|编著|所著|著|译|作者|教材|课本|图书|书籍|专著|论文|期刊|文章|载|译者|教授|课程|学科|科目)[^。；，\n《]{0,6}[：:]?\s?[《]?$"
)
_SUBJECT_BEFORE = re.compile(r"(?:电影|小说|电视剧|节目|游戏|作品|专栏|歌曲)[^。；，\n《]{0,4}[《]?$")
_MADE_IN = re.compile(r"(?:年|于)[^。；，]{0,6}(?:英文|英语|原文|拉丁|法文|德文)")
_GLOSS = re.compile(r"(?:^|》)\s?[（(]\s?(?:英文|英语|English)?[：:]?\s?[A-Za-z][A-Za-z .,'’-]{3,}")
# Words that names of law are padded with: 国家公务员法 is 公务员法.
_PADDING = re.compile(
    r"^(?:国家|全国|中国|我国|现行|最新|新版|本国|大陆|中华人民共和国)+|(?:关于|有关|若干|特别|暂行|试行|相关|合法|基本)"
)
_MEMBER = re.compile(r"^.{2,}?(?:类中的|中的|里的|内的|的|中)(.{3,})$")
_STATUTE = re.compile(r"(?<!办)法$|法典$")
_SLIP = 5
"""Letters of a name from which one wrong, missing or further one is taken for a slip of the pen."""
_INSIDE = 6
"""Letters of a held name from which two further ones inside it, and not one, are taken for padding."""
_OTHER_LANGUAGES = 90
"""Percent of likeness from which names in alphabets are taken for the same, misspelt or shortened."""


@dataclass(slots=True)
class Names:
    """The names of the law that a corpus holds or that is known to have existed, for likenesses to be found."""

    full: dict[str, str]
    """What identifies a name (``LawKey.core``) to the name in full."""
    by_letters: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    by_protection: dict[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, held: dict[str, str]) -> Names:
        """The names of a corpus, and those that are known without it."""
        known = {law_key(one.name).core: one.name for repeals in known_repeals().values() for one in repeals}
        short = {law_key(name).core: name for name in (*KNOWN_NAMES, *ABBREVIATIONS.values())}
        found = cls(short | known | held)
        for core in found.full:
            found.by_letters[_letters(core)].append(core)
            found.by_protection[_protecting(core)] = core
        return found

    def resembled(self, name: str) -> str:
        """The name that a written one may be short for, or a misspelling of; empty where there is none."""
        core = law_key(name).core
        if core in self.full:
            return self.full[core]
        if not re.search("[\u3400-\u9fff]", core):
            return self._resembled_in_words(core)
        if (plainer := _PADDING.sub("", core)) in self.full:
            return self.full[plainer]
        if other := self.by_protection.get(_protecting(core)):
            return self.full[other]
        if (member := _MEMBER.match(core)) and (inner := law_key(member[1]).core) in self.full:
            return self.full[inner]
        if same := self.by_letters.get(_letters(core)):
            return self.full[same[0]]
        # A shortened name before a misspelt one: 居民委员会组织法 is that of the cities, not that of the villages.
        alike = (other for how in (_shortened, _miswritten) for other in self.full if how(core, other))
        return next((self.full[other] for other in alike), "")

    def nearest(self, name: str, least: int) -> str:
        """The most similar name, where it is similar enough (percent); empty where none is."""
        close = process.extractOne(law_key(name).core, self.full.keys(), scorer=fuzz.ratio, score_cutoff=least)
        return self.full[close[0]] if close else ""

    def _resembled_in_words(self, core: str) -> str:
        words = core.split()
        for other, name in self.full.items():
            if _is_subsequence(words, other.split()) or fuzz.ratio(core, other) >= _OTHER_LANGUAGES:
                return name
        return ""


class Doubt(NamedTuple):
    """Why it is not proven that a law of an unknown name does not exist."""

    why: str
    name: UnknownName | None = None
    """Where a nickname would say which law is meant; None where the text explains the name."""


def doubt(mention: Mention, around: Surroundings, names: Names) -> Doubt | None:
    """Why it is not proven that a law of an unknown name does not exist; None where it is."""
    name, before, behind = mention.names, around.before, around.behind
    if words := _UNREAL.get(mention.language):
        return _doubt_in_words(mention.language, name, around, words, names)
    own = name.startswith("中华人民共和国")
    plain = re.sub(r"^中华人民共和国|[《》〈〉\s]", "", name)
    if not own and (
        is_foreign(name) or _FOREIGN_NAME.search(plain) or _GLOSS.search(mention.text) or _GLOSS.match(behind)
    ):
        return Doubt("it may be the law of another country or time")
    if not own and plain.endswith("法典") and plain != "民法典":
        return Doubt("codes of this kind are those of other countries or times")
    if not own and (near := _ELSEWHERE.search(before) or _ELSEWHERE.search(behind)):
        return Doubt(f"the text speaks of {near[0]}")
    if explained := _said_to_be_none(around, plain):
        return Doubt(explained)
    if _is_field(plain):
        return Doubt("it is the name of a field of law", UnknownName(doubt=NameDoubt.FIELD))
    return _like_another(name, names)


_UNREAL = {
    "en": re.compile(
        r"\b(?:no\s(?:such|longer)|not\sexist|draft\w*|[Bb]ills?|proposed|proposals?|planned|future|hypothetical|imaginary|fictional|fictitious|rumou?rs?|called\sfor|should\senact|textbook|(?:th|\d)\sedition|repealed)\b"
    ),
    "ru": re.compile(
        r"проект\w{0,3}\b|законопроект|\bнет\b|не\s(?:существ|принят|действует|найд)|вымышл|придума|галлюцинац|фейк|слух\w{0,3}\b|несуществующ|планиру|учебник|отмен[её]н|утратил",
        re.IGNORECASE,
    ),
}
"""Words beside a name that explain why no law has it."""
_ENGLISH_ACT = re.compile(
    r"[A-Z][\w’'-]*(?:\s[\w’'(),&-]+){0,14}?\s(?:Act|Ordinance|Regulations|Rules|Order|Code),?\s(?:1[89]|20)\d\d$"
)


def _doubt_in_words(
    language: str, name: str, around: Surroundings, words: re.Pattern[str], names: Names
) -> Doubt | None:
    """The same in English and Russian, whose laws have other names and whose texts other words."""
    if says_there_is_none(language, around):
        return Doubt(NONE_SAID)
    if said := words.search(around.before[-60:]) or words.search(around.behind):
        return Doubt(f"the text says {said[0]!r} beside it")
    # Initials, nicknames and titles without a year may be of any law: an English act is its title and its year.
    if not re.search("[а-я]", name) and not _ENGLISH_ACT.match(name):
        return Doubt("it is no full title with a year", UnknownName(doubt=NameDoubt.NO_FULL_TITLE))
    return _like_another(name, names)


def _said_to_be_none(around: Surroundings, name: str) -> str:
    before, behind = around.before, around.behind.lstrip("》")
    if says_there_is_none("zh", around):
        return NONE_SAID
    if _DRAFT.search(before[-30:]) or _DRAFT.search(behind[:20]) or _DRAFT_NAME.search(name):
        return "the text speaks of a draft"
    if _BOOK_BEHIND.match(behind) or _BOOK_BEFORE.search(before) or _SUBJECT_BEFORE.search(before):
        return "it may be the title of a book or a subject of study"
    return ""


def _like_another(name: str, names: Names) -> Doubt | None:
    other = names.resembled(name)
    return Doubt(f"it may mean {other}", UnknownName(doubt=NameDoubt.LIKE_ANOTHER, meant=other)) if other else None


@cache
def fields_of_law() -> frozenset[str]:
    """Names of fields of law and of subjects of study, which end like laws and are none."""
    return frozenset(
        resources.files("benchbar.law").joinpath("data", "fields_zh.txt").read_text(encoding="utf-8").split()
    )


def _is_field(name: str) -> bool:
    """Whether a name is that of a field, or of two fields or laws in one: 民法商法."""
    fields = fields_of_law() | KNOWN_NAMES
    return name in fields_of_law() or any(name[:at] in fields and name[at:] in fields for at in range(2, len(name) - 1))


def _protecting(core: str) -> str:
    """A name with one word for what laws call 保护, 权益保护, 保障 and 权益保障: people take one for the other."""
    return re.sub(r"(?:合法)?(?:权益)?(?:保护|保障|维护)", "保护", core)


def _letters(core: str) -> str:
    return "".join(sorted(core))


def _shortened(core: str, other: str) -> bool:
    """Whether a name is another one with letters left out; 医疗事故处理法 is not 医疗事故处理条例."""
    base, whole = _STATUTE.sub("", core), _STATUTE.sub("", other)
    alike = (base != core) == (whole != other)
    return alike and bool(base) and len(base) < len(whole) and _shortens(base, whole)


def _miswritten(core: str, other: str) -> bool:
    """Whether a name is another one with one letter wrong, or with a word of padding inside."""
    if (_STATUTE.search(core) is None) != (_STATUTE.search(other) is None):
        return False
    if len(core) >= _SLIP and abs(len(core) - len(other)) <= 1 and Levenshtein.distance(core, other) <= 1:
        return True
    # One letter inside a short name (专利权法), two inside a long one (消费者合法权益保护法).
    extra, ends = len(core) - len(other), 1 if len(other) < _INSIDE else 2
    base, whole = _STATUTE.sub("", core), _STATUTE.sub("", other)
    if len(whole) >= _INSIDE and base.startswith(whole) and len(base) - len(whole) <= ends:
        return True
    return (
        0 < extra <= ends
        and core[:ends] == other[:ends]
        and core[-ends:] == other[-ends:]
        and _is_subsequence(other, core)
    )


def _shortens(base: str, whole: str) -> bool:
    """Whether the letters of a nickname stand in the name, in order or (交通道路安全法) in another one."""
    if _is_subsequence(base, whole):
        return True
    # In another order only where most of the name is there: letters of long names make up many words.
    return len(base) >= 4 and len(whole) - len(base) <= 2 and not Counter(base) - Counter(whole)


def _is_subsequence(short: Iterable[str], long: Iterable[str]) -> bool:
    rest = iter(long)
    return all(one in rest for one in short)

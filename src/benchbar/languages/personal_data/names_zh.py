"""Names of people in Chinese texts, by their surnames, the words before them, and the segmenter's tags."""

from __future__ import annotations

import re
from collections.abc import Iterator

from benchbar.languages.text import Span

_DOUBLE = "欧阳 司马 上官 诸葛 东方 皇甫 尉迟 公孙 慕容 令狐 司徒 夏侯 端木 西门 南宫 长孙 宇文 轩辕 百里 呼延 澹台 闻人 赫连 申屠 钟离 太史 独孤 万俟"
DOUBLE = frozenset(_DOUBLE.split())
SURNAMES = frozenset(
    "常王李张刘陈杨黄赵吴周徐孙马朱胡郭何高林罗郑梁谢宋唐许韩冯邓曹彭曾肖田董袁潘于蒋蔡余杜叶程苏魏吕丁任沈姚卢姜崔钟谭陆汪范金石廖贾夏韦付方白邹孟熊秦邱江尹"
    "薛闫段雷侯龙史陶黎贺顾毛郝龚邵万钱严覃武戴莫孔向汤温康施文牛樊葛邢安齐易乔伍庞颜倪庄聂章鲁岳翟殷詹申欧耿关兰焦俞左柳甘祝包宁尚符舒阮柯纪梅童凌毕单"
    "季裴霍涂成苗谷盛曲翁冉骆蓝路游辛靳管柴蒙鲍华喻祁蒲房滕屈饶解牟艾尤阳时穆农司卓古吉缪简车项连芦麦褚娄窦戚岑景党宫费卜冷晏席卫米柏宗瞿桂佟应臧闵苟邬边"
    "卞姬师和仇栾隋商刁沙荣巫寇桑郎甄丛仲虞敖巩明佘池查麻苑迟邝官封谈匡鞠惠荆乐冀郁胥南班储原栗燕楚鄢劳谌奚皮粟冼蔺楼盘满闻厉伊仝区郜海阚花强帅屠豆朴"
    "练廉禹井祖漆巴丰支卿国狄平宣门云容敬扈晁芮阙浦戈伏鹿薄邸雍辜羊乌裘亓修邰赫杭宿鲜逯隆茹诺战慕危玉亢嵇公哈湛宾戎勾茅利於呼居揭"
    "尉冶元檀衣昝智幸衡富尧闭鑫谯菅"
)
_NOT_GIVEN = frozenset(
    "的了是在和与及或向对将把被从到于以因为给跟同由按至自称诉说要请有无未没不也都又还就则即而且并等之其该此这那某先后前月日年元万人方处所经已可应须能会使令让做作给付款借租买卖住当时系辩需遂偿省市县区镇村乡庄"
)
_FUNCTION = frozenset(
    "的了是在和与及或向对将把被从到于以因为给跟同由按至自称诉说要请有无未没不也都又还就则即而且并等之其该，。、；：！？（）“”,.;:!? \n\t"
)
_ROLES = (
    "原告人?|被告人?|上诉人|被上诉人|申请人|被申请人|第三人|证人|被害人|受害人|犯罪嫌疑人|嫌疑人|法定代表人|法定代理人|诉讼代理人|代理人|辩护人|代理律师|律师|"
    "审判长|审判员|陪审员|书记员|法官|检察官|公诉人|申诉人|再审申请人|执行人|债务人|债权人|保证人|担保人|借款人|出借人|承租人|出租人|买受人|出卖人|继承人|被继承人|"
    "姓名|名字|联系人|收件人|户名|开户人|负责人|经办人|本人|我叫|名叫|名为|叫做|叫|丈夫|妻子|老公|老婆|儿子|女儿|父亲|母亲|爸爸|妈妈|哥哥|弟弟|姐姐|妹妹|"
    "祖父|祖母|外公|外婆|爷爷|奶奶|孙子|孙女|邻居|同事|朋友|同学|房东|租客|司机|车主|老板|经理|员工|职工|工人|业主|死者|伤者|患者|医生|男子|女子|村民|公民|居民|学生|老师|"
    "其[子女妻夫父母兄弟姐妹]|前夫|前妻|男友|女友|[甲乙丙]方|出租方|承租方|孩子|小孩|行人|[一独长次][子女]|伙同|我是|转给|诉(?=[\u4e00-\u9fff]{2,16}(?:纠纷|一案))"
)
_CUE = re.compile(rf"(?:{_ROLES})(?:[（(][\u4e00-\u9fff]{{1,10}}[）)])?[：:是为\s]{{0,3}}")
_TITLE = re.compile(r"([\u4e00-\u9fff]{2,4})(?=先生|女士|小姐|律师|法官|医生|教授|老师|同志|经理)")
_CHINESE = re.compile(r"[\u4e00-\u9fff]+")
_DOTTED = re.compile(r"(?<![\u4e00-\u9fff])[\u4e00-\u9fff]{2,6}(?:[·•][\u4e00-\u9fff]{2,8}){1,3}")
_TRANSCRIBING = (
    "阿埃艾爱安昂奥巴白班邦保鲍贝本比彼边宾波伯博布查昌彻茨达戴丹道德邓迪蒂丁杜多恩尔法凡范菲费芬丰佛弗夫福盖甘冈戈哥格根古哈海汉豪赫亨洪华怀惠霍基吉加贾杰金卡凯坎康考柯科克肯孔库奎拉莱兰朗劳勒"
    "雷里利莉丽连列林琳卢鲁路伦罗洛玛迈麦曼芒毛梅门蒙米密明摩莫默姆穆纳奈南内尼宁纽农诺努欧帕派潘庞佩彭皮普奇齐乔切琼丘让热瑞若萨塞赛桑瑟森沙珊绍舍申史舒丝思斯苏索塔泰坦唐特腾提汀廷图托瓦旺威韦维"
    "魏温文翁沃乌武西希锡夏香肖歇谢辛休许雪逊雅亚扬耶伊英尤约扎泽曾詹珍朱兹卓佐卜翰"
)
"""Characters of the usual tables of transcription; grammatical ones are left out."""
_TRANSCRIBED = re.compile(rf"[{_TRANSCRIBING}]{{2,6}}$")
_TRANSCRIBED_HEAD = re.compile(rf"[{_TRANSCRIBING}]{{4,7}}")
"""From four on: shorter runs of these characters are found in common words."""
_DOT_WITHIN = re.compile(rf"[·•][{_TRANSCRIBING}]{{2,8}}")
_COMPANY = re.compile(r"[\u4e00-\u9fff]{0,6}(?:公司|集团|银行|大学|酒店|医院|商店|超市|有限|电器|品牌)")
_PLACE_AFTER = re.compile(r"[区县镇乡](?![\u4e00-\u9fff]?(?:先生|女士|说|称))")
_SUED = re.compile(r"(?<![\u4e00-\u9fff])([\u4e00-\u9fff]{2,4})(?=诉[\u4e00-\u9fff]{4,20}(?:纠纷|一案))")
_TITLED = re.compile(r"《[^》\n]{0,80}》")
PSEUDONYM = "芃芊芎芏芗芘芟芡芨芩芪芫芰芷芸芼芾苁苈苊苋苌苎苒苓苕苡苣苤苴苻苾茇茈茉茌茏茑茚茛茜茭茯茱茳茴茵茼荃荇荈荑荛荜荠荥荩荪荭荮莅"
"""Plants that no legal text names: what stands in for a Chinese name or street is made of them."""
LONGEST = 4
_LONE = frozenset(["nr", "x", "g", "j", "ng", "nz", "z", "zg", "ag"])
_DOUBLED = re.compile(r"([\u4e00-\u9fff])([\u4e00-\u9fff])\2(?![\u4e00-\u9fff]?\2)")
_TITLE_WORDS = "先生 女士 小姐 律师 法官 医生 教授 老师 同志 经理 总 某 家 氏 姓 府 队长 主任 局长 厂长 校长"
_TITLES = frozenset(_TITLE_WORDS.split())
_COMMON = (
    "仲裁 查明 陈述 范畴 连贯 公正 庄园 林木 阳光 惠利 迟延 周转 文明 杜绝 安保 白班 沙滩 白银 左耳 右耳 明珠 尚欠 伍佰 伍万 左小腿 金手链 沙特 高利贷 毛利 高危 黄金 白酒 温泉 "
    "安全 安检 平安 万元 万一 方便 方法 方式 常规 常委 常年 成本 成功 成果 成员 和解 和谐 连带 连锁 时效 时间 雷管 易燃 花园 花销 计算 计划 水泥 石油 石材 石膏 金额 金融 金钱 党委 党员 "
    "强制 强奸 强迫 富裕 严重 严格 严肃 明确 明知 明显 解除 解散 司法 商业 师傅 管理 管辖 包庇 包装 车辆 车祸 车库 路口 路面 路段 房产 房屋 房东 鲁莽 冷静 冷冻 温度 温馨 古董 向上 "
    "向前 祖产 祖宅 祖父 祖母 于是 于此 席位 符合 计量 卓越 章程 钟表 游戏 游客 莫名 晏然 元宝 边界 边缘 宫颈 安乐死 安置费 平方 伊始 许可 许诺 许多 曾经 曾用名 关系 关于 顾客 顾问"
)
_NOT_NAMES = frozenset(_COMMON.split())
"""Words that the segmenter's dictionary has as names, or that begin like one."""
_SPOKEN = frozenset("于向和同时应从经方成任能原有连占商由为被")
"""Surnames that are words of any sentence too: 被告向, 被告于."""
Tokens = dict[int, tuple[str, str]]


def find_names_zh(text: str) -> Iterator[Span]:
    """Spans of full names, surname first; names that a court has shortened already (张某) are left."""
    if not _CHINESE.search(text):
        return
    tokens = _tokens(text)
    yield from (match.span() for match in _DOTTED.finditer(text))
    yield from (match.span(1) for match in _SUED.finditer(text) if _is_name(match[1]))
    yield from _doubled(text)
    titles = [match.span() for match in _TITLED.finditer(text)]
    yield from _transcribed(text)
    # The segmenter takes 武侯 in 武侯区 for a person; behind a role or before a title nobody is a district.
    tagged = ((start, end) for start, end in _tagged(tokens) if not _PLACE_AFTER.match(text, end))
    for start, end in (*_after_cues(text, tokens), *_before_titles(text), *tagged):
        if not any(left <= start < right for left, right in titles) and _is_name(text[start:end]):
            yield start, end


def _tokens(text: str) -> dict[int, tuple[str, str]]:
    """Each token and its tag, by where it begins."""
    import rjieba

    at, found = 0, {}
    for token, tag in rjieba.tag(text, hmm=True):
        found[at] = token, tag
        at += len(token)
    return found


def _is_name(name: str) -> bool:
    if name in _NOT_NAMES or name[:2] in _NOT_NAMES or "某" in name:
        return False
    return 2 <= len(name) <= LONGEST and not set(name) <= set(PSEUDONYM) and _surname(name) > 0


def _surname(name: str) -> int:
    """Length of the surname that a name begins with; 0 for none."""
    if name[:2] in DOUBLE and len(name) > 2:
        return 2
    return int(name[:1] in SURNAMES)


def _after_cues(text: str, tokens: Tokens) -> Iterator[Span]:
    for cue in _CUE.finditer(text):
        token, tag = tokens.get(cue.end(), ("", "nr"))
        if (token not in _SPOKEN or tag.startswith("n")) and (length := _name_length(text, cue.end())):
            yield cue.end(), cue.end() + length


def _name_length(text: str, start: int) -> int:
    """Characters of the name that begins here: two of a given name where the second can belong to nothing else."""
    surname = _surname(text[start : start + LONGEST])
    given = text[start + surname : start + surname + 2]
    if not surname or not given or not _CHINESE.match(given) or given[0] in _NOT_GIVEN:
        return 0
    if len(given) == 2 and given[0] == given[1]:
        return surname + 2
    two = len(given) == 2 and _CHINESE.fullmatch(given) and given[1] not in _NOT_GIVEN
    after = text[start + surname + 2 : start + surname + 3]
    if two and (not after or after in _FUNCTION or not _is_word(given[1] + after)):
        return 0 if _is_word(text[start : start + surname + 2]) else surname + 2
    return 0 if _is_word(text[start : start + surname + 1]) else surname + 1


def _transcribed(text: str) -> Iterator[Span]:
    """Names of foreigners in the characters that such names are written in: with a dot within a sentence, or after a role."""
    for dot in _DOT_WITHIN.finditer(text):
        before = _TRANSCRIBED.search(text[max(0, dot.start() - 6) : dot.start()])
        if before and len(before[0]) > 1:
            yield dot.start() - len(before[0]), dot.end()
    for cue in _CUE.finditer(text):
        name = _TRANSCRIBED_HEAD.match(text, cue.end())
        if name and not _COMPANY.match(text, name.end()):
            yield name.span()


def _doubled(text: str) -> Iterator[Span]:
    """Given names of one character said twice: 钱多多, and not 方方面面 or 时时刻刻."""
    for match in _DOUBLED.finditer(text):
        start = match.start()
        alone = start == 0 or text[start - 1] != match[1]
        if (
            alone
            and match[1] in SURNAMES
            and match[1] != match[2]
            and match[2] not in _NOT_GIVEN
            and not _known(match[0])
        ):
            yield match.span()


def _before_titles(text: str) -> Iterator[Span]:
    for title in _TITLE.finditer(text):
        for length in (2, 3, 4):
            start = title.end(1) - length
            name = text[start : title.end(1)]
            full = length > 2 or not _is_word(name)
            if start >= title.start(1) and _surname(name) and full and not set(name[1:]) & _NOT_GIVEN:
                yield start, title.end(1)
                break


def _tagged(tokens: Tokens) -> Iterator[Span]:
    """Tokens that the segmenter takes for names, with what it cut off put back and function words taken away."""
    for start, (token, tag) in tokens.items():
        if not tag.startswith("nr") and token not in DOUBLE:
            continue
        end = start + len(token)
        if token in DOUBLE or (len(token) == 1 and token in SURNAMES):
            given, kind = tokens.get(end, ("", ""))
            if token in DOUBLE and len(given) == 1 and _CHINESE.match(given) and given not in _NOT_GIVEN:
                yield start, end + 1
            elif 0 < len(given) <= 2 and _CHINESE.fullmatch(given) and kind[:1] in {"n", "x"} and given not in _TITLES:
                yield start, end + len(given)
        elif _surname(token) and (_known(token) or not _is_word(token[:2])):
            yield (start, end + 1) if _is_torn(token, *tokens.get(end, ("", ""))) else _trimmed(token, start)


def _is_torn(token: str, rest: str, tag: str) -> bool:
    """Whether the segmenter cut the last character off a name: it made up the next word, or that is a lone noun."""
    if len(token) != 2 or not _CHINESE.fullmatch(rest) or rest[0] in _NOT_GIVEN:
        return False
    return (len(rest) == 2 and not _known(rest)) or (len(rest) == 1 and tag in _LONE)


def _trimmed(token: str, start: int) -> Span:
    while len(token) > 2 and token[-1] in _NOT_GIVEN:
        token = token[:-1]
    return (start, start) if set(token[1:]) & _NOT_GIVEN else (start, start + len(token))


def _known(text: str) -> bool:
    import rjieba

    return bool(rjieba.has_word(text))


def _is_word(text: str) -> bool:
    """Whether the segmenter's dictionary has it as anything but a name."""
    import rjieba

    if len(text) < 2 or not rjieba.has_word(text):
        return False
    tags = rjieba.tag(text, hmm=False)
    return len(tags) == 1 and not tags[0][1].startswith("nr")

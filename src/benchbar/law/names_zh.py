"""How a law's name is told from the words around it in Chinese text."""

from __future__ import annotations

import re

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
    r"(?:方|做|无|合|违|执|依|立|看|说|用|非|守|手|设|想|书|枪|普|修|按|新|旧|算|疗|语|加|减|乘|除|打|玩|写|读|变|魔)法$"
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
    [
        "宪法",
        "民法典",
        "民法总则",
        "民法通则",
        "刑法",
        "公司法",
        "合伙企业法",
        "个人独资企业法",
        "证券法",
        "证券投资基金法",
        "保险法",
        "票据法",
        "信托法",
        "商业银行法",
        "企业破产法",
        "海商法",
        "合同法",
        "劳动合同法",
        "物权法",
        "担保法",
        "侵权责任法",
        "婚姻法",
        "继承法",
        "收养法",
        "劳动法",
        "劳动争议调解仲裁法",
        "社会保险法",
        "就业促进法",
        "工会法",
        "安全生产法",
        "职业病防治法",
        "妇女权益保障法",
        "未成年人保护法",
        "预防未成年人犯罪法",
        "老年人权益保障法",
        "残疾人保障法",
        "反家庭暴力法",
        "母婴保健法",
        "人口与计划生育法",
        "家庭教育促进法",
        "学前教育法",
        "教育法",
        "义务教育法",
        "高等教育法",
        "民办教育促进法",
        "教师法",
        "民事诉讼法",
        "刑事诉讼法",
        "行政诉讼法",
        "海事诉讼特别程序法",
        "仲裁法",
        "人民调解法",
        "公证法",
        "律师法",
        "法律援助法",
        "行政处罚法",
        "行政许可法",
        "行政强制法",
        "行政复议法",
        "国家赔偿法",
        "公务员法",
        "监察法",
        "监察官法",
        "法官法",
        "检察官法",
        "人民法院组织法",
        "人民检察院组织法",
        "人民陪审员法",
        "治安管理处罚法",
        "道路交通安全法",
        "居民身份证法",
        "户口登记条例",
        "出境入境管理法",
        "护照法",
        "国籍法",
        "反恐怖主义法",
        "反间谍法",
        "国家安全法",
        "反有组织犯罪法",
        "反电信网络诈骗法",
        "反洗钱法",
        "禁毒法",
        "消防法",
        "突发事件应对法",
        "网络安全法",
        "数据安全法",
        "个人信息保护法",
        "密码法",
        "电子商务法",
        "电子签名法",
        "广告法",
        "价格法",
        "反垄断法",
        "反不正当竞争法",
        "消费者权益保护法",
        "产品质量法",
        "食品安全法",
        "药品管理法",
        "疫苗管理法",
        "传染病防治法",
        "基本医疗卫生与健康促进法",
        "医师法",
        "执业医师法",
        "精神卫生法",
        "献血法",
        "中医药法",
        "专利法",
        "商标法",
        "著作权法",
        "土地管理法",
        "城市房地产管理法",
        "城乡规划法",
        "农村土地承包法",
        "农村集体经济组织法",
        "村民委员会组织法",
        "城市居民委员会组织法",
        "建筑法",
        "招标投标法",
        "政府采购法",
        "拍卖法",
        "草原法",
        "森林法",
        "水法",
        "渔业法",
        "矿产资源法",
        "野生动物保护法",
        "环境保护法",
        "大气污染防治法",
        "水污染防治法",
        "噪声污染防治法",
        "土壤污染防治法",
        "固体废物污染环境防治法",
        "环境影响评价法",
        "海洋环境保护法",
        "循环经济促进法",
        "节约能源法",
        "可再生能源法",
        "税收征收管理法",
        "个人所得税法",
        "企业所得税法",
        "增值税法",
        "契税法",
        "印花税法",
        "车船税法",
        "预算法",
        "审计法",
        "会计法",
        "统计法",
        "中国人民银行法",
        "银行业监督管理法",
        "外汇管理条例",
        "外商投资法",
        "对外贸易法",
        "海关法",
        "进出口商品检验法",
        "立法法",
        "选举法",
        "代表法",
        "集会游行示威法",
        "民族区域自治法",
        "香港特别行政区基本法",
        "澳门特别行政区基本法",
        "国旗法",
        "国徽法",
        "国歌法",
        "英雄烈士保护法",
        "退役军人保障法",
        "兵役法",
        "国防法",
        "军人地位和权益保障法",
        "红十字会法",
        "慈善法",
        "境外非政府组织境内活动管理法",
        "涉外民事关系法律适用法",
        "引渡法",
        "社区矫正法",
        "监狱法",
        "人民警察法",
        "枪支管理法",
        "邮政法",
        "铁路法",
        "公路法",
        "民用航空法",
        "海上交通安全法",
        "港口法",
        "航道法",
        "旅游法",
        "体育法",
        "电影产业促进法",
        "公共图书馆法",
        "文物保护法",
        "非物质文化遗产法",
        "档案法",
        "保守国家秘密法",
        "科学技术进步法",
        "促进科技成果转化法",
        "中小企业促进法",
        "乡镇企业法",
        "乡村振兴促进法",
        "农业法",
        "种子法",
        "动物防疫法",
        "农产品质量安全法",
        "粮食安全保障法",
        "黄河保护法",
        "长江保护法",
        "湿地保护法",
        "无障碍环境建设法",
        "工伤保险条例",
        "失业保险条例",
        "住房公积金管理条例",
        "职工带薪年休假条例",
        "女职工劳动保护特别规定",
        "劳动合同法实施条例",
        "公司登记管理条例",
        "市场主体登记管理条例",
        "物业管理条例",
        "道路交通安全法实施条例",
        "机动车交通事故责任强制保险条例",
        "医疗事故处理条例",
        "医疗纠纷预防和处理条例",
        "国有土地上房屋征收与补偿条例",
        "不动产登记暂行条例",
        "政府信息公开条例",
        "信访条例",
        "诉讼费用交纳办法",
        "个体工商户条例",
        "婚姻登记条例",
        "殡葬管理条例",
        "看守所条例",
        "保障农民工工资支付条例",
        "人体器官捐献和移植条例",
        "公司法解释",
        "民诉法",
        "刑诉法",
        "行诉法",
        "民诉法解释",
        "刑诉法解释",
        "行诉法解释",
        "行诉解释",
        "民间借贷司法解释",
        "九民纪要",
        "招投标法",
        "治安处罚法",
        "消法",
        "道交法",
        "个保法",
    ]
)
"""Names that stand without 《》 and may hold 和, 与 or 在; a longer name wins over a shorter one that ends it."""


def looks_like_law(name: str) -> bool:
    """Whether a name in brackets ends as laws do."""
    return bool(_LAW.search(name)) and not _NO_LAW.search(name)


def is_contract(name: str) -> bool:
    """Whether the name ends as contracts, bylaws and papers of a case do."""
    return bool(_CONTRACT.search(name))


def is_internal(name: str) -> bool:
    """Whether the name is of a rule that an employer gave itself."""
    return bool(_INTERNAL.search(name)) and name.removeprefix("中华人民共和国") not in KNOWN_NAMES


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
    found = None
    for found in _ABOUT.finditer(window, start):
        break
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

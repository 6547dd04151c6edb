"""How well the share of familiar wording tells questions about law from others, over the shared statutes.

    python scripts/check_familiarity.py INDEX QUERIES.jsonl

INDEX is made by `benchbar law index`, QUERIES hold questions that it answers. Prints the bound, the share of those
questions that fall below it, and how many of thirty questions about anything else do not.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from benchbar.retrieval.corpus import CorpusIndex
from benchbar.retrieval.familiarity import familiarity, least_familiarity

OTHER = (
    "红烧肉怎么做才好吃？", "今天北京的天气怎么样？", "推荐几部好看的科幻电影", "Python里怎么把列表倒序？", "世界上最高的山是哪座？",
    "如何快速减肥？", "猫咪为什么喜欢晒太阳", "帮我写一首关于春天的诗", "量子纠缠是什么意思", "周末去杭州玩什么好",
    "篮球比赛一共几节？", "怎样练好钢琴", "手机屏幕碎了多少钱换", "请把这句话翻译成英文：我爱你", "1加1等于几",
    "如何种植番茄", "太阳系有几颗行星", "失眠怎么办", "打羽毛球的技巧", "什么牌子的咖啡好喝",
    "怎么学好英语口语", "黑洞是怎么形成的", "给我讲个笑话", "最近有什么好听的歌", "如何冲泡绿茶",
    "小狗不吃饭怎么回事", "怎么设置路由器", "蛋糕烤多长时间", "宋朝的都城在哪里", "马拉松跑多少公里",
)  # fmt: skip


def main() -> None:
    """Print the two shares."""
    index = CorpusIndex.open(Path(sys.argv[1]))
    lines = Path(sys.argv[2]).read_text("utf-8").splitlines()
    asked = [json.loads(line)["question"] for line in lines]
    store = index.store("law")
    least = least_familiarity(store)
    lost = sum(familiarity(store, question) < least for question in asked)
    passed = sum(familiarity(store, question) >= least for question in OTHER)
    print(f"{len(store.passages)} passages, bound {least:.3f}")
    print(f"{lost} of {len(asked)} questions about law turned away, {passed} of {len(OTHER)} others let through")


if __name__ == "__main__":
    main()

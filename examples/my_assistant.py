"""Answers with the rule of your own handbook that shares most characters with the question."""

from benchbar.records import Reply
from benchbar.testing import AssistantConformance

HANDBOOK = "试用期最长不得超过六个月。拖欠工资的，可以向劳动部门投诉。书面合同应当在入职一个月内订立。"


class Handbook:
    def __init__(self, sentences: int = 1) -> None:
        self.sentences = sentences
        self.rules = [rule for rule in HANDBOOK.split("。") if rule]

    async def reply(self, turns) -> Reply:
        asked = set(turns[-1].content)
        best = sorted(self.rules, key=lambda rule: -len(asked & set(rule)))
        return Reply(content="。".join(best[: self.sentences]) + "。")


class TestHandbook(AssistantConformance):
    def make(self) -> Handbook:
        return Handbook()

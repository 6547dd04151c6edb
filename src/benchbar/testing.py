"""The examination that a role's players inherit: subclass it in your tests and say how yours is made."""

from __future__ import annotations

import asyncio

from benchbar.records import Reply, Turn
from benchbar.records.protocols import Assistant


class AssistantConformance:
    """What every assistant has to do. Collected by pytest as ``class TestMine(AssistantConformance)``."""

    def make(self) -> Assistant:
        """An assistant that is ready to answer."""
        raise NotImplementedError("say how your assistant is made: def make(self): return MyAssistant()")

    question = "试用期最长可以约定多久？"
    """Something that it can answer."""

    def _ask(self, *texts: str) -> Reply:
        turns = [Turn(role="user" if index % 2 == 0 else "assistant", content=text) for index, text in enumerate(texts)]
        return asyncio.run(self.make().reply(tuple(turns)))

    def test_it_has_the_role(self) -> None:
        """It has the one method that an assistant needs."""
        assert isinstance(self.make(), Assistant)  # noqa: S101 - a test

    def test_it_answers_a_question_with_a_reply(self) -> None:
        """A question is answered with a Reply that holds text."""
        reply = self._ask(self.question)
        assert isinstance(reply, Reply)  # noqa: S101
        assert reply.content.strip()  # noqa: S101

    def test_it_goes_on_with_a_talk(self) -> None:
        """It takes the turns of a talk that is under way."""
        assert self._ask(self.question, "请补充情况。", "合同期限是两年。").content.strip()  # noqa: S101

    def test_it_can_be_asked_many_things_at_once(self) -> None:
        """Two talks at the same time do not disturb each other."""
        assistant = self.make()

        async def both() -> tuple[Reply, Reply]:
            turn = Turn(role="user", content=self.question)
            return await asyncio.gather(assistant.reply((turn,)), assistant.reply((turn,)))

        first, second = asyncio.run(both())
        assert first.content == second.content  # noqa: S101

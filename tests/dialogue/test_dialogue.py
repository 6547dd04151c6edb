"""Simulated consultations: who speaks when, how they end, and what is noted about them."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from benchbar.clients.scripted import ScriptedModel
from benchbar.dialogue.agenda import AgendaUser
from benchbar.dialogue.llm_user import ModelUser
from benchbar.dialogue.loop import Protocol, hold
from benchbar.languages.prompts import Prompts
from benchbar.ledger import Ledger
from benchbar.records import Dialogue, DialogueEnd, Reply, Sample, Task, Turn
from benchbar.records.errors import ContentFilterError, UnknownModelError

TASK = Task(
    id="4-3", name="Real Case Consultation", level="analyze", scenarios=("general_public",), background="你想讨回押金。"
)
SAMPLE = Sample(
    id="s1",
    task="4-3",
    needs="想知道房东不退押金该怎么办。",
    information="我租了一年房子，押金3000元。房东说墙脏了。墙是旧的。我有照片。",
)
PROMPTS = Prompts()


class User:
    """Says what it is told to say, in order."""

    def __init__(self, *lines: str) -> None:
        self.lines = list(lines)

    async def speak(self, task: Task, sample: Sample, turns: Sequence[Turn]) -> Reply:
        return Reply(content=self.lines.pop(0))


class Helper:
    """Answers what it is told to answer; an exception is raised."""

    def __init__(self, *answers: str | Exception) -> None:
        self.answers = list(answers)
        self.seen: list[tuple[Turn, ...]] = []

    async def reply(self, turns: Sequence[Turn]) -> Reply:
        self.seen.append(tuple(turns))
        answer = self.answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return Reply(content=answer, latency=0.5)


def talk(user, helper, sample: Sample = SAMPLE, **protocol) -> object:
    return hold(TASK, sample, "a", helper, user, protocol=Protocol(**protocol), prompts=PROMPTS)


async def test_user_and_assistant_alternate_for_three_exchanges_at_most():
    """Six turns, then the limit ends it."""
    dialogue = await talk(User("一", "二", "三", "四"), Helper("甲", "乙", "丙", "丁"))
    assert [turn.content for turn in dialogue.turns] == ["一", "甲", "二", "乙", "三", "丙"]
    assert (dialogue.ended, dialogue.exchanges, dialogue.latency) == (DialogueEnd.TURN_LIMIT, 3, 1.5)


@pytest.mark.parametrize("line", ["咨询结束", "好的，谢谢。咨询结束", "谢谢！“咨询结束”。"])
async def test_the_end_mark_anywhere_ends_it_and_what_precedes_it_is_kept_apart(line):
    """Thanks before the mark are no turn that an assistant has to answer."""
    dialogue = await talk(User("一", line), Helper("甲"))
    assert (dialogue.ended, dialogue.exchanges) == (DialogueEnd.SATISFIED, 1)
    assert dialogue.closing == line.partition("咨询结束")[0].strip()


async def test_a_user_who_ends_before_asking_gives_no_dialogue():
    """That is the simulator's failure and says so."""
    dialogue = await talk(User("咨询结束"), Helper())
    assert dialogue.ended is DialogueEnd.ERROR
    assert dialogue.error.startswith("simulator: ended-before-asking")


async def test_long_information_goes_to_the_assistant_and_not_through_the_users_mouth():
    """The assistant reads it in a system turn; the simulated user only asks."""
    sample = Sample(id="s", task="4-3", needs="写摘要", information="很长的材料。" * 50, long_information=True)
    helper = Helper("好")
    await talk(User("请写摘要", "咨询结束"), helper, sample)
    assert helper.seen[0][0].role == "system"
    assert sample.information in helper.seen[0][0].content
    opening = await AgendaUser(end_mark="咨询结束").speak(TASK, sample, ())
    assert "很长的材料" not in opening.content


async def test_an_assistants_failure_ends_its_dialogue_and_is_named():
    """One bad item does not end the run, and it does not vanish."""
    for error, slug in (
        (ContentFilterError("no"), "assistant: content-filter"),
        (ValueError("x"), "assistant: exception: ValueError"),
    ):
        dialogue = await talk(User("一", "二"), Helper("甲", error))
        assert (dialogue.ended, dialogue.exchanges) == (DialogueEnd.ERROR, 1)
        assert dialogue.error.startswith(slug)


async def test_an_error_that_would_end_every_dialogue_ends_the_run():
    """A model that does not exist is not tried once for each sample."""
    with pytest.raises(UnknownModelError):
        await talk(User("一"), Helper(UnknownModelError("no such model")))


async def test_the_model_user_sees_information_and_needs_but_never_the_guidance(tmp_path):
    """And it sees the talk with the roles exchanged, so that it speaks as the user."""
    heard: list[Sequence[Turn]] = []

    def answer(messages: Sequence[Turn]) -> str:
        heard.append(messages)
        return "请问怎么办？"

    ledger = Ledger(tmp_path / "l.sqlite")
    user = ModelUser(ScriptedModel(answer, ledger), PROMPTS, end_mark="咨询结束")
    await user.speak(TASK, SAMPLE, (Turn(role="user", content="一"), Turn(role="assistant", content="甲")))
    prompt, own, other = heard[0]
    assert SAMPLE.information in prompt.content
    assert SAMPLE.needs in prompt.content
    assert "咨询结束" in prompt.content
    assert (own.role, other.role) == ("assistant", "user")
    ledger.close()


async def test_the_agenda_user_keeps_facts_back_and_tells_them_when_the_answer_does_not_help():
    """First needs and most facts; then a withheld fact; then the same need in other words."""
    user = AgendaUser(end_mark="咨询结束")
    helper = Helper(*["我无法回答这个问题。"] * 3)
    dialogue = await talk(user, helper)
    first, second, third = (turn.content for turn in dialogue.turns if turn.role == "user")
    assert "押金3000元" in first
    assert "我有照片" not in first
    assert "我有照片" in second
    assert third != first != second
    assert all(SAMPLE.needs in text for text in (first, second, third))


async def test_the_agenda_user_ends_when_its_need_is_met():
    """An answer that takes up the need in words of its own satisfies it."""
    answer = "房东没有证据证明损坏的，应当在交还房屋后退还押金；他拒绝退还的，您可以凭照片和合同向法院起诉，要求返还押金和利息。"
    dialogue = await talk(AgendaUser(end_mark="咨询结束"), Helper(answer))
    assert (dialogue.ended, dialogue.exchanges) == (DialogueEnd.SATISFIED, 1)


async def test_the_agenda_user_is_not_satisfied_by_its_own_words():
    """An assistant that repeats the question has not answered it."""
    parrot = Helper(
        *[f"您的问题是：{SAMPLE.information}{SAMPLE.needs}这个问题很重要，需要认真对待，请您耐心等待处理结果。"] * 3
    )
    dialogue = await talk(AgendaUser(end_mark="咨询结束"), parrot)
    assert dialogue.ended is DialogueEnd.TURN_LIMIT


GUARDS = {
    "answers_itself": (("根据《民法》第十条，房东应当退还押金。",), ("好",)),
    "leaves_needs": (("今天天气真好，我们聊聊足球比赛和电影明星吧。",), ("好",)),
    "invents_facts": (("押金是3000元，我2021年付了88888元，怎么办？",), ("好",)),
    "empty_reply": (("房东不退押金怎么办？",), ("  ",)),
    "echo": (("我租了一年房子，房东不退押金怎么办？",), ("我租了一年房子，房东不退押金怎么办？",)),
    "repeats_itself": (("押金怎么办？", "房东不退怎么办？"), ("请您与房东好好协商解决。", "请您与房东好好协商解决。")),
}


@pytest.mark.parametrize(("guard", "said"), GUARDS.items())
async def test_guards_note_what_should_not_happen(guard, said):
    """Each finding names the guard and the turn."""
    users, answers = said
    dialogue: Dialogue = await talk(User(*users, "咨询结束"), Helper(*answers))
    assert guard in {finding.guard for finding in dialogue.guards}


@pytest.mark.parametrize(
    ("asserted", "asked"),
    [
        (
            "According to article 10, the landlord returns it.",
            "According to article 10 the landlord returns it: what if not?",
        ),
        (
            "Согласно статье 10, хозяин обязан вернуть залог.",
            "Согласно статье 10 залог возвращают, но как его получить",
        ),
        ("依据《民法》第十条，房东应当退还。", "依据《民法》第十条，怎么要回押金"),
        ("依據《民法》第十條，房東應當退還。", "依據《民法》第十條，怎麼要回押金"),
    ],
    ids=["en", "ru", "zh", "zh-Hant"],
)
async def test_a_user_that_answers_itself_is_seen_in_each_language(asserted, asked):
    """Also at the beginning of a sentence; who cites the law and asks on answers nothing."""
    guards = [
        {one.guard for one in (await talk(User(said, "咨询结束"), Helper("好"))).guards} for said in (asserted, asked)
    ]
    assert ["answers_itself" in found for found in guards] == [True, False]


async def test_an_ordinary_dialogue_trips_no_guard():
    """Guards that cry at everything would be read by nobody."""
    dialogue = await talk(User("我租了一年房子，押金3000元，房东不退押金怎么办？", "咨询结束"), Helper("可以起诉。"))
    assert dialogue.guards == ()

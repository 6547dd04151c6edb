"""Users of different temperaments: who plays which, what they say, and what results say of it."""

from __future__ import annotations

import json
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchbar.clients.scripted import ScriptedModel
from benchbar.dialogue.agenda import AgendaUser
from benchbar.dialogue.llm_user import ModelUser
from benchbar.dialogue.loop import Protocol, hold
from benchbar.dialogue.temperaments import Temperament, assigned, mistake_of, temperaments_of
from benchbar.languages.packs import known, labels
from benchbar.languages.prompts import Prompts
from benchbar.ledger import Ledger
from benchbar.records import Reply, Sample, Task, Turn
from benchbar.records.errors import UserError
from support.in_process import runner

TASK = Task(id="4-3", name="Real case", level="analyze", scenarios=("general_public",), background="你想讨回押金。")
SAMPLE = Sample(
    id="s1",
    task="4-3",
    needs="想知道房东不退押金该怎么办。",
    information="我2021年租了房子，押金3000元。房东说墙脏了。墙是旧的。我有照片。",
)
HELPS = (
    "房东没有证据证明损坏的，应当在交还房屋后退还押金；他拒绝退还的，您可以凭照片和合同向法院起诉，要求返还押金和利息。"
)
EVADES = "我无法回答这个问题。"
PROMPTS = Prompts()


class Helper:
    """Answers what it is told to, in order."""

    def __init__(self, *answers: str) -> None:
        self.answers = list(answers)

    async def reply(self, turns: object) -> Reply:
        return Reply(content=self.answers.pop(0))


async def talk(temperament: str, *answers: str, sample: Sample = SAMPLE, exchanges: int = 4):
    """The dialogue, and what the user said in it."""
    user = AgendaUser(end_mark="咨询结束", temperament=temperament)
    dialogue = await hold(
        *(TASK, sample, "a", Helper(*answers), user),
        protocol=Protocol(exchanges=exchanges),
        prompts=PROMPTS,
        temperament=Temperament(temperament),
    )
    return dialogue, [turn.content for turn in dialogue.turns if turn.role == "user"]


async def test_a_calm_user_is_the_usual_one():
    """With temperaments on, calm says what every user says with them off."""
    dialogue, said = await talk("calm", EVADES, HELPS)
    usual = await hold(
        *(TASK, SAMPLE, "a", Helper(EVADES, HELPS), AgendaUser(end_mark="咨询结束")),
        protocol=Protocol(exchanges=4),
        prompts=PROMPTS,
    )
    assert [turn.content for turn in usual.turns if turn.role == "user"] == said
    assert (usual.temperament, dialogue.temperament) == ("", "calm")


async def test_a_terse_user_tells_one_fact_at_a_time():
    """The first message holds one fact; each of the others comes when an answer did not help, and alone."""
    _, said = await talk("terse", *[EVADES] * 4)
    assert said[0] == "我2021年租了房子，押金3000元。" + SAMPLE.needs
    assert said[1:] == ["房东说墙脏了。", "墙是旧的。", "我有照片。"]


async def test_an_anxious_user_asks_once_more_before_it_is_content():
    """The need is met, reassurance is asked for, and whatever is answered then ends it."""
    dialogue, said = await talk("anxious", HELPS, "是的。")
    assert len(said) == 2
    assert "担心" in said[1]
    assert dialogue.ended == "satisfied"


async def test_a_rambling_user_wanders_off_in_every_message():
    """Two idle remarks a message, the same each time the run is made, and no guard takes them for facts."""
    dialogue, said = await talk("rambling", *[EVADES] * 3, exchanges=3)
    idle = labels("zh", "words").texts["temperament.asides"].splitlines()
    assert all(sum(remark in one for remark in idle) == 2 for one in said)
    assert len(set(said)) == 3
    assert said == (await talk("rambling", *[EVADES] * 3, exchanges=3))[1]
    assert not {finding.guard for finding in dialogue.guards} & {"invents_facts", "leaves_needs"}


async def test_a_mistaken_user_tells_one_number_wrong_until_it_is_asked():
    """What nobody asks about stays wrong; a question about it is answered with the right one, once."""
    dialogue, said = await talk("mistaken", EVADES, HELPS)
    assert "4000元" in said[0]
    assert "3000" not in "".join(said)
    assert "invents_facts" not in {finding.guard for finding in dialogue.guards}
    dialogue, said = await talk("mistaken", "押金是4000元吗？请再看看合同。", "请核实其他情况。", HELPS)
    assert said[1] == f"我刚才说错了，不是4000，是3000。{SAMPLE.needs}"
    assert "4000" not in said[2]
    assert dialogue.ended == "satisfied"


async def test_a_mistaken_user_without_a_number_is_calm():
    """There is nothing to be mistaken about."""
    sample = Sample(id="s2", task="4-3", needs=SAMPLE.needs, information="房东不退押金。墙是旧的。")
    assert mistake_of(sample) is None
    assert (await talk("mistaken", HELPS, sample=sample))[1] == (await talk("calm", HELPS, sample=sample))[1]


async def test_a_distrustful_user_wants_a_source():
    """A good answer without one is not enough; one that names an article is."""
    dialogue, said = await talk("distrustful", HELPS, HELPS + "依据《民事基本法》第五十八条。")
    assert len(said) == 2
    assert "第几条" in said[1]
    assert dialogue.ended == "satisfied"
    dialogue, _ = await talk("distrustful", *[HELPS] * 3, exchanges=3)
    assert dialogue.ended == "turn_limit"


@pytest.mark.parametrize(
    ("information", "right", "wrong"),
    [
        ("押金3000元，2021年3月5日交的。", "3000", "4000"),
        ("价值三万元的货。", "三万元", "四万元"),
        ("试用期3个月。", "3个月", "4个月"),
        ("A deposit of 9,500 dollars, paid on 3 May 2021.", "9,500", "8,500"),
        ("Неустойка 60 000 рублей.", "60 000", "70 000"),
    ],
)
def test_what_a_user_is_mistaken_about_is_an_amount(information, right, wrong):
    """Sums and spans; where the mistake is made, the right amount no longer stands."""
    found = mistake_of(Sample(id="x", task="t", needs="怎么办？", information=information))
    assert (found.right, found.wrong) == (right, wrong)
    assert found.made_in(information) == information.replace(right, wrong)


@pytest.mark.parametrize(
    "information",
    ["依据《民法》第577条，违约金30%。", "2021年12月31日签的合同，第3条。", "张三借给李四一本书。"],
)
def test_nobody_is_mistaken_about_years_dates_articles_or_names(information):
    """Where there is no amount, there is no mistake."""
    assert mistake_of(Sample(id="x", task="t", needs="怎么办？", information=information)) is None


@given(
    st.lists(st.integers(1, 30), min_size=1, max_size=8),
    st.lists(st.sampled_from(tuple(Temperament)), min_size=1, max_size=6, unique=True),
    st.integers(0, 99),
)
def test_assignment_is_balanced_and_follows_from_the_seed(sizes, temperaments, seed):
    """Each temperament comes once in a block, numbers differ by one at most, and the seed alone decides."""
    samples = [Sample(id=f"{t}-{i}", task=str(t), needs="?") for t, size in enumerate(sizes) for i in range(size)]
    found = assigned(samples, temperaments, seed=seed)
    counts = Counter(found(sample) for sample in samples)
    assert sum(counts.values()) == len(samples)
    assert max(counts[one] for one in temperaments) - min(counts[one] for one in temperaments) <= 1
    for block in found.blocks[:-1]:
        assert {found.of[id_] for id_ in block} == set(temperaments)
    assert found == assigned(samples, temperaments, seed=seed)


@pytest.mark.parametrize("names", ["calm", ["calm", "calm"], ["angry"], [3]])
def test_temperaments_that_cannot_be_are_refused(names):
    """A string, a name twice, an unknown one."""
    with pytest.raises(UserError, match="temperaments"):
        temperaments_of(names)


async def prompts(tmp_path, language: str, *temperaments: str) -> list[str]:
    """The distinct prompts that a model hears when it plays users of these temperaments."""
    heard: list[str] = []

    def answer(messages: list[Turn]) -> str:
        heard.append(messages[0].content)
        return "?"

    sample = Sample(id="s", task="4-3", needs="?", information="押金 3000 元 dollars.", language=language)
    ledger = Ledger(tmp_path / "l.sqlite")
    for one in temperaments:
        user = ModelUser(ScriptedModel(answer, ledger), PROMPTS, end_mark="END", temperament=one)
        await user.speak(TASK, sample, ())
    ledger.close()
    return heard


@pytest.mark.parametrize("language", known())
@pytest.mark.parametrize("temperament", Temperament)
async def test_a_model_is_told_its_temperament(tmp_path, language, temperament):
    """Each in each language has words of its own, at the end of one line; only the mistaken one hears a wrong amount."""
    plain, own = await prompts(tmp_path, language, "", temperament)
    lines = [(a, b) for a, b in zip(plain.splitlines(), own.splitlines(), strict=True) if a != b]
    assert len(lines) == 1
    assert lines[0][1].startswith(lines[0][0])
    assert ("4000" in own) == (temperament == "mistaken")


@pytest.mark.parametrize("language", known())
async def test_without_temperaments_the_prompt_is_the_one_it_always_was(tmp_path, language):
    """Asked twice without a temperament, a model hears the same prompt: the second answer comes from the ledger."""
    assert len(await prompts(tmp_path, language, "", "")) == 1


@pytest.fixture
def benchbar(tmp_path, monkeypatch):
    """Runs the command line in a folder of its own, in this process."""
    return runner(tmp_path, monkeypatch)


SPEC = """
suite = "model-jurisdiction-zh"
reference = "floor"
limit = 24
seed = 5
[simulator]
{simulator}
temperaments = ["calm", "terse", "mistaken", "distrustful"]
[assistants.quotes]
kind = "extractive"
[assistants.floor]
kind = "closed-book"
"""


def test_a_run_says_that_users_differed_and_how_assistants_fared(benchbar, tmp_path):
    """In results, dialogues, report, tables and on the terminal; a run without temperaments says nothing of it."""
    (tmp_path / "spec.toml").write_text(SPEC.format(simulator='kind = "agenda"'), "utf-8")
    done = benchbar("run", "spec.toml", "--out", "runs/t", "--quiet")
    assert done.code == 0, done.err
    assert "temperament" in done.out
    results = json.loads((tmp_path / "runs/t/results.json").read_text("utf-8"))
    found = results["temperaments"]
    assert found["assigned"] == {"calm": 6, "terse": 6, "mistaken": 6, "distrustful": 6}
    assert "temperaments: calm, terse, mistaken, distrustful (seed 5)" in results["simulator"]
    for name in ("quotes", "floor"):
        assert sum(cell["samples"] for cell in found["assistants"][name].values()) == 24
    spread = found["robustness"]["quotes"]
    assert spread["difference"]["n"] <= found["blocks"] == 6
    assert spread["difference"]["low"] <= spread["difference"]["value"] <= spread["difference"]["high"]
    means = {kind: cell["measures"]["point_score"]["value"] for kind, cell in found["assistants"]["quotes"].items()}
    assert (spread["worst"], spread["best"]) == (min(means, key=means.get), max(means, key=means.get))
    # Rules leave open what an assistant says that has looked nothing up.
    assert found["robustness"]["floor"] is None
    dialogues = [json.loads(line) for line in (tmp_path / "runs/t/dialogues.jsonl").read_text("utf-8").splitlines()]
    of = {(one["sample"], one["assistant"]): one["temperament"] for one in dialogues}
    assert all(of[sample, "quotes"] == of[sample, "floor"] != "" for sample, _ in of)
    assert "按用户性情" in (tmp_path / "runs/t/report.html").read_text("utf-8")
    for form in ("md", "csv", "latex"):
        assert "distrustful" in benchbar("report", "runs/t", "--format", form).out
    changed = (tmp_path / "spec.toml").read_text("utf-8").replace('"calm", ', "")
    (tmp_path / "spec.toml").write_text(changed, "utf-8")
    assert benchbar("run", "spec.toml", "--out", "runs/t", "--quiet").code == 2


def test_a_model_plays_temperaments_through_the_ledger(benchbar, chat_server, tmp_path):
    """The temperament is part of each call; the same run again asks for nothing, another seed for what changed."""
    simulator = f'kind = "llm"\nmodel = "sim"\nbase_url = "{chat_server.base_url}"'
    spec = SPEC.format(simulator=simulator).replace("limit = 24", "limit = 4")
    (tmp_path / "spec.toml").write_text(spec, "utf-8")
    first = benchbar("run", "spec.toml", "--out", "runs/t", "--quiet", "--json")
    assert first.code == 0, first.err
    asked = chat_server.stats()["requests"]["sim"]
    again = benchbar("run", "spec.toml", "--out", "runs/t", "--quiet", "--json")
    assert again.out == first.out
    assert chat_server.stats()["requests"]["sim"] == asked
    other = benchbar("run", "spec.toml", "--out", "runs/t", "--quiet", "--json", "--seed", "9", "--accept-changes")
    assert other.code == 0, other.err
    assert asked < chat_server.stats()["requests"]["sim"] < 2 * asked


def test_a_temperament_that_no_result_would_tell_of_is_refused(benchbar, tmp_path):
    """A single one is a list of one."""
    spec = SPEC.format(simulator='kind = "agenda"\ntemperament = "terse"')
    (tmp_path / "spec.toml").write_text(spec, "utf-8")
    done = benchbar("run", "spec.toml", "--quiet")
    assert done.code == 2
    assert "expected a list" in done.err


def test_questions_that_are_asked_once_have_no_user_to_vary(benchbar, tmp_path):
    """Temperaments are refused there, with the reason."""
    spec = SPEC.format(simulator='kind = "agenda"').replace("model-jurisdiction-zh", "model-jurisdiction-zh-questions")
    (tmp_path / "spec.toml").write_text(spec, "utf-8")
    done = benchbar("run", "spec.toml", "--quiet")
    assert done.code == 2
    assert "no user to vary" in done.err

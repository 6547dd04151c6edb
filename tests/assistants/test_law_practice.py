"""The consultant of law and practice: structured answers whose sources can be looked up, or none with the reason."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchbar.assistants.consultation import ContextPassage, estimated_tokens, window
from benchbar.assistants.law_practice import LawPractice, as_text, assemble
from benchbar.assistants.writers import ExtractiveWriter, ModelWriter, read_draft, references
from benchbar.languages.packs import labels
from benchbar.records import Piece, Reply, Turn
from benchbar.records.errors import UserError
from benchbar.records.protocols import Assistant
from benchbar.retrieval.corpus import CorpusIndex
from benchbar.retrieval.search import Finding
from benchbar.retrieval.settings import RetrievalSettings
from benchbar.suites.load import load
from benchbar.testing import AssistantConformance

QUESTION = "试用期最长可以约定多久？"


class Scribe:
    """A model that writes down what it was asked and answers with what it was given."""

    identity = "scribe"

    def __init__(self, *answers: str) -> None:
        self.answers, self.asked = list(answers), []

    async def ask(self, messages: Sequence[Turn], *, role: str, repeat: int = 0, attempt: int = 0) -> Reply:
        self.asked.append((role, messages[-1].content))
        return Reply(content=self.answers.pop(0), model="scribe")


@pytest.fixture(scope="module")
def index() -> CorpusIndex:
    return CorpusIndex.open(load("model-jurisdiction-zh").law)


def consult(consultant: LawPractice, question: str = QUESTION):
    return asyncio.run(consultant.consult(question))


class TestExtractive(AssistantConformance):
    made: Assistant | None = None

    def make(self) -> Assistant:
        if TestExtractive.made is None:
            TestExtractive.made = assemble(CorpusIndex.open(load("model-jurisdiction-zh").law))
        return TestExtractive.made


def test_every_source_resolves_in_the_corpus(index):
    """Articles and case numbers of an answer are those of the corpus, and each is a passage of the context."""
    answer = consult(assemble(index), "邻居装修漏水，谁赔偿？")
    assert answer.articles
    assert answer.cases
    for source in (*answer.articles, *answer.cases):
        assert index.documents_named(source.id) == {source.id}
        assert f"[{source.number}]" in f"{answer.rule}{answer.practice}"
    assert "赔偿" in answer.practice
    assert answer.outside_context == ()


def test_what_a_question_names_is_looked_up(index):
    """An article cited in the question is the first passage, in the edition in force; switched off, it is searched for."""
    question = "请把《民事基本法》第五十八条的原文写给我，再看看（2024）澜0101民初803号。"
    answer = consult(assemble(index), question)
    assert [one.citation for one in answer.context[:2]] == ["《民事基本法》第五十八条", "（2024）澜0101民初803号"]
    plain = consult(assemble(index, settings=RetrievalSettings(named=False)), question)
    assert plain.context[0].citation != "《民事基本法》第五十八条"


def test_articles_that_the_passages_rest_on_are_followed(index):
    """What the found decisions cite is looked up and put last, at most as many as asked for, and none where switched off."""
    question = "公司说我没有审批单，不给加班费，打卡记录算不算证据？"
    alone = consult(assemble(index, settings=RetrievalSettings(cited=0)), question)
    known = [one.id for one in alone.context]
    for most in (1, 3):
        followed = consult(assemble(index, settings=RetrievalSettings(cited=most)), question)
        added = [one for one in followed.context if one.id not in known]
        assert [one.id for one in followed.context][: len(known)] == known
        assert 0 < len(added) <= most
        texts = "".join(one.text for one in alone.context)
        assert all(one.store == "law" and one.citation in texts for one in added)
    only = RetrievalSettings(stores=("practice",))
    assert {one.store for one in consult(assemble(index, settings=only), question).context} == {"practice"}


def test_trial_asks_for_proof_of_each_condition(index):
    """The form for trial lists conditions of the articles, each with its number; the general form does not."""
    trial, general = consult(assemble(index, form="trial"), "邻居装修漏水，谁赔偿？"), consult(assemble(index))
    proof = labels("zh", "words")("writer.trial")
    assert f"{proof}\n- " in trial.conclusion
    assert proof not in general.conclusion


@pytest.mark.parametrize("question", ["红烧肉怎么做才好吃？", "How do I bake bread?", "Как приготовить борщ?"])
def test_it_abstains_with_a_reason_where_nothing_is_found(index, question):
    """A question that the corpus knows nothing about gets a reason in its own language, and no source."""
    answer = consult(assemble(index), question)
    assert answer.abstained
    assert (answer.articles, answer.cases, answer.context) == ((), (), ())
    assert answer.abstained in as_text(answer)


def test_a_model_writes_from_numbered_passages_alone(index):
    """The prompt holds passages, question and form; the answer's references become sources."""
    model = Scribe("[[RULE]]试用期有上限[1]。\n[[PRACTICE]]没有裁判文书。\n[[CONCLUSION]]不得超过上限[1]。")
    answer = consult(assemble(index, settings=RetrievalSettings(stores=("law",)), generator=model))
    role, prompt = model.asked[0]
    assert role == "assistant"
    assert QUESTION in prompt
    assert answer.context[0].text in prompt
    assert (answer.rule, answer.conclusion) == ("试用期有上限[1]。", "不得超过上限[1]。")
    assert [source.number for source in answer.articles] == [1]


@pytest.mark.parametrize("language", ["zh", "en", "ru"])
@pytest.mark.parametrize("form", ["general", "trial"])
def test_each_form_is_asked_for_in_each_language(index, language, form):
    """The prompt of a form holds question, passages and the marks of the parts, fenced by what no passage can foresee."""
    passages = window(index.searching(RetrievalSettings(stores=("law",))).find(QUESTION), 500).passages
    model = Scribe("[[NONE]]")
    asyncio.run(ModelWriter(model).write("<question>", passages, form=form, language=language))
    prompt = model.asked[0][1]
    assert "<question>" in prompt
    assert all(one.text in prompt and f"[{one.number}] {one.citation}" in prompt for one in passages)
    assert all(mark in prompt for mark in ("[[RULE]]", "[[PRACTICE]]", "[[CONCLUSION]]", "[[NONE]]"))
    assert "$" not in prompt


def test_a_citation_that_no_passage_bears_out_is_shown(index):
    """What a model cites from memory is named as outside the context, in the answer too."""
    model = Scribe("[[RULE]]依据《幻想法》第九百条[1]。\n[[CONCLUSION]]可以。")
    answer = consult(assemble(index, generator=model))
    assert answer.outside_context == ("《幻想法》第九百条",)
    assert "《幻想法》第九百条" in as_text(answer).rpartition("请核实")[2]


def test_a_model_may_abstain(index):
    """A model that finds the materials wanting gives its reason, and no source is listed."""
    answer = consult(assemble(index, generator=Scribe("[[NONE]] 材料没有涉及试用期")))
    assert answer.abstained == "材料没有涉及试用期"
    assert answer.articles == ()


def test_a_model_may_put_the_question_in_other_words(index):
    """Its variants are searched beside the question, and kept in the answer."""
    rewriter = Scribe("1. 劳动契约 试用期 期限\n2. 试用期的上限")
    answer = consult(assemble(index, rewriter=rewriter))
    assert answer.variants == ("劳动契约 试用期 期限", "试用期的上限")
    assert rewriter.asked[0][0] == "rewriter"


def test_a_further_question_is_read_with_what_was_said_before(index):
    """A short question after a long story is searched along with the story."""
    turns = (
        Turn(role="user", content="我和公司约定了六个月的试用期，劳动合同是一年。"),
        Turn(role="assistant", content="请问您想了解什么？"),
        Turn(role="user", content="这样合法吗？"),
    )
    assert "试用期" in asyncio.run(assemble(index).reply(turns)).content


def test_identity_changes_with_what_changes_the_answer(index):
    """Form, budget, settings and generator are part of who answers."""
    made = [
        assemble(index),
        assemble(index, form="trial"),
        assemble(index, budget=500),
        assemble(index, settings=RetrievalSettings(mmr=False)),
        assemble(index, generator=Scribe("")),
    ]
    assert len({one.identity for one in made}) == len(made)


def test_an_unknown_form_is_refused(index):
    """The known forms are listed."""
    with pytest.raises(UserError, match="general, trial"):
        assemble(index, form="memo")


def finding(number: int, length: int, kind: str = "decision") -> Finding:
    piece = Piece(id=str(number), kind=kind, document=str(number), text="字" * length, case_number=str(number))
    return Finding(passage=piece, score=0.5, fused=0.1, rank_in_store=number)


@given(
    st.lists(st.tuples(st.integers(1, 900), st.sampled_from(["decision", "article"])), min_size=1, max_size=8),
    st.integers(1, 2000),
)
def test_the_window_keeps_rank_order_and_budget(passages, budget):
    """Passages of each store are taken from the top without a gap, and all are within the budget or one passage's least."""
    findings = [finding(number, length, kind) for number, (length, kind) in enumerate(passages, start=1)]
    opened = window(findings, budget)
    assert [one.number for one in opened.passages] == list(range(1, len(opened.passages) + 1))
    assert len(opened.passages) + opened.left_out == len(findings)
    assert sum(estimated_tokens(one.text) for one in opened.passages) <= max(budget, 120) + 2
    taken = [one.passage.id for one in opened.findings]
    assert taken == sorted(taken, key=int)
    for kind, store in (("decision", "practice"), ("article", "law")):
        ranked = [one.passage.id for one in findings if one.passage.kind == kind]
        own = [one for one in opened.passages if one.store == store]
        assert [one.id for one in own] == ranked[: len(own)]
        assert all(not one.truncated for one in own[:-1])


def test_long_decisions_do_not_push_the_law_out():
    """Each store has its part of the budget, and what one does not need goes to the other."""
    findings = [finding(1, 4000), finding(2, 4000), finding(3, 200, "article"), finding(4, 300, "article")]
    opened = window(findings, 2000)
    assert [(one.id, one.truncated) for one in opened.passages] == [("1", True), ("3", False), ("4", False)]
    assert sum(estimated_tokens(one.text) for one in opened.passages) == pytest.approx(2000, abs=2)
    many = [finding(1, 4000), *(finding(number, 990, "article") for number in range(2, 6))]
    stores = [one.store for one in window(many, 2000).passages]
    assert stores == ["practice", "law"]


def test_what_a_passage_refers_to_is_not_outside_the_context(index):
    """本法 in a quoted article means that article's law, whatever other passages name."""
    article = Piece(
        id="民法典#674", kind="article", document="民法典#674", law="民法典", law_id="民法典", article="674",
        text="没有约定的，依据本法第五百一十条的规定确定。",
    )  # fmt: skip
    case = Piece(
        id="1", kind="decision", document="1", text="根据《湖岸征收办法》第十七条，判决如下。", case_number="1"
    )
    findings = [Finding(passage=one, score=0.5, fused=0.1, rank_in_store=1) for one in (case, article)]

    class Fixed:
        settings = RetrievalSettings(named=False)

        async def prepare(self, question, variants, *, held):
            """Asks nobody."""

        def find(self, question, variants, *, bearing, held):
            return findings

        too_large = unfitted = False

        def certain(self, question):
            return None

    answer = asyncio.run(LawPractice(Fixed(), ExtractiveWriter()).consult("没有约定怎么确定？"))
    assert "第五百一十条" in answer.rule
    assert answer.outside_context == ()


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("见[1]和【3】", (1, 3)),
        ("[1, 2]；[2、4]", (1, 2, 4)),
        ("[2-4]", (2, 3, 4)),
        ("[9] [0] 第[x]条", ()),
        ("[1][1]", (1,)),
    ],
)
def test_references_in_their_spellings(text, found):
    """Lists, ranges and wide brackets are read; numbers that no passage has are not."""
    assert references(text, 4) == found


def test_an_answer_without_marks_is_all_conclusion():
    """A model that ignores the form is still read."""
    draft = read_draft("可以要求赔偿[1]。", 2)
    assert (draft.rule, draft.conclusion, draft.used) == ("", "可以要求赔偿[1]。", (1,))


@given(st.text(alphabet="[]RULENOC0123,-【】 x\n", max_size=200))
def test_any_answer_of_a_model_is_read(text):
    """Whatever a model writes, reading it does not fail, and references stay within the passages."""
    assert all(1 <= number <= 5 for number in read_draft(text, 5).used)


async def test_an_article_that_several_of_its_parts_found_is_listed_once():
    """A long article is indexed in parts; whoever reads the list would take three of them for three articles."""
    parts = [
        ContextPassage(
            number=number, id=id_, citation=id_, store="law", text=f"Часть {number}.", score=1.0, certain=False
        )
        for number, id_ in enumerate(["ст. 10", "ст. 155", "ст. 155", "ст. 155"], start=1)
    ]
    draft = await ExtractiveWriter().write("Кто возместит ущерб?", parts, form="general", language="ru")
    assert draft.rule.count("ст. 155") == 1
    assert draft.used == (1, 2)
    assert draft.practice == labels("ru", "words")("writer.no_practice")

"""The tasks of UCL-Bench as facts: ids, Bloom levels and scenarios of the paper's Tables 1 and 8.

Compensation Calculation is in the published data but not in the paper; its id here continues the level it belongs to.
``in_prompt`` tells for which tasks the published data hands the information to the assistant.
"""

from __future__ import annotations

from benchbar.records import Task

_ROWS: tuple[tuple[str, str, str, str, bool, str], ...] = (
    ("1-1", "Article Recitation", "memory", "law_office", False, "你需要某个法律条文的原文，但手边没有法典。"),
    ("2-1", "Legal Issue Consultation", "understand", "general_public", False, "你有一个一般性的法律问题，想了解自己的权利或办事程序。"),
    ("2-2", "Judicial Interpretation", "understand", "court procuratorate", True, "你正在研读一个法律条文，希望弄清其中一个用语的含义。"),
    ("2-3", "Legal Concept Understanding", "understand", "college", True, "你正在准备法律职业资格考试，遇到一道概念题。"),
    ("2-4", "Public Opinion Summary", "understand", "procuratorate", True, "你手上有一篇与法律有关的报道，需要写成摘要。"),
    ("2-5", "Judicial Summary", "understand", "court", True, "你手上有一份裁判文书，需要归纳其要点。"),
    ("3-1", "Prison Term Prediction", "apply", "court", True, "你正在处理一起刑事案件，想预估被告人的刑期。"),
    ("3-2", "Charge Prediction", "apply", "court", True, "你正在处理一起刑事案件，想确定被告人的行为构成何罪。"),
    ("3-3", "Accusation Prediction", "apply", "procuratorate", True, "你正在审查起诉，想确定应当指控的罪名和适用的条文。"),
    ("3-4", "Compensation Calculation", "apply", "court", True, "你正在处理一起案件，想确定应当赔偿或缴纳的金额。"),
    ("4-1", "Article Prediction", "analyze", "law_office", True, "你掌握一起案件的事实，想找出与之有关的法律条文。"),
    ("4-2", "Dispute Focus Identification", "analyze", "court", True, "你掌握原告和被告双方的主张，想找出争议焦点。"),
    ("4-3", "Real Case Consultation", "analyze", "general_public", False, "你在生活中遇到了一件具体的法律纠纷，想得到建议。"),
    ("4-4", "Similar Case Retrieval", "analyze", "law_office", True, "你有一个原始案件和两个有关案件，想知道哪一个与原始案件更相似。"),
    ("4-5", "Legal Case Analysis", "analyze", "college", True, "你正在分析一道案例题，希望得到结论和理由。"),
    ("5-1", "Judicial Examination Scoring", "evaluate", "college", True, "你做完了一道主观题，想知道自己的答案能得几分。"),
    ("5-2", "Judgment Document Proofreading", "evaluate", "law_office", True, "你正在校对一段法律文书。"),
    ("6-1", "Legal Essay Writing", "create", "college", True, "你遇到一道论述题，想要一份作答。"),
    ("6-2", "Cross-Examination Strategy Generation", "create", "law_office", True, "你是案件一方的代理人，需要对证据提出质证意见。"),
    ("6-3", "Litigation Strategy Generation", "create", "college", True, "你正在研究一项立法的背景，想归纳或提出立法要点。"),
    ("6-4", "Judgment Document Generation", "create", "court", True, "你掌握已经查明的案件事实，需要写出裁判结果。"),
    ("6-5", "Procuratorial Document Generation", "create", "procuratorate", True, "你掌握被告人的犯罪事实，需要写出起诉书的结论部分。"),
    ("6-6", "Lawyer Document Generation", "create", "law_office", False, "你需要一份法律文书，希望有人代为起草。"),
)  # fmt: skip

TASKS = {
    id_: Task(id=id_, name=name, level=level, scenarios=tuple(scenarios.split()), background=background)
    for id_, name, level, scenarios, _, background in _ROWS
}
"""Task id to task; 22 of the paper and one more that the published data holds."""

IN_PROMPT = frozenset(id_ for id_, _, _, _, in_prompt, _ in _ROWS if in_prompt)

_ALIASES = {"real case consulting": "4-3", "legal document proofreading": "5-2"}
_BY_NAME = {task.name.lower(): task.id for task in TASKS.values()} | _ALIASES


def task_id(name: str) -> str | None:
    """The id of a task called by its id or its name in the published data; None where it is unknown."""
    cleaned = " ".join(name.split())
    return cleaned if cleaned in TASKS else _BY_NAME.get(cleaned.lower())

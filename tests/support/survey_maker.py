"""Responses and ratings made from the counts that UCL-Bench publishes: section 3.1, appendix A and Table 6."""

from __future__ import annotations

import csv
import io
import random
from collections.abc import Iterable, Mapping, Sequence

from benchbar.survey.records import Questionnaire

COLLECTED = 346
VALID = {"general_public": 56, "college": 62, "law_office": 64, "court": 52, "procuratorate": 48}
DROPPED = {
    "public-terms",
    "public-forms",
    "public-news",
    "public-where",
    "college-literature",
    "college-lessons",
    "office-advice",
    "court-questions",
    "court-procedure",
    "prosecution-strategy",
    "prosecution-chain",
}
"""The use cases of the template that stand where Table 5 of the paper has none."""
TABLE_6 = """\
Legal Issue Consult 4.7 4.2 4.5
Real Case Consult 4.6 4.5 4.3
Legal Essay Writing 4.5 4.1 4.2
Legal Concept Understand 4.6 4.3 4.4
Legal Case Analyze 4.7 4.2 4.2
Litigation Strategy Gen. 4.2 4.6 4.7
Judicial Exam Score 4.6 4.7 4.6
Similar Case Retrieval 4.5 4.1 4.2
Article Prediction 4.2 4.4 4.4
Article Recitation 4.7 4.2 4.1
Lawyer Document Gen. 4.6 4.7 4.7
Legal Doc. Proofread 4.2 4.3 4.2
Cross-Examination Gen. 4.3 4.2 4.2
Charge Prediction 4.1 4.2 4.4
Judgment Doc Gen. 4.4 4.1 4.3
Prison Term Prediction 4.7 4.2 4.0
Dispute Focus Identify 4.2 4.5 4.1
Judicial Summary 4.6 4.2 4.0
Judicial Interpret 4.5 4.4 4.5
Procuratorial Document Gen. 4.6 4.1 4.0
Public Opinion Summary 4.6 4.2 4.1
Accusation Prediction 4.4 4.2 4.1"""
"""Task, clarity, relevance, practicality."""


def shares(questionnaire: Questionnaire) -> dict[str, int]:
    """How many valid respondents want each use case: from 5 of a hundred for a dropped one, from 12 for another."""
    made: dict[str, int] = {}
    for scenario in questionnaire.scenarios:
        for place, case in enumerate(scenario.use_cases):
            percent = 5 + place % 4 if case.id in DROPPED else 12 + 9 * place
            made[case.id] = round(VALID[scenario.id] * percent / 100)
    return made


def rows(questionnaire: Questionnaire, seed: int = 7) -> list[dict[str, str]]:
    """346 rows in random order: 282 valid ones with exactly the shares above, and 64 given in less than five minutes."""
    random_ = random.Random(seed)
    wanted = shares(questionnaire)
    made: list[dict[str, str]] = []
    for scenario in questionnaire.scenarios:
        ticks: list[list[str]] = [[] for _ in range(VALID[scenario.id])]
        for case in scenario.use_cases:
            for place in random_.sample(range(len(ticks)), wanted[case.id]):
                ticks[place].append(case.id)
        made += [row(questionnaire, scenario.id, own, random_.uniform(5, 10), random_) for own in ticks]
    for number in range(COLLECTED - len(made)):
        scenario = questionnaire.scenarios[number % len(questionnaire.scenarios)]
        every = [case.id for case in scenario.use_cases]
        made.append(row(questionnaire, scenario.id, every, random_.uniform(0.5, 4.99), random_))
    random_.shuffle(made)
    return [{"id": f"r{number:03}"} | one for number, one in enumerate(made, start=1)]


def row(
    questionnaire: Questionnaire, scenario: str, ticked: Sequence[str], minutes: float, random_: random.Random
) -> dict[str, str]:
    """One response; who ticked nothing says so."""
    answers = {one.id: random_.choice(one.options) for one in questionnaire.background}
    said = {"scenario": scenario, "minutes": f"{minutes:.2f}", "selected": ";".join(ticked) or "none"}
    return {**said, **answers, "open": ""}


def as_csv(made: Iterable[Mapping[str, str]]) -> str:
    """The rows under a head."""
    listed = list(made)
    out = io.StringIO()
    writer = csv.DictWriter(out, list(listed[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(listed)
    return out.getvalue()


def ratings(raters: int = 10) -> list[dict[str, str]]:
    """Table 6 as ratings: ten people give each task whole numbers whose mean is the printed one."""
    made = []
    for line in TABLE_6.splitlines():
        task, *means = line.rsplit(" ", 3)
        columns = [_whole(float(mean), raters) for mean in means]
        for rater in range(raters):
            scores = dict(zip(("clarity", "relevance", "practicality"), columns, strict=True))
            values = {
                name: str(column[(rater + place) % raters]) for place, (name, column) in enumerate(scores.items())
            }
            made.append({"rater": f"p{rater + 1}", "task": task, **values, "comment": ""})
    return made


def _whole(mean: float, raters: int) -> list[int]:
    """Fours and fives of that mean; for a mean of four a three and a five among the fours."""
    high = round((mean - 4) * raters)
    return [5] * high + [4] * (raters - high) if high else [5, 3] + [4] * (raters - 2)

"""The charts of a report as Vega-Lite specifications.

A colour is written ``var(--name)``: the page's style sheet alone decides the colours of tables and charts, of light, dark
and print.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from benchbar.records import Category, Cell, Estimate, RunResults
from benchbar.reporting.catalogue import Labels
from benchbar.reporting.numbers import percent, rate
from benchbar.reporting.verdicts import candidates, everyone, standing

INK, MUTED = "var(--ink)", "var(--muted)"
STANDINGS = ("better", "tied", "worse", "undefined")
FILLS = [f"var(--{name})" for name in STANDINGS]
STRONG = [f"var(--{name}-strong)" for name in STANDINGS]
SERIES = [f"var(--series-{number})" for number in range(1, 9)]
ROW, BAR, LEGEND_LIMIT = 36, 15, 420
GROUPINGS = ("task", "level", "scenario")
Row = dict[str, Any]


def charts(results: RunResults, say: Labels) -> dict[str, Row]:
    """Name to specification; a chart without data is left out."""
    made = {
        "win_rate": _win_rates(results, say),
        **{f"matrix_{kind}": _matrix(results, say, kind) for kind in GROUPINGS},
        "coverage": _bars(_coverage_rows(results, say), [say.name("category", name) for name in categories(results)]),
        "level": _grouped(results, say, "level"),
        "scenario": _grouped(results, say, "scenario"),
        "turns": _turns(results, say),
    }
    return {name: chart for name, chart in made.items() if chart is not None}


def _number(estimate: Estimate) -> Row:
    """What every chart draws of an estimate, in percent."""
    scaled = {name: getattr(estimate, name) for name in ("value", "low", "high")}
    shown = {name: None if value is None else value * 100 for name, value in scaled.items()}
    return shown | {"label": rate(estimate), "standing": standing(estimate), "n": estimate.n}


def _win_rates(results: RunResults, say: Labels) -> Row | None:
    import altair as alt

    rows = [{"assistant": name} | _number(results.assistants[name].win_rate) for name in candidates(results)]
    if not rows:
        return None
    y = alt.Y("assistant:N", sort=None, title=None)
    x = alt.X("value:Q", title=None, scale=alt.Scale(domain=[0, 100]), axis=alt.Axis(tickCount=10))
    color = alt.Color("standing:N", scale=alt.Scale(domain=STANDINGS, range=STRONG), legend=None)
    base = alt.Chart(alt.Data(values=rows)).encode(y=y, tooltip=_tooltips(say))
    bars = base.mark_bar(size=18, cornerRadiusEnd=3).encode(x=x, color=color)
    interval = base.mark_rule(strokeWidth=2, color=INK).encode(x="low:Q", x2="high:Q")
    half = alt.Chart(alt.Data(values=[{"x": 50}])).mark_rule(strokeDash=[4, 4], color=MUTED).encode(x="x:Q")
    return _specification((bars + half + interval).properties(width="container", height=ROW * len(rows)))


def _tooltips(say: Labels) -> list[Any]:
    import altair as alt

    return [
        alt.Tooltip("assistant:N", title=say("word.assistant")),
        alt.Tooltip("label:N", title="% [ ]"),
        alt.Tooltip("n:Q", title=say("word.n")),
    ]


def _matrix(results: RunResults, say: Labels, kind: str) -> Row | None:
    import altair as alt

    groups = labelled(results, say, kind)
    rows = [
        _cell(name, label, cell, say)
        for name in candidates(results)
        for id_, label in groups.items()
        if (cell := cells(results, name, kind).get(id_)) is not None
    ]
    if not rows:
        return None
    base = alt.Chart(alt.Data(values=rows)).encode(
        x=alt.X("assistant:N", sort=None, title=None, axis=alt.Axis(orient="top", labelAngle=0)),
        y=alt.Y("group:N", sort=list(groups.values()), title=None),
        tooltip=[
            *_tooltips(say)[:1],
            alt.Tooltip("group:N", title=say(f"word.{kind}")),
            *_tooltips(say)[1:],
            alt.Tooltip("missing:Q", title=say("word.missing")),
            alt.Tooltip("record:N", title=say("word.won_tied_lost")),
            alt.Tooltip("points:N", title=say("word.points_met")),
            alt.Tooltip("abstained:Q", title=say("word.abstained")),
            alt.Tooltip("failed:Q", title=say("word.failed")),
        ],
    )
    fill = alt.Color("standing:N", scale=alt.Scale(domain=STANDINGS, range=FILLS), legend=None)
    grounds = base.mark_rect(stroke="var(--paper)", strokeWidth=2).encode(color=fill)
    values = base.mark_text(dy=-6, fontSize=14, fontWeight=600, color=INK).encode(text="shown:N")
    intervals = base.mark_text(dy=9, fontSize=10.5, color=INK).encode(text="span:N")
    chart = (grounds + values + intervals).properties(width="container", height=ROW * len(groups))
    return _specification(chart, columns=len(candidates(results)))


def labelled(results: RunResults, say: Labels, kind: str) -> dict[str, str]:
    """The groups of a kind (task, level or scenario) with what to call them, in the order of the report."""
    if kind == "task":
        return {id_: f"{id_} {label}" for id_, label in results.tasks.items()}
    return {id_: say.name(kind, id_) for id_ in (results.levels if kind == "level" else results.scenarios)}


def cells(results: RunResults, name: str, kind: str) -> Mapping[str, Cell]:
    """An assistant's cells by group of a kind."""
    one = results.assistants[name]
    return {"task": one.by_task, "level": one.by_level, "scenario": one.by_scenario}[kind]


def _cell(name: str, group: str, cell: Cell, say: Labels) -> Row:
    found = _number(cell.win_rate)
    value = percent(cell.win_rate.value, 0)
    span = "" if cell.win_rate.low is None else f"[{percent(cell.win_rate.low, 0)}, {percent(cell.win_rate.high, 0)}]"
    return found | {
        "assistant": name,
        "group": group,
        "shown": f"≈ {value}" if found["standing"] == "tied" else value,
        "span": span or say("word.undefined"),
        "missing": cell.win_rate.n_missing,
        "record": f"{cell.wins:g} / {cell.ties:g} / {cell.losses:g}",
        "points": rate(cell.point_score),
        "abstained": cell.abstained,
        "failed": cell.failed,
    }


def categories(results: RunResults) -> list[str]:
    """The guidance categories that occur, the weightiest first."""
    found = {name for one in results.assistants.values() for name in one.coverage}
    return [str(name) for name in Category if name in found]


def _coverage_rows(results: RunResults, say: Labels) -> list[Row]:
    return [
        {"assistant": name, "group": say.name("category", category)} | _number(estimate)
        for name in everyone(results)
        for category, estimate in results.assistants[name].coverage.items()
    ]


def _grouped(results: RunResults, say: Labels, kind: str) -> Row | None:
    groups = labelled(results, say, kind)
    rows = [
        {"assistant": name, "group": label} | _number(cell.point_score)
        for name in everyone(results)
        for id_, label in groups.items()
        if (cell := cells(results, name, kind).get(id_)) is not None
    ]
    return _bars(rows, list(groups.values()))


def _bars(rows: list[Row], order: list[str]) -> Row | None:
    """One bar with its interval for each assistant in each group."""
    import altair as alt

    if not rows:
        return None
    names = list(dict.fromkeys(row["assistant"] for row in rows))
    base = alt.Chart(alt.Data(values=rows)).encode(
        y=alt.Y("group:N", sort=order, title=None),
        yOffset=alt.YOffset("assistant:N", sort=names),
        tooltip=[alt.Tooltip("assistant:N"), alt.Tooltip("group:N"), alt.Tooltip("label:N", title="% [ ]"), "n:Q"],
    )
    colors = alt.Scale(domain=names, range=[SERIES[index % len(SERIES)] for index in range(len(names))])
    legend = alt.Legend(orient="top", title=None, columns=2, labelLimit=LEGEND_LIMIT)
    bars = base.mark_bar(cornerRadiusEnd=2).encode(
        x=alt.X("value:Q", title=None, scale=alt.Scale(domain=[0, 100]), axis=alt.Axis(tickCount=10)),
        color=alt.Color("assistant:N", scale=colors, legend=legend),
    )
    interval = base.mark_rule(strokeWidth=1.5, color=INK).encode(x="low:Q", x2="high:Q")
    height = max(ROW, BAR * len(names)) * len({row["group"] for row in rows})
    return _specification((bars + interval).properties(width="container", height=height))


def _turns(results: RunResults, say: Labels) -> Row | None:
    import altair as alt

    rows = [
        {"assistant": name, "turns": one.turns.value} | _number(one.win_rate)
        for name in candidates(results)
        if (one := results.assistants[name]).turns.value is not None and one.win_rate.value is not None
    ]
    if not rows:
        return None
    y = alt.Y("value:Q", title=say("chart.win_rate_axis"), scale=alt.Scale(domain=[0, 100]))
    x = alt.X("turns:Q", title=say("chart.turns_axis"), axis=alt.Axis(tickCount=5), scale=_around(rows))
    base = alt.Chart(alt.Data(values=rows)).encode(x=x, tooltip=[*_tooltips(say), alt.Tooltip("turns:Q", format=".2f")])
    interval = base.mark_rule(color=MUTED, strokeWidth=1.5).encode(
        y=alt.Y("low:Q", title=say("chart.win_rate_axis")), y2="high:Q"
    )
    points = base.mark_point(filled=True, size=90, opacity=1, color="var(--series-1)").encode(y=y)
    names = base.mark_text(align="left", dx=9, dy=-8, color=INK, fontSize=12).encode(y=y, text="assistant:N")
    return _specification((interval + points + names).properties(width="container", height=260))


def _around(rows: list[Row]) -> Any:
    """From half an exchange below the least to half above the most: a hair's breadth should look like one."""
    import altair as alt

    seen = [row["turns"] for row in rows]
    return alt.Scale(domain=[max(0.0, min(seen) - 0.5), max(seen) + 0.5], nice=False)


def _specification(chart: Any, *, columns: int = 0) -> Row:
    """The chart as JSON, without Altair's own look; ``columns`` tells the page how wide it has to be at least."""
    made: Row = chart.to_dict()
    made.pop("config", None)
    return made | {"autosize": {"type": "fit-x", "contains": "padding"}, "usermeta": {"columns": columns}}

"""`benchbar stability`: how far the layers can be relied on."""

from __future__ import annotations

from pathlib import Path

import click

from benchbar.cli.command import Command
from benchbar.cli.options import NumberRange, json_option, pass_mark_option, seed_option


@click.command(cls=Command, context_settings={"show_default": True})
@click.argument("run", type=click.Path(path_type=Path))
@pass_mark_option
@click.option("--apart", "limit", type=NumberRange(0, 1), default=0.2, help="Runs further apart than this are counted.")
@click.option("--item-cost", type=NumberRange(0, min_open=True), default=1.0, help="What a new dialogue costs.")
@click.option("--run-cost", type=NumberRange(0, min_open=True), default=1.0, help="What one more run costs.")
@seed_option
@json_option
def command(
    run: Path, pass_mark: float, limit: float, item_cost: float, run_cost: float, seed: int, *, as_json: bool
) -> None:
    """Measure how consistently the layers of a RUN score the same items.

    For each layer: the standard deviation of repeated runs and its share of the mean, the intraclass correlation of one run
    and of the mean of all, kappa of good against not good, the share of items whose runs lie far apart, the variance between
    items and between runs, and how many runs are worth paying for at these costs. In a run with repeats, `answers` is the overall
    value of each trial: there the items are samples, and the assistant, the judge and the simulated user vary together; the other
    layers are runs of the judge on the first trial. For people: the tasks that two have marked,
    and the correlation of their marks with the automatic values.

    benchbar stability runs/r --item-cost 0.02 --run-cost 0.004
    """
    import numpy as np

    from benchbar.artefacts.folder import read_measures, read_results, read_scores
    from benchbar.cli.printing import print_json, print_table, shown
    from benchbar.cli.review import read_run_reviews
    from benchbar.decisions.evidence import evidence_of
    from benchbar.measures.layers import answers, people, repeated, with_people
    from benchbar.records import GRADED
    from benchbar.scoring.people import human_marks
    from benchbar.statistics import stability

    read_results(run)
    reviews = read_run_reviews(run)
    measures = list(read_measures(run))
    layers = repeated(read_scores(run)) | {"answers": answers(measures), "human marks": people(reviews)}
    found = {
        layer: stability(
            rows,
            np.random.default_rng(seed),
            good=pass_mark,
            limit=limit,
            item_cost=item_cost,
            run_cost=run_cost,
        )
        for layer, rows in layers.items()
        # A layer that ran once has no variance within an item.
        if any(len(row) > 1 for row in rows)
    }
    automatic = {name: own.values.get(GRADED, {}) for name, own in evidence_of(measures).items()}
    agreement = with_people(automatic, {name: one.values for name, one in human_marks(reviews).items()})
    once = sorted(layers.keys() - found.keys())
    if as_json:
        print_json({"layers": found, "once": once, "people_and_automatic": agreement})
        return
    names = ("deviation", "variation", "reliability", "reliability_of_mean", "kappa", "apart")
    rows = [(name.replace("_", " "), *(shown(getattr(one, name)) for one in found.values())) for name in names]
    rows.append(("best repeats", *("–" if one.repeats is None else str(one.repeats) for one in found.values())))
    if found:
        print_table(("", *found), rows)
    if once:
        click.echo(f"scored once, so that nothing can be said: {', '.join(once)}")
    click.echo(f"people and automatic values, Pearson: {shown(agreement)}")

"""`benchbar survey check`."""

from __future__ import annotations

from pathlib import Path

import click


@click.command()
@click.argument("questionnaire", type=click.Path(path_type=Path, exists=True, dir_okay=False))
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document and nothing else.")
def command(questionnaire: Path, *, as_json: bool) -> None:
    """Check a QUESTIONNAIRE and say what is in it.

    \b
      benchbar survey check needs.toml
    """  # noqa: D301 - click reads the backspace
    from benchbar.cli.printing import print_json
    from benchbar.records import fingerprint
    from benchbar.survey.questionnaire import read_questionnaire

    found = read_questionnaire(questionnaire)
    counts = {one.id: len(one.use_cases) for one in found.scenarios}
    document = {
        "name": found.name,
        "language": found.language,
        "fingerprint": fingerprint(found),
        "scenarios": counts,
        "use_cases": sum(counts.values()),
        "background": [one.id for one in found.background],
        "consent": bool(found.consent.strip()),
        "open_question": bool(found.open_question.strip()),
    }
    if as_json:
        print_json(document)
        return
    listed = ", ".join(f"{id_} {count}" for id_, count in counts.items())
    click.echo(f"{found.name}: {document['use_cases']} use cases ({listed}), {len(found.background)} questions beside")
    if not found.consent.strip():
        click.echo("there is no consent text: respondents are asked without one", err=True)

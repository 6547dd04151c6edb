"""From files of anyone's questions to a run: what they hold, and the folder with suite, answers and spec that is made of them."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from benchbar.assistants.recorded import RecordedAnswers
from benchbar.clients.endpoint import usual_address
from benchbar.languages.personal_data import Masker
from benchbar.records import Category, Dialogue, MissingKind, Sample, Suite, encode
from benchbar.records.errors import UserError
from benchbar.records.files import write_atomically
from benchbar.runs.assembling import chosen_suite
from benchbar.runs.spec import Spec
from benchbar.runs.spec_file import DEFAULT, ENDPOINTS
from benchbar.runs.spec_reading import as_spec, settings_with
from benchbar.runs.spec_schema import FILE as SCHEMA
from benchbar.runs.spec_schema import LINE, spec_schema
from benchbar.suites.personal import masked
from benchbar.suites.question_table import question_table
from benchbar.suites.write import write
from benchbar.tables.reading import CELLS, ENDINGS
from benchbar.tables.transcripts import is_log, read_transcripts, turns_head

SPEC, SUITE, ANSWERS = "spec.toml", "suite", "answers"
"""What the folder of a run holds besides, where it was made here."""
GOOD_ENOUGH, BETTER, FORBIDDEN = "point_score", "win_rate", "forbidden_said"
"""The measures by which is decided whether an assistant is good enough, or better than another."""
BAR = 0.8
"""The share of what was expected that counts as good enough where nobody says another one."""
_CARD = "card.toml"
_SLUG = re.compile(r"[^\w.-]+")


@dataclasses.dataclass(frozen=True)
class Intake:
    """What was understood of the files, with the assistants to be compared on it."""

    suite: Suite
    spec: Spec
    answers: Mapping[str, Mapping[str, Dialogue]]
    """Name of an assistant to the dialogues that it has held already, by sample."""

    @property
    def name(self) -> str:
        """Of the folder that it is put into."""
        return _SLUG.sub("-", self.suite.card.name).strip("-") or "questions"


def sources(paths: Sequence[Path], *, columns: Mapping[str, str], sheet: str) -> tuple[str, dict[str, dict[str, Any]]]:
    """What the paths mean in a spec: the suite, and recorded assistants by name.

    The first one holds the questions; of a transcript of chats also the answers. Further ones are answers of others.

    Raises:
        UserError: a folder holds no suite, and not just one table.
    """
    first = _questions(paths[0])
    chats = first.is_file() and _is_chat(first, columns, sheet)
    answers = [first, *paths[1:]] if chats else paths[1:]
    recorded = {_slug(path.stem): {"kind": "recorded", "file": str(path.resolve())} for path in answers}
    return f"transcripts:{first.resolve()}" if chats else str(first.resolve()), recorded


def _questions(path: Path) -> Path:
    if not path.is_dir() or (path / _CARD).exists():
        return path
    found = sorted(
        one for one in path.iterdir() if one.suffix.lower() in ENDINGS and not one.name.startswith((".", "~"))
    )
    if len(found) == 1:
        return found[0]
    names = ", ".join(one.name for one in found[:10]) or f"no file that ends in {', '.join(ENDINGS)}"
    raise UserError(
        f"{path} is no suite (it has no {_CARD}) and not a single table of questions; it holds {names}. Name the file of"
        " questions first, and files of answers after it"
    )


def _is_chat(path: Path, columns: Mapping[str, str], sheet: str) -> bool:
    ending = path.suffix.lower()
    if is_log(path) or ending not in ENDINGS:
        return is_log(path)
    # Read as questions where titles may stand above them, or other sheets beside them.
    table = question_table(path, sheet=sheet, labels=columns.values()) if ending in CELLS else read_transcripts(path)
    return turns_head(next(iter(table), (0, {}))[1]) is not None


def _slug(text: str) -> str:
    return _SLUG.sub("-", text).strip("-")[:64] or "answers"


def read_questions(paths: Sequence[Path], *, language: str, columns: Mapping[str, str], sheet: str = "") -> Suite:
    """The samples that the first path holds, before anybody knows who is to be asked.

    Raises:
        UserError, BadInputError: it cannot be read, or what it holds cannot be told.
    """
    suite, _ = sources(paths, columns=columns, sheet=sheet)
    spec = Spec(suite=suite, assistants={"none": {}}, language=language, columns=dict(columns), sheet=sheet)
    return chosen_suite(spec, Path())


def intake(
    paths: Sequence[Path],
    assistants: Mapping[str, Mapping[str, Any]],
    fields: Mapping[str, Any],
    settings: Mapping[str, Any],
    *,
    good_enough: float | None = None,
    without: Collection[str] = (),
) -> Intake:
    """What the files hold and the spec of a run on it.

    Args:
        paths: Questions first, then files of answers.
        assistants: Those that are asked, name to settings.
        fields: Further fields of the spec.
        settings: Fields by dotted names, laid over all others.
        good_enough: The share of what was expected from which an assistant is good enough; None where the question is which
            is better, or where there is one assistant alone.
        without: Assistants whose answers the files hold and who are left out.

    Raises:
        UserError, BadInputError: a file cannot be read, or what it holds cannot be told.
    """
    suite, recorded = sources(paths, columns=fields.get("columns", {}), sheet=fields.get("sheet", ""))
    given = {"suite": suite, "assistants": {**assistants, **recorded}, **fields}
    spec = _less(as_spec(settings_with(given, settings))[0], without)
    read = chosen_suite(spec, Path())
    if spec.gate is None:
        spec = msgspec.structs.replace(spec, gate=_policy(spec, good_enough, forbidden=_forbids(read)))
    answers = {name: _held(one, read) for name, one in spec.assistants.items() if one.get("kind") == "recorded"}
    return Intake(read, spec, answers)


def _less(spec: Spec, names: Collection[str]) -> Spec:
    if not (dropped := set(names) & set(spec.assistants)):
        return spec
    kept = {name: one for name, one in spec.assistants.items() if name not in dropped}
    if not kept:
        raise UserError(
            "nobody is left to be compared: choose a model, or one of the assistants whose answers are in the file"
        )
    reference = spec.reference if spec.reference in kept else next(iter(kept))
    return msgspec.structs.replace(spec, assistants=kept, reference=reference)


def _held(settings: Mapping[str, Any], suite: Suite) -> dict[str, Dialogue]:
    said = RecordedAnswers(
        Path(settings["file"]), settings.get("column", ""), settings.get("columns"), settings.get("sheet", "")
    )
    found = ((sample.id, said.dialogue(sample)) for sample in suite.samples)
    return {id_: dialogue for id_, dialogue in found if dialogue is not None}


def _forbids(suite: Suite) -> bool:
    """Whether experts said of any sample what must not be said."""
    return any(point.category is Category.FORBIDDEN for one in suite.samples for point in one.guidance.points)


_NOTHING_FORBIDDEN: dict[str, object] = {
    # Few samples may have such points: they bound a rate badly, and one breach is all the same one too many.
    "never": [{"measure": FORBIDDEN, "above": 0, "minimum_n": 1}],
    "missing": {
        "assume": "as_observed",
        "measures": [FORBIDDEN],
        "kinds": [MissingKind.FAILED, MissingKind.REFUSED],
        "reason": "who gives no answer says nothing forbidden, and how many may fail has a bound of its own",
    },
}


def _policy(spec: Spec, good_enough: float | None, *, forbidden: bool) -> dict[str, object]:
    """What decides: one assistant against a bar, or each against the reference.

    A mean hides the one answer that says what experts forbid: where they forbid something, nobody is good enough who says it.
    Who is better may say it too: there it is told beside the answer, which it is not.
    """
    others = [name for name in spec.assistants if name != spec.reference]
    shared: dict[str, object] = {"rubric": False, "evidence": {"failed": 0.05, "undecided": 0.3}}
    if forbidden:
        shared |= _NOTHING_FORBIDDEN
    if good_enough is None and others:
        told = {"advisory": [FORBIDDEN]} if forbidden else {}
        return {"name": "better", "at_least": {BETTER: 0.5}, **shared, **told, "evidence": {"failed": 0.05}}
    return {
        "name": "good enough",
        "assistant": others[0] if others else spec.reference,
        "at_least": {GOOD_ENOUGH: BAR if good_enough is None else good_enough},
        **shared,
    }


def mask(found: Intake, masker: Masker) -> Intake:
    """The same with pseudonyms in the place of personal data, in the samples and in the answers."""
    suite = dataclasses.replace(
        masked(found.suite, masker), language=found.suite.language, understood=found.suite.understood
    )
    samples = {sample.id: sample for sample in found.suite.samples}
    answers = {
        name: {id_: _masked(one, samples[id_], masker) for id_, one in given.items()}
        for name, given in found.answers.items()
    }
    return dataclasses.replace(found, suite=suite, answers=answers)


def _masked(dialogue: Dialogue, sample: Sample, masker: Masker) -> Dialogue:
    """A dialogue, masked beside its question: a name that one of them gives away is masked in both."""
    texts = masker.mask_all([*(turn.content for turn in dialogue.turns), sample.needs, sample.information])
    turns = tuple(
        msgspec.structs.replace(turn, content=text) for turn, text in zip(dialogue.turns, texts, strict=False)
    )
    # Passages are law and documents, which the judge of answers reads word for word.
    return msgspec.structs.replace(dialogue, turns=turns)


def put_down(found: Intake, folder: Path) -> Path:
    """Write suite, answers, spec and its schema into the folder; returns the spec.

    Raises:
        UserError: the folder holds something else.
    """
    if folder.exists() and any(folder.iterdir()) and not (folder / SPEC).exists():
        raise UserError(f"{folder} holds something else; name a new folder with --out")
    write(found.suite, folder / SUITE)
    for name, given in found.answers.items():
        (folder / ANSWERS).mkdir(exist_ok=True)
        rows = b"".join(_row(id_, dialogue) for id_, dialogue in given.items())
        write_atomically(folder / _answers_file(name), rows)
    write_atomically(folder / SCHEMA, msgspec.json.format(msgspec.json.encode(spec_schema()), indent=2) + b"\n")
    write_atomically(folder / SPEC, written(placed(found)).encode())
    return folder / SPEC


def placed(found: Intake) -> Spec:
    """The spec as it stands in the folder of its run, beside suite and answers."""
    held = {name: {"kind": "recorded", "file": _answers_file(name)} for name in found.answers}
    assistants = {**found.spec.assistants, **held}
    given = {name: getattr(found.spec, name) for name in _PATHS}
    places = {name: _from_anywhere(value) for name, value in given.items() if isinstance(value, str)}
    return msgspec.structs.replace(
        found.spec, suite=SUITE, assistants=assistants, language="", columns={}, sheet="", **places
    )


_PATHS = ("law", "prompts", "rubric", "gate")
"""Fields of a spec that may name a file or folder, or something that is bundled."""


def _from_anywhere(name: str) -> str:
    """A folder or TOML file, named from the present folder, as a path that holds from every folder; any other name as it is."""
    path = Path(name)
    return str(path.resolve()) if name and path.exists() and (path.suffix == ".toml" or path.is_dir()) else name


def _answers_file(assistant: str) -> str:
    return f"{ANSWERS}/{assistant}.jsonl"


def _row(sample: str, dialogue: Dialogue) -> bytes:
    row: dict[str, object] = {"sample": sample, "turns": dialogue.turns}
    return encode(row | ({"contexts": dialogue.contexts} if dialogue.contexts else {})) + b"\n"


def written(spec: Spec) -> str:
    """The spec as TOML: what is usual is left out, and each address is written once."""
    import tomli_w

    fields = _stated(spec)
    roles = [one for one in (*fields["assistants"].values(), fields.get("simulator"), fields.get("judge")) if one]
    tables: dict[tuple[str, str, str], str] = {}
    for role in roles:
        if "model" not in role:
            continue
        protocol = role.pop("protocol", "chat")
        address = (role.pop("base_url", "") or usual_address(protocol), role.pop("api_key_env", ""), protocol)
        name = tables.setdefault(address, f"endpoint-{len(tables) + 1}" if tables else DEFAULT)
        if name != DEFAULT:
            role["endpoint"] = name
    endpoints = {
        name: {"base_url": address}
        | ({"protocol": protocol} if protocol != "chat" else {})
        | ({"api_key_env": key} if key else {})
        for (address, key, protocol), name in tables.items()
    }
    head = f"{LINE}\n# Made by `benchbar start`: `benchbar check` looks it through, `benchbar run` goes on with it.\n"
    return head + tomli_w.dumps(fields | ({ENDPOINTS: endpoints} if endpoints else {}))


def _stated(record: msgspec.Struct) -> dict[str, Any]:
    """The fields of a record that are not what they are when left out."""
    found = {}
    for field in msgspec.structs.fields(record):
        value = getattr(record, field.name)
        usual = field.default if field.default is not msgspec.NODEFAULT else None
        if field.default_factory is not msgspec.NODEFAULT:
            usual = field.default_factory()
        if field.required or (value != usual and value is not None):
            found[field.name] = _stated(value) if isinstance(value, msgspec.Struct) else msgspec.to_builtins(value)
    return found

"""The stored baselines of a repository: where they lie, which one a run belongs to, and what of a run is kept."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote, unquote

import msgspec

from benchbar.artefacts.baseline import Baseline, BaselineDialogue, BaselineRun, BaselineSample, write_baseline
from benchbar.artefacts.folder import read_results, read_samples
from benchbar.languages.prompts import FURTHER, NAMES, Prompts
from benchbar.records import RunResults, SampleResult, Suite, encode, fingerprint
from benchbar.records.errors import BenchbarError, UserError
from benchbar.runs.assembling import chosen_suite
from benchbar.runs.manifest import Manifest, plain_settings, read_manifest

FOLDER = Path(".benchbar") / "baselines"
"""In the top folder of the repository, where it is committed like any other file."""
SUFFIX = ".jsonl"
USUAL = ("main", "master")
"""Branches that others stand on, where nothing says which."""
TARGETS = ("GITHUB_BASE_REF", "CI_MERGE_REQUEST_TARGET_BRANCH_NAME")
"""Where GitHub and GitLab say which branch a change is for."""


@dataclass(frozen=True)
class Repository:
    """What the version control system says of a folder; empty fields where there is none."""

    top: Path
    branch: str = ""
    commit: str = ""


def repository_of(folder: Path) -> Repository:
    """Of the folder's git repository: its top folder, branch and commit; without one the folder itself."""
    git = shutil.which("git")
    if git is None:
        return Repository(folder)
    command = [git, "-C", str(folder), "rev-parse", "--show-toplevel", "HEAD", "--abbrev-ref", "HEAD"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=30)  # noqa: S603 - fixed words
    lines = done.stdout.splitlines()
    if done.returncode or len(lines) != 3:
        return Repository(folder)
    top, commit, branch = lines
    # A job checks out a commit and no branch: git then says HEAD.
    return Repository(Path(top), "" if branch == "HEAD" else branch, commit)


def file_of(top: Path, name: str) -> Path:
    """Where the baseline of a branch is kept; a slash in its name makes no folder."""
    return top / FOLDER / f"{quote(name, safe='')}{SUFFIX}"


def stored(top: Path) -> dict[str, Path]:
    """Every baseline that is kept, by name."""
    return {unquote(path.name.removesuffix(SUFFIX)): path for path in sorted((top / FOLDER).glob(f"*{SUFFIX}"))}


def name_to_store(repository: Repository) -> str:
    """The branch that is checked out, else ``main``."""
    return repository.branch or os.environ.get("GITHUB_REF_NAME", "") or USUAL[0]


def name_to_compare(repository: Repository, known: Mapping[str, Path]) -> str:
    """The branch that a change is for, else the one that is checked out, else the usual one: the first that is stored.

    Raises:
        UserError: none of them is.
    """
    wanted = [*(os.environ.get(name, "") for name in TARGETS), repository.branch, *USUAL]
    for name in wanted:
        if name in known:
            return name
    there = f"stored are {', '.join(known)}: name one with --branch" if known else "none is stored"
    looked = ", ".join(dict.fromkeys(name for name in wanted if name))
    raise UserError(f"no baseline of {looked}; {there}. Store one with `benchbar baseline save RUN` on that branch")


def store(run: Path, name: str, repository: Repository) -> Path:
    """Keep the baseline of a finished run; the file that holds it.

    Raises:
        UserError: there is no finished run.
        BadInputError: a file of it is damaged.
    """
    file = file_of(repository.top, name)
    write_baseline(file, baseline_of(run, read_results(run), name, repository.commit))
    return file


def baseline_of(run: Path, results: RunResults, name: str = "", commit: str = "") -> Baseline:
    """What of a finished run with these results is needed to hold a later one against it.

    Raises:
        UserError: ``run.json`` is missing.
        BadInputError: a file of it is damaged.
    """
    manifest = read_manifest(run)
    if manifest is None:
        raise UserError(f"{run}: run.json is missing: it is not known what the run was made from")
    suite = _suite(manifest)
    texts = _texts(suite) if suite else {}
    samples = {one.sample: _kept(one, texts.get(one.sample, {})) for one in read_samples(run)}
    about = BaselineRun(
        baseline=name,
        run=str(run),
        samples=len(samples),
        suite=manifest.spec.suite,
        suite_fingerprint=manifest.suite_fingerprint,
        prompts_fingerprint=manifest.prompts_fingerprint,
        law_fingerprint=manifest.law_fingerprint,
        reference=results.reference,
        assistants=manifest.assistants,
        # As a file holds them: a list and a tuple of the same are no difference.
        spec=msgspec.json.decode(encode(plain_settings(manifest.spec))),
        prompts=_prompts(manifest, suite.card.language if suite else manifest.spec.language),
        declared=results.declared,
        health=results.health,
        commit=commit,
        benchbar=manifest.benchbar,
    )
    return Baseline(about, samples)


def _suite(manifest: Manifest) -> Suite | None:
    """The suite as it was when the run was made; None where it is another one now, or cannot be read."""
    try:
        suite = chosen_suite(manifest.spec, Path(manifest.folder))
    except BenchbarError:
        return None
    return suite if suite.fingerprint == manifest.suite_fingerprint else None


def _texts(suite: Suite) -> dict[str, dict[str, str]]:
    """Sample to the fingerprints of its fields."""
    return {
        sample.id: {
            field: fingerprint(value)[:8]
            for field, value in msgspec.to_builtins(sample).items()
            if field != "id" and value not in ("", None, [], {})
        }
        for sample in suite.samples
    }


def _prompts(manifest: Manifest, language: str) -> dict[str, str]:
    """The wording of the prompts, where it is still that of the run."""
    folder = manifest.spec.prompts
    try:
        prompts = Prompts(Path(manifest.folder) / folder if folder else None)
        known = [prompts.fingerprint(language, also=also) for also in ((), FURTHER)]
        if manifest.prompts_fingerprint not in known:
            return {}
        return {name: prompts.text(name, language) for name in (*NAMES, *FURTHER)}
    except BenchbarError:
        return {}


def _kept(one: SampleResult, text: dict[str, str]) -> BaselineSample:
    said: dict[str, list[object]] = {}
    for trial in one.each():
        for dialogue in trial.dialogues:
            said.setdefault(dialogue.assistant, []).append([dialogue.ended, dialogue.turns])
    marks: dict[str, dict[str, float | None]] = {}
    for score in one.scores:
        marks.setdefault(score.assistant, {})[f"{score.layer}:{score.repeat}:{score.dimension}"] = score.value
    dialogues = {
        each.assistant: BaselineDialogue(
            measures=each,
            answer=fingerprint(said.get(each.assistant, []))[:16],
            marks=marks.get(each.assistant, {}),
        )
        for each in one.measures
    }
    return BaselineSample(sample=one.sample, dialogues=dialogues, text=text)

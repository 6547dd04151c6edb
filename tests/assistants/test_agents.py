"""Agents with files: what they may do in a container, what they leave, what is paid, and where they are refused."""

from __future__ import annotations

import asyncio
import io
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tarfile
import time
from contextlib import contextmanager
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import benchbar as library
from benchbar.assistants.agents.sandbox import Bounds, LeftFile, Sandbox, engine_of, files_in, running
from benchbar.assistants.agents.tools import FileTools, ToolError, docx_of
from benchbar.records.errors import SandboxError, UserError
from benchbar.scoring.rubrics.trace import tool_failed
from benchbar.tables.work_products import text_of_bytes

SPEC = """
[assistants.a]
kind = "agent"
image = "{image}"
model = "{model}"
base_url = "{url}"
{more}
"""


def worked(benchbar, folder, server, image, model, more="", *options):
    """The document that the command prints, for one assistant at the English lease."""
    (folder / "agents.toml").write_text(SPEC.format(image=image, model=model, url=server.base_url, more=more))
    ended = benchbar("agent", "lease-en", "--spec", "agents.toml", "--out", "out", "--json", "--quiet", *options)
    assert ended.code == 0, ended.err
    return json.loads(ended.out)


def said(folder):
    """What tools answered, in order."""
    trace = json.loads(next(folder.glob("out/traces/a/*/run1.messages.jsonl")).read_text("utf-8"))
    return [one["content"] for one in trace["messages"] if one["role"] == "tool"]


def test_without_an_engine_nothing_is_run_and_nothing_is_paid(benchbar, tmp_path, chat_server):
    """The first line names role, image, cause and cure; the model is not asked, and no command runs on this machine."""
    empty = tmp_path / "empty"
    empty.mkdir()
    assistant = f"a=agent:agent-memo@{chat_server.base_url},image=python"
    ended = benchbar("agent", "lease-en", "--assistant", assistant, "--out", "out", env={"PATH": str(empty)})
    assert ended.code == 2
    first = ended.err.splitlines()[0]
    assert "assistant: agent in the image 'python': no podman or docker is installed; install one" in first
    assert chat_server.stats()["requests"] == {}


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("echo ready; echo 'Resource limits are not supported and ignored on cgroups V1 rootless systems' >&2", "without bounds of"),
        ("echo 'unable to setup user: invalid argument' >&2; exit 126", "/etc/subuid"),
    ],
)  # fmt: skip
def test_a_container_whose_bounds_an_engine_would_ignore_is_refused(tmp_path, monkeypatch, said, told):
    """What podman without root says on control groups of version 1, by a script in its place: it starts all the same, and is not used."""
    engine = tmp_path / "podman"
    engine.write_text(f'#!/bin/sh\n[ "$1" = run ] || exit 0\n{said}\n', "utf-8")
    engine.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/bin:/usr/bin")
    with pytest.raises(SandboxError, match=told):
        engine_of(Sandbox(f"image-{tmp_path.name}", engine="podman"))


def test_without_the_image_the_command_that_gets_it_is_named(benchbar, container_image, chat_server):
    """Nothing is fetched unasked."""
    assistant = f"a=agent:agent-memo@{chat_server.base_url},image=localhost/no-such-image"
    ended = benchbar("agent", "lease-en", "--assistant", assistant, "--out", "out")
    assert ended.code == 2
    assert "pull localhost/no-such-image" in ended.err
    assert chat_server.stats()["requests"] == {}


def test_a_docx_comes_out_of_a_container_and_is_marked(benchbar, tmp_path, chat_server, container_image):
    """Documents are read, a command runs, a memo is left; criteria mark it, facts are held against the documents, and the
    same command again pays nothing and makes lost files anew.
    """
    judge = ("--judge", f"judge@{chat_server.base_url}")
    (tmp_path / "agents.toml").write_text(
        SPEC.format(image=container_image, model="agent-memo", url=chat_server.base_url, more="")
    )
    command = ("agent", "lease-en", "lease-zh", "--spec", "agents.toml", "--out", "out", "--json", "--quiet", *judge)
    first = benchbar(*command)
    assert first.code == 0, first.err
    found = json.loads(first.out)
    assert [(one["task"], one["ended"], sorted(one["files"])) for one in found["goes"]] == [
        ("lease-en", "done", ["count.txt", "memo.docx"]),
        ("lease-zh", "done", ["count.txt", "memo.docx"]),
    ]
    memo = tmp_path / "out/results/a/lease-zh/run1/output/memo.docx"
    assert "出租人可以提前三十日通知解除合同" in text_of_bytes("memo.docx", memo.read_bytes())
    assert (tmp_path / "out/results/a/lease-en/run1/output/count.txt").read_text().strip() == "3"
    (figure,) = [one for one in found["marks"]["figures"] if one["measure"] == "criterion"]
    assert figure["recomputed"]["value"] == 1.0
    assert found["traces"]["a"]["tool_use"]["value"] == 1.0
    paid, kept = chat_server.stats()["requests"], memo.read_bytes()
    shutil.rmtree(tmp_path / "out/results")
    again = benchbar(*command)
    assert json.loads(again.out)["goes"] == found["goes"]
    assert (chat_server.stats()["requests"], memo.read_bytes()) == (paid, kept)


def test_a_judge_that_nobody_could_read_is_said_first(benchbar, tmp_path, chat_server, container_image):
    """The work is kept, no criterion has a mark, and the first line says in how many answers and how the first begins."""
    settings = SPEC.format(image=container_image, model="agent-memo", url=chat_server.base_url, more="")
    (tmp_path / "agents.toml").write_text(settings)
    judge = f"judge-mute@{chat_server.base_url}"
    command = ("agent", "lease-en", "--spec", "agents.toml", "--out", "out", "--quiet", "--judge", judge)
    ended = benchbar(*command)
    assert ended.code == 0, ended.err
    first = ended.out.splitlines()[0]
    assert re.fullmatch(r"judge-mute: the judge's answer could not be read in (\d+) of \1; the first begins .+", first)
    found = json.loads(benchbar(*command, "--json").out)
    assert found["marks"]["judges_without_answer"] == [first]
    (figure,) = [one for one in found["marks"]["figures"] if one["measure"] == "criterion"]
    assert (figure["recomputed"]["value"], figure["recomputed"]["n"]) == (None, 0)
    assert {one["ended"] for one in found["goes"]} == {"done"}


def test_both_forms_of_a_trace_are_read_back_with_the_same_marks(benchbar, tmp_path, chat_server, container_image):
    """Messages and spans of one piece of work have the same steps, as `benchbar rubric score` reads them."""
    worked(benchbar, tmp_path, chat_server, container_image, "agent-mistakes")
    scored = [
        json.loads(benchbar("rubric", "score", str(path), "--rubric", "agent-trace", "--json").out)["samples"][0]
        for path in sorted((tmp_path / "out/traces/a/lease-en").iterdir())
    ]
    assert scored[0]["overall"] == scored[1]["overall"]
    values = [[(one["dimension"], one["value"]) for one in each["dimensions"]] for each in scored]
    assert values[0] == values[1]
    assert all('{"error":' in one for one in said(tmp_path))
    assert "there are: list_files, read_file" in said(tmp_path)[0]


def test_the_container_has_no_rights_no_network_and_no_way_out(benchbar, tmp_path, chat_server, container_image):
    """Paths that lead elsewhere are refused; documents and image cannot be changed; the user is nobody, the only interface lo."""
    worked(benchbar, tmp_path, chat_server, container_image, "agent-strays")
    outside, forged, ran = said(tmp_path)
    assert "no path below in/ or out/" in outside
    assert "documents cannot be changed" in forged
    assert ran.count("Read-only file system") == 2
    # Errors come over a stream of their own: between the other lines, or after them.
    assert [line for line in ran.splitlines()[1:] if not line.startswith("touch: ")] == ["65534", "lo"]


def test_links_and_devices_are_no_part_of_the_product(benchbar, tmp_path, chat_server, container_image):
    """What a link points at is not taken, and both are named."""
    (go,) = worked(benchbar, tmp_path, chat_server, container_image, "agent-links")["goes"]
    assert list(go["files"]) == ["kept.txt"]
    assert go["left_out"] == [
        "link.txt: no plain file; links are not followed",
        "pipe: no plain file; links are not followed",
    ]


def test_no_more_than_the_bound_can_be_written(benchbar, tmp_path, chat_server, container_image):
    """The folder of outputs is full at its bound, whatever a command does."""
    more = "[assistants.a.limits]\noutput_bytes = 1000000"
    (go,) = worked(benchbar, tmp_path, chat_server, container_image, "agent-fills", more)["goes"]
    assert "No space left on device" in said(tmp_path)[0]
    assert (tmp_path / "out/results/a/lease-en/run1/output/big").stat().st_size <= 1_000_000
    assert go["ended"] == "done"


@pytest.mark.slow
def test_work_whose_time_is_up_keeps_what_was_written(benchbar, tmp_path, chat_server, container_image):
    """Time enough for a busy machine to start a container and write the file."""
    more = "[assistants.a.limits]\nseconds = 40"
    (go,) = worked(benchbar, tmp_path, chat_server, container_image, "agent-hangs", more)["goes"]
    assert (go["ended"], list(go["files"])) == ("seconds", ["early.txt"])


def test_limits_of_a_command_and_of_steps(benchbar, tmp_path, chat_server, container_image):
    """A command that hangs is killed; a model that never ends is asked no more."""
    more = "[assistants.a.limits]\ncommand_seconds = 1"
    worked(benchbar, tmp_path, chat_server, container_image, "agent-hangs", more)
    assert said(tmp_path)[1].startswith("exit code 137")
    shutil.rmtree(tmp_path / "out")
    asked = chat_server.stats()["requests"].get("agent-loops", 0)
    (go,) = worked(benchbar, tmp_path, chat_server, container_image, "agent-loops", "[assistants.a.limits]\nsteps = 3")["goes"]  # fmt: skip
    assert (go["ended"], chat_server.stats()["requests"]["agent-loops"] - asked) == ("steps", 3)


def test_what_was_written_can_still_be_taken_when_the_time_is_up(container_image, tmp_path):
    """The container outlives the seconds of its work: on a slow machine nothing that was written in time is lost."""

    async def taken():
        async with running(Sandbox(container_image, Bounds(seconds=1)), tmp_path) as container:
            await container.write("/task/out/early.txt", b"early")
            await asyncio.sleep(3)
            return await container.outputs()

    assert asyncio.run(taken()) == ([LeftFile("early.txt", b"early")], [])


def containers():
    engine = shutil.which("podman") or shutil.which("docker")
    listed = [engine, "ps", "--quiet", "--filter", "label=benchbar=agent"]
    return subprocess.run(listed, capture_output=True, text=True, check=True).stdout.split()


@contextmanager
def at_work(folder, server, image, *, calls: int):
    """The command in a process of its own, whose agent has had as many answers, stopped: engines need seconds to list containers."""
    spec = SPEC.format(image=image, model="agent-memo", url=server.base_url, more="")
    (folder / "agents.toml").write_text(spec)
    command = [
        sys.executable,
        "-m",
        "benchbar",
        "agent",
        "lease-en",
        "--spec",
        "agents.toml",
        "--out",
        "out",
        "--quiet",
    ]
    server.answer_after(0.5)
    with subprocess.Popen(command, cwd=folder, env=os.environ, stdout=subprocess.DEVNULL) as process:
        until = time.monotonic() + 300
        while server.stats()["completed"].get("agent-memo", 0) < calls and time.monotonic() < until:
            time.sleep(0.02)
        process.send_signal(signal.SIGSTOP)
        server.answer_after(0.03)
        yield process


def assert_gone(ids: set[str]) -> None:
    """None of these containers is left; those that other tests start meanwhile are none of them."""
    until = time.monotonic() + 300
    while ids & set(containers()) and time.monotonic() < until:
        time.sleep(0.2)
    assert not ids & set(containers())


def assert_it_goes_on(benchbar, server) -> None:
    """The same command comes to the end, and pays again for no more than the call that was cut off."""
    ended = benchbar("agent", "lease-en", "--spec", "agents.toml", "--out", "out", "--json", "--quiet")
    assert json.loads(ended.out)["goes"][0]["ended"] == "done"
    assert server.stats()["served_again"] <= 1


def test_a_kill_costs_one_call_at_most_and_leaves_no_container(benchbar, tmp_path, slow_chat_server, container_image):
    """After kill -9 the container ends by itself; the same command goes on with what was answered."""
    before = set(containers())
    with at_work(tmp_path, slow_chat_server, container_image, calls=4) as process:
        while_it_works = set(containers()) - before
        process.send_signal(signal.SIGKILL)
    assert while_it_works
    assert_gone(while_it_works)
    assert_it_goes_on(benchbar, slow_chat_server)


def test_a_program_of_the_image_is_an_agent(benchbar, tmp_path, container_image):
    """It gets the task on its input and the documents in a folder, is run once, and leaves files."""
    command = "cat > /task/out/asked.txt; grep -h USD /task/in/lease.md > /task/out/memo.txt; echo finished"
    (tmp_path / "agents.toml").write_text(
        f"[assistants.p]\nkind = 'agent'\nimage = '{container_image}'\ncommand = '{command}'\n"
    )
    run = ("agent", "lease-en", "--spec", "agents.toml", "--out", "out", "--json", "--quiet")
    (go,) = json.loads(benchbar(*run).out)["goes"]
    assert (go["ended"], sorted(go["files"])) == ("done", ["asked.txt", "memo.txt"])
    folder = tmp_path / "out/results/p/lease-en/run1/output"
    assert "Files to hand in: memo.docx" in (folder / "asked.txt").read_text()
    assert "USD 4,800" in (folder / "memo.txt").read_text()


def test_a_program_that_breaks_down_has_no_marks(benchbar, tmp_path, chat_server, container_image):
    """Neither the highest mark for steps that nobody saw, nor the lowest for criteria of work that was not finished."""
    (tmp_path / "agents.toml").write_text(
        f"[assistants.p]\nkind = 'agent'\nimage = '{container_image}'\ncommand = 'echo half > /task/out/memo.txt; exit 3'\n"
    )
    run = ("agent", "lease-en", "--spec", "agents.toml", "--out", "out", "--json", "--quiet")
    found = json.loads(benchbar(*run, "--judge", f"judge@{chat_server.base_url}").out)
    assert found["goes"][0]["ended"] == "exit code 3"
    assert {(one["value"], one["n_missing"]) for one in found["traces"]["p"].values()} == {(None, 1)}
    assert not list(tmp_path.glob("out/results/p/lease-en/run1/scores_*"))


def test_ctrl_c_ends_the_container_and_the_command_goes_on_later(benchbar, tmp_path, slow_chat_server, container_image):
    """The exit code is that of an interruption; nothing answered is asked again."""
    before = set(containers())
    with at_work(tmp_path, slow_chat_server, container_image, calls=3) as process:
        while_it_works = set(containers()) - before
        for one in (signal.SIGINT, signal.SIGCONT):
            process.send_signal(one)
        assert process.wait(300) == 130
    assert_gone(while_it_works)
    assert_it_goes_on(benchbar, slow_chat_server)


@pytest.mark.parametrize(
    ("assistant", "told"),
    [
        ("a=agent:m@{url}", "assistant 'a': no `image` is named: an agent works in a container alone"),
        ("a=openai:m@{url}", "assistant 'a' of kind 'openai' leaves no files; expected `agent` or `a2a`"),
        ("a=closed-book", "assistant 'a' of kind 'closed-book' leaves no files"),
        ("a=agent:m@{url},image=i,folder=x", "assistant 'a': leave out `folder`: each task brings its own documents"),
    ],
)
def test_what_cannot_work_is_told_in_plain_words(benchbar, chat_server, assistant, told):
    """The first line names the assistant, the cause and the cure."""
    ended = benchbar("agent", "lease-en", "--assistant", assistant.format(url=chat_server.base_url), "--out", "out")
    assert ended.code == 2
    assert told in ended.err.splitlines()[0]


@pytest.mark.parametrize(
    ("answer", "failed"),
    [
        ("exit code 3\nboom", True), ("exit code 0\nfine", False), ("Exit code: 1", True), ('{"error": "x"}', True),
        ("Error: no file", True), ("the exit code 3 was seen", False), ("", False),
    ],
)  # fmt: skip
def test_a_command_with_an_exit_code_other_than_0_is_a_failed_step(answer, failed):
    """It was counted as a success."""
    assert tool_failed(answer) is failed


def test_an_agent_is_an_assistant_of_a_run(tmp_path, chat_server, container_image):
    """Its answer holds the text of its files, which guidance marks; the run keeps their names and hashes."""
    (tmp_path / "documents").mkdir()
    (tmp_path / "documents/lease.md").write_text("The rent is USD 4,800 a month.")
    (tmp_path / "suite.csv").write_text("question,guidance\nWhat is the rent?,USD 4800\n")
    library.run(
        {
            "suite": "suite.csv",
            "reference": "nobody",
            "assistants": {
                "a": {
                    "kind": "agent",
                    "image": container_image,
                    "model": "agent-memo",
                    "base_url": chat_server.base_url,
                },
                "nobody": {"kind": "closed-book"},
            },
        },
        base=tmp_path,
        out=tmp_path / "run",
        on_note=lambda text: None,
    )
    lines = (tmp_path / "run/dialogues.jsonl").read_text("utf-8").splitlines()
    (dialogue,) = [one for one in map(json.loads, lines) if one["assistant"] == "a"]
    assert "## memo.docx\nMemo\nThe rent is USD 4,800 a month." in dialogue["turns"][-1]["content"]
    assert [(one["name"], len(one["sha256"])) for one in dialogue["product"]] == [("count.txt", 64), ("memo.docx", 64)]


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        ({"seconds": 0}, "limits.seconds is 0; a number above 0"),
        ({"output_bytes": 2 << 30}, "more than limits.memory"),
    ],
)
def test_bounds_that_leave_no_room_are_refused(settings, expected):
    """Each bound is named with what was expected."""
    with pytest.raises(UserError, match=expected):
        Bounds(**settings)


def archive(*members):
    memory = io.BytesIO()
    with tarfile.open(fileobj=memory, mode="w") as made:
        for name, kind, data in members:
            one = tarfile.TarInfo(name)
            one.type, one.size = kind, len(data)
            one.linkname = "/etc/passwd"
            made.addfile(one, io.BytesIO(data))
    return memory.getvalue()


def test_a_hostile_archive_gives_plain_files_alone():
    """Names that lead elsewhere, links, devices and what is too large are named and not taken."""
    given_archive = archive(
        ("./a.txt", tarfile.REGTYPE, b"a"),
        ("../b.txt", tarfile.REGTYPE, b"b"),
        ("/c.txt", tarfile.REGTYPE, b"c"),
        ("d", tarfile.SYMTYPE, b""),
        ("e", tarfile.LNKTYPE, b""),
        ("f", tarfile.CHRTYPE, b""),
        ("g", tarfile.REGTYPE, b"x" * 100),
    )
    found, left_out = files_in(given_archive, 50)
    assert [(one.name, one.data) for one in found] == [("a.txt", b"a")]
    assert len(left_out) == 6


@given(st.binary(max_size=3000))
def test_no_bytes_make_the_reader_of_archives_fail(data):
    """Whatever a container writes is read as files, or as none."""
    found, _ = files_in(data, 1000)
    assert sum(len(one.data) for one in found) <= 1000


@pytest.mark.parametrize("path", ["../x", "/etc/passwd", "in", "out/../in/x", "in/../../x", "", "out/a\nb"])
async def test_a_path_outside_of_both_folders_is_no_file(path):
    """No tool takes it, whatever it is asked for."""
    tools = FileTools({}, {}, None)
    for name, arguments in (("read_file", {"path": path}), ("write_file", {"path": path, "content": "x"})):
        with pytest.raises(ToolError, match="no path below"):
            await tools.call(name, arguments)


def test_markdown_becomes_a_word_document():
    """Headings, lists, tables and paragraphs, without characters that XML cannot hold."""
    text = text_of_bytes(
        "m.docx", docx_of("# 备忘录\n\n- 租金\x00 4,800元\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n**End**")
    )
    assert text.splitlines() == ["备忘录", "• 租金 4,800元", "a", "b", "1", "2", "End"]


def test_tasks_that_come_along_are_whole(tmp_path):
    """Each has instructions, documents that can be read, and criteria about a file that is asked for."""
    from benchbar.evaluations.agent_tasks import tasks_of
    from benchbar.tables.work_products import texts_of

    tasks = tasks_of(["lease-en", "lease-zh"])
    assert [len(one.criteria) for one in tasks] == [6, 6]
    for task in tasks:
        texts, problems = texts_of(task.folder / "documents")
        assert (len(texts), problems) == (3, [])
        assert {name for one in task.criteria for name in one.deliverables} == set(task.deliverables)
    assert Path(tasks[0].folder, "task.json").is_file()

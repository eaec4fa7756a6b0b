"""Whatever ends a build, the last output stays whole, and the next command repairs what is left."""

from __future__ import annotations

import contextlib
import os
import random
import re
import resource
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from support import commands, registries
from support.commands import (
    Done,
    Signal,
    build,
    differing,
    files,
    run,
    run_forked,
    stamps,
    start,
    start_forked,
)
from support.disks import full, mounted
from support.lanes import fast_first


def become(folder: Path, records: Any) -> Path:
    """Change a content folder to contain `records`, with as few changed files as possible."""
    with tempfile.TemporaryDirectory() as other:
        now, then = files(folder), files(registries.write(Path(other), records))
    for path in now.keys() - then.keys():
        (folder / path).unlink()
    for path in differing(now, then):
        if path in then:
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_bytes(then[path])
    return folder


def many_projects(name: str) -> Any:
    """A registry with more projects than one process takes at a time. `name` is part of every file
    that lists a project.
    """
    projects = {f"p{n:03}": {"name": f"{name} {n}", "programs": ["launch"]} for n in range(270)}
    return registries.api_alone(registry={"name": f"Many {name}"}, projects=projects)


def one_changed() -> Any:
    """The registry `many_projects("first")` after four edits: one record renamed, one removed, one
    added and one deadline moved.
    """
    records = many_projects("first")
    records["projects"]["p000"]["name"] = "Zero"
    records["projects"]["p270"] = {
        "name": "Two hundred and seventy",
        "aliases": ["p269"],
        "year": 1999,
    }
    del records["projects"]["p269"]
    records["events"]["harbour-2020"]["due"] = "2027-03-01"
    return records


def api_with_many_projects(summary: str = "") -> Any:
    """`registries.api_alone()` with many more projects: a changed summary changes few files."""
    more = {f"p{n:03}": {"name": f"Project {n}", "year": 1990 + n % 30} for n in range(120)}
    records = registries.api_alone(projects={**registries.SMALL["projects"], **more})
    if summary:
        records["projects"]["bloom"] = {**records["projects"]["bloom"], "summary": summary}
    return records


def beside(out: Path) -> list[str]:
    """The names of files next to an output, without duplicates, without the last number, which
    counts generations, and without the tree that an exchange leaves.
    """
    found, spare = set(), f".registry/{out.name}/tree"
    for entry in os.scandir(out.parent):
        if entry.name not in (out.name, "ballast"):
            below = commands.walk(entry.path) if entry.is_dir(follow_symlinks=False) else ()
            found |= {entry.path, *(child.path for child in below)}
    names = {re.sub(r"\.[0-9]+$", "", os.path.relpath(path, out.parent)) for path in found}
    return sorted(name for name in names if not f"{name}/".startswith(f"{spare}/"))


# --- ten ways to end ---


@contextlib.contextmanager
def read_only(disk: Path) -> Iterator[None]:
    subprocess.run(["mount", "-o", "remount,ro", str(disk)], check=True)
    yield
    subprocess.run(["mount", "-o", "remount,rw", str(disk)], check=True)


def small_files() -> None:
    resource.setrlimit(resource.RLIMIT_FSIZE, (2000, 2000))


class End(NamedTuple):
    """How a build ends before anything is moved into place, and its message."""

    message: str
    signal: Signal | None = None
    disk: Callable[[Path], AbstractContextManager[None]] | None = None
    options: tuple[str, ...] = ()
    run: Callable[..., Done] = run_forked


#: Free blocks for the texts of all records, some 63, and some published files.
FULL = 100
INTERRUPTED = "Interrupted; nothing was changed."
CTRL_C = signal.SIGINT
TWO = ("--jobs", "2")
ENDS = {
    "Ctrl-C at the beginning": End(INTERRUPTED, Signal(3, CTRL_C)),
    "Ctrl-C to all processes": End(INTERRUPTED, Signal(60, CTRL_C, "worker", "group"), None, TWO),
    "a killed worker": End("a worker process was killed", Signal(9, counts="worker"), None, TWO),
    "a full disk": End("disk is full", disk=lambda disk: full(disk, 0)),
    "a disk that becomes full for workers": End("disk is full", None, lambda d: full(d, FULL), TWO),
    "a read-only disk": End("--out", disk=read_only),
    "a limit of file sizes": End(
        "File too large", run=lambda *words, **_: run(*words, preexec_fn=small_files)
    ),
    "an interrupt of the parent": End(
        INTERRUPTED, Signal(3, CTRL_C, "worker", "parent"), None, TWO
    ),
    "a disk that becomes full": End("disk is full", disk=lambda disk: full(disk, FULL)),
    "Ctrl-C while pages are written": End(INTERRUPTED, Signal(35, CTRL_C)),
}


@pytest.mark.parametrize("end", fast_first(7, ENDS))
def test_a_build_that_ends_early_changes_nothing_and_the_next_succeeds(
    end: str, tmp_path: Path
) -> None:
    how = ENDS[end]
    content = become(tmp_path / "content", many_projects("first"))
    with contextlib.ExitStack() as stack:
        site = tmp_path / "site"
        if how.disk is not None:
            stack.enter_context(mounted(site, "size=64m"))
        out = site / "out"
        build(content, out)
        become(content, many_projects("second"))
        before, tidy = stamps(out), beside(out)
        words = ("build", "--content", content, "--out", out, "--no-site", *how.options)
        with how.disk(site) if how.disk is not None else contextlib.nullcontext():
            done = how.run(*words, signals=how.signal)
        assert done.status == 2, done
        assert how.message in done.err and "Traceback" not in done.err
        assert (stamps(out), beside(out)) == (before, tidy)
        assert run_forked(*words).status == 0
        assert differing(files(out), files(build(content, tmp_path / "whole"))) == []
        assert beside(out) == tidy


def test_an_output_that_is_a_mount_is_refused(tmp_path: Path) -> None:
    content = registries.write(tmp_path / "content", registries.API)
    with mounted(tmp_path / "out", "size=16m") as out:
        done = run_forked("build", "--content", content, "--out", out)
        assert done.status == 2 and "It is a mount point; choose a folder in it" in done.err
        assert list(out.iterdir()) == [] and not (tmp_path / ".registry").exists()
        assert run_forked("build", "--content", content, "--out", out / "build").status == 0


# --- a kill at any change to the disk ---

READING = (
    ("list", "projects", "--all", "--format", "ndjson"),
    ("get", "projects", "aurora-grid"),
    ("search", "grid"),
    ("calendar", "--ics"),
    ("dashboard",),
)
KILL = signal.SIGKILL
#: When a signal comes, and whether the new output is there then.
MOMENTS = {
    "before the exchange": (Signal(1, KILL, "exchange"), False),
    "after the exchange": (Signal(2, KILL, "exchange"), True),
    "at random": (Signal(random.randrange(1, 30), KILL), False),
    "Ctrl-C at the exchange": (Signal(1, CTRL_C, "exchange"), True),
    "Ctrl-C at random": (Signal(random.randrange(3, 30), CTRL_C), False),
}


@pytest.mark.parametrize("moment", MOMENTS)
def test_after_a_signal_one_output_is_whole(moment: str, tmp_path: Path) -> None:
    """Whatever command is next, also a failing build or a command that reads, finds one build."""
    out, content, (sent, is_new) = tmp_path / "site" / "out", tmp_path / "content", MOMENTS[moment]
    contents = [api_with_many_projects(), api_with_many_projects("Other words.")]
    folders = [
        build(become(content, records), tmp_path / f"whole-{n}")
        for n, records in enumerate(contents)
    ]
    whole = [files(folder) for folder in folders]
    arguments = ("build", "--content", content, "--out", out, "--no-site")
    for records in (*contents, contents[0]):  # the third finds the output of the first
        become(content, records)
        assert run_forked(*arguments).status == 0
    tidy = beside(out)
    become(content, contents[1])
    done = run_forked(*arguments, signals=sent)
    if sent.number == KILL:
        assert done.status == -KILL
    else:
        assert done.status == (0 if is_new else 2), done.err
        assert ("nothing was changed" in done.err) != is_new and "Traceback" not in done.err
    assert files(out) == whole[is_new], sent
    for words in READING:
        answers = [run_forked(*words, "--from", folder) for folder in (out, folders[is_new])]
        assert answers[0] == answers[1]
    assert beside(out) == tidy
    (content / "projects" / "broken.yaml").write_text("name: [")
    assert run_forked(*arguments).status == 1
    (content / "projects" / "broken.yaml").unlink()
    assert files(out) == whole[is_new]
    assert run_forked(*arguments).status == 0
    assert differing(files(out), whole[1]) == []
    assert beside(out) == tidy


@pytest.mark.slow
@pytest.mark.parametrize("change", ["everything", "a few records"])
def test_a_build_of_several_processes_is_killed_at_any_time(change: str, tmp_path: Path) -> None:
    """In turn the process group and the parent alone are killed."""
    out, content = tmp_path / "site" / "out", tmp_path / "content"
    contents = [
        many_projects("first"), many_projects("second") if change == "everything" else one_changed()
    ]  # fmt: skip
    whole = [
        files(build(become(content, records), tmp_path / f"whole-{n}"))
        for n, records in enumerate(contents)
    ]
    arguments = ("build", "--content", content, "--out", out, "--no-site", "--jobs", 2)
    run_forked(*arguments)
    become(content, contents[0])
    began = time.monotonic()
    run_forked(*arguments)
    lasts = time.monotonic() - began
    tidy, now = beside(out), 0
    for moment in range(10):
        then = 1 - now
        become(content, contents[then])
        running = start_forked(*arguments)
        time.sleep(lasts * moment / 9)
        with contextlib.suppress(ProcessLookupError):
            (os.killpg if moment % 2 else os.kill)(running.pid, signal.SIGKILL)
        assert running.wait().status in (-signal.SIGKILL, 0)
        assert files(out) in (whole[now], whole[then])
        done = run_forked(*arguments)
        assert done.status == 0, done.err
        assert differing(files(out), whole[then]) == []
        assert beside(out) == tidy
        now = then


# --- two builds at once ---


def wait_until_stopped(pid: int) -> None:
    state = ""
    while state != "T":
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(") ")[2][0]
        time.sleep(0.01)


@pytest.mark.skipif(
    not Path("/proc/self/stat").exists(), reason="asks /proc whether a process stands still"
)
def test_a_build_waits_for_another_build_of_its_output_and_reports_it(tmp_path: Path) -> None:
    content = registries.write(tmp_path / "content", registries.API)
    out = tmp_path / "site" / "out"
    other = registries.write(tmp_path / "other", registries.api_alone(registry={"name": "Other"}))
    whole = files(build(other, tmp_path / "whole"))
    first = start_forked(
        "build", "--content", content, "--out", out, signals=Signal(40, signal.SIGSTOP)
    )
    wait_until_stopped(first.pid)
    second = start("build", "--content", other, "--out", out, stderr=subprocess.PIPE)
    assert second.stderr is not None
    with second.stderr:
        assert b"waiting" in second.stderr.readline()
        assert not out.exists()
        build(content, tmp_path / "site" / "another", anew=True)
        os.kill(first.pid, signal.SIGCONT)
        assert first.wait().status == 0
        assert second.wait(60) == 0
    assert differing(files(out), whole) == []


@pytest.mark.slow
@pytest.mark.parametrize("exists", [False, True])
def test_two_builds_of_one_output_both_succeed_and_one_of_them_stays(
    exists: bool, tmp_path: Path
) -> None:
    contents = [registries.write(tmp_path / name, many_projects(name)) for name in ("one", "two")]
    whole = [files(build(folder, tmp_path / f"whole-{folder.name}")) for folder in contents]
    out = tmp_path / "site" / "out"
    if exists:
        build(registries.write(tmp_path / "content", registries.API), out)
    words = ("build", "--out", out, "--jobs", 2, "--content")
    running = [start(*words, folder) for folder in contents]
    assert [process.wait(60) for process in running] == [0, 0]
    assert files(out) in whole


def test_a_new_record_on_a_full_disk_is_reported(tmp_path: Path) -> None:
    with mounted(tmp_path / "disk", "size=16m") as disk:
        content = registries.write(disk / "content", registries.API)
        before = files(content)
        with full(disk, 0):
            done = run_forked("new", "project", "--name", "Heat", "--content", content)
        said = "No space left on device; nothing was changed\nFree some space"
        assert (done.status, said in done.err) == (2, True)
        assert files(content) == before

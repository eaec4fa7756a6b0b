"""Whatever ends a build, the last output stays whole, and the next command repairs what is left."""

from __future__ import annotations

import contextlib
import os
import re
import resource
import shutil
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
from support.lanes import fast_first

Files = dict[str, bytes]


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


def renamed() -> Any:
    """`registries.api_alone()` with every record renamed."""
    records = registries.api_alone(registry={"name": "Other", "description": "Of other words."})
    for name in ("organizations", "programs", "projects", "events"):
        records[name] = {
            slug: {**record, "name": f"Other {record['name']}"}
            for slug, record in records[name].items()
        }
    return records


def api_with_many_projects(summary: str = "") -> Any:
    """`registries.api_alone()` with many more projects: a changed summary changes few files."""
    more = {f"p{n:03}": {"name": f"Project {n}", "year": 1990 + n % 30} for n in range(120)}
    records = registries.api_alone(projects={**registries.SMALL["projects"], **more})
    if summary:
        records["projects"]["bloom"] = {**records["projects"]["bloom"], "summary": summary}
    return records


def beside(out: Path) -> list[str]:
    """The names of files next to an output, without duplicates and without the last number, which
    counts generations.
    """
    found = set()
    for entry in os.scandir(out.parent):
        if entry.name not in (out.name, "ballast"):
            below = commands.walk(entry.path) if entry.is_dir(follow_symlinks=False) else ()
            found |= {entry.path, *(child.path for child in below)}
    return sorted({re.sub(r"\.[0-9]+$", "", os.path.relpath(path, out.parent)) for path in found})


# --- ten ways to end ---


@contextlib.contextmanager
def mounted(folder: Path, options: str) -> Iterator[Path]:
    """A small file system for the test; skips if mounting is not allowed."""
    if shutil.which("mount") is None:
        pytest.skip("the program mount is not on this machine")
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", options, "tmpfs", str(folder)]
    if subprocess.run(mount, capture_output=True, check=False).returncode:
        pytest.skip("mounting a file system takes rights that are not here")
    try:
        yield folder
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=True)


@contextlib.contextmanager
def full(disk: Path, room: int) -> Iterator[None]:
    """A disk with this many free blocks; a small file takes one."""
    stat = os.statvfs(disk)
    (disk / "ballast").write_bytes(bytes((stat.f_bavail - room) * stat.f_bsize))
    yield
    (disk / "ballast").unlink()


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


INTERRUPTED = "Interrupted; nothing was changed."
CTRL_C = signal.SIGINT
TWO = ("--jobs", "2")
ENDS = {
    "Ctrl-C at the beginning": End(INTERRUPTED, Signal(3, CTRL_C)),
    "Ctrl-C to all processes": End(INTERRUPTED, Signal(60, CTRL_C, "worker", "group"), None, TWO),
    "a killed worker": End("a worker process was killed", Signal(9, counts="worker"), None, TWO),
    "a full disk": End("disk is full", disk=lambda disk: full(disk, 0)),
    "a disk that becomes full for workers": End("disk is full", None, lambda d: full(d, 10), TWO),
    "a read-only disk": End("--out", disk=read_only),
    "a limit of file sizes": End(
        "File too large", run=lambda *words, **_: run(*words, preexec_fn=small_files)
    ),
    "an interrupt of the parent": End(
        INTERRUPTED, Signal(3, CTRL_C, "worker", "parent"), None, TWO
    ),
    "a disk that becomes full": End("disk is full", disk=lambda disk: full(disk, 10)),
    "Ctrl-C while pages are written": End(INTERRUPTED, Signal(35, CTRL_C)),
}


@pytest.mark.parametrize("end", fast_first(7, ENDS))
@pytest.mark.parametrize("change", fast_first(1, ["everything", "a few records"]))
def test_a_build_that_ends_early_changes_nothing_and_the_next_succeeds(
    change: str, end: str, tmp_path: Path
) -> None:
    how = ENDS[end]
    content = become(tmp_path / "content", many_projects("first"))
    with contextlib.ExitStack() as stack:
        site = tmp_path / "site"
        if how.disk is not None:
            stack.enter_context(mounted(site, "size=64m"))
        out = site / "out"
        build(content, out)
        become(content, many_projects("second") if change == "everything" else one_changed())
        before, tidy = stamps(out), beside(out)
        words = ("build", "--content", content, "--out", out, "--no-site", *how.options)
        with how.disk(site) if how.disk is not None else contextlib.nullcontext():
            done = how.run(*words, signals=how.signal)
        if change != "everything" and done.status == 0:
            pytest.skip("so few changes need only one process")
        assert done.status == 2, done
        assert how.message in done.err and "Traceback" not in done.err
        assert (stamps(out), beside(out)) == (before, tidy)
        assert run_forked(*words).status == 0
        assert differing(files(out), files(build(content, tmp_path / "whole"))) == []
        assert beside(out) == tidy


# --- a kill at any change to the disk ---

READING = (
    ("list", "projects", "--all", "--format", "ndjson"),
    ("get", "projects", "aurora-grid"),
    ("search", "grid"),
    ("calendar", "--ics"),
    ("dashboard",),
)


def assert_of_either(found: Files, first: Files, second: Files, *, mixed: bool) -> None:
    """Assert that every file is whole, and that all files are of one build. Only after a kill while
    changed files are moved may the builds be mixed.
    """
    if found in (first, second):
        return
    assert mixed, differing(found, first)[:10]
    assert found.keys() <= first.keys() | second.keys()
    assert found.keys() >= first.keys() & second.keys()
    assert [
        path for path, data in found.items() if data not in (first.get(path), second.get(path))
    ] == []


@pytest.mark.parametrize("number", fast_first(1, [signal.SIGKILL, signal.SIGINT]), ids=str)
@pytest.mark.parametrize(
    ("change", "step"),
    fast_first(
        2,
        [("everything", 241), ("a few records", 47), ("everything", 61), ("a few records", 7)],
    ),
)
def test_the_next_command_repairs_what_a_signal_left(
    change: str, step: int, number: signal.Signals, tmp_path: Path
) -> None:
    """The signal comes before the first change to the disk, then some changes later, and so on
    until the build succeeds.  Whatever command is next, also a failing build or a command that
    reads, finishes what was begun.
    """
    out, content, mixed = tmp_path / "site" / "out", tmp_path / "content", change != "everything"
    contents = [registries.api_alone(), renamed()]
    if mixed:
        contents = [api_with_many_projects(), api_with_many_projects("A grid of other words.")]
    folders = [
        build(become(content, records), tmp_path / f"whole-{n}")
        for n, records in enumerate(contents)
    ]
    whole = [files(folder) for folder in folders]
    answers = [{c: run_forked(*c, "--from", folder) for c in READING} for folder in folders]
    arguments = ("build", "--content", content, "--out", out, "--no-site")
    run_forked(*arguments)
    become(content, contents[0])
    run_forked(*arguments)
    tidy, now, count, states = beside(out), 0, 1, set()
    while True:
        then = 1 - now
        become(content, contents[then])
        done = run_forked(*arguments, signals=Signal(count, number))
        found = files(out)
        assert_of_either(found, whole[now], whole[then], mixed=mixed and number == signal.SIGKILL)
        if done.status == 0:
            break
        assert done.status == (-number if number == signal.SIGKILL else 2), done.err
        assert "Traceback" not in done.err
        if number == signal.SIGINT:
            assert ("nothing was changed" in done.err) == (found == whole[now]), count
        states.add("old" if found == whole[now] else "new" if found == whole[then] else "between")
        if count // step % 2:
            broken = content / "projects" / "broken.yaml"
            broken.write_text("name: [")
            assert run_forked(*arguments).status == 1
            broken.unlink()
        else:
            command = READING[count // step // 2 % len(READING)]
            assert run_forked(*command, "--from", out) in [known[command] for known in answers]
        assert files(out) in whole
        assert run_forked(*arguments).status == 0
        assert differing(files(out), whole[then]) == []
        assert beside(out) == tidy
        now, count = then, count + step
    assert "old" in states and ("between" in states) == (mixed and number == signal.SIGKILL)
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
        assert_of_either(files(out), whole[now], whole[then], mixed=change != "everything")
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

"""Whatever happens to a build, the last output stays whole, and foreign files never change."""

from __future__ import annotations

import contextlib
import functools
import os
import random
import re
import resource
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import generator.hosts
from generator.contract.artifact import module_names
from support import commands, registries
from support.commands import (
    Signal,
    differing,
    files,
    run,
    run_forked,
    stamps,
    start,
    start_forked,
)

build = functools.partial(commands.build, site=True)  # with the site, as `registry build` does

Files = dict[str, bytes]


def become(folder: Path, records: Any) -> Path:
    """Change a content folder to contain `records`, with as few changed files as possible."""
    with tempfile.TemporaryDirectory() as other:
        now, then = (
            files(folder) if folder.exists() else {},
            files(registries.write(Path(other), records)),
        )
    for path in now.keys() - then.keys():
        (folder / path).unlink()
    for path in differing(now, then):
        if path in then:
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_bytes(then[path])
    return folder


@pytest.fixture
def content(tmp_path: Path) -> Path:
    return registries.write(tmp_path / "content", registries.API)


@pytest.fixture
def out(content: Path, tmp_path: Path) -> Path:
    """The output, in a folder of its own together with the files that a build keeps next to it."""
    return build(content, tmp_path / "site" / "out")


# --- a build that fails ---

BROKEN = {
    "YAML that is none": ("projects/bloom.yaml", "name: [", ()),
    "an unknown field": ("projects/bloom.yaml", "name: Bloom\nnmae: Bloom\n", ()),
    "an unknown reference": ("projects/bloom.yaml", "name: Bloom\nprograms: [lunch]\n", ()),
    "a broken registry.yaml": ("registry.yaml", "name: No description\n", ()),
    "no registry.yaml": ("registry.yaml", None, ()),
    "a warning, with --strict": ("notes.txt", "Not a record.\n", ("--strict",)),
}


@pytest.mark.parametrize(("file", "text", "options"), BROKEN.values(), ids=BROKEN)
def test_content_with_errors_leaves_the_output_unchanged(
    file: str, text: str | None, options: tuple[str, ...], content: Path, out: Path
) -> None:
    before = stamps(out.parent)
    if text is None:
        (content / file).unlink()
    else:
        (content / file).write_text(text)
    done = run_forked("build", "--content", content, "--out", out, *options)
    assert done.status == 1
    assert "as it was" in done.err
    assert stamps(out) == {
        path.removeprefix("out/"): stamp
        for path, stamp in before.items()
        if path.startswith("out/")
    } | {".": before["out"]}
    assert sorted(stamps(out.parent)) == sorted(before)


@pytest.mark.parametrize("collection", ["projects", "organizations", "programs", "events"])
def test_two_files_with_one_slug_are_reported_and_nothing_is_built(
    collection: str, tmp_path: Path
) -> None:
    content = registries.write(tmp_path / "content", registries.API)
    first_file = min((content / collection).iterdir())
    (content / collection / "again").mkdir()
    shutil.copy(first_file, content / collection / "again")
    for jobs in (1, 2):
        done = run_forked("build", "--content", content, "--out", tmp_path / "out", "--jobs", jobs)
        assert (done.status, done.err.count("error[")) == (1, 1)
        assert "error[duplicate-slug]" in done.err and not (tmp_path / "out").exists()


def test_missing_content_leaves_the_output_unchanged(out: Path, tmp_path: Path) -> None:
    before = stamps(out)
    done = run_forked("build", "--content", tmp_path / "nowhere", "--out", out)
    assert done.status == 2
    assert "nowhere" in done.err
    assert stamps(out) == before


@pytest.mark.parametrize(
    "option", ["--host=nowhere", "--as-of=tomorrow", "--jobs=0", "--jobs=many", "--unknown"]
)
def test_wrong_usage_leaves_the_output_unchanged(option: str, content: Path, out: Path) -> None:
    before = stamps(out.parent)
    assert run_forked("build", "--content", content, "--out", out, option).status == 2
    assert stamps(out.parent) == before


def test_no_command_writes_into_the_content(content: Path, tmp_path: Path) -> None:
    before = stamps(content)
    build(content, tmp_path / "out")
    assert run_forked("check", "--content", content).status == 0
    assert stamps(content) == before


def test_check_writes_nothing_at_all(content: Path, out: Path, tmp_path: Path) -> None:
    before = stamps(tmp_path)
    assert run_forked("check", "--content", content, cwd=tmp_path).status == 0
    assert stamps(tmp_path) == before


# --- a build that is interrupted ---


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


def api_with_many_projects() -> Any:
    """`registries.api_alone()` with many more projects: one changed project changes only a few
    files."""
    records = registries.api_alone()
    more = {f"p{n:03}": {"name": f"Project {n}", "year": 1990 + n % 30} for n in range(120)}
    records["projects"] = {**records["projects"], **more}
    return records


CHANGES = {"everything": many_projects("second"), "a few records": one_changed()}


def beside(out: Path) -> list[str]:
    """The names of files next to an output, without duplicates and without the last number, which
    counts generations.
    """
    found = set()
    for entry in os.scandir(out.parent):
        if entry.name != out.name:
            below = commands.walk(entry.path) if entry.is_dir(follow_symlinks=False) else ()
            found |= {entry.path, *(child.path for child in below)}
    return sorted({re.sub(r"\.[0-9]+$", "", os.path.relpath(path, out.parent)) for path in found})


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


@pytest.mark.parametrize("change", CHANGES)
def test_a_killed_build_leaves_a_whole_output_and_the_next_build_succeeds(
    change: str, tmp_path: Path
) -> None:
    """Ten moments, early to late; in turn the process group and the parent alone are killed."""
    out, content = tmp_path / "site" / "out", tmp_path / "content"
    contents = [many_projects("first"), CHANGES[change]]
    whole = [
        files(build(become(content, records), tmp_path / f"whole-{n}"))
        for n, records in enumerate(contents)
    ]
    arguments = ("--content", content, "--out", out, "--jobs", 2)
    run_forked("build", *arguments)
    become(content, contents[0])
    began = time.monotonic()
    run_forked("build", *arguments)
    lasts = time.monotonic() - began
    tidy = beside(out)
    chance = random.Random(change)
    now = 0
    for moment in range(10):
        # Another content each time, to have files to write.
        then = 1 - now
        become(content, contents[then])
        running = start_forked("build", *arguments)
        time.sleep(lasts * (moment + chance.random()) / 9)
        with contextlib.suppress(ProcessLookupError):
            (os.killpg if moment % 2 else os.kill)(running.pid, signal.SIGKILL)
        assert running.wait().status in (-signal.SIGKILL, 0)
        assert_of_either(files(out), whole[now], whole[then], mixed=change != "everything")
        done = run_forked("build", *arguments)
        assert done.status == 0, done.err
        assert differing(files(out), whole[then]) == []
        assert beside(out) == tidy
        now = then


@pytest.mark.parametrize(("change", "step"), [("everything", 61), ("a few records", 7)])
def test_the_next_command_repairs_a_kill_at_any_change_to_the_disk(
    change: str, step: int, tmp_path: Path
) -> None:
    """Kill the build before its first change to the disk, then a few changes later, and so on until
    the build succeeds.
    """
    out, content = tmp_path / "site" / "out", tmp_path / "content"
    contents = [registries.api_alone(), renamed()]
    if change == "a few records":
        contents = [api_with_many_projects(), api_with_many_projects()]
        contents[1]["projects"]["bloom"]["summary"] = "Of other words."
    whole = [
        files(build(become(content, records), tmp_path / f"whole-{n}"))
        for n, records in enumerate(contents)
    ]
    arguments = ("--content", content, "--out", out)
    run_forked("build", *arguments)
    become(content, contents[0])
    run_forked("build", *arguments)
    tidy, now, count, states = beside(out), 0, 1, set()
    while True:
        then = 1 - now
        become(content, contents[then])
        done = run_forked("build", *arguments, signals=Signal(count))
        found = files(out)
        assert_of_either(found, whole[now], whole[then], mixed=change != "everything")
        if done.status == 0:
            break
        assert done.status == -signal.SIGKILL, done.err
        states.add("old" if found == whole[now] else "new" if found == whole[then] else "between")
        # Even a failing build finishes an interrupted move, and begins nothing new.
        broken = content / "projects" / "broken.yaml"
        broken.write_text("name: [")
        assert run_forked("build", *arguments).status == 1
        broken.unlink()
        assert_of_either(files(out), whole[now], whole[then], mixed=False)
        assert run_forked("build", *arguments).status == 0
        assert differing(files(out), whole[then]) == []
        assert beside(out) == tidy
        now, count = then, count + step
    assert states == {"old", "new", "between"} if change != "everything" else {"old", "new"}
    assert beside(out) == tidy


READING = (
    ("list", "projects", "--all", "--format", "ndjson"),
    ("get", "projects", "aurora-grid"),
    ("search", "grid"),
    ("list", "projects"),
    ("calendar", "--year", "2020"),
    ("calendar", "--ics"),
    ("dashboard",),
    ("list", "organizations"),
)


def test_after_a_kill_a_reading_command_answers_from_one_build_or_refuses(
    tmp_path: Path,
) -> None:
    """The build is killed before another of its changes to the disk each time, and another command
    follows.
    """
    out, content = tmp_path / "site" / "out", tmp_path / "content"
    contents = [api_with_many_projects(), api_with_many_projects()]
    contents[1]["projects"]["bloom"]["summary"] = "A grid of other words."
    whole = [
        build(become(content, records), tmp_path / f"whole-{n}")
        for n, records in enumerate(contents)
    ]
    answers = [
        {command: run_forked(*command, "--from", folder) for command in READING} for folder in whole
    ]
    whole_builds = [files(folder) for folder in whole]
    arguments = ("--content", content, "--out", out)
    build(become(content, contents[0]), out)
    half, chance = 0, random.Random(0)
    # The changes after the 125th move files into place.
    for n, count in enumerate([5, 100, *(chance.randrange(125, 240) for _ in range(10))]):
        become(content, contents[1 - n % 2])
        assert run_forked("build", *arguments, signals=Signal(count)).status == -signal.SIGKILL
        half += files(out) not in whole_builds
        command = READING[n % len(READING)]
        assert run_forked(*command, "--from", out) in (answers[0][command], answers[1][command]), (
            count,
            command,
        )
        assert files(out) in whole_builds
        assert run_forked("build", *arguments).status == 0
    assert half >= 5


@pytest.mark.parametrize("count", [3, 60, 120])
@pytest.mark.parametrize(
    ("change", "jobs", "counts", "target"),
    [
        ("everything", 1, "main", "self"),
        ("everything", 2, "worker", "group"),
        ("everything", 2, "worker", "parent"),
        ("a few records", 1, "main", "self"),
    ],
    ids=["one process", "every process", "the parent of workers", "a build of little"],
)
def test_an_interrupt_leaves_the_output_unchanged_and_no_temporary_files(
    change: str, jobs: int, counts: Any, target: Any, count: int, tmp_path: Path
) -> None:
    """Ctrl-C reaches every process of a terminal, `kill -INT` only one process. The interrupt comes
    before anything moves into place.
    """
    content = become(tmp_path / "content", many_projects("first"))
    arguments = ("--content", content, "--out", tmp_path / "site" / "out", "--jobs", jobs)
    out = build(content, tmp_path / "site" / "out")
    become(content, CHANGES[change])
    before, tidy = stamps(out), beside(out)
    if change == "a few records":
        count = count // 3 + 1
    done = run_forked("build", *arguments, signals=Signal(count, signal.SIGINT, counts, target))
    assert done.status == 2
    assert done.err.strip() == "Interrupted; nothing was changed."
    assert stamps(out) == before
    assert beside(out) == tidy


@pytest.mark.parametrize("change", CHANGES)
def test_an_interrupt_while_files_move_leaves_a_whole_output_and_a_true_message(
    change: str, tmp_path: Path
) -> None:
    """After an interrupt at any later change to the disk, the output is the old or the new build,
    and the message says which.
    """
    content, out = tmp_path / "content", tmp_path / "site" / "out"
    contents = [registries.api_alone(), renamed()]
    if change == "a few records":
        contents = [api_with_many_projects(), api_with_many_projects()]
        contents[1]["projects"]["bloom"]["summary"] = "Of other words."
    whole = [
        files(build(become(content, records), tmp_path / f"whole-{n}"))
        for n, records in enumerate(contents)
    ]
    arguments = ("--content", content, "--out", out)
    run_forked("build", *arguments)
    become(content, contents[0])
    run_forked("build", *arguments)
    tidy, now, count = beside(out), 0, 1
    while True:
        then = 1 - now
        become(content, contents[then])
        done = run_forked("build", *arguments, signals=Signal(count, signal.SIGINT))
        found = files(out)
        assert found in (whole[now], whole[then]), count
        if done.status == 0:
            assert found == whole[then]
            break
        assert done.status == 2
        assert "Traceback" not in done.err
        assert ("nothing was changed" in done.err) == (found == whole[now]), count
        assert run_forked("build", *arguments).status == 0
        assert differing(files(out), whole[then]) == []
        assert beside(out) == tidy
        now, count = then, count + (7 if change == "a few records" else 71)


def test_a_killed_worker_is_reported_and_the_output_stays_unchanged(
    tmp_path: Path,
) -> None:
    content = become(tmp_path / "content", many_projects("first"))
    out = build(content, tmp_path / "site" / "out")
    become(content, many_projects("second"))
    before, tidy = stamps(out), beside(out)
    kill = Signal(100, signal.SIGKILL, "worker")
    done = run_forked("build", "--content", content, "--out", out, "--jobs", 2, signals=kill)
    assert done.status == 2
    assert "a worker process was killed" in done.err
    assert "Traceback" not in done.err
    assert stamps(out) == before
    assert beside(out) == tidy


# --- two builds at once ---


@pytest.mark.parametrize(
    "exists", [False, True], ids=["into a new folder", "into a folder that has a build"]
)
def test_two_builds_of_one_output_both_succeed_and_one_of_them_stays(
    exists: bool, tmp_path: Path
) -> None:
    contents = [
        registries.write(tmp_path / name, many_projects(name)) for name in ("first", "second")
    ]
    whole = [files(build(folder, tmp_path / f"whole-{folder.name}")) for folder in contents]
    out = tmp_path / "site" / "out"
    if exists:
        build(registries.write(tmp_path / "content", registries.API), out)
    running = [
        start("build", "--content", folder, "--out", out, "--jobs", 2) for folder in contents
    ]
    assert [process.wait(60) for process in running] == [0, 0]
    assert files(out) in whole


def wait_until_stopped(pid: int) -> None:
    state = ""
    while state != "T":
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(") ")[2][0]
        time.sleep(0.01)


@pytest.mark.skipif(
    not Path("/proc/self/stat").exists(), reason="asks /proc whether a process stands still"
)
def test_a_build_waits_for_another_build_of_its_output_and_reports_it(
    content: Path, tmp_path: Path
) -> None:
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


# --- a full disk ---


@contextlib.contextmanager
def mounted(folder: Path, options: str) -> Iterator[Path]:
    """A small file system for the test; skips if mounting is not allowed."""
    if shutil.which("mount") is None:
        pytest.skip("the program mount is not on this machine")
    folder.mkdir()
    done = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", options, "tmpfs", str(folder)],
        capture_output=True,
        check=False,
    )
    if done.returncode:
        pytest.skip("mounting a file system takes rights that are not here")
    try:
        yield folder
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=True)


@pytest.mark.parametrize(
    ("change", "jobs", "room"),
    [
        ("everything", 1, 0),
        ("everything", 1, 300),
        ("everything", 2, 10),
        ("everything", 2, 300),
        ("a few records", 1, 0),
        ("a few records", 1, 5),
    ],
)
def test_a_full_disk_leaves_the_output_unchanged(
    change: str, jobs: int, room: int, tmp_path: Path
) -> None:
    """`room` is in blocks of the file system; a small file takes one block."""
    content = become(tmp_path / "content", many_projects("first"))
    with mounted(tmp_path / "disk", "size=64m") as disk:
        out = disk / "out"
        arguments = ("--content", content, "--out", out, "--jobs", jobs)
        assert run_forked("build", *arguments).status == 0
        before, tidy = stamps(out), beside(out)
        become(content, CHANGES[change])
        stat = os.statvfs(disk)
        (disk / "ballast").write_bytes(bytes((stat.f_bavail - room) * stat.f_bsize))
        done = run_forked("build", *arguments)
        assert done.status == 2
        assert "disk is full" in done.err
        assert "Traceback" not in done.err
        (disk / "ballast").unlink()
        assert stamps(out) == before
        assert beside(out) == tidy
        assert run_forked("build", *arguments).status == 0
        assert differing(files(out), files(build(content, tmp_path / "whole"))) == []


def test_a_new_record_on_a_full_disk_is_reported(tmp_path: Path) -> None:
    with mounted(tmp_path / "disk", "size=16m") as disk:
        content = become(disk / "content", many_projects("first"))
        before = files(content)
        stat = os.statvfs(disk)
        (disk / "ballast").write_bytes(bytes(stat.f_bavail * stat.f_bsize))
        done = run_forked("new", "project", "--name", "Heat", "--content", content)
        assert (done.status, "No space left on device; free some" in done.err) == (2, True)
        assert files(content) == before


def test_a_file_size_limit_leaves_the_output_unchanged(content: Path, out: Path) -> None:
    before, tidy = stamps(out), beside(out)
    become(content, many_projects("first"))

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (2000, 2000))

    done = run("build", "--content", content, "--out", out, preexec_fn=limit)
    assert done.status == 2
    assert "File too large" in done.err
    assert "Traceback" not in done.err
    assert stamps(out) == before
    assert beside(out) == tidy


def test_a_read_only_disk_leaves_the_output_unchanged(content: Path, tmp_path: Path) -> None:
    with mounted(tmp_path / "disk", "size=16m") as disk:
        out = build(content, disk / "out")
        subprocess.run(["mount", "-o", "remount,ro", str(disk)], check=True)
        before = stamps(disk)
        (content / "projects" / "bloom.yaml").write_text("name: Blossom\n")
        for folder in (out, disk / "new"):
            done = run_forked("build", "--content", content, "--out", folder)
            assert done.status == 2
            assert "--out" in done.err
            assert "Traceback" not in done.err
        assert stamps(disk) == before


@pytest.mark.skipif(os.geteuid() == 0, reason="permissions mean nothing to root")
def test_an_unwritable_parent_folder_is_reported(content: Path, tmp_path: Path) -> None:
    parent = tmp_path / "site"
    parent.mkdir(0o500)
    done = run_forked("build", "--content", content, "--out", parent / "out")
    assert done.status == 2
    assert "--out" in done.err
    assert list(parent.iterdir()) == []


# --- files that are not the build's ---


@pytest.mark.parametrize(
    "name", ["notes.txt", ".git/HEAD", ".hidden", "api/projects/page/1.json", "index.html"]
)
def test_a_folder_with_foreign_files_is_refused(name: str, content: Path, tmp_path: Path) -> None:
    out = tmp_path / "site" / "out"
    (out / name).parent.mkdir(parents=True)
    (out / name).write_text("Mine.\n")
    before = stamps(out.parent)
    done = run_forked("build", "--content", content, "--out", out)
    assert done.status == 2
    assert str(out) in done.err and "--out" in done.err
    assert stamps(out.parent) == before


def test_an_empty_folder_becomes_the_output(content: Path, tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    build(content, tmp_path / "out")
    assert (tmp_path / "out" / "api" / "build.json").is_file()


def test_an_output_that_became_a_git_checkout_is_refused(content: Path, out: Path) -> None:
    (out / ".git").mkdir()
    (out / ".git" / "HEAD").write_text("ref: refs/heads/pages\n")
    (content / "projects" / "bloom.yaml").write_text("name: Blossom\n")
    before = stamps(out.parent)
    done = run_forked("build", "--content", content, "--out", out)
    assert done.status == 2
    assert ".git" in done.err
    assert stamps(out.parent) == before


@pytest.mark.parametrize(
    "name",
    [
        "CNAME",
        "docs/guide.html",
        ".well-known.txt",
        "__pycache__/x.pyc",
        "API/x",
        "b\x1b[2J",
        ".well-known/security.txt",
        ".well-known/acme-challenge/token",
    ],
)
def test_a_foreign_file_at_the_top_of_an_output_stops_a_build(
    name: str, content: Path, out: Path
) -> None:
    (out / name).parent.mkdir(parents=True, exist_ok=True)
    (out / name).write_text("Mine.\n")
    before = stamps(out.parent)
    done = run_forked("build", "--content", content, "--out", out)
    assert done.status == 2
    assert (
        f"contains {name.partition('/')[0]}".partition("\x1b")[0] in done.err
        and "--out" in done.err
    )
    assert "\x1b" not in done.err
    assert stamps(out.parent) == before


def test_a_folder_with_only_one_file_named_like_a_builds_is_refused(
    content: Path, tmp_path: Path
) -> None:
    mine = tmp_path / "mine"
    (mine / "api").mkdir(parents=True)
    for text in (
        "{}",
        "",
        "[",
        "null",
        '{"kind": "build"}',
        '{"kind":"build","generator":{"name":"x"}}',
        "[" * 100_000,
    ):
        (mine / "api" / "build.json").write_text(text)
        before = stamps(mine)
        done = run_forked("build", "--content", content, "--out", mine)
        assert done.status == 2
        assert "not a build" in done.err and "Traceback" not in done.err
        assert stamps(mine) == before
    (mine / "api" / "build.json").unlink()
    os.mkfifo(mine / "api" / "build.json")
    assert run_forked("build", "--content", content, "--out", mine).status == 2


@pytest.mark.parametrize("state", [True, False])
def test_a_missing_build_json_is_written_again(content: Path, tmp_path: Path, state: bool) -> None:
    out = build(content, tmp_path / "out")
    (out / "api" / "build.json").unlink()
    if not state:
        shutil.rmtree(tmp_path / ".registry")
    build(content, out)
    assert (out / "api" / "build.json").is_file()
    # The root of a manifest alone does not make a folder an output, if it also has a foreign file.
    (out / "api" / "build.json").unlink()
    (out / "mine.txt").write_text("mine")
    done = run_forked("build", "--content", content, "--out", out)
    assert done.status == 2 and "mine.txt" in done.err
    (out / "mine.txt").unlink()
    (out / "api" / "manifest" / "root.json").write_text("{}")
    done = run_forked("build", "--content", content, "--out", out)
    assert done.status == 2 and "contains other files, not a build" in done.err


def test_an_output_with_files_of_hosts_and_file_managers_can_be_rebuilt(
    content: Path, tmp_path: Path
) -> None:
    hosts = [
        host for host in module_names(generator.hosts) if host not in ("cloudflare", "gitlab-pages")
    ]
    for chosen_hosts in (hosts, ["cloudflare"], ["gitlab-pages"]):
        out = build(
            content,
            tmp_path / chosen_hosts[0],
            *(option for host in chosen_hosts for option in ("--host", host)),
        )
        (out / ".DS_Store").touch()
        build(content, out)
        assert not (out / ".DS_Store").exists()


@pytest.mark.parametrize("name", ["api/extra.json", "api/projects/page/9.json"])
def test_a_file_that_no_build_wrote_is_not_published(name: str, content: Path, out: Path) -> None:
    """An output is replaced as a whole, as --help states: otherwise a page of an older version
    would be served for ever.
    """
    whole = files(out)
    (out / name).parent.mkdir(parents=True, exist_ok=True)
    (out / name).write_text("Mine.\n")
    build(content, out)
    assert differing(files(out), whole) == []


@pytest.mark.parametrize("damage", ["changed", "removed", "emptied", "made a folder"])
def test_a_damaged_file_is_rebuilt(damage: str, content: Path, out: Path) -> None:
    whole = files(out)
    page = out / "api" / "projects" / "page" / "1.json"
    if damage == "changed":
        page.write_bytes(page.read_bytes().replace(b"Aurora", b"aurora"))
    elif damage == "emptied":
        page.write_bytes(b"")
    else:
        page.unlink()
        if damage == "made a folder":
            page.mkdir()
    build(content, out)
    assert differing(files(out), whole) == []


def test_a_named_pipe_in_an_output_does_not_block(content: Path, out: Path) -> None:
    whole = files(out)
    for name in ("api/projects/page/1.json", "api/dashboard.json"):
        (out / name).unlink()
        os.mkfifo(out / name)
    assert run("build", "--content", content, "--out", out).status == 0
    assert differing(files(out), whole) == []


def test_a_link_inside_an_output_is_not_followed(content: Path, out: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    shutil.move(out / "api" / "projects", other)
    (out / "api" / "projects").symlink_to(other)
    before = stamps(other)
    (content / "projects" / "bloom.yaml").write_text("name: Blossom\n")
    build(content, out)
    assert stamps(other) == before
    assert not (out / "api" / "projects").is_symlink()


@pytest.mark.parametrize(
    "where",
    ["content", "content/build", "content/projects/build", "content/.build", "content/projects"],
)
def test_an_output_inside_the_content_is_refused(where: str, content: Path, tmp_path: Path) -> None:
    before = stamps(tmp_path)
    done = run_forked("build", "--content", "content", "--out", where, cwd=tmp_path)
    assert done.status == 2
    assert "Traceback" not in done.err
    assert stamps(tmp_path) == before


@pytest.mark.parametrize("where", [".", "..", "site", "/"])
def test_an_output_that_contains_the_content_is_refused(where: str, tmp_path: Path) -> None:
    registries.write(tmp_path / "site" / "content", registries.API)
    before = stamps(tmp_path)
    options = (
        "--content",
        tmp_path / "site" / "content",
        "--out",
        where if where != "site" else tmp_path / "site",
    )
    assert run_forked("build", *options, cwd=tmp_path / "site").status == 2
    assert stamps(tmp_path) == before


def test_an_output_folder_with_the_content_inside_is_refused(content: Path, out: Path) -> None:
    """The folder is the output of a build: only the content inside forbids replacing it."""
    shutil.move(content, out / "content")
    before = stamps(out.parent)
    assert run_forked("build", "--content", out / "content", "--out", out).status == 2
    assert stamps(out.parent) == before


def test_an_output_that_is_a_file_is_refused(content: Path, tmp_path: Path) -> None:
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "out").write_text("Mine.\n")
    before = stamps(tmp_path / "site")
    for out in (tmp_path / "site" / "out", tmp_path / "site" / "out" / "below"):
        done = run_forked("build", "--content", content, "--out", out)
        assert done.status == 2
        assert "Traceback" not in done.err
        assert stamps(tmp_path / "site") == before


@pytest.mark.parametrize(
    "exists", [False, True], ids=["whose target is not there", "whose target is a build"]
)
def test_an_output_that_is_a_link_stays_a_link(exists: bool, content: Path, tmp_path: Path) -> None:
    target, link = tmp_path / "disk" / "target", tmp_path / "site" / "out"
    target.parent.mkdir()
    link.parent.mkdir()
    link.symlink_to(target)
    whole = files(build(content, tmp_path / "whole"))
    for _ in range(1 + exists):
        build(content, link)
    assert link.is_symlink()
    assert link.resolve() == target
    assert differing(files(target), whole) == []
    assert beside(link) == []


def test_a_link_to_an_output_of_other_content_is_refused(
    content: Path, out: Path, tmp_path: Path
) -> None:
    cloned = registries.write(tmp_path / "cloned" / "content", registries.API)
    (tmp_path / "cloned" / "build").symlink_to(out)
    before = stamps(out)
    done = run_forked("build", "--content", cloned, "--out", tmp_path / "cloned" / "build")
    assert done.status == 2 and "is a link to" in done.err and "--out" in done.err
    assert stamps(out) == before


def test_missing_parent_folders_of_an_output_are_created(content: Path, tmp_path: Path) -> None:
    build(content, tmp_path / "a" / "b" / "out")
    assert (tmp_path / "a" / "b" / "out" / "api" / "build.json").is_file()


def test_the_state_of_a_build_is_outside_the_published_folder(content: Path, out: Path) -> None:
    assert ".registry" not in {name for path in files(out) for name in path.split("/")}
    published = {path.relative_to(out.parent).as_posix() for path in out.parent.iterdir()}
    assert published == {"out", ".registry"}


def test_a_moved_or_copied_output_can_be_rebuilt(content: Path, out: Path, tmp_path: Path) -> None:
    whole = files(out)
    shutil.copytree(out, tmp_path / "copy")
    out.rename(tmp_path / "moved")
    for folder in (tmp_path / "copy", tmp_path / "moved", out):
        assert differing(files(build(content, folder)), whole) == []


def test_the_state_of_a_build_may_be_damaged_or_missing(content: Path, out: Path) -> None:
    whole = files(out)
    state = out.parent / ".registry"
    for path in [p for p in state.rglob("*") if p.is_file()]:
        path.write_bytes(b"\xff damaged \x00")
    assert differing(files(build(content, out)), whole) == []
    for path in [p for p in state.rglob("*") if p.is_file()]:
        path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    assert differing(files(build(content, out)), whole) == []
    shutil.rmtree(state)
    assert differing(files(build(content, out)), whole) == []

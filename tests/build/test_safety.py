"""Whatever happens to a build, the last output stays whole, and nothing that is not the build's is
touched.
"""

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

build = functools.partial(commands.build, site=True)  # as the command that it is compared with

Files = dict[str, bytes]


def become(folder: Path, records: Any) -> Path:
    """Change a content folder so that it holds `records`, by as few files as that takes."""
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
    """A folder of its own with an output, and whatever a build keeps beside it."""
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
def test_content_with_errors_leaves_the_output_as_it_was(
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
def test_two_files_of_one_slug_are_told_as_that_and_nothing_is_built(
    collection: str, tmp_path: Path
) -> None:
    content = registries.write(tmp_path / "content", registries.API)
    one = min((content / collection).iterdir())
    (content / collection / "again").mkdir()
    shutil.copy(one, content / collection / "again")
    for jobs in (1, 2):
        done = run_forked("build", "--content", content, "--out", tmp_path / "out", "--jobs", jobs)
        assert (done.status, done.err.count("error[")) == (1, 1)
        assert "error[duplicate-slug]" in done.err and not (tmp_path / "out").exists()


def test_content_that_is_not_there_leaves_the_output_as_it_was(out: Path, tmp_path: Path) -> None:
    before = stamps(out)
    done = run_forked("build", "--content", tmp_path / "nowhere", "--out", out)
    assert done.status == 2
    assert "nowhere" in done.err
    assert stamps(out) == before


@pytest.mark.parametrize(
    "option", ["--host=nowhere", "--as-of=tomorrow", "--jobs=0", "--jobs=many", "--unknown"]
)
def test_wrong_usage_leaves_the_output_as_it_was(option: str, content: Path, out: Path) -> None:
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


def many(name: str) -> Any:
    """A registry of more projects than one process takes at a time; `name` is in every file that
    lists one of them.
    """
    projects = {f"p{n:03}": {"name": f"{name} {n}", "programs": ["launch"]} for n in range(270)}
    return registries.api_alone(registry={"name": f"Many {name}"}, projects=projects)


def one_changed() -> Any:
    """The same registry as `many("first")`, with one record renamed, one gone, one more and one
    deadline moved.
    """
    records = many("first")
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
    """`registries.api_alone()` with another name of each record."""
    records = registries.api_alone(registry={"name": "Other", "description": "Of other words."})
    for name in ("organizations", "programs", "projects", "events"):
        records[name] = {
            slug: {**record, "name": f"Other {record['name']}"}
            for slug, record in records[name].items()
        }
    return records


def some() -> Any:
    """`registries.api_alone()` with so many projects that a changed one changes few files."""
    records = registries.api_alone()
    more = {f"p{n:03}": {"name": f"Project {n}", "year": 1990 + n % 30} for n in range(120)}
    records["projects"] = {**records["projects"], **more}
    return records


CHANGES = {"everything": many("second"), "a few records": one_changed()}


def beside(out: Path) -> list[str]:
    """The names of what lies beside an output, each once and without the last number, which counts
    generations.
    """
    found = set()
    for entry in os.scandir(out.parent):
        if entry.name != out.name:
            below = commands.walk(entry.path) if entry.is_dir(follow_symlinks=False) else ()
            found |= {entry.path, *(one.path for one in below)}
    return sorted({re.sub(r"\.[0-9]+$", "", os.path.relpath(path, out.parent)) for path in found})


def assert_of_either(found: Files, one: Files, other: Files, *, mixed: bool) -> None:
    """Every file is whole.  All are of one build, but for a kill in the moment in which changed
    files are moved.
    """
    if found in (one, other):
        return
    assert mixed, differing(found, one)[:10]
    assert found.keys() <= one.keys() | other.keys()
    assert found.keys() >= one.keys() & other.keys()
    assert [
        path for path, data in found.items() if data not in (one.get(path), other.get(path))
    ] == []


@pytest.mark.parametrize("change", CHANGES)
def test_a_build_that_is_killed_leaves_a_whole_output_and_the_next_succeeds(
    change: str, tmp_path: Path
) -> None:
    """Ten moments, early to late; the whole process group one time, the parent alone the other."""
    out, content = tmp_path / "site" / "out", tmp_path / "content"
    contents = [many("first"), CHANGES[change]]
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
        # Another content each time, so that there is always something to write.
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
def test_a_kill_at_any_change_to_the_disk_is_made_good_by_the_next_command(
    change: str, step: int, tmp_path: Path
) -> None:
    """Killed before its first change to the disk, a few changes later, and so on until it ends by
    itself.
    """
    out, content = tmp_path / "site" / "out", tmp_path / "content"
    contents = [registries.api_alone(), renamed()]
    if change == "a few records":
        contents = [some(), some()]
        contents[1]["projects"]["bloom"]["summary"] = "Of other words."
    whole = [
        files(build(become(content, records), tmp_path / f"whole-{n}"))
        for n, records in enumerate(contents)
    ]
    arguments = ("--content", content, "--out", out)
    run_forked("build", *arguments)
    become(content, contents[0])
    run_forked("build", *arguments)
    tidy, now, count, seen = beside(out), 0, 1, set()
    while True:
        then = 1 - now
        become(content, contents[then])
        done = run_forked("build", *arguments, signals=Signal(count))
        found = files(out)
        assert_of_either(found, whole[now], whole[then], mixed=change != "everything")
        if done.status == 0:
            break
        assert done.status == -signal.SIGKILL, done.err
        seen.add("old" if found == whole[now] else "new" if found == whole[then] else "between")
        # Even a build that fails finishes what was begun, and begins nothing.
        broken = content / "projects" / "broken.yaml"
        broken.write_text("name: [")
        assert run_forked("build", *arguments).status == 1
        broken.unlink()
        assert_of_either(files(out), whole[now], whole[then], mixed=False)
        assert run_forked("build", *arguments).status == 0
        assert differing(files(out), whole[then]) == []
        assert beside(out) == tidy
        now, count = then, count + step
    assert seen == {"old", "new", "between"} if change != "everything" else {"old", "new"}
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


def test_whenever_a_build_is_killed_a_command_that_reads_answers_from_one_build_or_refuses(
    tmp_path: Path,
) -> None:
    """Killed in turn before another of its changes to the disk; each time another command comes
    next.
    """
    out, content = tmp_path / "site" / "out", tmp_path / "content"
    contents = [some(), some()]
    contents[1]["projects"]["bloom"]["summary"] = "A grid of other words."
    whole = [
        build(become(content, records), tmp_path / f"whole-{n}")
        for n, records in enumerate(contents)
    ]
    answers = [
        {command: run_forked(*command, "--from", folder) for command in READING} for folder in whole
    ]
    kept = [files(folder) for folder in whole]
    arguments = ("--content", content, "--out", out)
    build(become(content, contents[0]), out)
    half, chance = 0, random.Random(0)
    # The changes after the 125th are those that move files into place.
    for n, count in enumerate([5, 100, *(chance.randrange(125, 240) for _ in range(10))]):
        become(content, contents[1 - n % 2])
        assert run_forked("build", *arguments, signals=Signal(count)).status == -signal.SIGKILL
        half += files(out) not in kept
        command = READING[n % len(READING)]
        assert run_forked(*command, "--from", out) in (answers[0][command], answers[1][command]), (
            count,
            command,
        )
        assert files(out) in kept
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
def test_an_interrupt_leaves_the_output_as_it_was_and_no_litter(
    change: str, jobs: int, counts: Any, target: Any, count: int, tmp_path: Path
) -> None:
    """Ctrl-C reaches every process of a terminal; `kill -INT` one.  It comes before anything moves
    into place.
    """
    content = become(tmp_path / "content", many("first"))
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
def test_an_interrupt_while_files_move_into_place_leaves_a_whole_output_and_says_what_is_so(
    change: str, tmp_path: Path
) -> None:
    """An interrupt at any later change to the disk: the output is the last one or the new one, and
    the words fit.
    """
    content, out = tmp_path / "content", tmp_path / "site" / "out"
    contents = [registries.api_alone(), renamed()]
    if change == "a few records":
        contents = [some(), some()]
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


def test_a_build_whose_worker_is_killed_says_so_and_leaves_the_output_as_it_was(
    tmp_path: Path,
) -> None:
    content = become(tmp_path / "content", many("first"))
    out = build(content, tmp_path / "site" / "out")
    become(content, many("second"))
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
    "there", [False, True], ids=["into a new folder", "into a folder that has a build"]
)
def test_two_builds_of_one_output_both_succeed_and_leave_one_of_the_two(
    there: bool, tmp_path: Path
) -> None:
    contents = [registries.write(tmp_path / name, many(name)) for name in ("first", "second")]
    whole = [files(build(folder, tmp_path / f"whole-{folder.name}")) for folder in contents]
    out = tmp_path / "site" / "out"
    if there:
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
def test_a_build_waits_for_another_of_the_same_output_and_says_so(
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


# --- a disk that takes no more ---


@contextlib.contextmanager
def mounted(folder: Path, options: str) -> Iterator[Path]:
    """A small file system of its own; skips where that is not allowed."""
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
def test_a_full_disk_leaves_the_output_as_it_was(
    change: str, jobs: int, room: int, tmp_path: Path
) -> None:
    """`room` is in blocks of the file system: a small file takes one."""
    content = become(tmp_path / "content", many("first"))
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


def test_a_full_disk_takes_no_record_and_that_is_told(tmp_path: Path) -> None:
    with mounted(tmp_path / "disk", "size=16m") as disk:
        content = become(disk / "content", many("first"))
        before = files(content)
        stat = os.statvfs(disk)
        (disk / "ballast").write_bytes(bytes(stat.f_bavail * stat.f_bsize))
        done = run_forked("new", "project", "--name", "Heat", "--content", content)
        assert (done.status, "No space left on device; free some" in done.err) == (2, True)
        assert files(content) == before


def test_a_file_that_may_not_become_so_large_leaves_the_output_as_it_was(
    content: Path, out: Path
) -> None:
    before, tidy = stamps(out), beside(out)
    become(content, many("first"))

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (2000, 2000))

    done = run("build", "--content", content, "--out", out, preexec_fn=limit)
    assert done.status == 2
    assert "File too large" in done.err
    assert "Traceback" not in done.err
    assert stamps(out) == before
    assert beside(out) == tidy


def test_a_disk_that_is_read_only_leaves_the_output_as_it_was(
    content: Path, tmp_path: Path
) -> None:
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
def test_a_parent_folder_that_may_not_be_written_to_is_told_of(
    content: Path, tmp_path: Path
) -> None:
    parent = tmp_path / "site"
    parent.mkdir(0o500)
    done = run_forked("build", "--content", content, "--out", parent / "out")
    assert done.status == 2
    assert "--out" in done.err
    assert list(parent.iterdir()) == []


# --- what is not the build's ---


@pytest.mark.parametrize(
    "name", ["notes.txt", ".git/HEAD", ".hidden", "api/projects/page/1.json", "index.html"]
)
def test_a_folder_with_files_of_somebody_elses_is_refused(
    name: str, content: Path, tmp_path: Path
) -> None:
    out = tmp_path / "site" / "out"
    (out / name).parent.mkdir(parents=True)
    (out / name).write_text("Mine.\n")
    before = stamps(out.parent)
    done = run_forked("build", "--content", content, "--out", out)
    assert done.status == 2
    assert str(out) in done.err and "--out" in done.err
    assert stamps(out.parent) == before


def test_an_empty_folder_is_built_into(content: Path, tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    build(content, tmp_path / "out")
    assert (tmp_path / "out" / "api" / "build.json").is_file()


def test_an_output_that_somebody_made_a_checkout_is_refused(content: Path, out: Path) -> None:
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
def test_what_no_build_writes_at_the_top_of_an_output_stops_it(
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


def test_a_folder_that_merely_has_a_file_of_a_builds_name_is_refused(
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
    # The root of a manifest alone does not make a folder ours, where a file of another is.
    (out / "api" / "build.json").unlink()
    (out / "mine.txt").write_text("mine")
    done = run_forked("build", "--content", content, "--out", out)
    assert done.status == 2 and "mine.txt" in done.err
    (out / "mine.txt").unlink()
    (out / "api" / "manifest" / "root.json").write_text("{}")
    done = run_forked("build", "--content", content, "--out", out)
    assert done.status == 2 and "contains other files, not a build" in done.err


def test_an_output_of_any_host_and_what_a_file_manager_left_in_it_can_be_built_over(
    content: Path, tmp_path: Path
) -> None:
    hosts = [
        host for host in module_names(generator.hosts) if host not in ("cloudflare", "gitlab-pages")
    ]
    for some in (hosts, ["cloudflare"], ["gitlab-pages"]):
        out = build(
            content, tmp_path / some[0], *(option for host in some for option in ("--host", host))
        )
        (out / ".DS_Store").touch()
        build(content, out)
        assert not (out / ".DS_Store").exists()


@pytest.mark.parametrize("name", ["api/extra.json", "api/projects/page/9.json"])
def test_a_file_that_no_build_wrote_is_not_published(name: str, content: Path, out: Path) -> None:
    """An output is replaced as a whole, as --help says: a page of an older version would be
    answered for ever.
    """
    whole = files(out)
    (out / name).parent.mkdir(parents=True, exist_ok=True)
    (out / name).write_text("Mine.\n")
    build(content, out)
    assert differing(files(out), whole) == []


@pytest.mark.parametrize("damage", ["changed", "removed", "emptied", "made a folder"])
def test_a_file_that_was_damaged_is_made_again(damage: str, content: Path, out: Path) -> None:
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


def test_a_named_pipe_in_an_output_is_not_waited_for(content: Path, out: Path) -> None:
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
def test_a_folder_that_the_content_lies_in_is_refused(where: str, tmp_path: Path) -> None:
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


def test_content_inside_an_output_is_refused(content: Path, out: Path) -> None:
    """The output was a build's: only the content in it tells that it must not be replaced."""
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
    "there", [False, True], ids=["whose target is not there", "whose target is a build"]
)
def test_an_output_that_is_a_link_stays_one(there: bool, content: Path, tmp_path: Path) -> None:
    target, link = tmp_path / "disk" / "target", tmp_path / "site" / "out"
    target.parent.mkdir()
    link.parent.mkdir()
    link.symlink_to(target)
    whole = files(build(content, tmp_path / "whole"))
    for _ in range(1 + there):
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


def test_missing_folders_above_an_output_are_made(content: Path, tmp_path: Path) -> None:
    build(content, tmp_path / "a" / "b" / "out")
    assert (tmp_path / "a" / "b" / "out" / "api" / "build.json").is_file()


def test_what_a_build_keeps_lies_outside_of_what_is_published(content: Path, out: Path) -> None:
    assert ".registry" not in {name for path in files(out) for name in path.split("/")}
    published = {path.relative_to(out.parent).as_posix() for path in out.parent.iterdir()}
    assert published == {"out", ".registry"}


def test_an_output_that_was_moved_or_copied_can_be_built_into(
    content: Path, out: Path, tmp_path: Path
) -> None:
    whole = files(out)
    shutil.copytree(out, tmp_path / "copy")
    out.rename(tmp_path / "moved")
    for folder in (tmp_path / "copy", tmp_path / "moved", out):
        assert differing(files(build(content, folder)), whole) == []


def test_what_a_build_keeps_may_be_damaged_or_gone(content: Path, out: Path) -> None:
    whole = files(out)
    kept = out.parent / ".registry"
    for path in [p for p in kept.rglob("*") if p.is_file()]:
        path.write_bytes(b"\xff damaged \x00")
    assert differing(files(build(content, out)), whole) == []
    for path in [p for p in kept.rglob("*") if p.is_file()]:
        path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    assert differing(files(build(content, out)), whole) == []
    shutil.rmtree(kept)
    assert differing(files(build(content, out)), whole) == []

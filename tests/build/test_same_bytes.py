"""The same content gives the same bytes. Only build.json, which has the time and the commit of the
build, and the manifest root, which has the digest of build.json, may differ.

tests/golden/test_environment.py holds whole registries against changes of the environment.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import time
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from support import commands, registries
from support.commands import (
    EPOCH,
    OF_BUILDS,
    TODAY,
    differing,
    environment,
    files,
    program,
)
from support.git import commit, git
from support.lanes import fast_first

#: With the site, which is equally a function of the content; and the API alone, where a test is
#: about the place of the content or the commit, which the pages take from the API.
build = partial(commands.build, site=True)
build_api = commands.build

#: Equal names, years and counts, and one place in several spellings: whatever could reveal the
#: order of files.
TIES: dict[str, Any] = registries.content(
    registry={"page_size": 10, "base_url": "https://registry.example/data"},
    projects=registries.SMALL["projects"]
    | {
        f"{stem}-{number}": {
            "name": name,
            "year": 2024,
            "programs": ["launch-2025"],
            "tags": {"technology": list(tags)},
            "locations": [{"country": "DE", "city": city}],
            "aliases": [f"old-{stem}-{number}"],
        }
        for stem, name, tags, city in (
            ("a", "Tie", "xy", "Köln"),
            ("b", "tie", "yx", "Koln"),
            ("c", "TIÉ", "y", "KÖLN"),
        )
        for number in range(4)
    },
)


@pytest.fixture(scope="module")
def content(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return registries.write(tmp_path_factory.mktemp("ties") / "content", TIES)


@pytest.fixture(scope="module")
def expected(content: Path) -> dict[str, bytes]:
    return files(build(content, content.parent / "expected"))


@pytest.fixture(scope="module")
def expected_api(content: Path) -> dict[str, bytes]:
    return files(build_api(content, content.parent / "expected-api"))


def assert_same(found: dict[str, bytes], expected: dict[str, bytes]) -> None:
    assert differing(found, expected) == []


@pytest.mark.parametrize("seed", fast_first(1, [1, 2, 3]))
def test_the_order_of_files_on_disk_has_no_effect(
    seed: int, content: Path, expected: dict[str, bytes], tmp_path: Path
) -> None:
    command = [
        *program("shuffled"),
        str(seed),
        "build",
        "--content",
        content,
        "--out",
        tmp_path / "out",
    ]
    subprocess.run(command, env=environment(), check=True, capture_output=True)
    assert_same(files(tmp_path / "out"), expected)


@pytest.mark.parametrize(
    "spelling", fast_first(2, [".", "{}/projects/..", "./", "../content", "{}", "{}/"])
)
def test_the_working_folder_has_no_effect(
    spelling: str, content: Path, expected_api: dict[str, bytes], tmp_path: Path
) -> None:
    out = build_api(spelling.format(content), tmp_path / "out", cwd=content)
    assert_same(files(out), expected_api)


@pytest.mark.parametrize("jobs", fast_first(1, [2, 4, 5]))  # whatever the number of processors
def test_the_number_of_processes_has_no_effect(jobs: int, tmp_path: Path) -> None:
    """More projects and events than one process takes at a time: the work is divided."""
    cities = ("Saint-Étienne", "Saint-Etienne", "saint etienne")
    members = {
        f"p{n:04}": {
            "name": f"Name {n * 7919 % 900 // 3}",
            "year": 2000 + n % 20,
            "tags": {"technology": [f"t{n % 40}"]},
            "locations": [{"country": "FR", "city": cities[n % 3]}],
        }
        for n in range(900)
    }
    dates = {
        f"d{n:03}": {
            "name": f"Day {n * 7919 % 400 // 3}",
            "kind": "deadline",
            "due": f"{2020 + n % 9}-03-{1 + n % 28:02}",
            "program": "launch",
        }
        for n in range(400)
    }
    content = registries.write(
        tmp_path / "content",
        registries.content(registry={"page_size": 10}, projects=members, events=dates),
    )
    alone = files(build_api(content, tmp_path / "1", "--jobs", 1))
    assert sum(path.startswith("api/projects/slug/") for path in alone) == 900
    assert sum(path.startswith("api/calendar/events/slug/") for path in alone) == 400
    assert_same(files(build_api(content, tmp_path / "many", "--jobs", jobs)), alone)


def test_another_day_changes_only_values_counted_in_days(
    content: Path, expected: dict[str, bytes], tmp_path: Path
) -> None:
    changed = differing(files(build(content, tmp_path / "out", "--as-of", "2027-12-31")), expected)
    assert "api/build.json" in changed
    assert "api/calendar/events/upcoming/page/1.json" in changed
    assert [
        p
        for p in changed
        if p.startswith(("api/projects/", "api/programs/", "api/organizations/", "api/schemas/"))
        or p.startswith(("projects/", "programs/", "organizations/", "assets/", "map/"))
    ] == ["organizations/north-college/index.html", "programs/launch/index.html"]
    # Their dates say what is over, open and next.
    assert [p for p in changed if p.startswith("api/calendar/events/slug/")] == []


def read_build_json(out: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((out / "api" / "build.json").read_bytes())
    return found


def test_only_build_json_contains_the_time(
    content: Path, expected: dict[str, bytes], tmp_path: Path
) -> None:
    out = build(content, tmp_path / "out", "--as-of", TODAY, env={"SOURCE_DATE_EPOCH": "86400"})
    assert differing(files(out), expected) == OF_BUILDS
    assert read_build_json(out)["generated_at"] == "1970-01-02T00:00:00Z"


@pytest.mark.parametrize(
    ("options", "as_of"),
    [
        ((), "2026-11-21"),
        (("--as-of", "2024-02-29"), "2024-02-29"),
        (("--as-of", "1999-12-31"), "1999-12-31"),
    ],
)
def test_source_date_epoch_sets_the_time_and_as_of_the_day(
    options: tuple[str, ...], as_of: str, content: Path, tmp_path: Path
) -> None:
    found = read_build_json(build_api(content, tmp_path / "out", *options))
    assert (found["generated_at"], found["as_of"], found["revision"]) == (
        "2026-11-21T00:00:00Z",
        as_of,
        None,
    )


def test_the_time_of_a_build_is_that_of_the_commit(content: Path, tmp_path: Path) -> None:
    copy = shutil.copytree(content, tmp_path / "checkout" / "content")
    # This evening of New Year's Eve is already the next year in UTC.
    head = commit(copy.parent, GIT_COMMITTER_DATE="2025-12-31T20:30:00-05:00")
    found = read_build_json(build_api(copy, tmp_path / "one", env={"SOURCE_DATE_EPOCH": None}))
    assert (found["generated_at"], found["as_of"]) == ("2026-01-01T01:30:00Z", "2026-01-01")
    assert found["revision"] == head
    found = read_build_json(
        build_api(copy, tmp_path / "two", "--as-of", TODAY, env={"SOURCE_DATE_EPOCH": EPOCH})
    )
    assert (found["generated_at"], found["as_of"]) == ("2026-11-21T00:00:00Z", TODAY)
    assert found["revision"] == head


def test_with_and_without_git_only_commit_information_differs(
    content: Path, expected: dict[str, bytes], tmp_path: Path
) -> None:
    copy = shutil.copytree(content, tmp_path / "checkout" / "content")
    commit(copy.parent)
    out = build(copy, tmp_path / "out")
    assert read_build_json(out)["revision"] is not None
    # Calendars and pages of dates have the times of the last changes of events, and the menu leads
    # to changes if the history is known.
    dated = re.compile(
        r"\.ics$|^calendar/[^/]+/index.html|/index/events/|/manifest/(snapshot|bins/)|^\.well-known/"
    )
    linked = re.compile(rb'<li><a href="[^"]*/changes/">[^<]*</a></li>\n')
    one, other = (
        {path: linked.sub(b"", data) for path, data in made.items()}
        for made in (files(out), expected)
    )
    assert [path for path in differing(one, other) if not dated.search(path)] == [
        "api/build.json",
        "api/changes.json",
        "api/coverage.json",
        "api/index.json",  # sizes
        "api/manifest/root.json",
        "api/v1/agent/catalog.json",  # sizes
        "calendar/upcoming.atom",
        "changes.atom",
        "changes/index.html",
        "docs/agents/index.html",  # sizes
        "docs/api/agent-layer/index.html",  # sizes
        "docs/api/events/index.html",  # shows a calendar
        "docs/api/registry/index.html",  # which shows documents with commit data
        "docs/data/index.html",
        "index.html",
        "sitemap.xml",
        "skill.md",  # sizes
    ]


def test_the_repository_of_a_running_git_hook_is_not_used(content: Path, tmp_path: Path) -> None:
    copy, other = shutil.copytree(content, tmp_path / "checkout" / "content"), tmp_path / "other"
    other.mkdir()
    (other / "file").write_text("x")
    content_commit, hook_commit = commit(copy.parent), commit(other)
    hook = {
        "GIT_DIR": str(other / ".git"),
        "GIT_WORK_TREE": str(other),
        "GIT_INDEX_FILE": str(other / ".git" / "index"),
    }
    assert content_commit != hook_commit
    assert (
        read_build_json(build_api(copy, tmp_path / "one", env=hook))["revision"] == content_commit
    )
    assert read_build_json(build_api(content, tmp_path / "two", env=hook))["revision"] is None


def test_a_commit_with_an_impossible_time_is_ignored(content: Path, tmp_path: Path) -> None:
    copy = shutil.copytree(content, tmp_path / "checkout" / "content")
    commit(copy.parent)
    raw = re.sub(r"> [0-9]+ ", "> 9999999999999999 ", git(copy, "cat-file", "commit", "HEAD"))
    words = ("hash-object", "-t", "commit", "-w", "--stdin", "--literally")
    git(copy, "reset", "-q", git(copy, *words, stdin=f"{raw}\n".encode()))
    out = build_api(copy, tmp_path / "out", env={"SOURCE_DATE_EPOCH": None})
    assert read_build_json(out)["revision"] is None


def test_the_time_is_now_without_commit_and_source_date_epoch(
    content: Path, tmp_path: Path
) -> None:
    before = int(time.time())
    found = read_build_json(
        build_api(
            content,
            tmp_path / "out",
            env={"SOURCE_DATE_EPOCH": None, "GIT_CEILING_DIRECTORIES": str(tmp_path)},
        )
    )
    at = datetime.fromisoformat(found["generated_at"])
    assert before <= at.timestamp() <= time.time()
    assert found["as_of"] == at.astimezone(UTC).date().isoformat()


def test_the_content_digest_covers_exactly_the_content_files(content: Path, tmp_path: Path) -> None:
    copy = shutil.copytree(content, tmp_path / "content")
    (copy / "README.md").write_text("Not a record.\n")
    digests = [read_build_json(build_api(content, tmp_path / "out"))["content_digest"]]
    assert read_build_json(build_api(copy, tmp_path / "out"))["content_digest"] == digests[0]
    for file in (
        "registry.yaml",
        *(
            f"{name}/{min(TIES[name])}.yaml"
            for name in ("projects", "programs", "organizations", "events")
        ),
    ):
        with (copy / file).open("a") as record:
            record.write("# a comment\n")
        digests.append(read_build_json(build_api(copy, tmp_path / "out"))["content_digest"])
    assert len(set(digests)) == len(digests)

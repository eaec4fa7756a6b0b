"""`registry rename` and `registry merge`: interruptions, journals, and questions on a terminal.

What they change and refuse is in sessions/.
"""

from __future__ import annotations

import json
import os
import signal
from hashlib import sha256
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from generator.dialect.libyaml import parse
from generator.kinds.every import COLLECTIONS, REFERENCES
from generator.kinds.models import model_of
from generator.model.kinds import KINDS
from generator.problems.codes import codes
from support.commands import Signal, files, run_forked, stamps, start_forked, typed
from support.registries import content, write

#: Records with comments and layout that a program might lose.
RECORDS = content(
    organizations={
        "north-college": "# ours\nname: North College\ncategory: university # old\n",
        "harbour-fund": "name: Harbour Fund\ncategory: investor\naliases: [harbor]\n",
        "pier": "name: Pier\ncategory: investor\nparent: harbour-fund\n",
    },
    programs={
        "launch": "name: Launch\nkind: program\ntype: accelerator\norganization: 'north-college'\n",
    },
    projects={
        "both": 'name: Both\norganizations: [ "north-college" ,  harbour-fund ]   # two\n',
        "block": (
            "name: Block\r\norganizations:\r\n- harbour-fund # one\r\n# between\r\n"
            "- north-college\r\ntags:\r\n  topic: [climate]\r\n"
        ),
        "apart": "name: harbour-fund and north-college\nsummary: north-college\n",
    },
    events={"day": "name: Day\nkind: event\nstarts: 2026-05-30\norganization: north-college"},
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write(tmp_path / "content", RECORDS)


#: Two records of a project, each with fields that the other lacks.
TWINS = {
    "a": "# ours\nname: Acme Inc.\nsummary: Heat.\nyear: 2007\nfounders: [Ida, Jon]\n"
    "aliases: [ac]\ntags: {topic: [space, climate]}\n"
    "locations: [{country: US, region: Ohio}, {country: SE}]\n"
    "website: http://www.acme.example\nlinks: {code: https://a.example/1, chat: https://c.example}\n"
    "sources: [https://n.example/a]\n",
    "b": "name: Acme\nyear: 2008 # sure\nfounders: [Jon]\n"
    "tags:\n  topic:\n    - climate # why\nlocations:\n"
    "  - {country: US, region: Ohio, city: Dayton}\nwebsite: https://acme.example/\n"
    "links: {code: https://a.example/2}\n",
}


def test_on_a_terminal_a_merge_asks_which_value_stays(tmp_path: Path) -> None:
    folder = write(tmp_path / "content", content(projects=TWINS))
    done = typed(b"2\n\n3\n1\n", "merge", "project", "a", "b", "--content", folder)
    assert done.status == 0, done.err
    assert "  1  2008  (b)\n  2  2007  (a)\n" in done.err
    merged = parse((folder / "projects/b.yaml").read_bytes())
    assert (merged["name"], merged["year"]) == ("Acme Inc.", 2008)
    assert merged["links"]["code"] == "https://a.example/2"
    folder = write(tmp_path / "again", content(projects=TWINS))
    before = files(folder)
    assert typed(b"2\n\x04", "merge", "project", "a", "b", "--content", folder).status == 2
    assert files(folder) == before


@pytest.mark.parametrize("step", [5, pytest.param(1, marks=pytest.mark.slow)])
def test_a_killed_command_is_completed_or_undone(tmp_path: Path, folder: Path, step: int) -> None:
    before = files(folder)
    asked = ("rename", "organization", "north-college", "nord", "--content")
    run_forked(*asked, write(tmp_path / "done", RECORDS))
    after, outcomes = files(tmp_path / "done"), set()
    for count in range(1, 60, step):
        here = write(tmp_path / str(count), RECORDS)
        ended = start_forked(*asked, here, signals=Signal(count)).wait()
        if ended.status == 0:
            break
        left = files(here)
        if any(path.startswith(".edit/") for path in left):
            assert "run it again" in run_forked("check", "--content", here).err
        # The next command that changes the content completes the journal or discards it.
        run_forked("rename", "project", "nobody", "no-one", "--content", here)
        outcomes.add(files(here) == after)
        assert files(here) in (before, after)
    assert outcomes == {True, False} and ended.status == 0


@pytest.mark.slow
def test_completion_after_a_kill_keeps_edits_of_people(
    tmp_path: Path,
) -> None:
    asked = ("rename", "organization", "north-college", "nord", "--content")
    run_forked(*asked, write(tmp_path / "done", RECORDS))
    after, stopped = files(tmp_path / "done"), 0
    edits = {"projects/both.yaml": b"summary: Mine\n", "programs/launch.yaml": b"year: 2020\n"}
    for count in range(1, 40):
        here = write(tmp_path / str(count), RECORDS)
        if start_forked(*asked, here, signals=Signal(count)).wait().status == 0:
            break
        before = {}
        for path, text in edits.items():
            before[path] = (here / path).read_bytes()
            (here / path).write_bytes(before[path] + text)
        left = files(here)
        done = run_forked("rename", "project", "nobody", "no-one", "--content", here)
        for path, text in edits.items():
            assert (here / path).read_bytes() == before[path] + text
        if "was stopped halfway" not in done.err:
            continue
        stopped += 1
        assert done.status == 2 and files(here) == left
        assert all(path in done.err for path in edits) and "remove organizations/" in done.err
        # Without the edits, the command is completed.
        for path in edits:
            (here / path).write_bytes(before[path])
        run_forked("rename", "project", "nobody", "no-one", "--content", here)
        assert files(here) == after
    assert stopped > 3 and count < 39


def test_a_file_that_came_to_the_new_place_after_a_kill_stays(tmp_path: Path) -> None:
    asked = ("rename", "organization", "north-college", "nord", "--content")
    for count in range(1, 40):
        here = write(tmp_path / str(count), RECORDS)
        start_forked(*asked, here, signals=Signal(count)).wait()
        if (here / ".edit/journal.json").exists():
            break
    big = b"name: Nord\ndescription: " + b"x" * (1 << 19)
    (here / "organizations/nord.yaml").write_bytes(big)
    done = run_forked("rename", "project", "nobody", "no-one", "--content", here)
    assert done.status == 2 and "edited since: organizations/nord.yaml" in done.err
    assert (here / "organizations/nord.yaml").read_bytes() == big


def test_an_interrupt_leaves_the_content_as_it_was_or_done(folder: Path) -> None:
    before = files(folder)
    asked = ("rename", "organization", "north-college", "nord", "--content", folder)
    done = start_forked(*asked, signals=Signal(2, signal.SIGINT)).wait()
    assert done.status == 2 and "nothing was changed" in done.err
    assert files(folder) == before


#: The digest of the file beside the journals below.
OTHER = sha256(b"name: Other\n").hexdigest()


@pytest.mark.parametrize(
    "journal",
    [
        {"steps": [["../out.yaml", None, OTHER, "0"]]},
        {"steps": [["../registry.yaml", OTHER, None, ""]]},
        {"steps": [["projects/../../x.yaml", OTHER, None, ""]]},
        {"steps": [["projects/a.yaml", None, OTHER, "../registry.yaml"]]},
        {"steps": [["projects/a.yaml", None, "0" * 64, "0"]]},
        {"steps": [["projects/a.yaml", None, None, ""]]},
        {"steps": [["projects/a.yaml", 1, OTHER, "0"]]},
        {"steps": [["projects/a.yaml", None, OTHER]]},
        {"write": [["0", "projects/a.yaml", OTHER]], "remove": []},
        {"steps": 1}, [], "x",
    ],
)  # fmt: skip
def test_a_journal_that_no_command_wrote_changes_nothing(folder: Path, journal: object) -> None:
    (folder / ".edit").mkdir()
    (folder / ".edit/journal.json").write_text(json.dumps(journal))
    (folder / ".edit/0").write_text("name: Other\n")
    before = stamps(folder.parent)
    done = run_forked("rename", "project", "both", "two", "--content", folder)
    assert done.status == 2 and "look at it, and remove it" in done.err
    assert stamps(folder.parent) == before


def test_a_journal_of_others_writes_over_no_record(folder: Path) -> None:
    (folder / ".edit").mkdir()
    steps = [["projects/both.yaml", None, OTHER, "0"]]
    (folder / ".edit/journal.json").write_text(json.dumps({"steps": steps}))
    (folder / ".edit/0").write_text("name: Other\n")
    before = stamps(folder.parent)
    done = run_forked("rename", "project", "block", "two", "--content", folder)
    assert done.status == 2 and "edited since: projects/both.yaml" in done.err
    assert stamps(folder.parent) == before


def test_links_are_not_followed(tmp_path: Path, folder: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    os.symlink(outside, folder / ".edit")
    done = run_forked("rename", "project", "both", "two", "--content", folder)
    assert done.status == 2 and list(outside.iterdir()) == []


@pytest.mark.parametrize("collection", COLLECTIONS)
def test_every_reference_field_is_known(collection: str) -> None:
    fields: dict[str, Any] = dict.fromkeys(model_of(KINDS[collection].model).model_fields, "x")
    fields |= {name: ["x"] for name in ("programs", "organizations")}
    by_kind = KINDS[collection].references(SimpleNamespace(**fields))
    assert {loc[0]: other for loc, other, _ in by_kind} == REFERENCES[collection]


def test_explain_lists_every_code() -> None:
    listed = run_forked("explain").out.splitlines()
    assert [line.split()[0].rstrip(":") for line in listed] == list(codes())

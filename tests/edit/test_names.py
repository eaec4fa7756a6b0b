"""`registry rename` and `registry merge`: interruptions, and questions on a terminal.

What they change and refuse is in sessions/.
"""

from __future__ import annotations

import re
import signal
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from generator.dialect.libyaml import parse
from generator.kinds.models import model_of
from generator.problems.codes import codes
from support.commands import Signal, files, run_forked, start_forked, typed
from support.kinds import COLLECTIONS, COMPUTED, KINDS
from support.registries import content, write

#: Records with comments and layout that a program might lose.
RECORDS = content(
    organizations={
        "north-college": "# ours\nname: North College\ncategory: university # old\n",
        "harbour-fund": "name: Harbour Fund\ncategory: investor\naliases: [harbor]\n",
        "pier": "name: Pier\ncategory: investor\nparent: harbour-fund\n",
    },
    programs={
        "launch": "name: Launch\nkind: program\ntype: accelerator\norganization: 'north-college'\n"
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


def test_a_merge_that_is_repeated_after_a_kill_writes_each_alias_once(tmp_path: Path) -> None:
    """The first merge wrote INTO and did not remove FROM."""
    folder = write(tmp_path / "content", content(projects={
        "a": "name: Acme\naliases: [ac, acm]\n", "b": "name: Acme\naliases: [a, ac, ab]\n",
    }))  # fmt: skip
    done = run_forked("merge", "project", "a", "b", "--content", folder)
    assert done.status == 0, done.err
    merged = parse((folder / "projects/b.yaml").read_bytes())
    assert merged["aliases"] == ["a", "ac", "ab", "acm"]


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


RENAME = ("rename", "organization", "north-college", "nord", "--content")


@pytest.mark.parametrize(("count", "number"), [(5, 0), (17, 2), (20, 5)])
def test_after_a_kill_the_next_command_says_what_was_not_changed(
    tmp_path: Path, folder: Path, count: int, number: int
) -> None:
    """A rename first writes 6 temporary files, then changes 5 files and removes one."""
    before = files(folder)
    run_forked(*RENAME, write(tmp_path / "done", RECORDS))
    after = files(tmp_path / "done")
    assert start_forked(*RENAME, folder, signals=Signal(count)).wait().status == -signal.SIGKILL
    left = sorted(path for path in files(folder) if ".registry-" in path)
    checked = run_forked("check", "--content", folder)
    assert checked.status == 1 and f"{left[0]}:1:1: error[stray-file]\n" in checked.err
    assert checked.err.count("a registry command was stopped before it changed all files") == 1
    done = run_forked("rename", "project", "nobody", "no-one", "--content", folder)
    assert "A registry command was stopped before it changed " in done.err
    assert all(re.sub(r"\.(\w.*)\.registry.*", r"\1", path) in done.err for path in left)
    now = files(folder)
    assert now.keys() <= before.keys() | after.keys()
    changed = {path for path in now if now[path] != before.get(path)}
    assert all(now[path] == after[path] for path in changed) and len(changed) == number
    assert "organizations/north-college.yaml" in now
    again = run_forked("rename", "project", "nobody", "no-one", "--content", folder)
    assert "was stopped" not in again.err


@pytest.mark.parametrize(
    ("count", "told"),
    [(6, "Interrupted; nothing was changed."), (17, "Interrupted; the command stopped halfway:")],
)
def test_the_message_after_an_interrupt_says_what_was_changed(
    folder: Path, count: int, told: str
) -> None:
    before = files(folder)
    done = start_forked(*RENAME, folder, signals=Signal(count, signal.SIGINT)).wait()
    assert done.status == 2 and told in done.err
    now = files(folder)
    written = {path for path in now if now[path] != before.get(path)}
    assert before.keys() <= now.keys() and bool(written) == (count == 17)
    assert written == set(re.findall("^  written  (.*)", done.err, re.M))


@pytest.mark.parametrize("collection", COLLECTIONS)
def test_every_reference_field_is_known(collection: str) -> None:
    fields: dict[str, Any] = dict.fromkeys(model_of(KINDS[collection].model).model_fields, "x")
    fields |= {name: ["x"] for name in ("programs", "organizations")}
    by_kind = COMPUTED[collection].references(SimpleNamespace(**fields))
    assert {loc[0]: other for loc, other, _ in by_kind} == KINDS.references[collection]


def test_explain_lists_every_code() -> None:
    listed = run_forked("explain").out.splitlines()
    assert [line.split()[0].rstrip(":") for line in listed] == list(codes())

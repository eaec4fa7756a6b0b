"""`registry rename` and `registry merge`: changes, refusals, interruptions."""

from __future__ import annotations

import json
import os
import signal
from hashlib import sha256
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from generator.dialect.folder import COLLECTIONS
from generator.dialect.libyaml import parse
from generator.model.kinds import KINDS, REFERENCES
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


def test_a_renamed_record_keeps_its_text_and_its_references(folder: Path) -> None:
    before = files(folder)
    done = run_forked("rename", "organization", "north-college", "nord", "--content", folder)
    assert (done.status, done.err) == (0, "")
    after = files(folder)
    assert (
        after.pop("organizations/nord.yaml")
        == before.pop("organizations/north-college.yaml") + b"aliases: [north-college]\n"
    )
    written = {path for path in before if before[path] != after[path]}
    assert written == {"programs/launch.yaml", "projects/both.yaml", "projects/block.yaml",
                       "events/day.yaml"}  # fmt: skip
    for path in written:
        put = b'"north-college"' if b'"north-college"' in before[path] else b"north-college"
        put = b"'north-college'" if b"'north-college'" in before[path] else put
        assert after[path] == before[path].replace(put, b"nord")
    assert "5 files written" in done.out
    assert run_forked("check", "--content", folder).status == 0
    # Renamed back, the record loses the alias.
    run_forked("rename", "organization", "nord", "north-college", "--content", folder)
    assert files(folder)["organizations/north-college.yaml"].endswith(b"aliases: [nord]\n")
    assert run_forked("check", "--content", folder).status == 0


@pytest.mark.parametrize("kind", ["project", "projects"])
def test_a_kind_may_be_plural(folder: Path, kind: str) -> None:
    (folder.parent / "t.csv").write_text("name\nDone\n")
    (folder.parent / "map.yaml").write_text(f"kind: {kind}\nfields: {{name: name}}\n")
    for asked in (
        ("new", kind, "--name", "Next"),
        ("rename", kind, "next", "then"),
        ("merge", kind, "then", "both", "--prefer", "into"),
        ("remove", kind, "both"),
        ("export", kind),
        ("import", folder.parent / "t.csv", "--kind", kind),
        ("import", folder.parent / "t.csv", "--map", folder.parent / "map.yaml"),
        ("schema", "--input", kind),
        ("schema", kind),
    ):
        done = (
            run_forked(*asked, "--content", folder) if "schema" not in asked else run_forked(*asked)
        )
        assert done.status == 0, done.err
    done = run_forked("new", "projct", "--name", "X", "--content", folder)
    assert done.status == 2 and "'project', 'program'" in done.err


def test_a_new_alias_is_at_its_place_in_the_layout(folder: Path) -> None:
    for slug in ("one", "two"):
        record = folder / f"projects/{slug}.yaml"
        record.write_text(
            f"name: {slug}\ntags:\n  topic: [climate]\n# ours\nwebsite: https://a.b\n"
        )
    assert run_forked("rename", "project", "one", "three", "--content", folder).status == 0
    asked = ("merge", "project", "two", "three", "--prefer", "into", "--content", folder)
    assert run_forked(*asked).status == 0
    after = (folder / "projects/three.yaml").read_text()
    assert after.startswith("name: one\naliases: [one, two]\ntags:\n")
    assert (
        run_forked("fmt", folder / "projects/three.yaml", "--check", "--content", folder).status
        == 0
    )


def test_references_to_a_merged_record_follow_without_duplicates(folder: Path) -> None:
    asked = ("merge", "organization", "harbour-fund", "north-college", "--prefer", "into",
             "--content", folder)  # fmt: skip
    shown = run_forked(*asked, "--dry-run")
    assert shown.status == 0 and "-parent: harbour-fund\n+parent: north-college\n" in shown.out
    assert files(folder) == files(write(folder.parent / "other", RECORDS))
    assert run_forked(*asked).status == 0
    after = files(folder)
    assert "organizations/harbour-fund.yaml" not in after
    assert after["organizations/north-college.yaml"].endswith(b"aliases: [harbour-fund, harbor]\n")
    both = b'name: Both\norganizations: [ "north-college" ]   # two\n'
    assert after["projects/both.yaml"] == both
    assert after["projects/block.yaml"] == (
        b"name: Block\r\norganizations:\r\n# between\r\n- north-college\r\n"
        b"tags:\r\n  topic: [climate]\r\n"
    )
    assert run_forked("check", "--content", folder).status == 0


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
ADDED = {
    "summary": "Heat.",
    "founders": ["Jon", "Ida"],
    "aliases": ["a", "ac"],
    "tags": {"topic": ["climate", "space"]},
    "locations": [{"country": "US", "region": "Ohio", "city": "Dayton"}, {"country": "SE"}],
    "sources": ["https://n.example/a"],
}


@pytest.mark.parametrize("prefer", ["into", "from"])
def test_a_merge_adds_missing_fields(tmp_path: Path, prefer: str) -> None:
    folder = write(tmp_path / "content", content(projects=TWINS))
    before = stamps(folder)
    asked = ("merge", "project", "a", "b", "--content", folder)
    told = run_forked(*asked)
    assert told.status == 2 and stamps(folder) == before
    for line in ("name: Acme (b) or Acme Inc. (a)", "year: 2008 (b) or 2007 (a)",
                 "links.code: https://a.example/2 (b) or https://a.example/1 (a)"):  # fmt: skip
        assert f"\n  {line}\n" in told.err
    assert told.err.count("\n  ") == 3 and "--prefer into to keep the values of b" in told.err
    done = run_forked(*asked, "--prefer", prefer)
    assert done.status == 0, done.err
    left = prefer == "into"
    after = files(folder)["projects/b.yaml"]
    assert parse(after) == ADDED | {
        "name": "Acme" if left else "Acme Inc.",
        "year": 2008 if left else 2007,
        "website": "https://acme.example/",
        "links": {
            "code": f"https://a.example/{2 if left else 1}",
            "chat": "https://c.example",
        },
    }
    assert b" # sure\n" in after and b"    - climate # why\n    - space\n" in after
    year = "2007; b has 2008" if left else "2008; b has 2007"
    for line in ("added    summary: Heat.", "added    founders: [Ida]",
                 "added    tags.topic: [space]", "added    locations: [{country: SE}]",
                 f"dropped  year: {year}", "dropped  the comment # ours"):  # fmt: skip
        assert f"{line}\n" in done.err
    assert run_forked("check", "--content", folder).status == 0


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


def test_a_merge_with_an_invalid_result_is_undone(tmp_path: Path) -> None:
    events = {
        "a": "name: Call\nkind: deadline\ndue: 2027-02-03\n",
        "b": "name: Call\nkind: event\nstarts: 2027-02-03\n",
    }
    folder = write(tmp_path / "content", content(events=events))
    before = files(folder)
    done = run_forked("merge", "event", "a", "b", "--prefer", "into", "--content", folder)
    assert done.status == 1 and "events/b.yaml:" in done.err and "Nothing was written." in done.err
    assert files(folder) == before


def test_a_program_that_is_merged_into_its_parent_does_not_become_its_own(tmp_path: Path) -> None:
    said = "kind: program\ntype: accelerator\norganization: north-college\n"
    programs = {"a": f"name: P\n{said}parent: b\nyear: 2020\n", "b": f"name: P\n{said}"}
    folder = write(tmp_path / "content", content(programs=programs, projects={}, events={}))
    done = run_forked("merge", "program", "a", "b", "--content", folder)
    assert done.status == 0, done.err
    merged = parse((folder / "programs/b.yaml").read_bytes())
    assert "parent" not in merged and merged["year"] == 2020


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        (("rename", "project", "both", "Böth Two"), 'write "both-two"'),
        (("rename", "project", "both", "block"), "projects/block.yaml"),
        (("rename", "organization", "pier", "harbor"), "is an alias in"),
        (("rename", "project", "botth", "x"), 'did you mean "both"?'),
        (("rename", "organization", "harbor", "x"), 'is now called "harbour-fund"'),
        (("merge", "project", "both", "both"), "name two"),
        (("merge", "organization", "harbour-fund", "pier"), "is the parent of"),
    ],
)
def test_invalid_changes_are_refused_and_nothing_is_changed(
    folder: Path, asked: tuple[str, ...], told: str
) -> None:
    before = stamps(folder)
    done = run_forked(*asked, "--content", folder)
    assert done.status == 2 and told in done.err and done.out == ""
    assert stamps(folder) == before


def test_slugs_of_removed_records_and_aliases_with_warnings_are_accepted(
    folder: Path,
) -> None:
    removed = "removed:\n- {kind: organization, slug: gone, date: 2026-01-01}\n"
    (folder / "removed.yaml").write_text(removed)
    (folder / "organizations/pier.yaml").write_text(
        "name: “Pier”\ncategory: investor\naliases: [pontoon]\n"
    )
    before = stamps(folder)
    for new, told in (("gone", "removed for good"), ("pontoon", "an alias in")):
        done = run_forked("rename", "organization", "north-college", new, "--content", folder)
        assert done.status == 2 and f'"{new}"' in done.err and told in done.err
    assert stamps(folder) == before


def test_a_broken_file_that_may_refer_to_the_record_is_reported(folder: Path) -> None:
    (folder / "projects/odd.yaml").write_text("name: [\norganizations: [north-college]\n")
    done = run_forked("rename", "organization", "north-college", "nord", "--content", folder)
    assert (
        done.status == 0
        and "projects/odd.yaml is not changed: it may refer to this record" in done.err
    )
    (folder / "organizations/nord.yaml").write_text("name: &a Nord\n")
    done = run_forked("rename", "organization", "nord", "north", "--content", folder)
    assert done.status == 2 and "it has errors, which `registry check` shows" in done.err


def test_a_killed_command_is_completed_or_undone(tmp_path: Path, folder: Path) -> None:
    before = files(folder)
    asked = ("rename", "organization", "north-college", "nord", "--content")
    run_forked(*asked, write(tmp_path / "done", RECORDS))
    after, outcomes = files(tmp_path / "done"), set()
    for count in range(1, 40):
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
    assert outcomes == {True, False} and count < 39


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


def test_a_code_has_an_explanation() -> None:
    done = run_forked("explain", "alias-clash")
    assert done.status == 0 and done.out.startswith("alias-clash: An alias is already used")
    assert "Mend: Remove the alias" in done.out and "    aliases: [aurora-grid]" in done.out
    assert len(run_forked("explain").out.splitlines()) == len(codes())
    near = run_forked("explain", "alias-clahs")
    assert near.status == 2 and 'did you mean "alias-clash"?' in near.err


@pytest.mark.parametrize("collection", COLLECTIONS)
def test_every_reference_field_is_known(collection: str) -> None:
    fields: dict[str, Any] = dict.fromkeys(KINDS[collection].model.model_fields, "x")
    fields |= {name: ["x"] for name in ("programs", "organizations")}
    by_kind = KINDS[collection].references(SimpleNamespace(**fields))
    assert {loc[0]: other for loc, other, _ in by_kind} == REFERENCES[collection]

"""Guards: each is tripped alone and approved once; losses that a net count hides are found."""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from generator.dialect.folder import open_content
from generator.features.diff.contract import tiers
from generator.guard.finding import Finding
from generator.guard.limits import RELATIVE, tripped_guards
from generator.guard.published import PublishedState
from generator.guard.state import State
from generator.published.content.guards import Guard
from generator.reader.documents import MAX_DOCUMENT
from support import registries
from support.commands import run_forked
from support.contract_pairs import BEFORE, COUNTS, FILLED, GUARD_PAIRS, SLUGS, VALUES
from support.fake_host import Given, serving
from support.kinds import COLLECTIONS, Guards, Settings
from support.lanes import fast_first

MANY = 24
STAGE = {"stage": {"label": "Stage", "type": "text"}}
Projects = dict[str, dict[str, Any]]


def full(number: int) -> dict[str, Any]:
    """A project with all fields."""
    return {
        "name": f"Project {number}",
        "summary": f"Summary {number}",
        "description": f"Description {number}",
        "website": f"https://p{number}.example/",
        "links": {"blog": f"https://p{number}.example/blog"},
        "sources": [f"https://source.example/{number}"],
        "tags": {"topic": ["climate"]},
        "aliases": [f"former-{number}"],
        "locations": [{"country": "NO", "city": "Bergen"}],
        "year": 2000 + number % 20,
        "status": "active",
        "programs": ["launch"],
        "organizations": ["harbour-fund"],
        "remote": True,
        "team_size": number,
        "founders": [f"Ada {number}"],
        "former_names": [f"Former {number}"],
        "fields": {"stage": f"Stage {number}"},
    }


def projects(having: int = MANY) -> Projects:
    """Projects, some with all fields, the others with a name and a summary only."""
    every = {f"p{number:02}": full(number) for number in range(MANY)}
    for number in range(having, MANY):
        every[f"p{number:02}"] = {"name": f"Project {number}", "summary": f"Summary {number}"}
    return every


def write(folder: Path, some: Mapping[str, Any], **registry: Any) -> None:
    shutil.rmtree(folder / "content" / "projects", ignore_errors=True)
    settings = {"fields": {"projects": STAGE}, **registry}
    registries.write(folder / "content", registries.api_alone(registry=settings, projects=some))


def replaced(some: Projects, number: int) -> Projects:
    """The projects after some were replaced by projects with other slugs and names."""
    kept = dict(list(some.items())[number:])
    return kept | {f"q{n:02}": full(n) | {"name": f"Q {n}", "aliases": []} for n in range(number)}


@pytest.fixture
def built(tmp_path: Path) -> Path:
    write(tmp_path, projects())
    assert run_forked("build", cwd=tmp_path).status == 0
    return tmp_path


def test_each_field_that_all_records_lost_is_reported(tmp_path: Path) -> None:
    """Also a field of few records: in percentage points its loss is small."""
    write(tmp_path, projects(4))
    assert run_forked("build", cwd=tmp_path).status == 0
    write(tmp_path, {slug: {"name": one["name"]} for slug, one in projects(4).items()})
    found = json.loads(run_forked("check", "--format", "json", cwd=tmp_path).out)["problems"]
    called = {"website": "a website", "sources": "a source", "tags": "a tag", "year": "a year",
              "fields": "fields.stage"}  # fmt: skip
    expected = {
        f"0.0% of projects have {called.get(field, field)}; before, 16.7% had"
        for field in full(0).keys() - {"name", "summary"}
    } | {"0.0% of projects have summary; before, 100.0% had"}
    assert {one["message"] for one in found if one["code"] == "guard-tripped"} >= expected


def test_losses_add_up_from_build_to_build(built: Path) -> None:
    """A trial build with `--against` does not become the base of the next comparison."""
    shutil.copytree(built / "build", built / "live")
    some = projects()
    for number in (4, 8):
        write(built, replaced(some, number))
        done = run_forked("build", "--against", "live", cwd=built)
        assert done.status == (0 if number == 4 else 1), done.err
    assert "8 of 24 projects are gone" in done.err


@pytest.mark.slow
def test_many_records_gone_are_one_break_where_guards_allow_a_loss(built: Path) -> None:
    write(built, replaced(projects(), 12), allow_loss=True)
    done = run_forked("diff", "build", "content", "--format", "json", cwd=built)
    (one,) = json.loads(done.out)["contract"]
    assert done.status == 1 and one["rule"] == "record-gone" and one["was"][:2] == ["p00", "p01"]
    assert run_forked("approve", one["fingerprint"], cwd=built).status == 0
    assert run_forked("diff", "build", "content", cwd=built).status == 0
    write(built, replaced(projects(), 13), allow_loss=True)
    assert run_forked("diff", "build", "content", cwd=built).status == 1, "one more is another loss"
    write(built, replaced(projects(), 2), allow_loss=True)
    done = run_forked("diff", "build", "content", "--format", "json", cwd=built)
    assert [one["subject"] for one in json.loads(done.out)["contract"]] == [
        "projects p00", "projects p01",
    ]  # fmt: skip


def state(slugs: list[str], **more: Any) -> State:
    counts = dict.fromkeys(COLLECTIONS, 0) | {"projects": len(slugs)}
    return State(counts, {}, {}, slugs={"projects": " ".join(sorted(slugs))}, **more)


def test_former_and_unknown_slugs_are_not_counted_as_gone() -> None:
    before, now = state(["a", "b", "c"]), state(["a", "d"], former={"projects": frozenset({"b"})})
    assert before.gone("projects", now) == ["c"]
    assert before._replace(slugs={}).gone("projects", now) == []
    assert before.gone("projects", now._replace(slugs={})) == []


def test_a_state_of_the_first_version_is_read() -> None:
    counts = dict.fromkeys(COLLECTIONS, 20)
    old = {"guard_state": 1, "counts": counts, "filled": {"projects": {"website": 20, "text": 20}},
           "values": {}}  # fmt: skip
    before = State.parse(json.dumps(old).encode(), COLLECTIONS)
    assert before is not None and before.slugs == {} == before.alike
    filled = {"website": 20, "text": 20, "summary": 20, "description": 0, "year": 0}
    now = State(counts, {"projects": filled}, {}, {"projects": {"summary": 20}}, {})
    assert tripped_guards(Guards(), before, now) == []
    now = now._replace(filled={"projects": filled | {"website": 0, "text": 0}})
    assert [one.subject for one in tripped_guards(Guards(), before, now)] == [
        "projects website", "projects text",
    ]  # fmt: skip


def test_an_undeclared_own_field_is_not_reported() -> None:
    counts = dict.fromkeys(COLLECTIONS, 20)
    before = State(counts, {"projects": {"year": 20, "fields.stage": 20}}, {})
    now = State(counts, {"projects": {"year": 20}}, {})
    assert tripped_guards(Guards(), before, now) == []
    now = State(counts, {"projects": {"year": 20, "fields.stage": 0}}, {})
    assert [one.subject for one in tripped_guards(Guards(), before, now)] == [
        "projects fields.stage"
    ]


def test_settings_limit_the_loss_of_fields_and_texts() -> None:
    counts = dict.fromkeys(COLLECTIONS, 40)
    before = State(counts, {"projects": {"links": 30}}, {}, {"projects": {"links": 1}})
    emptied = before._replace(filled={"projects": {"links": 0}})
    alike = before._replace(alike={"projects": {"links": 30}})
    for now in (emptied, alike):
        assert len(tripped_guards(Guards(), before, now)) == 1
        assert tripped_guards(Guards(filled_lost=1, values_lost=1), before, now) == []
    few = before._replace(filled={"projects": {"links": 2}})
    assert tripped_guards(Guards(), few, emptied) == [], "two records are edited by hand"


def test_texts_of_records_are_escaped_in_messages(tmp_path: Path) -> None:
    """Slugs come from published content: they are printed, not trusted."""
    before = state([f"p{number}\x1b[2J" for number in range(20)])
    content = open_content(str(tmp_path))
    settings = Settings(name="x", description="x")
    (one,) = Guard(before).check_state(content, state(["a"] * 20), settings)
    assert "\x1b" not in one.message


def guarded(folder: Path, some: Projects) -> list[str]:
    """What `check` says of guards after the projects were replaced."""
    write(folder, some)
    done = run_forked("build", cwd=folder)
    return [line.strip() for line in done.err.splitlines() if " had" in line]


def bare(number: int) -> Projects:
    """New projects with a name only."""
    return {f"n{n:02}": {"name": f"New {n}"} for n in range(number)}


def test_new_records_without_a_field_trip_nothing(built: Path) -> None:
    assert guarded(built, projects() | bare(3 * MANY)) == []


def test_new_records_with_a_field_do_not_hide_a_loss(built: Path) -> None:
    more = {f"n{n:02}": full(n) | {"name": f"New {n}", "aliases": []} for n in range(3 * MANY)}
    words = guarded(built, projects(having=MANY // 2) | more)
    assert (
        "50.0% of the projects that were there before have a website; before, 100.0% had" in words
    )


def test_a_renamed_record_was_there_before(built: Path) -> None:
    renamed = {f"r{slug}": {**p, "aliases": [slug]} for slug, p in projects(MANY // 2).items()}
    words = guarded(built, renamed | bare(1))
    assert "50.0% of the projects that were there before have a year; before, 100.0% had" in words


def event(number: int, kind: str, *times: str) -> dict[str, Any]:
    return {"name": f"E {number}", "kind": kind, **dict.fromkeys(times, "2027-05-01")}


def test_no_time_is_lost_that_a_kind_of_event_cannot_have(tmp_path: Path) -> None:
    """Of events, then deadlines: new ones, and events that became deadlines."""

    def build(some: Mapping[str, Any], *options: str) -> tuple[int, str]:
        shutil.rmtree(tmp_path / "content", ignore_errors=True)
        registries.write(tmp_path / "content", registries.api_alone(events=some))
        done = run_forked("build", *options, cwd=tmp_path)
        return done.status, done.err

    events = {f"e{n:02}": event(n, "event", "starts", "ends") for n in range(12)}
    deadlines = {f"d{n:02}": event(50 + n, "deadline", "due") for n in range(14)}
    changed = {f"e{n:02}": event(n, "deadline", "due") for n in range(8)}
    endless = {f"e{n:02}": event(n, "event", "starts") for n in range(6)}
    for after, status in ((deadlines, 0), (deadlines | changed, 0), (deadlines | endless, 1)):
        assert build(events, "--allow-loss")[0] == 0
        found, said = build(events | after)
        assert found == status, said
    assert "50.0% of the events that were there before have ends; before, 100.0% had" in said


def test_what_only_numbers_tell_is_lost_for_certain() -> None:
    """A published state has no counts of single records."""
    counts = dict.fromkeys(COLLECTIONS, 20)
    before = State(
        counts, {"events": {"website": 20, "ends": 20}}, {}, kinds={"events": {"event": 20}}
    )
    after = counts | {"events": 60}
    for website, ends, tripped in ((20, 20, []), (30, 60, []), (9, 20, ["events website"])):
        now = State(after, {"events": {"website": website, "ends": ends}}, {},
                    kinds={"events": {"event": 30, "deadline": 30}})  # fmt: skip
        assert [one.subject for one in tripped_guards(Guards(), before, now)] == tripped


def findings_of(guard: str, before: State | None = BEFORE) -> list[Finding]:
    settings, now = GUARD_PAIRS[guard]
    return tripped_guards(Guards(**settings), before, now)


def test_every_guard_has_a_pair() -> None:
    assert GUARD_PAIRS.keys() == tiers()[0].rules.keys()


@pytest.mark.parametrize("guard", GUARD_PAIRS)
def test_a_guard_is_tripped_alone(guard: str) -> None:
    (one,) = findings_of(guard)
    assert one.rule == guard and one.words and one.old.path.startswith("/api/")
    first = [one.rule for one in findings_of(guard, None)]
    assert first == ([] if guard in RELATIVE else [guard]), "a first publish is held against none"


def test_unchanged_states_and_values_at_the_bounds_trip_nothing() -> None:
    assert tripped_guards(Guards(), BEFORE, BEFORE) == [] == tripped_guards(Guards(), None, BEFORE)
    exact = Guards(
        least={"projects": 100}, filled={"projects": {"website": 0.9}},
        countries={"projects": {"us": {"least": 60, "most": 60}}},
    )  # fmt: skip
    assert tripped_guards(exact, BEFORE, BEFORE) == []
    edge = State(
        COUNTS | {"projects": 80},
        {**FILLED, "projects": {"website": 56, "text": 80}},
        {"projects": {"location/us": 30, "location/no": 0, "tag_topic/climate": 20}},
    )
    assert tripped_guards(Guards(), BEFORE, edge) == [], (
        "a fifth, 20 in a hundred and a half may go"
    )


def test_tags_of_removed_records_are_not_reported() -> None:
    gone = State(COUNTS | {"projects": 0}, {"programs": FILLED["programs"]}, {}, {}, SLUGS)
    assert [one.rule for one in tripped_guards(Guards(), BEFORE, gone)] == ["records-lost"]
    assert "filled-lost" not in {one.rule for one in tripped_guards(Guards(lost=1), BEFORE, gone)}


def test_settings_limit_the_loss() -> None:
    _, half = GUARD_PAIRS["records-lost"]
    assert tripped_guards(Guards(lost=0.21), BEFORE, half) == []
    assert tripped_guards(Guards(lost=0), BEFORE, State(COUNTS | {"projects": 99}, FILLED, VALUES))
    assert (
        tripped_guards(Guards(filled_lost=1, values_lost=1), BEFORE, GUARD_PAIRS["filled-lost"][1])
        == []
    )


def test_a_fingerprint_depends_on_the_numbers() -> None:
    one = findings_of("records-lost")[0].fingerprint
    (other,) = tripped_guards(Guards(), BEFORE, State(COUNTS | {"projects": 78}, FILLED, VALUES))
    assert other.fingerprint != one == findings_of("records-lost")[0].fingerprint


def test_a_state_is_written_and_read_back() -> None:
    kept = BEFORE.kept()
    assert kept.values["projects"] == {"location/us": 60, "tag_topic/climate": 40}
    assert State.parse(kept.dump().encode(), COLLECTIONS) == kept


@pytest.mark.parametrize(
    "raw",
    [*(json.dumps({"guard_state": 1, **BEFORE._asdict(), **wrong}).encode()
       for wrong in ({"counts": {"projects": -1}}, {"filled": {"events": 1}}, {"guard_state": 3},
                     {"counts": {"projects": 1}}, {"counts": {}})),
     b"", b"[]", b"{}", b"[" * 100_000, b"\xff", b'{"guard_state":1}'],
)  # fmt: skip
def test_an_invalid_state_file_is_refused(raw: bytes) -> None:
    assert State.parse(raw, COLLECTIONS) is None


@pytest.mark.parametrize(
    ("status", "body", "stops"),
    fast_first(3, [
        (404, b"", False), (200, b"<!doctype html>", True), (403, b"<Error></Error>", True),
        (410, b"", False), (200, b'{"kind":', True), (200, b"[]", True), (403, b"", True),
        (500, b"", True),
    ]),
)  # fmt: skip
def test_only_a_404_of_the_host_means_a_first_publish(
    status: int, body: bytes, stops: bool, tmp_path: Path
) -> None:
    registries.write(tmp_path / "content", registries.API)
    with serving(tmp_path) as host:
        host.wrong = lambda asked: Given(status, {}, body)
        done = run_forked("build", "--against", host.base, "--first", cwd=tmp_path)
        assert done.status == (2 if stops else 0), done.err
        assert ("Nothing is published at" in done.err) is not stops
        done = run_forked("build", "--against", host.base, cwd=tmp_path)
        assert done.status == 2 and ("Say so with --first" in done.err) is not stops
        assert run_forked("diff", host.base, "content", cwd=tmp_path).status == 2


@pytest.mark.parametrize(
    ("more", "why"), [(0, "it is not a JSON object"), (1, f"more than {MAX_DOCUMENT >> 20} MiB")]
)
def test_the_largest_document_is_read(more: int, why: str) -> None:
    raw = b"[]".ljust(MAX_DOCUMENT + more)
    said = PublishedState("other", lambda paths: [raw] * len(paths)).unreadable("/api/index.json")
    assert said is not None and said.endswith(why)

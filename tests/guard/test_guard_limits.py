"""Guards: each is tripped by numbers that trip no other guard, and approved once by its
fingerprint.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from generator.features.diff.contract import tiers
from generator.guard.finding import Finding
from generator.guard.limits import RELATIVE, tripped_guards
from generator.guard.state import State
from generator.model.settings.guards import Guards
from support import registries
from support.commands import run_forked
from support.fake_host import Given, serving
from support.guard_pairs import BEFORE, COUNTS, FILLED, GUARD_PAIRS, SLUGS, VALUES
from support.lanes import fast_first


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
    assert State.parse(kept.dump().encode()) == kept


@pytest.mark.parametrize(
    "raw",
    [*(json.dumps({"guard_state": 1, **BEFORE._asdict(), **wrong}).encode()
       for wrong in ({"counts": {"projects": -1}}, {"filled": {"events": 1}}, {"guard_state": 3})),
     b"", b"[]", b"{}", b"[" * 100_000, b"\xff", b'{"guard_state":1}'],
)  # fmt: skip
def test_an_invalid_state_file_is_refused(raw: bytes) -> None:
    assert State.parse(raw) is None


# --- builds ---------------------------------------------------------------------------------------


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

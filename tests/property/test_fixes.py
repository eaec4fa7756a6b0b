"""A fix restores the intended text, leaves every other line unchanged, and is applied once."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import date
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from generator.dialect.folder import scan
from generator.dialect.libyaml import parse
from generator.edit.fix import fix_file
from generator.problems.diagnostic import is_error
from generator.published.content.load import file_checker
from support.commands import ROOT

PATH = "projects/acme.yaml"
LOOK = file_checker(scan(str(ROOT / "tests/content/base")), date(2026, 11, 22))

#: A line of a valid record -> the line with a slip.
SLIPS: dict[str, tuple[str, ...]] = {
    "name: Acme": ("name:Acme", "name:\u00a0Acme", "Name: Acme", "name: \u00a0Acme"),
    'summary: "Heat: pumps"': ("summary: Heat: pumps", "summary: “Heat: pumps”"),
    "year: 2020": ("year: “2020”", "year: '2020'", "year:2020", "year: 2020\nyear: 2020"),
    "remote: true": ("remote: yes", "remote: 'true'", "remote: On"),
    "status: active": ("status: ACTIVE", "Status: active", "status: “active”"),
    "programs: [launch-2025]": ("programs: launch-2025", "programs: [Launch 2025]"),
    "tags: {topic: [climate], technology: [heat-pumps]}": (
        "tags: {topic: [Climate], technology: [heat-pumps]}",
        "tags: {topic: [climate, climate], technology: [Heat Pumps]}",
        "tags: {topic: [“climate”], technology: [heat-pumps]}",
    ),
    "locations: [{country: SE, city: Lund}]  # where": (
        "locations: [{country: se, city: Lund}]  # where",
        "locations: [{country: Sweden, city: Lund}]  # where",
    ),
    "website: https://acme.example/": ("website: “https://acme.example/”",),
    "# a comment: of two\tparts": (),
}


@given(st.data())
def test_slips_are_fixed(data: st.DataObject) -> None:
    first, *rest = SLIPS
    good = [first, *data.draw(st.permutations(rest))]
    slipped = [data.draw(st.sampled_from((line, *SLIPS[line]))) for line in good]
    after, done = fix_file(PATH, ("\n".join(slipped) + "\n").encode(), LOOK)
    assert parse(after) == parse("\n".join(good).encode())
    assert [p for p in LOOK(PATH, after) if is_error(p) or p.fix is not None] == []
    # Lines without a slip are unchanged, and there are no new lines.
    assert len(after.decode().splitlines()) == len(good)
    for line, broken, fixed in zip(good, slipped, after.decode().splitlines(), strict=True):
        assert broken != line or fixed == line
    assert bool(done) == (slipped != good)


#: A path -> a valid record.
RECORDS: dict[str, dict[str, Any]] = {
    PATH: {"name": "A", "year": 2020, "status": "active", "programs": ["launch", "nobody"],
           "organizations": ["nobody"], "remote": True, "team_size": 3, "founders": ["Ada"]},
    "organizations/a.yaml": {"name": "A", "category": "university", "parent": "nobody"},
    "programs/a.yaml": {"name": "A", "kind": "cohort", "type": "accelerator", "parent": "launch",
                        "organization": "nobody", "starts": "2026-02-01", "ends": "2026-01-01"},
    "events/a.yaml": {"name": "A", "kind": "deadline", "due": "2026-12-01 10:00", "stage": "nope",
                      "timezone": "EST", "program": "nobody", "organization": "nobody"},
}  # fmt: skip
_COMMON = {"tags": {"topic": ["climate"], "nope": ["x"]}, "website": "https://N/A",
           "sources": ["https://a.example/?utm_source=x"], "identifiers": {"nope": "1"},
           "locations": [{"country": "SE", "city": "Lund"}], "summary": "A <b>"}  # fmt: skip
_JUNK: list[Any] = [
    None, "", "a b", 1, -1.5, True, [], {}, [None], ["a b", "nobody"], [["x"]], {"a b": 1},
    {"topic": ["a b", "climat"]}, [{"country": "UK"}], "2026-02-30 25:00", "https://none",
]  # fmt: skip


@given(st.data())
def test_readable_fields_are_checked_together_with_the_other_errors(data: st.DataObject) -> None:
    path = data.draw(st.sampled_from(sorted(RECORDS)))
    record = {**RECORDS[path], **_COMMON}
    names = data.draw(st.lists(st.sampled_from([*record, "nope"]), unique=True, max_size=5))
    bad = {name: data.draw(st.sampled_from(_JUNK)) for name in names}
    raw = json.dumps({**record, **bad}).encode()
    found = LOOK(path, raw)
    assert all(p.line == 1 and 1 <= p.column <= len(raw) + 1 for p in found)
    expected = {
        p.message
        for p in LOOK(path, json.dumps(record).encode())
        if p.code in ("unknown-reference", "unknown-tag", "unknown-stage")
        and not any(p.message.startswith(name) for name in names)
    }
    assert expected <= {p.message for p in found}


_NOISE = "abNO \t:-#'\"[]{},|>&*!\u201c\u201d\u00a0\u2020\n"


def _texts(lines: Callable[[], st.SearchStrategy[str]]) -> st.SearchStrategy[str]:
    return st.lists(lines(), max_size=6).map(lambda drawn: "\n".join(("name: Acme", *drawn)))


@given(
    _texts(
        lambda: st.one_of(
            st.sampled_from([slip for slips in SLIPS.values() for slip in slips]),
            st.text(_NOISE, max_size=12),
            st.builds("{}{}: {}".format, st.sampled_from(["", "\t", "  "]),
                      st.sampled_from(["name", "year", "founders", "summary"]),
                      st.text(_NOISE.replace("\n", ""), max_size=8)),
        )
    )
)  # fmt: skip
def test_fixes_are_stable_and_add_no_problems(text: str) -> None:
    raw = text.encode()
    after, done = fix_file(PATH, raw, LOOK)
    again, more = fix_file(PATH, after, LOOK)
    assert (again, more) == (after, [])
    assert (raw == after) == (not done)
    # Lines without a problem are unchanged.
    reported_lines = {problem.line for problem in LOOK(PATH, raw)}
    if not done:
        assert after == raw
    elif len(reported_lines) == 1 and all(
        p.fix and p.fix.action != "text" for p in LOOK(PATH, raw)
    ):
        before, now = raw.decode().split("\n"), after.decode().split("\n")
        assert len(before) != len(now) or all(
            old == new for n, (old, new) in enumerate(zip(before, now, strict=True), 1)
            if n not in reported_lines
        )  # fmt: skip

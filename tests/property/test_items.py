"""Wrongly indented items of a list are never read as one value: every line that begins with "-" is
an item, or the file has an error, and no fix joins two lines.  The lanes agree.
"""

from __future__ import annotations

import contextlib
from datetime import date
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from generator.dialect import simple
from generator.dialect.examine import examine
from generator.dialect.folder import scan
from generator.dialect.libyaml import parse
from generator.dialect.parse import Unusual
from generator.edit.fix import fix_file
from generator.edit.layout import format_record
from generator.problems.diagnostic import is_error
from generator.published.content.load import file_checker
from support.commands import ROOT

MANY = settings(max_examples=3 * settings.default.max_examples)
PATH = "projects/acme.yaml"
LOOK = file_checker(scan(str(ROOT / "tests/content/base")), date(2026, 11, 22))

NAMES = st.sampled_from(["Ada", "Bob Lee", "Cy O'Neil", "D. Roe", "Eve’s", "Øya 2", "x-y"])
QUOTES = st.sampled_from([("", "")] * 4 + [("'", "'"), ('"', '"'), ("", "'"), ("", '"'), "“”"])
BLANKS = st.sampled_from(["", " ", "  ", "  ", "   ", "    "])
DASHES = st.sampled_from(["- "] * 6 + ["-", "-  ", "- - "])


@st.composite
def items(draw: st.DrawFn) -> tuple[str, int]:
    """A field with items in several columns, and the number of its values."""
    above = draw(st.sampled_from(["", "", " Ada", " 'Ada'", " Ada's", ' "Ada'])) + "\n"
    # Each once: a fix removes duplicates.
    entries = st.tuples(BLANKS, DASHES, QUOTES, NAMES)
    lines = draw(st.lists(entries, min_size=1, max_size=4, unique_by=lambda entry: entry[3]))
    text = above + draw(st.sampled_from(["\n", "\n", "\n", "\n\n", "\r\n"])).join(
        f"{blanks}{dash}{before}{name.replace(before or ' ', '') if before else name}{after}"
        for blanks, dash, (before, after), name in lines
    )
    return text, len(lines) + bool(above.strip())


def data_of(raw: bytes) -> Any:
    """The data that all lanes read; None if the file has an error."""
    document = examine(raw)
    good = not any(fault.severity == "error" for fault in document.faults)
    thorough = document.data if good else None
    fast = simple.parse(raw)
    assert fast is None or repr(fast) == repr(thorough)
    with contextlib.suppress(Unusual):
        assert repr(parse(raw)) == repr(thorough) and not document.faults
    return thorough


def values(data: Any) -> int:
    return sum(map(values, data)) if isinstance(data, list) else 1


@MANY
@given(items())
def test_every_item_is_a_value_or_the_file_has_an_error(drawn: tuple[str, int]) -> None:
    text, count = drawn
    raw = f"name: Acme\nfounders:{text}\nyear: 2020\n".encode()
    data = data_of(raw)
    if data is not None and isinstance(data["founders"], list):
        assert values(data["founders"]) == count, text
    if not any(map(is_error, LOOK(PATH, raw))):
        assert data is not None and len(data["founders"]) == count


@MANY
@given(items(), st.sampled_from(["founders", "programs", "former_names", "summary"]))
def test_no_fix_makes_one_value_of_several_lines(drawn: tuple[str, int], field: str) -> None:
    text, count = drawn
    raw = f"name: Acme\n{field}:{text}\n".encode()
    after, _ = fix_file(PATH, raw, LOOK)
    data = data_of(after)
    if data is not None and isinstance(data.get(field), list):
        assert values(data[field]) == count, after


@pytest.mark.parametrize("field", ["summary", "description", "name"])
def test_a_text_may_have_lines_like_items(field: str) -> None:
    name = "" if field == "name" else "name: Acme\n"
    raw = f"{name}{field}: We make\n  - rockets\n  -parts\nyear: 2020\n".encode()
    assert LOOK(PATH, raw) == []
    assert data_of(raw)[field] == "We make - rockets -parts"


def test_a_text_with_lines_like_items_is_an_error_where_the_field_takes_a_list() -> None:
    for field in ("founders", "tags:\n  topic"):
        raw = f"name: Acme\n{field}: Ada\n    - Bob\n".encode()
        (problem,) = LOOK(PATH, raw)
        assert (problem.code, problem.line) == ("yaml-syntax", raw.count(b"\n"))
        assert "also the first item" in str(problem.hint)


def test_what_pyyaml_writes_for_a_long_text_is_read() -> None:
    summary = f"{'various types of support, ' * 3}- detailed documentation"
    raw = yaml.safe_dump({"name": "Acme", "summary": summary}, sort_keys=False).encode()
    assert b"\n  - detailed" in raw
    assert LOOK(PATH, raw) == [] and data_of(raw)["summary"] == summary
    after = format_record(b"year: 2020\n" + raw)
    assert yaml.safe_load(after) == {"name": "Acme", "summary": summary, "year": 2020}

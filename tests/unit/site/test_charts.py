"""Charts: the positions of bars, and the drawings and texts of the template."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.site.drawing import charts
from generator.site.drawing.charts import Row
from support.drawings import HOSTILE, cells, drawn, elements, site

some_counts = st.lists(st.integers(0, 10**9), max_size=40)
some_years = st.dictionaries(st.integers(1800, 2200), st.integers(0, 10**9), max_size=60)


def years(counted: dict[int, int]) -> list[Row]:
    return [Row(str(year), count, None, str(year)) for year, count in counted.items()]


def number(percentage: str) -> float:
    assert percentage.endswith("%")
    return float(percentage[:-1])


@given(some_years)
def test_every_year_is_in_one_bar_and_a_taller_bar_is_more(counted: dict[int, int]) -> None:
    chart = charts.by_year(years(counted))
    if not any(counted.values()):
        assert chart is None
        return
    assert chart is not None
    assert sum(column.count for column in chart.columns) == sum(counted.values())
    assert len(chart.columns) <= charts.MOST_SLOTS
    for column in chart.columns:
        assert (column.height > 0) == (column.count > 0)
        assert column.y + column.height == chart.height and column.height <= charts.PLOT
    ordered = sorted(chart.columns, key=lambda column: column.count)
    assert [c.height for c in ordered] == sorted(c.height for c in ordered)
    assert chart.peak.count == ordered[-1].count <= chart.lines[-1][0]


@given(some_years)
def test_bars_of_years_are_side_by_side_within_the_drawing(counted: dict[int, int]) -> None:
    chart = charts.by_year(years(counted))
    if chart is None:
        return
    ends = [(number(c.x), number(c.x) + number(c.width)) for c in chart.columns]
    assert ends[0][0] >= 0 and ends[-1][1] <= 100.011
    assert all(a[1] < b[0] for a, b in pairwise(ends))
    assert 1 <= len(chart.marks) <= charts.MOST_MARKS + 1
    assert 1 <= len(chart.lines) <= charts.MOST_LINES


def test_missing_years_are_gaps() -> None:
    chart = charts.by_year(years({2001: 3, 2004: 1}))
    assert chart is not None
    assert [(c.label, c.count) for c in chart.columns] == [
        ("2001", 3),
        ("2002", 0),
        ("2003", 0),
        ("2004", 1),
    ]


def test_with_very_many_years_a_bar_is_for_several() -> None:
    chart = charts.by_year(years({1801: 2, 1803: 1, 2199: 4}))
    assert chart is not None and chart.span == 5
    assert (chart.columns[0].label, chart.columns[0].count) == ("1800–1804", 3)
    assert "covers 5 years" in drawn(
        "by_year('y', 'Years', rows, 'Projects')", rows=years({1801: 2, 1803: 1, 2199: 4})
    )


@given(some_counts)
def test_widths_are_proportional_to_counts(counts: list[int]) -> None:
    found = [Row("x", count) for count in counts]
    widths = [number(width) for width in charts.widths(found)]
    assert all((width > 0) == (count > 0) for width, count in zip(widths, counts, strict=True))
    assert [w for _, w in sorted(zip(counts, widths, strict=True))] == sorted(widths)
    assert max(widths, default=100) == 100 or not any(counts)


@given(some_counts, st.integers(0, 10**9))
def test_parts_fill_the_whole_and_no_more(counts: list[int], total: int) -> None:
    parts = charts.parts([Row("x", count) for count in counts], total)
    assert sum(part.share for part in parts) <= 1.000001
    assert all(1 <= part.step <= charts.STEPS for part in parts)
    ends = [number(part.x) + number(part.width) for part in parts]
    assert all(end <= 100.02 for end in ends)
    for part, before in zip(parts[1:], ends, strict=False):
        assert number(part.x) == pytest.approx(before, abs=0.02)


@given(some_counts)
def test_each_count_is_in_one_class(counts: list[int]) -> None:
    classes = charts.classes(counts)
    assert len(classes) <= charts.STEPS
    assert all(c.low <= c.high for c in classes)
    assert all(a.high < b.low and a.step < b.step for a, b in pairwise(classes))
    for count in filter(None, counts):
        assert sum(c.low <= count <= c.high for c in classes) == 1
    for c in classes:
        assert c.low in counts and c.high in counts


def test_values_with_pages_link_to_them() -> None:
    values = [{"value": "de", "label": "Germany", "count": 2}, {"value": "fr", "count": 0}]
    assert charts.rows(site(), values, "location") == [
        Row("Germany", 2, "/projects/location/de/", "de"),
        Row("France", 0, None, "fr"),
    ]
    assert charts.rows(site(), [{"year": 2019, "count": 1}], "year")[0].href == (
        "/projects/year/2019/"
    )
    tag = {"tag": "ai", "label": "AI", "count": 1, "share": 1.0}
    assert charts.rows(site(), [tag], "tag_topic")[0].href == "/projects/tag-topic/ai/"
    city = {"value": "de-berlin", "label": "Berlin, Germany", "count": 1}
    assert charts.rows(site(), [city], "location")[0].href == (
        "/projects/location/de/?location=de-berlin"
    )
    top = [{"slug": "x", "name": "X", "projects": 3, "href": "/api/programs/slug/x.json"}]
    assert charts.records(site(), top, "programs") == [Row("X", 3, "/programs/x/", "x")]


@pytest.mark.parametrize("macro", ["by_year", "ranked", "shares"])
def test_an_empty_chart_has_a_message(macro: str) -> None:
    more = "" if macro == "by_year" else ", 'Topic'"
    html = drawn(f"{macro}('c', 'Title', []{more}, 'Projects')")
    assert "No data yet." in html and "<table" not in html


def test_tables_have_every_number_of_the_chart() -> None:
    html = drawn("by_year('y', 'Years', rows, 'Projects')", rows=years({1999: 1234, 2003: 7}))
    assert cells(html) == [["1999", "1,234"], ["2003", "7"]]
    titles = [e.text for e in elements(html).iter("title")]
    assert titles == ["1999: 1,234", "2003: 7"]
    found = [Row("A", 3, "/a/"), Row("B", 1)]
    html = drawn("ranked('r', 'Topics', rows, 'Topic', 'Projects')", rows=found)
    assert cells(html) == [["A", "3"], ["B", "1"]]
    html = drawn("shares('s', 'Status', rows, 'Status', 'Projects')", "de", rows=found)
    assert cells(html)[0] == ["A", "75\u00a0%", "3"]
    assert [e.get("href") for e in elements(html).iter("a")] == ["/a/"]


def test_a_breakdown_has_a_chart_for_each_filter_that_has_several_values() -> None:
    values = {
        "tag_topic": [{"value": value, "label": value, "count": 1} for value in "xy"],
        "tag_model": [{"value": "only", "label": "Only", "count": 2}],
        "tag_stage": [],
        "location": [{"value": value, "label": value, "count": 1} for value in ("de", "fr")],
        "year": [{"value": year, "label": year, "count": 1} for year in ("2019", "2021")],
        "status": [{"value": s, "label": s, "count": 1} for s in ("active", "public")],
    }
    html = drawn("breakdown('b', given)", given=values)
    ids = [e.get("id") for e in elements(html).iter("figure")]
    assert ids == ["b-year", "b-status", "b-tag-topic", "b-location"]
    del values["year"][1]
    assert "b-year" not in drawn("breakdown('b', given)", given=values)


def test_rare_values_of_a_breakdown_are_behind_a_disclosure() -> None:
    many = [{"value": f"t-{i}", "label": f"T {i}", "count": 20 - i} for i in range(12)]
    html = drawn("breakdown('b', given)", given={"tag_topic": many})
    assert cells(html) == [[f"T {i}", str(20 - i)] for i in range(12)]
    assert [e.text for e in elements(html).iter("summary")] == ["4 more"]


@pytest.mark.parametrize("macro", ["ranked", "shares"])
def test_hostile_labels_are_text(macro: str) -> None:
    html = drawn(
        f"{macro}('c', hostile, rows, hostile, hostile)", hostile=HOSTILE, rows=[Row(HOSTILE, 1)]
    )
    assert not list(elements(html).iter("script"))
    assert cells(html)[0][0].replace("100%", "").startswith("</title></svg><script>")


def test_drawings_have_names_and_neither_styles_nor_scripts() -> None:
    html = drawn("by_year('y', 'Years', rows, 'Projects')", rows=years({1999: 4}))
    html += drawn("shares('s', 'S', rows, 'S', 'P')", rows=[Row("A", 3), Row("B", 1)])
    html += drawn("ranked('r', 'R', rows, 'R', 'P')", rows=[Row("A", 3)])
    ids = {e.get("id") for e in elements(html).iter() if e.get("id")}
    for drawing in elements(html).iter("svg"):
        if drawing.get("role") == "img":
            assert set(str(drawing.get("aria-labelledby")).split()) <= ids
    outer = [e for f in elements(html).iter("figure") for e in f.iter("svg")]
    assert any(e.get("role") == "img" for e in outer)
    assert not re.search(r"style=|<style|<script| on[a-z]+=|fill=|url\(", html)


def test_percentages_follow_the_language() -> None:
    assert [site().theme.texts.percent(s) for s in (0, 0.0514, 0.5, 0.9999, 1)] == [
        "0%",
        "5.1%",
        "50%",
        "100%",
        "100%",
    ]
    assert site("de").theme.texts.percent(0.0514) == "5,1\u00a0%"

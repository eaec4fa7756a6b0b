"""Charts: the positions of bars, and the drawings and texts of the template."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.site.drawing import charts
from generator.site.drawing.charts import ChartValue
from support.drawings import drawn, site

some_counts = st.lists(st.integers(0, 10**9), max_size=40)
some_years = st.dictionaries(st.integers(1800, 2200), st.integers(0, 10**9), max_size=60)


def years(counted: dict[int, int]) -> list[ChartValue]:
    return [ChartValue(str(year), count, None, str(year)) for year, count in counted.items()]


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
    found = [ChartValue("x", count) for count in counts]
    widths = [number(width) for width in charts.widths(found)]
    assert all((width > 0) == (count > 0) for width, count in zip(widths, counts, strict=True))
    assert [w for _, w in sorted(zip(counts, widths, strict=True))] == sorted(widths)
    assert max(widths, default=100) == 100 or not any(counts)


@given(some_counts, st.integers(0, 10**9))
def test_parts_fill_the_whole_and_no_more(counts: list[int], total: int) -> None:
    parts = charts.parts([ChartValue("x", count) for count in counts], total)
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
        ChartValue("Germany", 2, "/projects/location/de/", "de"),
        ChartValue("France", 0, None, "fr"),
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
    continent = {"value": "south-america", "label": "South America", "count": 1}
    assert charts.rows(site(), [continent], "location")[0].href == (
        "/projects/location/south-america/"
    )
    top = [{"slug": "x", "name": "X", "projects": 3, "href": "/api/programs/slug/x.json"}]
    assert charts.records(site(), top, "programs") == [ChartValue("X", 3, "/programs/x/", "x")]


@pytest.mark.parametrize("macro", ["by_year", "ranked", "shares"])
def test_an_empty_chart_has_a_message(macro: str) -> None:
    more = "" if macro == "by_year" else ", 'Topic'"
    html = drawn(f"{macro}('c', 'Title', []{more}, 'Projects')")
    assert "No data yet." in html and "<table" not in html


def test_percentages_follow_the_language() -> None:
    assert [site().theme.texts.percent(s) for s in (0, 0.0514, 0.5, 0.9999, 1)] == [
        "0%",
        "5.1%",
        "50%",
        "100%",
        "100%",
    ]
    assert site("de").theme.texts.percent(0.0514) == "5,1\u00a0%"

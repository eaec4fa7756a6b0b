"""Charts and the map of the world: the positions of bars, and the drawings of the templates."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.kinds.types import COUNTRIES
from generator.site import charts
from generator.site.charts import ChartValue
from generator.site.world import world
from support.drawings import drawn, elements, site

some_counts = st.lists(st.integers(0, 10**9), max_size=40)
some_years = st.dictionaries(st.integers(1000, 2200), st.integers(0, 10**9), max_size=60)


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
    ends = [(number(c.x), number(c.x) + number(c.width)) for c in chart.columns]
    assert ends[0][0] >= 0 and ends[-1][1] <= 100.011
    assert all(a[1] < b[0] for a, b in pairwise(ends))
    assert 1 <= len(chart.marks) <= charts.MOST_MARKS + 1
    assert 1 <= len(chart.lines) <= charts.MOST_LINES
    ordered = sorted(chart.columns, key=lambda column: column.count)
    assert [c.height for c in ordered] == sorted(c.height for c in ordered)
    assert chart.peak.count == ordered[-1].count <= chart.lines[-1][0]


@given(st.lists(st.dictionaries(st.sampled_from(["2001", "2002", "2005"]), st.integers(0, 999))))
def test_the_parts_of_a_bar_make_up_the_bar(counted: list[dict[str, int]]) -> None:
    parts = charts.parts([ChartValue(f"Part {i}", 1) for i in range(len(counted))])
    layers = [charts.Layer(*pair) for pair in zip(parts, counted, strict=True)]
    sums = {y: sum(layer.get(str(y), 0) for layer in counted) for y in (2001, 2002, 2005)}
    chart = charts.by_year(years(sums), layers)
    for column in chart.columns if chart else ():
        assert sum(number for _, number, _, _ in column.parts) == column.count
        assert sum(height for _, _, _, height in column.parts) == column.height
        bottoms = [y + height for _, _, y, height in column.parts]
        assert bottoms[1:] == [y for _, _, y, _ in column.parts[:-1]]
        assert all(number for _, number, _, _ in column.parts)


def test_missing_years_are_gaps_and_with_very_many_a_bar_is_for_several() -> None:
    chart = charts.by_year(years({2001: 3, 2003: 1}))
    assert chart is not None
    assert [(c.label, c.count) for c in chart.columns] == [("2001", 3), ("2002", 0), ("2003", 1)]
    many = years({1801: 2, 1803: 1, 2199: 4})
    chart = charts.by_year(many)
    assert chart is not None and chart.span == 5
    assert (chart.columns[0].label, chart.columns[0].count) == ("1800–1804", 3)
    assert "covers 5 years" in drawn("by_year('y', 'Years', rows, 'Projects')", rows=many)


@given(some_counts, st.integers(0, 10**9))
def test_parts_fill_the_whole_and_no_more(counts: list[int], total: int) -> None:
    parts = charts.parts([ChartValue("x", count) for count in counts], total)
    assert sum(part.share for part in parts) <= 1.000001
    assert {part.tone for part in parts} <= {f"step{i}" for i in range(1, charts.STEPS + 1)}
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


@pytest.mark.parametrize("macro", ["by_year", "ranked", "shares", "world"])
def test_an_empty_chart_has_a_message(macro: str) -> None:
    more = ", 'Topic'" if macro in ("ranked", "shares") else ""
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


def countries(*codes: str) -> list[ChartValue]:
    return [ChartValue(COUNTRIES[code], 1, f"/{code}/", code.lower()) for code in codes]


def test_every_country_has_a_shape_or_a_point() -> None:
    whole = world(site(), countries(*COUNTRIES)).countries
    assert [c.row.value for c in whole if c.shape is None and c.point is None] == ["aq"]
    assert not [c.row.value for c in whole if c.shape and c.point]


def test_countries_with_most_records_are_darkest_and_first() -> None:
    counted = {"DE": 9, "US": 400, "SG": 1, "FR": 0}
    rows = [ChartValue(code, count, None, code.lower()) for code, count in counted.items()]
    shown = world(site(), rows).countries
    assert [(c.row.value, c.step) for c in shown] == [("us", 5), ("de", 4), ("sg", 3)]


def test_countries_without_a_place_on_the_map_are_not_drawn() -> None:
    rows = countries("AQ", "DE")
    page = elements(drawn("world('m', 'Map', rows, 'Projects', linked=true)", rows=rows))
    assert [a.get("aria-label") for a in page.iter("a")] == ["Germany: 1"]

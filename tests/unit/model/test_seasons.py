"""The order of programs within a year."""

from __future__ import annotations

import pytest

from generator.model.tables.programs import beginning


def program(name: str, year: int | None = 2024, starts: str | None = None) -> dict[str, object]:
    return {"name": name, "year": year, "starts": starts}


@pytest.mark.parametrize(
    ("earlier", "later"),
    [
        (program("Batch Winter 2024"), program("Batch Spring 2024")),
        (program("Spring"), program("summer 24")),
        (program("Summer of Code"), program("Fall")),
        (program("Summer"), program("Autumn")),
        (program("Winter", 2023), program("Spring", 2024)),
        (program("Fall", 2023), program("Batch", 2024)),
        # `starts` counts before the name, and the last season of a name before the others.
        (program("Fall", starts="2024-02-01"), program("Spring")),
        (program("Winter"), program("Batch", starts="2024-02-01")),
        (program("Fall School, Winter 2024"), program("Spring")),
        (program("Batch"), program("Winter")),
        (program("Fall", None), program("Winter")),
    ],
)
def test_programs_are_in_the_order_of_year_and_season(
    earlier: dict[str, object], later: dict[str, object]
) -> None:
    assert beginning(earlier) < beginning(later)


def test_fall_and_autumn_are_one_season() -> None:
    assert beginning(program("Fall 2024")) == beginning(program("Autumn 2024"))

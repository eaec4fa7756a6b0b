"""When programs begin: the year, then the start, else the season in the name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from generator.text.words import split_words

#: The seasons in names of cohorts, each with its first month and day.
SEASONS = {
    "winter": "01-01",
    "spring": "04-01",
    "summer": "07-01",
    "fall": "10-01",
    "autumn": "10-01",
}


def beginning(program: Mapping[str, Any]) -> tuple[int, str]:
    """The year of a program's summary and the day on which it begins, for sorting.

    Without `starts` the day is the first of the last season that the name has; "" without either.
    """
    year, starts = program["year"] or 0, program["starts"]
    if not starts:
        seasons = [word for word in split_words(program["name"]) if word in SEASONS]
        starts = f"{year:04}-{SEASONS[seasons[-1]]}" if seasons else ""
    return year, starts

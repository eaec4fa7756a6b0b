"""Published counts: how many records match, and how many of them have each value of a filter."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from generator.contract.published.parts import (
    Alternative,
    Count,
    Day,
    Document,
    Href,
    Published,
    SelfLink,
)


class CountQuery(Published):
    """The query that a count answers. Compare it with your query: a host may have ignored
    a parameter.
    """

    mode: Literal["count"] = Field(description="The answer is the number of records.")
    q: str | None = Field(description="The words of the search.")
    filters: dict[str, str] = Field(
        description="The value of each filter in the query; a record matches all of them."
    )
    by: list[str] = Field(description="The filters whose values are counted.")
    like: str | None = Field(
        description="Words: only values whose label or slug has words that begin with them "
        "are counted."
    )


class CountLinks(SelfLink):
    """The addresses of the count and of the counted records."""

    list: Href = Field(description="The first page of the counted records.")


class ValueCount(Published):
    """One value of a filter."""

    value: str = Field(description="The value to use in a query.")
    label: str = Field(description="The label for people.")
    count: Count = Field(
        description="How many records have this value and match the other filters."
    )


class FilterCounts(Published):
    """A filter and its values, the most frequent first, then by value; those without a record are
    left out. What was asked of this filter itself does not narrow its counts.
    """

    label: str = Field(description="The label for people.")
    total_values: Count = Field(description="How many values there are.")
    truncated: bool = Field(description="Whether `values` has only some of the values.")
    values: list[ValueCount] = Field(description="At most 50 values.")
    selected: list[ValueCount] = Field(
        description="The values that the query itself asks for, in its order, also with count 0; "
        "empty for `not:` and ranges."
    )


class Counted(Document):
    query: CountQuery = Field(description="The query that this count answers.")
    total_items: Count = Field(description="How many records match.")
    links: CountLinks = Field(description="The addresses of the count and of the counted records.")
    alternatives: list[Alternative] = Field(
        description="If nothing matches, at most 5 similar queries that find records."
    )
    counts: dict[str, FilterCounts] = Field(
        description="Each filter of `by`, by the name of its parameter, in the order of the query."
    )


class ProjectCount(Counted):
    """How many projects match."""

    kind: Literal["project_count"] = Field(description="The kind of this document.")


class ProgramCount(Counted):
    """How many programs match."""

    kind: Literal["program_count"] = Field(description="The kind of this document.")


class OrganizationCount(Counted):
    """How many organizations match."""

    kind: Literal["organization_count"] = Field(description="The kind of this document.")


class EventCount(Counted):
    """How many calendar events match."""

    kind: Literal["event_count"] = Field(description="The kind of this document.")
    as_of: Day = Field(description="The day from which events are upcoming.")

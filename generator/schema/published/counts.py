"""Published counts: how many records match, and how many of them have each value of a filter."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from generator.schema.published.parts import Count, Day, Document, Href, Published, SelfLink


class CountQuery(Published):
    """The question that a count answers. Compare it with the one you asked: a host may have ignored
    a parameter.
    """

    mode: Literal["count"] = Field(description="How many records there are, without them.")
    q: str | None = Field(description="The words searched for.")
    filters: dict[str, str] = Field(
        description="What was asked of each filter given; a record matches all of them."
    )
    by: list[str] = Field(description="The filters whose values are counted.")
    like: str | None = Field(
        description="Words that begin those of each value counted, in its label or itself."
    )


class CountLinks(SelfLink):
    """The count, and the records that it is of."""

    list: Href = Field(description="The first page of the records counted.")


class ValueCount(Published):
    """One value of a filter."""

    value: str = Field(description="What to write in a query.")
    label: str = Field(description="What a person calls it.")
    count: Count = Field(description="How many records have it and match everything else asked.")


class FilterCounts(Published):
    """A filter and its values, the most frequent first, then by value; those without a record are
    left out. What was asked of this filter itself does not narrow its counts.
    """

    label: str = Field(description="What a person calls the filter.")
    total_values: Count = Field(description="How many values there are.")
    truncated: bool = Field(description="Whether `values` leaves some out.")
    values: list[ValueCount] = Field(description="At most 50 values.")


class Counted(Document):
    query: CountQuery = Field(description="The question that this count answers.")
    total_items: Count = Field(description="How many records match.")
    links: CountLinks = Field(description="The count, and the records that it is of.")
    counts: dict[str, FilterCounts] = Field(
        description="Each filter of `by`, by the name of its parameter, in the order asked."
    )


class ProjectCount(Counted):
    """How many projects match."""

    kind: Literal["project_count"] = Field(description="What this document is.")


class ProgramCount(Counted):
    """How many programs match."""

    kind: Literal["program_count"] = Field(description="What this document is.")


class OrganizationCount(Counted):
    """How many organizations match."""

    kind: Literal["organization_count"] = Field(description="What this document is.")


class EventCount(Counted):
    """How many calendar events match."""

    kind: Literal["event_count"] = Field(description="What this document is.")
    as_of: Day = Field(description="The day that upcoming is counted from.")

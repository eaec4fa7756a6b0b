"""Published lists, rows, counts and searches, and filters with their values."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import create_model

from generator.contract.lock import type_name
from generator.contract.published.parts import (
    Alternative,
    Count,
    Day,
    Document,
    Href,
    Note,
    Number,
    Published,
    SelfLink,
    document_model,
    means,
    summary,
    with_types,
)
from generator.kinds import Kinds


class Query(Published):
    """The query that a list answers. Compare it with your query: a host may have ignored
    a parameter.
    """

    mode: Literal["page"] = means("The answer is one page of a list.")
    page: Number = means("The number of the requested page.")
    sort: str = means("The order; a leading hyphen means descending order.")
    q: str | None = means("The words of the search.")
    filters: dict[str, str] = means(
        "The value of each filter in the query; a record matches all of them."
    )


class Page(Published):
    """The position of this page in its list."""

    number: Number = means("The number of this page, from 1.")
    size: Number = means("How many items a full page has.")
    count: Count = means("How many items this page has.")
    total_items: Count = means("How many items the whole list has.")
    total_pages: Number = means("How many pages the whole list has; an empty list has 1.")


class ListLinks(SelfLink):
    """The other pages of the list."""

    first: Href = means("The first page.")
    prev: Href | None = means("The page before; null on the first.")
    next: Href | None = means("The page after; null on the last.")
    last: Href = means("The last page.")
    filters: Href = means("The filters of the collection.")


class List(Document):
    query: Query = means("The query that this list answers.")
    page: Page = means("The position of this page in its list.")
    links: ListLinks = means("The other pages of the list.")
    suggestions: list[str] = means(
        "Similar queries that find records, if this search finds none.", default_factory=list
    )
    alternatives: list[Alternative] = means(
        "If nothing matches, at most 5 similar queries that find records; prepared "
        "pages do not have it.",
        default_factory=list,
    )
    notes: list[Note] = means(
        "What was not understood as it was probably meant; prepared pages do not have it.",
        default_factory=list,
    )


class RowsQuery(Published):
    """The query that rows answer. Compare it with your query: a host may have ignored
    a parameter.
    """

    mode: Literal["rows"] = means("The answer is rows.")
    sort: str = means("The order of the rows.")
    q: str | None = means("The words of the search.")
    filters: dict[str, str] = means(
        "The value of each filter in the query; a record matches all of them."
    )
    fields: list[str] = means("The fields, in the order of the query.")
    limit: Number = means("How many rows there are at most.")
    start: int | None = means("How many rows are left out before the first.")


class RowsLinks(SelfLink):
    """The addresses of the rows, of the next ones, and of whole summaries of the same records."""

    next: Href | None = means("The next rows; null behind the last ones.")
    list: Href = means("The first page of the list with the same filters and order.")


class NarrowRows(Document):
    query: RowsQuery = means("The query that these rows answer.")
    total_items: Count = means("How many records match.")
    links: RowsLinks = means("The addresses of the rows and of the same list.")
    alternatives: list[Alternative] = means(
        "If nothing matches, at most 5 similar queries that find records."
    )
    notes: list[Note] = means("What of the query was not understood as it was probably meant.")
    columns: list[str] = means(
        "What each row has: `slug`, then the other fields in the order of the query."
    )
    rows: list[list[Any]] = means(
        "The first records: for each column a text, a number, a boolean, a list of texts, or null."
    )


class CountQuery(Published):
    """The query that a count answers. Compare it with your query: a host may have ignored
    a parameter.
    """

    mode: Literal["count"] = means("The answer is the number of records.")
    q: str | None = means("The words of the search.")
    filters: dict[str, str] = means(
        "The value of each filter in the query; a record matches all of them."
    )
    by: list[str] = means("The filters whose values are counted.")
    like: str | None = means(
        "Words: only values whose label or slug has words that begin with them are counted."
    )
    per: str | None = means(
        "The filter whose values are counted for each value of the filter in `by`."
    )

    level: str | None = means(
        "The only places that are counted: `continent`, `country`, `region` or `city`."
    )
    within: bool = means(
        "Whether what is asked of a filter narrows the counts of that filter, too."
    )
    top: int | None = means("The most values of each filter that are shown.")
    stat: str | None = means("The number that statistics are of.")
    start: int | None = means("How many values are left out before the first.")


class Statistics(Published):
    """Statistics of a number among some records; all but `n` are null where no record has it."""

    n: Count = means("How many records have the number.")
    sum: float | None = means("Their sum.")
    min: float | None = means("The least.")
    median: float | None = means("The one in the middle, or the mean of the two in the middle.")
    max: float | None = means("The greatest.")


class CountLinks(SelfLink):
    """The addresses of the count and of the counted records."""

    list: Href = means("The first page of the counted records.")


class ValueCount(Published):
    """One value of a filter."""

    value: str = means("The value to use in a query.")
    label: str = means("The label for people.")
    count: Count = means("How many records have this value and match the other filters.")


class ValueCountPer(ValueCount):
    """One value of a filter in `by`."""

    per: list[ValueCount] = means(
        "If the query asks `per` another filter: at most 10 values of that filter "
        "among these records, the most frequent first, then by value.",
        default_factory=list,
    )
    stat: Statistics | None = means(
        "If the query asks `stat`: the statistics of these records.", default=None
    )


class FilterCounts(Published):
    """A filter and its values, the most frequent first, then by value; those without a record are
    left out. What was asked of this filter itself does not narrow its counts, except with `within`.
    """

    label: str = means("The label for people.")
    total_values: Count = means("How many values there are.")
    truncated: bool = means("Whether `values` has only some of the values.")
    values: list[ValueCountPer] = means("At most 50 values.")
    selected: list[ValueCountPer] = means(
        "The values that the query itself asks for, in its order, also with count 0; "
        "those inside a range that have a count, ascending, at most 50; empty for `not:`."
    )


class Counted(Document):
    query: CountQuery = means("The query that this count answers.")
    total_items: Count = means("How many records match.")
    stat: Statistics | None = means(
        "If the query asks `stat`: the statistics of the records that match.", default=None
    )
    links: CountLinks = means("The addresses of the count and of the counted records.")
    alternatives: list[Alternative] = means(
        "If nothing matches, at most 5 similar queries that find records."
    )
    notes: list[Note] = means("What of the query was not understood as it was probably meant.")
    counts: dict[str, FilterCounts] = means(
        "Each filter of `by`, by the name of its parameter, in the order of the query."
    )


def _of_each_kind(
    kinds: Kinds, base: type[Document], ending: str, words: str
) -> dict[str, type[Document]]:
    """Kind -> model of the document for each collection, described by `words` with the noun of its
    records; lists have records, those of events a day.
    """
    models = {}
    for collection, declared in kinds.items():
        fields: dict[str, tuple[Any, str]] = {}
        kind = declared.kind
        if declared.timed:
            fields["as_of"] = Day, "The day from which events are upcoming."
        if base is List:
            fields["data"] = (
                list[summary(kinds, collection)],  # type: ignore[misc]
                f"The {collection} of this page.",
            )
        name = f"{kind}_{ending}"
        models[name] = document_model(base, name, words.format(declared.called[1]), **fields)
    return models


def lists(kinds: Kinds) -> dict[str, type[Document]]:
    """Kind -> the documents of lists, rows and counts."""
    return {
        **_of_each_kind(kinds, List, "list", "One page of a list of {}."),
        **_of_each_kind(kinds, NarrowRows, "rows", "A few fields of the first matching {}."),
        **_of_each_kind(kinds, Counted, "count", "How many {} match."),
    }


class Value(Published):
    """One value of a filter."""

    value: str = means("The value to use in a query.")
    label: str = means("The label for people.")
    count: Count = means("How many records of the whole collection have this value.")
    href: Href = means("The first page of the records with this value.")


class FilterValues(Published):
    """A filter and the values that records have, the most frequent first."""

    label: str = means("The label for people.")
    total_values: Count = means("How many values there are.")
    truncated: bool = means("Whether `values` has only some of the values; `href` has all.")
    href: Href = means("The file with all values.")
    values: list[Value] = means("The values.")


class FilterList(Document):
    """The filters of a collection, each with its most frequent values."""

    kind: Literal["filter_list"] = means("The kind of this document.")
    links: SelfLink = means("Related addresses.")
    data: dict[str, FilterValues] = means("Each filter, by the name of its parameter.")


class FilterLinks(SelfLink):
    """The addresses of this filter and of all filters."""

    filters: Href = means("All filters of the collection.")


class Filter(Document):
    """One filter with all of its values."""

    kind: Literal["filter"] = means("The kind of this document.")
    links: FilterLinks = means("Related addresses.")
    data: FilterValues = means("The filter and its values.")


class SearchQuery(Published):
    """The query that a search answers. Compare it with your query."""

    q: str = means("The words of the search.")


class FoundLinks(Published):
    """Where all records are that were found."""

    list: Href = means("The first page of all records that were found.")


class Found(Published):
    total_items: Count = means("How many records of this collection were found.")
    links: FoundLinks = means("Where all records are that were found.")


def _found_records(kinds: Kinds) -> type[Published]:
    """The model of what a search found, with a key for each collection."""
    collections: dict[str, Any] = {}
    for name, declared in kinds.items():
        noun = declared.called[1]
        of: Any = summary(kinds, name)
        found = create_model(
            f"Found{type_name(name)}",
            __base__=Found,
            __doc__=f"The {noun} that a search found.",
            data=(list[of], means("At most 5 of them, the best matches first.")),
        )
        collections[name] = found, means(f"The {noun} that were found.")
    return create_model(
        "FoundRecords",
        __base__=Published,
        __doc__="What a search found in each collection.",
        **collections,
    )


class Search(Document):
    """The best records of every collection for some words."""

    kind: Literal["search"] = means("The kind of this document.")
    query: SearchQuery = means("The query that this search answers.")
    links: SelfLink = means("The address of this search.")
    total_items: Count = means("How many records were found in all collections.")
    data: Any = means("What was found in each collection.")
    suggestions: list[str] = means("Similar queries that find records, if this search finds none.")
    notes: list[Note] = means("What of the query was not understood as it was probably meant.")


def search(kinds: Kinds) -> type[Search]:
    return with_types(Search, data=_found_records(kinds))

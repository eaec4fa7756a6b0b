"""Alternatives from the index to a query that finds nothing: similar queries that find records.

First the query with one filter left out, then with a twin of a tag, then with one word changed.
search/js/source/alternatives.mjs gives the same alternatives.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import reduce
from itertools import islice
from operator import and_
from typing import NamedTuple

from generator.contract.listing import Alternative
from generator.grammar.filters import MAX_VALUES, VALUE_SEPARATOR, Constraint
from generator.grammar.grammar import TAG_VOCABULARY, Query
from generator.grammar.refusals import QueryError
from generator.search.columns import Values
from generator.search.manifest import values_kind
from generator.search.matching import Matching
from generator.search.suggested import Suggestion, records_by_word, suggest_queries
from generator.search.synonyms import find_synonyms
from generator.text.words import split_words

#: Maximum alternatives, and maximum twins tried.
_MOST, _TRIED = 5, MAX_VALUES


def find_alternatives(
    match: Matching, query: Query, suggestions: Sequence[Suggestion] | None = None
) -> list[Alternative]:
    """At most five alternatives to a query without matches, each with at least one record.

    `suggestions` are those for the words of the query if they are known.  Alternatives whose files
    would exceed the bounds of a query are left out.  Raises Damaged, and Unavailable if the time is
    over.
    """
    first = replace(query, page=1)
    found = list(islice(_without_a_filter(match, first), _MOST))
    if len(found) < _MOST:
        with suppress(QueryError):
            found += _with_twins(match, first)
    if len(found) < _MOST and query.q is not None:
        if suggestions is None:
            suggestions = suggest_queries(match, query.q)
        with suppress(QueryError):
            found += _with_a_changed_word(match, first, suggestions, _MOST - len(found))
    return found[:_MOST]


def _without_a_filter(match: Matching, query: Query) -> Iterator[Alternative]:
    for left_out, _ in query.filters:
        if total := match.matching(ignored_filter=left_out).bit_count():
            filters = tuple(pair for pair in query.filters if pair[0] != left_out)
            yield Alternative(replace(query, filters=filters), total)


# --- twins of tags ---


class _Twin(NamedTuple):
    """A tag of the filter `name` in a query, and its twin in the filter `family`."""

    name: str
    tag: str
    family: str
    twin: str


def _with_twins(match: Matching, query: Query) -> list[Alternative]:
    """The query with a tag replaced by the same word in another family, or a spelling of it."""
    asked = {
        known.name: constraint
        for known, constraint in match.constraints
        if known.vocabulary.startswith(TAG_VOCABULARY) and constraint.operator in ("any", "all")
    }
    if not asked:
        return []
    names = [name for name, known in match.collection.filters.items()
             if known.vocabulary.startswith(TAG_VOCABULARY)
             and (name in asked or name not in dict(query.filters))]  # fmt: skip
    tags = _tags_by_count(match, names)
    twins = list(islice(_twins(asked, tags), _TRIED))
    tried = _read_tags(match, twins)
    found: dict[Query, int] = {}
    for twin in twins:
        constraint = asked[twin.name]
        rest = [value for value in constraint.values if value != twin.tag]
        records = match.matching(ignored_filter=twin.name)
        records &= tried.with_value(twin.family, twin.twin) or 0
        if constraint.operator == "all":
            records = reduce(and_, (match.with_value(twin.name, v) or 0 for v in rest), records)
        if records:
            found[_replaced(query, twin, constraint, rest)] = records.bit_count()
    return [Alternative(changed, total) for changed, total in found.items()]


def _tags_by_count(match: Matching, names: Iterable[str]) -> dict[str, list[str]]:
    """By filter, the tags that any record has, by count and then by value."""
    tags = {}
    files = match.reading.parts((values_kind(name), 0) for name in names)
    for (kind, _), data in files.items():
        name = kind.split("/")[1]
        values = Values.parse(data, match.index.columns[name], match.index.records)
        counted = zip(values.texts, values.counts, strict=True)
        having = sorted((-count, text) for text, count in counted if count)
        tags[name] = [text for _, text in having]
    return tags


def _twins(asked: dict[str, Constraint], tags: dict[str, list[str]]) -> Iterator[_Twin]:
    """For each tag that is asked for the same tag of other families, then spellings of it in its
    own family, then in the others.
    """
    for name, constraint in asked.items():
        others = [family for family in tags if family not in asked]
        for tag in constraint.values:
            yield from (_Twin(name, tag, family, tag) for family in others if tag in tags[family])
            for family in (name, *others):
                for twin in find_synonyms(tag, tags[family]):
                    if family != name or twin not in constraint.values:
                        yield _Twin(name, tag, family, twin)


def _read_tags(match: Matching, twins: Sequence[_Twin]) -> Matching:
    """The files with the records of the twins."""
    values = dict[str, dict[str, None]]()
    for twin in twins:
        values.setdefault(twin.family, {})[twin.twin] = None
    filters = tuple((name, VALUE_SEPARATOR.join(tags)) for name, tags in values.items())
    tried = Matching(match.reading, Query(match.collection, filters), match.grammar)
    if filters:
        tried.read()
    return tried


def _replaced(query: Query, twin: _Twin, constraint: Constraint, rest: Sequence[str]) -> Query:
    """The query with a twin in place of a tag.

    If the twin is of another family, the other tags of `any` are left out: they find nothing.
    """
    filters = dict(query.filters)
    kept = rest if twin.family == twin.name or constraint.operator == "all" else []
    changed = {twin.name: list(kept)}
    changed.setdefault(twin.family, []).append(twin.twin)
    for name, values in changed.items():
        filters.pop(name, None)
        if values:
            operator = constraint.operator if len(values) > 1 else "any"
            filters[name] = Constraint(operator, tuple(sorted(values))).text
    in_order = ((name, filters[name]) for name in query.collection.query_filters if name in filters)
    return replace(query, filters=tuple(in_order))


# --- words ---


def _with_a_changed_word(
    match: Matching, query: Query, suggestions: Sequence[Suggestion], most: int
) -> list[Alternative]:
    """The query with one word replaced, split, or joined with its neighbour."""
    changed = [suggestion for suggestion in suggestions if suggestion.is_one_change][:most]
    unread = [suggestion.q for suggestion in changed if suggestion.records is None]
    having: dict[str, int] = {}
    if unread:
        having = records_by_word(match, unread)
    found = []
    for q, _, records in changed:
        if records is None:
            records = reduce(and_, (having[word] for word in split_words(q)))
        found.append(Alternative(replace(query, q=q), records.bit_count()))
    return found

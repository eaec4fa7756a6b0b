"""Suggestions from the index for a query that finds nothing: only queries that find a record."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from operator import and_
from typing import NamedTuple

from generator.grammar.grammar import Query
from generator.grammar.query_string import MAX_QUERY_CHARACTERS, MAX_QUERY_WORDS
from generator.grammar.refusals import QueryError
from generator.search.manifest import SUGGESTION_WORDS
from generator.search.matching import Matching
from generator.search.suggest import files_with_word, parse_words, suggested_queries
from generator.text.words import query_runs, split_runs, split_words, words_of_run

#: Maximum suggestions, and maximum queries tried.
_MOST, _TRIED = 5, 12


class Suggestion(NamedTuple):
    """A query that finds `records`, a bitmap; None if it finds some that were not read."""

    q: str
    is_one_change: bool
    records: int | None


def suggest_queries(match: Matching, q: str) -> list[Suggestion]:
    """Suggestions for the text `q` of a query without matches; none if finding them would exceed
    the bounds of a query.

    Raises Damaged, and as `Reading.files` does.
    """
    asked, number = query_runs(q), len(match.index.checks[SUGGESTION_WORDS])
    having = _having(match)
    frequencies = [
        reduce(and_, (having[word] for word in words_of_run(run))).bit_count().bit_length()
        for run in asked
    ]
    try:
        wanted = sorted({place for run in asked for place in files_with_word(run, number)})
        known = parse_words(
            match.reading.parts((SUGGESTION_WORDS, place) for place in wanted).values()
        )
        near = suggested_queries(asked, known, frequencies)
        found = [query for query in near if _is_allowed(query)][:_TRIED]
        # A single known word finds records; several words may have no record in common.
        sure = {query for query in found if len(split_runs(query)) == 1 and not match.constraints}
        if unsure := [query for query in found if query not in sure]:
            having = records_by_word(match, unsure)
    except QueryError:
        return []
    suggestions = []
    for query in found:
        # Two words without records are two changes, unless they are joined.
        is_one_change = frequencies.count(0) < 2 or len(split_runs(query)) < len(asked)
        bitmaps = (*match.by_filter.values(), *(having.get(word, 0) for word in split_words(query)))
        records = None if query in sure else reduce(and_, bitmaps)
        if records != 0:
            suggestions.append(Suggestion(query, is_one_change, records))
    return suggestions[:_MOST]


def records_by_word(match: Matching, queries: Sequence[str]) -> dict[str, int]:
    """The records that have each word of some queries, read from the index of `match`.

    Raises QueryError, Damaged, and as `Reading.files` does.
    """
    tried = Matching(match.reading, Query(match.collection, q=" ".join(queries)), match.grammar)
    tried.read()
    return _having(tried)


def _having(match: Matching) -> dict[str, int]:
    """The records that have each word of a query."""
    return dict(zip(match.query_words, (word.all_records for word in match.words), strict=True))


def _is_allowed(q: str) -> bool:
    return len(q) <= MAX_QUERY_CHARACTERS and 1 <= len(split_runs(q)) <= MAX_QUERY_WORDS

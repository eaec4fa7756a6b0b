"""Suggestions from the index for a query that finds nothing: only queries that find a record."""

from __future__ import annotations

from functools import reduce
from operator import and_

from generator.grammar.grammar import Query
from generator.grammar.query_string import MAX_QUERY_CHARACTERS, MAX_QUERY_WORDS
from generator.grammar.refusals import QueryError
from generator.grammar.text import runs, words
from generator.search.manifest import SPELLED
from generator.search.matching import Matching
from generator.search.suggest import places, queries, words_of

#: Maximum suggestions, and maximum queries tried.
_MOST, _TRIED = 5, 12


def suggested(match: Matching, q: str) -> list[str]:
    """Suggestions for the text `q` of a query without matches; none if finding them would exceed
    the bounds of a query.

    Raises Damaged, and as `Reading.files` does.
    """
    asked, number = runs(q), len(match.index.checks[SPELLED])
    having = _having(match)
    missing = [n for n, run in enumerate(asked) if not all(having[word] for word in words(run))]
    try:
        wanted = sorted({place for run in asked for place in places(run, number)})
        known = words_of(match.reading.parts((SPELLED, place) for place in wanted).values())
        found = [query for query in queries(asked, known, missing) if _is_allowed(query)][:_TRIED]
        # A single known word finds records; several words may have no record in common.
        sure = {query for query in found if len(runs(query)) == 1 and not match.constraints}
        if unsure := [query for query in found if query not in sure]:
            tried = Matching(
                match.reading, Query(match.collection, q=" ".join(unsure)), match.grammar
            )
            tried.read()
            having = _having(tried)
    except QueryError:
        return []
    filtered = match.filtered.values()
    return [
        query
        for query in found
        if query in sure or reduce(and_, (*filtered, *(having[word] for word in words(query))))
    ][:_MOST]


def _having(match: Matching) -> dict[str, int]:
    """The records that have each word of a query."""
    return dict(zip(match.asked, (word.having for word in match.words), strict=True))


def _is_allowed(q: str) -> bool:
    return len(q) <= MAX_QUERY_CHARACTERS and 1 <= len(runs(q)) <= MAX_QUERY_WORDS

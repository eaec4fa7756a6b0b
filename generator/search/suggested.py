"""Suggestions for a query that finds nothing, from the index: those that find something."""

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

#: Suggestions, and queries that are tried, at most.
_MOST, _TRIED = 5, 12


def suggested(match: Matching, q: str) -> list[str]:
    """Of a query that has no match.

    Raises Damaged, and what reading raises; what would pass a bound is left.
    """
    asked, number = runs(q), len(match.index.checks[SPELLED])
    having = _having(match)
    missing = [n for n, run in enumerate(asked) if not all(having[word] for word in words(run))]
    try:
        wanted = sorted({place for run in asked for place in places(run, number)})
        known = words_of(match.reading.parts((SPELLED, place) for place in wanted).values())
        meant = [one for one in queries(asked, known, missing) if _is_allowed(one)][:_TRIED]
        # A word that is known has records; whether several have one in common is to be seen.
        sure = {one for one in meant if len(runs(one)) == 1 and not match.constraints}
        if several := [one for one in meant if one not in sure]:
            query = Query(match.collection, q=" ".join(several))
            tried = Matching(match.reading, query, match.grammar)
            tried.read()
            having = _having(tried)
    except QueryError:
        return []
    filtered = match.filtered.values()
    return [
        one
        for one in meant
        if one in sure or reduce(and_, (*filtered, *(having[word] for word in words(one))))
    ][:_MOST]


def _having(match: Matching) -> dict[str, int]:
    """The records that have each word of a query."""
    return dict(zip(match.asked, (word.having for word in match.words), strict=True))


def _is_allowed(q: str) -> bool:
    return len(q) <= MAX_QUERY_CHARACTERS and 1 <= len(runs(q)) <= MAX_QUERY_WORDS

"""Search over all collections: the best records of each for some words.

search/js/source/everything.mjs does the same in JavaScript.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice, zip_longest

from generator.contract.listing import MAX_BEST, Best, render_search
from generator.grammar.grammar import Grammar, Search
from generator.search.matching import Matching
from generator.search.reading import Reading, share_bounds
from generator.search.rows import read_rows, row_sources
from generator.search.score import rank_positions
from generator.search.suggested import suggest_queries

#: Maximum suggestions.
_MOST = 5


def search_everything(search: Search, readings: Sequence[Reading], grammar: Grammar) -> bytes:
    """The document of a search; `readings` has one for each collection.

    Raises Damaged, and as `Reading.files` does.
    """
    queries = [search.list(reading.index.collection) for reading in readings]
    matches = {
        query.collection.name: Matching(reading, query, grammar)
        for reading, query in zip(readings, queries, strict=True)
        if reading.index.records
    }
    needed = {match.reading: match.reads for match in matches.values()}
    share_bounds(needed, len(readings))
    found = []
    for query in queries:
        match = matches.get(query.collection.name)
        found.append(Best(query, *_best(match)) if match else Best(query, 0, []))
    suggestions = []
    if not any(best.total for best in found):
        suggestions = _suggestions([*matches.values()], search.q)
    return render_search(search, found, suggestions, grammar)


def _best(match: Matching) -> tuple[int, list[bytes]]:
    """The number of records that have all words, and the rows of the best."""
    match.read()
    matching, records = match.matching(), match.index.records
    ranked = rank_positions(match.words, match.as_written, matching, records)
    wanted = list(islice(ranked, MAX_BEST))
    rows = read_rows(wanted, row_sources(wanted, match, None), match.reading)
    return matching.bit_count(), rows


def _suggestions(matches: Sequence[Matching], q: str) -> list[str]:
    """The first suggestion of each collection, then the second of each, and so on."""
    found = [[one.q for one in suggest_queries(match, q)] for match in matches]
    texts = (text for row in zip_longest(*found) for text in row if text is not None)
    return [*dict.fromkeys(texts)][:_MOST]

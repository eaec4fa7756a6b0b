"""Records whose names are near to what somebody wrote, from the search index in a few bounded
reads.

Words of names are looked for where a slip of the pen would have put them: a letter left out, put
in, exchanged or in another place.  A small index is read whole; of a large one the shards of the
most likely slips.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator
from heapq import nsmallest

from generator.api.grammar import Collection, Query
from generator.api.listing import list_bytes
from generator.api.problems import QueryError
from generator.api.text import words
from generator.search.engine import Engine
from generator.search.format import WEIGHTS, Layout, entries, unpack
from generator.search.manifest import Unavailable
from generator.search.reading import Reading
from generator.search.rows import of_rows, rows_of

#: Shards that are read, words of a text, records that are read, which is less than a query may
#: read; words that are compared.
_SHARDS, _WORDS, _RECORDS = 24, 4, 20
_KNOWN = 100_000
#: How much alike two words are, by difflib; and how many like one word, and records that have one,
#: are looked at.
_ALIKE, _KEYS, _HAVING = 0.6, 12, 1000
_LETTERS = "eaiontrslcdumphgbykfwvxzjq"


def near(engine: Engine, collection: Collection, text: str) -> bytes | None:
    """A list document of a few records that have words in their names like those of a text, likely
    ones first; None where the index cannot be read.
    """
    asked = words(text)[:_WORDS]
    asked += ["".join(asked)] if len(asked) > 1 else []

    def answer(reading: Reading) -> bytes:
        rows = _rows(reading, asked)
        query = Query(collection)
        return list_bytes(query, rows, len(rows), _RECORDS, engine.grammar, reading.index.as_of)

    try:
        return engine.tried(collection, answer)
    except (Unavailable, QueryError):
        return None


def alike(word: str, known: Iterable[str], most: int, least: float) -> list[tuple[float, str]]:
    """The most alike of the known words, each after how much it is so; of equals the first in the
    alphabet.
    """
    matcher = difflib.SequenceMatcher()
    matcher.set_seq2(word)
    found = []
    for one in known:
        matcher.set_seq1(one)
        if (
            matcher.real_quick_ratio() >= least
            and matcher.quick_ratio() >= least
            and (ratio := matcher.ratio()) >= least
        ):
            found.append((ratio, one))
    return nsmallest(most, found, key=lambda pair: (-pair[0], pair[1]))


def _rows(reading: Reading, asked: list[str]) -> list[bytes]:
    """Raises what reading raises."""
    layout, records = reading.index.layout, reading.index.records
    numbers = range(layout.shards) if layout.shards <= _SHARDS else _likely(asked, layout)
    known: dict[str, list[int]] = {}
    for shard in reading.parts(("keys", n) for n in numbers).values():
        for raw, body in entries(shard):
            if raw[0] not in b"/*=" and len(known) < _KNOWN:
                named = [held for level, held in unpack(body).items() if level >= WEIGHTS]
                if named:
                    known[raw.decode(errors="replace")] = [p for held in named for p in held]
        reading.in_time()
    scores: dict[int, float] = {}
    for word in asked:
        for ratio, key in alike(word, known, _KEYS, _ALIKE):
            for position in known[key][:_HAVING]:
                if position < records:
                    scores[position] = scores.get(position, 0.0) + ratio
        reading.in_time()
    found = sorted(scores, key=lambda position: (-scores[position], position))[:_RECORDS]
    return rows_of(found, [of_rows(found, reading.index, n) for n in reading.index.rows], reading)


def _likely(asked: list[str], layout: Layout) -> list[int]:
    """The shards in which words lie that a slip makes these of, the likeliest slips first."""
    found: dict[int, None] = {}
    slips = [_slips(word) for word in asked]
    while slips and len(found) < _SHARDS:
        for word in list(slips):
            variant = next(word, None)
            if variant is None:
                slips.remove(word)
            elif len(found) < _SHARDS:
                found[layout.shard(layout.group(variant))] = None
    return list(found)


def _slips(word: str) -> Iterator[str]:
    """The words that somebody may have meant, as far as they may lie in another shard than the
    word.
    """
    yield word
    first = range(min(len(word), 5))
    yield from (
        word[:i] + word[i + 1] + word[i] + word[i + 2 :] for i in first if i + 1 < len(word)
    )
    yield from (word[:i] + word[i + 1 :] for i in first if len(word) > 1)
    for i in (2, 1, 3, 0):
        for letter in _LETTERS:
            yield word[:i] + letter + word[i:]
            yield word[:i] + letter + word[i + 1 :]

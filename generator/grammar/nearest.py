"""Known words near to an unknown word, for "did you mean".

search/js/source/nearest.mjs gives the same answers, so ranks are whole numbers.
"""

from __future__ import annotations

from collections.abc import Iterable
from heapq import nlargest
from itertools import islice
from operator import itemgetter

from generator.text.words import split_runs

#: The number of words in an answer.
MAX_NEAR = 10
#: The letters that are compared of a word, the known words that are looked at, and those of which
#: edits are counted.
_LETTERS, _KNOWN, _COUNTED = 60, 20_000, 400
#: Ranks of a known word: it equals the wanted word; begins with it; a later part of it begins with
#: the wanted word, or it does without hyphens; they differ by one edit (each further edit adds 1);
#: they share a part, which has three letters or more or is the whole known word.
_SAME, _BEGINS, _INSIDE, _EDITED, _SHARED, _FAR = 0, 1, 2, 3, 5, 99


def near_values_or_few(text: str, known: Iterable[tuple[str, str]]) -> tuple[str, ...]:
    """The values that `near_values` finds; if it finds none, the known values, at most MAX_NEAR."""
    labels = list(islice(known, _KNOWN))
    values = tuple(value for value, _ in labels)
    return near_values(text, labels) or (values if len(values) <= MAX_NEAR else ())


def near_values(text: str, known: Iterable[tuple[str, str]]) -> tuple[str, ...]:
    """At most MAX_NEAR of the known (value, label) whose value or label is near to `text`: the
    values, nearest first, in their given order if they are equally near.

    Edits are only counted of the words that have most pieces of the wanted word unchanged.
    """
    wanted = _plain(text)
    limit = (len(wanted) >= 3) + (len(wanted) >= 6) + (len(wanted) >= 10)
    pieces = _pieces(wanted, limit)
    ranks: dict[int, int] = {}
    values: list[str] = []
    similar: list[tuple[int, int, str]] = []
    for place, (value, label) in enumerate(islice(known, _KNOWN)):
        values.append(value)
        for word in dict.fromkeys((_plain(value), _plain(label))):
            rank = _rank(wanted, word)
            if rank < _FAR:
                ranks[place] = min(rank, ranks.get(place, rank))
            if rank > _EDITED and abs(len(wanted) - len(word)) <= limit:
                similar.append((sum(piece in word for piece in pieces), place, word))
    for _, place, word in nlargest(_COUNTED, similar, key=itemgetter(0)):
        edits = _distance(wanted, word, limit)
        if edits <= limit:
            ranks[place] = min(_EDITED + edits - 1, ranks.get(place, _FAR))
    nearest = sorted(ranks, key=lambda place: (ranks[place], place))
    return tuple(dict.fromkeys(values[place] for place in nearest))[:MAX_NEAR]


def _plain(text: str) -> str:
    return "-".join(split_runs(text))[:_LETTERS]


def _pieces(wanted: str, limit: int) -> list[str]:
    """The word in one piece more than there may be edits: most edits leave a piece unchanged."""
    size = max(1, -(-len(wanted) // (limit + 1)))
    return [wanted[start : start + size] for start in range(0, len(wanted), size)]


def _rank(wanted: str, known: str) -> int:
    """The rank without edits."""
    if not wanted or not known:
        return _FAR
    if wanted == known:
        return _SAME
    if len(wanted) > 1:
        if known.startswith(wanted):
            return _BEGINS
        if f"-{wanted}" in known or known.replace("-", "").startswith(wanted.replace("-", "")):
            return _INSIDE
    wanted_parts, known_parts = wanted.split("-"), known.split("-")
    if known in wanted_parts or any(len(p) > 2 and p in known_parts for p in wanted_parts):
        return _SHARED
    return _FAR


def _distance(wanted: str, known: str, limit: int) -> int:
    """The edits between two words: letters changed, removed, inserted or exchanged with the next
    letter; `limit` + 1 if there are more.
    """
    if abs(len(wanted) - len(known)) > limit:
        return limit + 1
    before, above = [0] * (len(known) + 1), list(range(len(known) + 1))
    for i, letter in enumerate(wanted, 1):
        row = [i]
        for j, other in enumerate(known, 1):
            cost = min(above[j] + 1, row[j - 1] + 1, above[j - 1] + (letter != other))
            if i > 1 and j > 1 and letter == known[j - 2] and wanted[i - 2] == other:
                cost = min(cost, before[j - 2] + 1)
            row.append(cost)
        if min(row) > limit:
            return limit + 1
        before, above = above, row
    return above[-1]

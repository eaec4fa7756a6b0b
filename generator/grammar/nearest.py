"""Known words near to an unknown word, for "did you mean".

search/js/source/nearest.mjs gives the same answers, so ranks are whole numbers.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice

from generator.grammar.text import split_runs

#: The number of words in an answer.
MAX_NEAR = 10
#: The letters that are compared of a word, and the known words that are compared.
_LETTERS, _KNOWN = 60, 20_000
#: Ranks of a known word: it equals the wanted word; begins with it; a later part of it begins with
#: the wanted word, or it does without hyphens; they differ by one edit (each further edit adds 1);
#: they share a part, which has three letters or more or is the whole known word.
_SAME, _BEGINS, _INSIDE, _EDITED, _SHARED, _FAR = 0, 1, 2, 3, 5, 99


def near_values_or_few(text: str, known: Iterable[tuple[str, str]]) -> tuple[str, ...]:
    """The values that `near_values` finds; if it finds none, the known values, at most MOST."""
    labels = list(islice(known, _KNOWN))
    values = tuple(value for value, _ in labels)
    return near_values(text, labels) or (values if len(values) <= MAX_NEAR else ())


def near_values(text: str, known: Iterable[tuple[str, str]]) -> tuple[str, ...]:
    """At most MOST of the known (value, label) whose value or label is near to `text`: the values,
    nearest first, in their given order if they are equally near.
    """
    wanted, ranked = _plain(text), []
    for place, (value, label) in enumerate(islice(known, _KNOWN)):
        rank = min(_rank(wanted, _plain(value)), _rank(wanted, _plain(label)))
        if rank < _FAR:
            ranked.append((rank, place, value))
    return tuple(dict.fromkeys(value for _, _, value in sorted(ranked)))[:MAX_NEAR]


def _plain(text: str) -> str:
    return "-".join(split_runs(text))[:_LETTERS]


def _rank(wanted: str, known: str) -> int:
    if not wanted or not known:
        return _FAR
    if wanted == known:
        return _SAME
    if len(wanted) > 1:
        if known.startswith(wanted):
            return _BEGINS
        if f"-{wanted}" in known or known.replace("-", "").startswith(wanted.replace("-", "")):
            return _INSIDE
    limit = (len(wanted) >= 3) + (len(wanted) >= 6) + (len(wanted) >= 10)
    edits = _distance(wanted, known, limit)
    if edits <= limit:
        return _EDITED + edits - 1
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

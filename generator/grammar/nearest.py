"""What somebody may have meant: of known words, those nearest to one that is not known.

search/js/source/nearest.mjs has the same answers, so only whole numbers are compared here.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice

from generator.grammar.text import runs

#: Words that are told; letters of a word that are compared, and words that are.
MOST = 10
_LETTERS, _KNOWN = 60, 20_000
#: How near a word is: the same, one that begins so, one with a word that begins so or that begins
#: so where its words are written together; with one letter
#: other, left out, put in or exchanged, and one more for each one more; one of the words, or with a
#: word of three letters or more that is one of them.
_SAME, _BEGINS, _INSIDE, _SLIP, _SHARED, _FAR = 0, 1, 2, 3, 5, 99


def nearest(text: str, known: Iterable[tuple[str, str]]) -> tuple[str, ...]:
    """What `near` says, or where none is near all of the known values if they are no more than
    MOST.
    """
    some = list(islice(known, _KNOWN))
    every = tuple(value for value, _ in some)
    return near(text, some) or (every if len(every) <= MOST else ())


def near(text: str, known: Iterable[tuple[str, str]]) -> tuple[str, ...]:
    """At most MOST of the known values, each given with its label, that are near in spelling or
    label, the nearest first, and of equally near ones in their order.
    """
    wanted, ranked = _plain(text), []
    for place, (value, label) in enumerate(islice(known, _KNOWN)):
        rank = min(_rank(wanted, _plain(value)), _rank(wanted, _plain(label)))
        if rank < _FAR:
            ranked.append((rank, place, value))
    return tuple(dict.fromkeys(value for _, _, value in sorted(ranked)))[:MOST]


def _plain(text: str) -> str:
    return "-".join(runs(text))[:_LETTERS]


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
    most = (len(wanted) >= 3) + (len(wanted) >= 6) + (len(wanted) >= 10)
    slips = _slips(wanted, known, most)
    if slips <= most:
        return _SLIP + slips - 1
    words = known.split("-")
    shared = [word for word in wanted.split("-") if word in words]
    if known in wanted.split("-") or any(len(word) > 2 for word in shared):
        return _SHARED
    return _FAR


def _slips(one: str, other: str, most: int) -> int:
    """How many letters have to be changed, left out, put in or exchanged with the next; more than
    `most` where it is more.
    """
    if abs(len(one) - len(other)) > most:
        return most + 1
    before, above = [0] * (len(other) + 1), list(range(len(other) + 1))
    for i, letter in enumerate(one, 1):
        row = [i]
        for j, known in enumerate(other, 1):
            cost = min(above[j] + 1, row[j - 1] + 1, above[j - 1] + (letter != known))
            if i > 1 and j > 1 and letter == other[j - 2] and one[i - 2] == known:
                cost = min(cost, before[j - 2] + 1)
            row.append(cost)
        if min(row) > most:
            return most + 1
        before, above = above, row
    return above[-1]

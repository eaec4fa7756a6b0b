"""Known words near to an unknown word, for "did you mean".

search/js/source/nearest.mjs gives the same answers, so ranks are whole numbers.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from heapq import nlargest
from itertools import islice, zip_longest
from operator import itemgetter
from typing import NamedTuple

from generator.text.words import split_runs

#: The number of words in an answer.
MAX_NEAR = 10
#: The letters that are compared of a word, the known words that are looked at, and those of which
#: edits are counted.
_LETTERS, _KNOWN, _COUNTED = 60, 20_000, 400
#: Ranks of a known word: it equals the wanted word; begins with it, or has it as initials; a later
#: part of it begins with the wanted word, or it does without hyphens; they differ by one edit (each
#: further edit adds 1); they share a part, which has three letters or more or is the whole known
#: word.  The value and name of a place in another match only from their beginning, and share only
#: a whole name of three letters or more: "york" is not near to "New York, United States".
_SAME, _BEGINS, _INSIDE, _EDITED, _SHARED, _FAR = 0, 1, 2, 3, 5, 99


class _Word(NamedTuple):
    """A known value or its name: its `place` among the known values, and whether it is of a place
    in another.
    """

    place: int
    text: str
    is_name: bool
    is_inner: bool


def near_values_or_few(text: str, known: Iterable[tuple[str, str]]) -> tuple[str, ...]:
    """The values that `near_values` finds; if it finds none, the known values, at most MAX_NEAR."""
    return near_values_of_each((text,), known)


def near_values(text: str, known: Iterable[tuple[str, str]]) -> tuple[str, ...]:
    """At most MAX_NEAR of the known (value, label) whose value or label is near to `text`: the
    values, nearest first, in their given order if they are equally near.

    The label of a place in another ends with a comma and the label of the other; only the name
    before it is compared.  Edits are only counted of the words that have most pieces of the wanted
    word unchanged.
    """
    pairs = list(islice(known, _KNOWN))
    return tuple(_near(text, pairs, _words(pairs))[:MAX_NEAR])


def near_values_of_each(texts: Iterable[str], known: Iterable[tuple[str, str]]) -> tuple[str, ...]:
    """At most MAX_NEAR values: the nearest of each text, then the next of each.  If none is near,
    the known values, at most MAX_NEAR.
    """
    pairs = list(islice(known, _KNOWN))
    words = _words(pairs)
    found = zip_longest(*(_near(text, pairs, words) for text in texts))
    near = dict.fromkeys(value for values in found for value in values if value is not None)
    if near:
        return tuple(near)[:MAX_NEAR]
    return tuple(value for value, _ in pairs) if len(pairs) <= MAX_NEAR else ()


def _words(pairs: Sequence[tuple[str, str]]) -> list[_Word]:
    """The words of known values; one if the value and its name are the same."""
    words = []
    labels = {label for _, label in pairs}
    for place, (value, label) in enumerate(pairs):
        name = _own_name(label, labels)
        plain_value, plain_name = _plain(value), _plain(name)
        is_inner = name != label
        if plain_value != plain_name:
            words.append(_Word(place, plain_value, False, is_inner))
        words.append(_Word(place, plain_name, True, is_inner))
    return words


def _near(text: str, pairs: Sequence[tuple[str, str]], words: Sequence[_Word]) -> list[str]:
    """All near values, without a limit."""
    wanted = _plain(text)
    limit = (len(wanted) >= 3) + (len(wanted) >= 6) + (len(wanted) >= 10)
    pieces = _pieces(wanted, limit)
    ranks: dict[int, int] = {}
    similar: list[tuple[int, int, str]] = []
    for place, word, is_name, is_inner in words:
        rank = _rank_of_inner(wanted, word, is_name) if is_inner else _rank(wanted, word)
        if is_name and wanted and wanted == _initials(word):
            rank = min(rank, _BEGINS)
        if rank < _FAR:
            ranks[place] = min(rank, ranks.get(place, rank))
        if rank > _EDITED and abs(len(wanted) - len(word)) <= limit:
            similar.append((sum(piece in word for piece in pieces), place, word))
    for _, place, word in nlargest(_COUNTED, similar, key=itemgetter(0)):
        edits = _distance(wanted, word, limit)
        if edits <= limit:
            ranks[place] = min(_EDITED + edits - 1, ranks.get(place, _FAR))
    nearest = sorted(ranks, key=lambda place: (ranks[place], place))
    return list(dict.fromkeys(pairs[place][0] for place in nearest))


def _own_name(label: str, labels: Collection[str]) -> str:
    """A label without ", " and another label at its end: "Nairobi" of "Nairobi, Kenya"."""
    end = label.find(", ")
    while end > 0:
        if label[end + 2 :] in labels:
            return label[:end]
        end = label.find(", ", end + 2)
    return label


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
    if (begun := _rank_of_beginning(wanted, known)) < _FAR:
        return begun
    if len(wanted) > 1 and f"-{wanted}" in known:
        return _INSIDE
    wanted_parts, known_parts = wanted.split("-"), known.split("-")
    if known in wanted_parts or any(len(p) > 2 and p in known_parts for p in wanted_parts):
        return _SHARED
    return _FAR


def _rank_of_beginning(wanted: str, known: str) -> int:
    """The rank of a known word that is or begins with the wanted one, also without hyphens."""
    if wanted == known:
        return _SAME
    if len(wanted) > 1:
        if known.startswith(wanted):
            return _BEGINS
        if known.replace("-", "").startswith(wanted.replace("-", "")):
            return _INSIDE
    return _FAR


def _rank_of_inner(wanted: str, known: str, is_name: bool) -> int:
    """The rank without edits of the value or the name of a place in another."""
    if not wanted or not known:
        return _FAR
    if (begun := _rank_of_beginning(wanted, known)) <= (_INSIDE if is_name else _BEGINS):
        return begun
    if is_name:
        return _SHARED if len(known) > 2 and f"-{known}-" in f"-{wanted}-" else _FAR
    return _SHARED if wanted.startswith(f"{known}-") else _FAR


def _initials(word: str) -> str:
    """The first letters of the parts of a word with several parts: "uk" of "united-kingdom"."""
    return "".join(part[:1] for part in word.split("-")) if "-" in word else ""


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

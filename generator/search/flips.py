"""The entry of a key of which a few ids are others: its lists are changed where they lie packed."""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from itertools import accumulate

from generator.search.format import (
    CODES,
    MORE,
    ids_of,
    list_head,
    lists_of,
    narrowest,
    numbers_of,
    packed_list,
    packed_numbers,
    parted,
)

#: Gaps that are passed over at once, where ids are looked for.
_MANY = 128
#: So many gaps of one byte that say that more follows are one that two bytes do not hold.
_WIDEST = bytes([MORE[1]]) * (MORE[2] // MORE[1])


def flipped(body: bytes, flips: Mapping[int, Iterable[int]]) -> bytes:
    """An entry with ids taken out of the lists that have them and put into those that do not;
    `flips` has them by level.
    """
    had = {level: (width, items) for level, width, items in lists_of(body)}
    lists = {
        level: list_head(level, width, len(items)) + items for level, (width, items) in had.items()
    }
    for level, ids in flips.items():
        width, items = had.get(level, (1, b""))
        now = _gaps(width, items, ids) if width else _bitmap(items, ids)
        if now is not None:
            lists[level] = list_head(level, width, len(now)) + now
            continue
        left = ids_of(width, items)
        for one in ids:
            place = bisect_left(left, one)
            if left[place : place + 1] == [one]:
                del left[place]
            else:
                left.insert(place, one)
        lists[level] = packed_list(level, left) if left else b""
    return b"".join(lists[level] for level in sorted(lists))


def _bitmap(items: bytes, ids: Iterable[int]) -> bytes | None:
    """A bitmap with these ids flipped; None where gaps may take less."""
    bits = int.from_bytes(items, "little")
    for one in ids:
        bits ^= 1 << one
    size = (bits.bit_length() + 7) // 8
    return bits.to_bytes(size, "little") if bits.bit_count() > size else None


def _gaps(width: int, items: bytes, ids: Iterable[int]) -> bytes | None:
    """Gaps with these ids flipped; None where the list is empty then or takes another form."""
    gaps, more = numbers_of(CODES[width], items), MORE.get(width, 1 << 32)
    runs = (gaps[start : start + _MANY] for start in range(0, len(gaps), _MANY))
    *begun, last = accumulate(map(sum, runs), initial=0)
    start = len(gaps)
    # The greatest first: what is before its gap stays where it is.
    for one in sorted(ids, reverse=True):
        run = max(0, min(bisect_left(begun, one) - 1, start // _MANY))
        start, end, before, at = _gap_to(one, gaps, more, run * _MANY, begun[run] if begun else 0)
        come = [one - before]
        if start == end:  # it is after all others
            last = one
        elif at > one:
            come.append(at - one)
        elif end == len(gaps):
            come, last = [], before
        else:
            _, end, _, after = _gap_to(one + 1, gaps, more, end, at)
            come = [after - before]
        gaps[start:end] = array(gaps.typecode, parted(come, max(come, default=0), more))
    now = packed_numbers(gaps.typecode, gaps)
    if width == 1:
        parts = now.count(more)
        widest = MORE[2] if _WIDEST in now else more if parts else 0
    else:
        parts, widest = gaps.count(more), max(gaps, default=0)
    same = gaps and narrowest(len(gaps) - parts, last, widest) == width
    return now if same else None


def _gap_to(
    one: int, gaps: Sequence[int], more: int, start: int, before: int
) -> tuple[int, int, int, int]:
    """The gap that leads to the first id that is not less than one: where it begins and ends, the
    id before it and that id; an empty one at the end where there is none.  Gaps are looked at from
    `start` on, those before come to `before`.
    """
    while start and gaps[start - 1] == more:
        start, before = start - 1, before - more
    at = before
    for end in range(start + 1, len(gaps) + 1):
        at += gaps[end - 1]
        if gaps[end - 1] != more:
            if at >= one:
                return start, end, before, at
            start, before = end, at
    return len(gaps), len(gaps), before, before

"""Which files the rows of an answer are taken from: files of rows, and the prepared pages of lists
that the query is about, whichever take fewer bytes.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from heapq import heapify, heappop, heappush
from typing import NamedTuple

from generator.contract.listing import BETWEEN, rows_in, total_pages
from generator.grammar.grammar import Slice
from generator.search.format import PAGE_BYTES, Damaged, filter_key, numbers_of, pages_key
from generator.search.manifest import ROWS
from generator.search.matching import Matching
from generator.search.reading import CHECK_BYTES, MAX_READS, Reading

#: What a read costs beside its bytes, in bytes of rows, which compress well.
_READ = 4096


class Source(NamedTuple):
    """Files that have the rows of a list, one after another, from `starts` on, up to `total`;
    `places` has the place in the list of each position that is wanted and in it.
    """

    starts: Sequence[int]
    total: int
    places: Mapping[int, int]
    path: Callable[[int], str]  # of a file, by number
    check: Callable[[int], int | None]  # likewise; None where a file has its own

    def file(self, place: int) -> int:
        """The number of the file that has a place."""
        return bisect_right(self.starts, place) - 1

    def size(self, number: int) -> int:
        """How many rows a file has."""
        end = self.starts[number + 1] if number + 1 < len(self.starts) else self.total
        return end - self.starts[number]


#: A source, by number, and a file of it.
File = tuple[int, int]


def cover(
    positions: Sequence[int], sources: Sequence[Source], row_bytes: int, most: int
) -> dict[int, File]:
    """For each position the file that its row is read from: of all files again and again the one
    that costs least for each row that it adds.

    Where that takes more than `most` files, one file takes the place of several, again and again
    the one with the fewest rows more for each file that it saves, as long as one saves any.
    """
    having: dict[File, list[int]] = {}
    files: dict[int, list[File]] = {position: [] for position in positions}
    for number, source in enumerate(sources):
        for position, of in files.items():
            if (place := source.places.get(position)) is not None:
                file = number, source.file(place)
                having.setdefault(file, []).append(position)
                of.append(file)
    costs = {file: _READ + sources[file[0]].size(file[1]) * row_bytes for file in having}
    found = _cheapest(files, having, costs)
    while len(set(found.values())) > most and (better := _saving(found, having, sources)):
        found |= better
    return found


def _cheapest(
    files: Mapping[int, Sequence[File]],
    having: Mapping[File, Sequence[int]],
    costs: Mapping[File, int],
) -> dict[int, File]:
    left = {file: len(held) for file, held in having.items()}
    heap = [(costs[file] / count, *file) for file, count in left.items()]
    heapify(heap)
    found: dict[int, File] = {}
    while len(found) < len(files):
        cost, number, n = heappop(heap)
        file = number, n
        if not left[file]:
            continue
        now = costs[file] / left[file]
        if now > cost:  # others have taken rows of it
            heappush(heap, (now, number, n))
            continue
        for position in having[file]:
            if position not in found:
                found[position] = file
                for other in files[position]:
                    left[other] -= 1
    return found


def _saving(
    found: Mapping[int, File], having: Mapping[File, Sequence[int]], sources: Sequence[Source]
) -> dict[int, File]:
    """What a file takes of others, all of it; the file that adds the fewest rows for each that it
    saves, and nothing where none saves any.
    """
    taken: dict[File, set[int]] = {}
    for position, file in found.items():
        taken.setdefault(file, set()).add(position)
    best, least = {}, float("inf")
    for file in sorted(having):
        held = set(having[file])
        others = {found[position] for position in held} - {file}
        replaced = [other for other in others if taken[other] <= held]
        is_new = file not in taken
        if (saved := len(replaced) - is_new) > 0:
            rows = sources[file[0]].size(file[1]) * is_new
            more = (rows - sum(sources[number].size(n) for number, n in replaced)) / saved
            if more < least:
                best, least = {p: file for other in replaced for p in taken[other]}, more
    return best


def sources(wanted: Sequence[int], match: Matching, sort: str | None) -> list[Source]:
    """Where the rows of these positions may be taken from: files of rows, and the prepared pages of
    each value that is asked for, and of a sort whose whole column was read.
    """
    index, collection = match.index, match.collection
    found = [of_rows(wanted, match, level) for level in range(len(index.rows))]
    for known, one in match.constraints:
        for value in one.values if known.prepared and one.how in ("any", "all") else ():
            held = match.of_value(known.name, value) or 0
            places = {p: _below(held, p) for p in wanted if held >> p & 1}
            part, key = Slice(collection, known.name, value), filter_key(known.name, value)
            found += _of_pages(part, places, held.bit_count(), match, pages_key(key))
    if sort:
        places = match.columns[sort.removeprefix("-")].ranks(wanted, sort[0] == "-")
        part = Slice(collection, sort=sort)
        found += _of_pages(part, places, index.records, match, pages_key(sort))
    return found


def _below(bits: int, position: int) -> int:
    """How many bits are set before a position."""
    return (bits & (1 << position) - 1).bit_count()


def of_rows(wanted: Sequence[int], match: Matching, level: int) -> Source:
    index, blocks, what = match.index, match.blocks, ROWS[level]
    return Source(
        blocks.begun(level + 1 if level else 0),
        index.records,
        {position: position for position in wanted},
        lambda n: index.path((what, n)) if level else index.small(blocks, n),
        lambda n: index.checks[what][n] if level else None,
    )


def _of_pages(
    part: Slice, places: Mapping[int, int], count: int, match: Matching, key: str
) -> list[Source]:
    """The pages of a list, where the index has their checks.  Raises Damaged."""
    size, body = match.index.size, match.body(key)
    if body is None or not places:
        return []
    if len(body) != PAGE_BYTES * total_pages(count, size):
        raise Damaged
    checks = numbers_of("I", body)
    starts = range(0, count, size)
    return [Source(starts, count, places, lambda n: part.path(n + 1), checks.__getitem__)]


def rows_of(wanted: Sequence[int], known: Sequence[Source], reading: Reading) -> list[bytes]:
    """The encoded summaries of these positions.  A prepared page that is another one is no fault:
    its rows are taken from the files of rows.

    Raises Damaged, and what reading raises.
    """
    lines: dict[File, list[bytes]] = {}
    source = _read(wanted, known, reading, lines)
    lost = [position for position in wanted if source[position] not in lines]
    if lost:
        source |= _read(lost, known[: len(reading.index.rows)], reading, lines)
    found = []
    for position in wanted:
        number, n = source[position]
        of = known[number]
        found.append(lines[number, n][of.places[position] - of.starts[n]])
    return found


def _read(
    wanted: Sequence[int], known: Sequence[Source], reading: Reading, lines: dict[File, list[bytes]]
) -> dict[int, File]:
    """Read the files that have these rows, and put the rows of each into `lines`."""
    row_bytes = reading.index.row_bytes
    found = cover(wanted, known, row_bytes, MAX_READS - reading.reads)
    files = {file: known[file[0]].path(file[1]) for file in found.values()}
    checks = {path: known[file[0]].check(file[1]) for file, path in files.items()}
    expected = sum(known[number].size(n) * row_bytes for number, n in files)
    read = reading.files(checks, expected)
    for file, path in files.items():
        if path not in read:
            continue
        source, data = known[file[0]], read[path]
        page = path.endswith(".json")
        lasting = data[:-CHECK_BYTES] if checks[path] is None else data
        rows = rows_in(data) if page else lasting.removesuffix(b"\n")
        between = BETWEEN if page else b"\n"
        held = source.size(file[1])
        if rows.count(b"\n") != held - 1 or rows.count(between) != held - 1:
            raise Damaged
        lines[file] = rows.split(between)
    return found

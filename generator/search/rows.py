"""Choose the files that the rows of an answer are read from: row files, and the prepared pages of
lists that the query is about, whichever take fewer bytes.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from heapq import heapify, heappop, heappush
from typing import NamedTuple

from generator.contract.listing import ROW_SEPARATOR, rows_in, total_pages
from generator.grammar.grammar import Slice
from generator.search.format import PAGE_BYTES, Damaged, filter_key, pages_key, unpack_numbers
from generator.search.manifest import ROWS
from generator.search.matching import Matching
from generator.search.reading import CHECK_BYTES, MAX_READS, Reading

#: The cost of a read besides its bytes, in bytes of rows, which compress well.
_READ = 8192


class ListFiles(NamedTuple):
    """Consecutive files with the `total` rows of a list; `starts` has the place in the list at
    which each file begins, and `places` the place of each wanted position that is in the list.
    """

    starts: Sequence[int]
    total: int
    places: Mapping[int, int]
    path: Callable[[int], str]  # the path of a file, by its number
    check: Callable[[int], int | None]  # its check; None if the file ends with its own

    def file(self, place: int) -> int:
        """The number of the file that has a place."""
        return bisect_right(self.starts, place) - 1

    def size(self, number: int) -> int:
        """The number of rows in a file."""
        end = self.starts[number + 1] if number + 1 < len(self.starts) else self.total
        return end - self.starts[number]


#: A file: the index of its source, and its number there.
File = tuple[int, int]


def choose_files(
    positions: Sequence[int], sources: Sequence[ListFiles], row_bytes: int, most: int
) -> dict[int, File]:
    """For each position the file to read its row from.

    Greedy: repeatedly the file that costs least for each row that it adds.  If that takes more than
    `most` files, one file replaces several, repeatedly the one with the fewest additional rows for
    each file that it saves, as long as any saves one.
    """
    file_positions: dict[File, list[int]] = {}
    files: dict[int, list[File]] = {position: [] for position in positions}
    for number, source in enumerate(sources):
        for position, files_of_position in files.items():
            if (place := source.places.get(position)) is not None:
                file = number, source.file(place)
                file_positions.setdefault(file, []).append(position)
                files_of_position.append(file)
    costs = {file: _READ + sources[file[0]].size(file[1]) * row_bytes for file in file_positions}
    chosen = _cheapest(files, file_positions, costs)
    while len(set(chosen.values())) > most and (
        replaced := _replacement(chosen, file_positions, sources)
    ):
        chosen |= replaced
    return chosen


def _cheapest(
    files: Mapping[int, Sequence[File]],
    file_positions: Mapping[File, Sequence[int]],
    costs: Mapping[File, int],
) -> dict[int, File]:
    left = {file: len(positions) for file, positions in file_positions.items()}
    heap = [(costs[file] / count, *file) for file, count in left.items()]
    heapify(heap)
    chosen: dict[int, File] = {}
    while len(chosen) < len(files):
        cost, *numbers = heappop(heap)
        file = numbers[0], numbers[1]
        if not left[file]:
            continue
        current_cost = costs[file] / left[file]
        if current_cost > cost:  # other files already give some of its rows
            heappush(heap, (current_cost, *file))
            continue
        for position in file_positions[file]:
            if position not in chosen:
                chosen[position] = file
                for other in files[position]:
                    left[other] -= 1
    return chosen


def _replacement(
    chosen: Mapping[int, File],
    file_positions: Mapping[File, Sequence[int]],
    sources: Sequence[ListFiles],
) -> dict[int, File]:
    """By position, the file that replaces several others with the fewest additional rows for each
    file that it saves; empty if no file saves any.
    """
    taken: dict[File, set[int]] = {}
    for position, file in chosen.items():
        taken.setdefault(file, set()).add(position)
    best, least = {}, float("inf")
    for file in sorted(file_positions):
        positions = set(file_positions[file])
        others = {chosen[position] for position in positions} - {file}
        replaced = [other for other in others if taken[other] <= positions]
        is_new = file not in taken
        if (saved := len(replaced) - is_new) > 0:
            rows = sources[file[0]].size(file[1]) * is_new
            more = (rows - sum(sources[number].size(n) for number, n in replaced)) / saved
            if more < least:
                best, least = {p: file for other in replaced for p in taken[other]}, more
    return best


def row_sources(wanted: Sequence[int], match: Matching, sort: str | None) -> list[ListFiles]:
    """The sources of these positions: row files, and the prepared pages of each value that the
    query asks for, and of a sort whose whole column was read.
    """
    index, collection = match.index, match.collection
    found = [row_file_source(wanted, match, level) for level in range(len(index.rows))]
    for known, constraint in match.constraints:
        if not known.prepared or constraint.operator not in ("any", "all"):
            continue
        for value in constraint.values:
            bits = match.with_value(known.name, value) or 0
            places = {p: (bits & (1 << p) - 1).bit_count() for p in wanted if bits >> p & 1}
            slice_, key = Slice(collection, known.name, value), filter_key(known.name, value)
            found += _page_sources(slice_, places, bits.bit_count(), match, pages_key(key))
    if sort:
        places = match.columns[sort.removeprefix("-")].ranks(wanted, sort[0] == "-")
        slice_ = Slice(collection, sort=sort)
        found += _page_sources(slice_, places, index.records, match, pages_key(sort))
    return found


def row_file_source(
    wanted: Sequence[int], match: Matching, level: int, kinds: Sequence[str] = ROWS
) -> ListFiles:
    """The row files of a level: 0 for small, 1 for large, 2 for larger ones.  `kinds` are other
    files with a line for each record.
    """
    index, kind = match.index, kinds[level]
    return ListFiles(
        index.blocks.starts_at_level(level + 1 if level else 0),
        index.records,
        {position: position for position in wanted},
        lambda n: index.path((kind, n)) if level else index.small(n),
        lambda n: index.checks[kind][n] if level else None,
    )


def _page_sources(
    slice_: Slice, places: Mapping[int, int], count: int, match: Matching, key: str
) -> list[ListFiles]:
    """The pages of a list of `count` records, if the index has their checks.  Raises Damaged."""
    size, body = match.index.size, match.body(key)
    if body is None or not places:
        return []
    if len(body) != PAGE_BYTES * total_pages(count, size):
        raise Damaged
    checks = unpack_numbers("I", body)
    starts = range(0, count, size)
    return [ListFiles(starts, count, places, lambda n: slice_.path(n + 1), checks.__getitem__)]


def read_rows(wanted: Sequence[int], known: Sequence[ListFiles], reading: Reading) -> list[bytes]:
    """The encoded summaries of these positions.  The rows of a prepared page that is missing or has
    changed are read from the row files instead.

    Raises Damaged, and as `Reading.files` does.
    """
    lines: dict[File, list[bytes]] = {}
    chosen = _read(wanted, known, reading, lines)
    lost = [position for position in wanted if chosen[position] not in lines]
    if lost:
        chosen |= _read(lost, known[: len(reading.index.rows)], reading, lines)
    rows = []
    for position in wanted:
        number, n = chosen[position]
        source = known[number]
        rows.append(lines[number, n][source.places[position] - source.starts[n]])
    return rows


def _read(
    wanted: Sequence[int],
    known: Sequence[ListFiles],
    reading: Reading,
    lines: dict[File, list[bytes]],
) -> dict[int, File]:
    """Read the files that have these rows into `lines`, and return the file of each position."""
    row_bytes = reading.index.row_bytes
    chosen = choose_files(wanted, known, row_bytes, MAX_READS - reading.reads)
    files = {file: known[file[0]].path(file[1]) for file in chosen.values()}
    checks = {path: known[file[0]].check(file[1]) for file, path in files.items()}
    expected = sum(known[number].size(n) * row_bytes for number, n in files)
    contents = reading.files(checks, expected)
    for file, path in files.items():
        if path not in contents:
            continue
        data = contents[path]
        if path.endswith(".json"):
            rows, between = rows_in(data), ROW_SEPARATOR
        else:
            content = data[:-CHECK_BYTES] if checks[path] is None else data
            rows, between = content.removesuffix(b"\n"), b"\n"
        breaks = known[file[0]].size(file[1]) - 1
        if rows.count(b"\n") != breaks or rows.count(between) != breaks:
            raise Damaged
        lines[file] = rows.split(between)
    return chosen

"""A column in which a few records are others, new or gone, made of what its files have."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Mapping, Sequence

from generator.search.changed import Changed
from generator.search.columns import CODES, Column, Spec, Values, order, read_part, width_of
from generator.search.index import values_in
from generator.search.manifest import Manifest, column, values_of

#: Records that are taken out and put in at most: for each all numbers behind it are moved.
MOST = 200


def spliced(
    spec: Spec,
    parts: Sequence[bytes],
    values: Values,
    records: int,
    out: Sequence[int],
    into: Mapping[int, Sequence[str]],
) -> Column | None:
    """The column of so many records without those at these ascending positions, and then with those
    that are put in, each by the position that it has in the end, with its values.

    None where it takes all records to say what the column is: where none had a value, or where one
    has several for the first time or for the last.  Raises Damaged.
    """
    if not values.texts or len(out) + len(into) > MOST:
        return None
    sizes, numbers = _whole(spec, parts, records)
    counts = dict(zip(values.texts, values.counts, strict=True))
    for position in reversed(out):
        start, end = _span(sizes, position)
        for number in numbers[start:end]:
            if number:
                counts[values.texts[number - 1]] -= 1
        del numbers[start:end], sizes[position : position + 1]
    for texts in into.values():
        for text in texts:
            counts[text] = counts.get(text, 0) + 1
    keys = {order(spec, text): text for text, count in counts.items() if count}
    left = [keys[key] for key in sorted(keys)]
    if len(left) != sum(map(bool, counts.values())):
        return None  # numbers that are told apart by more than their size here
    known = {text: number for number, text in enumerate(left, 1)}
    if left != values.texts:
        renumbered = [0, *(known.get(text, 0) for text in values.texts)]
        numbers = array(CODES[width_of(len(left))], map(renumbered.__getitem__, numbers))
    several = max(map(len, into.values()), default=0)
    if spec.counts and width_of(several) > spec.counts:
        sizes = array(CODES[width_of(several)], sizes)
    for position, texts in sorted(into.items()):
        start, _ = _span(sizes, position)
        held = sorted(known[text] for text in texts)
        if spec.counts:
            sizes.insert(position, len(held))
        elif len(held) > 1:
            return None
        numbers[start:start] = array(numbers.typecode, held if spec.counts else held or [0])
    if spec.counts and max(sizes, default=0) < 2:
        return None
    return Column(spec.type, left, [counts[text] for text in left], sizes, numbers)


def _whole(spec: Spec, parts: Sequence[bytes], records: int) -> tuple[array[int], array[int]]:
    """How many values each record has, nothing where none has several, and the numbers of all, as
    the parts of a column have them.  Raises Damaged.
    """
    sizes, numbers = array(CODES[spec.counts or 1]), array(CODES[spec.width])
    for number, data in enumerate(parts):
        here = read_part(spec, data, min(spec.chunk, records - number * spec.chunk))
        sizes.extend(here[0])
        numbers.extend(here[1])
    return sizes, numbers


def of_files(
    name: str, manifest: Manifest, read: Callable[[str], bytes], changed: Changed
) -> Column | None:
    """A column of an index by its files, with the records that are others; None likewise."""
    spec, table = manifest.columns[name], changed.table
    several = len(manifest.checks[column(name)])
    listed = read(manifest.path((values_of(name), 0)))
    positions = table.orders[table.collection.sorts[0]]
    return spliced(
        spec,
        [read(manifest.path((column(name), number))) for number in range(several)],
        Values.parse(listed, spec, manifest.records),
        manifest.records,
        changed.out,
        {
            place: values_in(table.collection, name, table.rows[positions[place]])
            for place in changed.into
        },
    )


def _span(sizes: array[int], position: int) -> tuple[int, int]:
    """Where the numbers of a record begin and end."""
    if not sizes:
        return position, position + 1
    start = sum(sizes[:position])
    return start, start + (sizes[position] if position < len(sizes) else 0)

"""Data as the build log keeps it: JSON and byte strings, in a form that is checked before anything
is made of it.

Whoever can write into the folder of a log can write anything there, with right checksums: a log may
have come with a clone.  So nothing in it is believed: what has another form than it should is a
damaged log.
"""

from __future__ import annotations

import sys
from array import array
from collections.abc import Mapping, Sequence
from itertools import accumulate
from typing import Any, TypeVar

import orjson

from generator.build.inventory import INPUT, Folder


class LogDamaged(Exception):
    """A part of the log is not what was written."""


#: What a part may have, and the JSON in it: more than a registry of some hundred thousand records
#: makes.
MAX_BYTES, MAX_JSON = 1 << 27, 1 << 24
#: The shape of a text that is shown to people as it is, or of None.
SHOWN: Any = object()


Bytes = TypeVar("Bytes", bytes, memoryview)


def pieces(value: Any, blobs: Sequence[bytes | memoryview] = ()) -> list[bytes | memoryview]:
    """JSON, and byte strings after it, with their lengths before all."""
    head = orjson.dumps(value)
    return [array("Q", [len(blobs), len(head), *map(len, blobs)]).tobytes(), head, *blobs]


def joined(value: Any, blobs: Sequence[bytes | memoryview] = ()) -> bytes:
    """The same in one."""
    return b"".join(pieces(value, blobs))


def parted(raw: Bytes, shape: Any) -> tuple[Any, list[Bytes]]:
    """What `pieces` are of, in slices of these bytes.  Raises LogDamaged where it has another
    shape.
    """
    end = 16 + 8 * int.from_bytes(raw[:8], sys.byteorder)
    _expect(16 <= end <= len(raw))
    sizes = memoryview(raw)[8:end].cast("Q").tolist()
    _expect(end + sum(sizes) == len(raw))
    ends = list(accumulate(sizes, initial=end))
    cut: Any = raw.__getitem__
    value, *blobs = map(cut, map(slice, ends, ends[1:]))
    return read_json(value, shape), blobs


def read_json(raw: bytes | memoryview, shape: Any) -> Any:
    """A value of that shape.  Raises LogDamaged."""
    _expect(len(raw) <= MAX_JSON)
    try:
        return shaped(orjson.loads(raw), shape)
    except (ValueError, RecursionError):
        raise LogDamaged from None


def shaped(value: Any, shape: Any) -> Any:
    """A value of JSON in the form that a shape asks for, with tuples where that has them.  Raises
    LogDamaged.

    A shape is a type or a union of types, where `int` is a number that is not negative; SHOWN;
    [shape], a list; (shape, ...) or (shape, shape), a tuple; {str: shape}, a mapping; {"name":
    shape}, one of just these keys.
    """
    if isinstance(shape, tuple):
        _expect(type(value) is list)
        if len(shape) == 2 and shape[1] is ...:
            return tuple([shaped(item, shape[0]) for item in value])
        _expect(len(value) == len(shape))
        return tuple(map(shaped, value, shape))
    if isinstance(shape, list):
        _expect(type(value) is list)
        return [shaped(item, shape[0]) for item in value]
    if isinstance(shape, dict):
        _expect(type(value) is dict)
        if str in shape:
            return {key: shaped(item, shape[str]) for key, item in value.items()}
        _expect(value.keys() == shape.keys())
        return {key: shaped(item, shape[key]) for key, item in value.items()}
    if shape is SHOWN:
        _expect(value is None or (type(value) is str and value.isprintable()))
    else:
        _expect(type(value) is shape if isinstance(shape, type) else isinstance(value, shape))
        _expect(type(value) is not int or value >= 0)
    return value


def _expect(fine: bool) -> None:
    if not fine:
        raise LogDamaged


def _astray(names: bytes) -> bool:
    """Whether one of names that are joined by NUL is empty or leads elsewhere."""
    held = b"\0%b\0" % names
    if b"\0\0" in held:
        return True
    return b"\0." in held and (b"\0.\0" in held or b"\0..\0" in held)


def _bare(names: bytes) -> bytes:
    """Names that are joined by NUL, without two slashes after each."""
    bare = names.replace(b"/\0", b"\0").replace(b"/\0", b"\0")
    return bare.removesuffix(b"/").removesuffix(b"/")


def inventory_pieces(inventory: Mapping[str, Folder]) -> list[bytes | memoryview]:
    folders = sorted(inventory)  # the top, whose path is empty, comes first
    packed = [blob for folder in folders for blob in inventory[folder]]
    return pieces(len(folders), ["\0".join(folders).encode("utf-8", "surrogateescape"), *packed])


def parted_inventory(raw: bytes, width: int) -> dict[str, Folder]:
    """What `inventory_pieces` are of.  Raises LogDamaged where a path leads elsewhere, or numbers
    are missing.
    """
    count, blobs = parted(raw, int)
    _expect(len(blobs) == 1 + 3 * count)
    folders, names, stats, digests = blobs[0], blobs[1::3], blobs[2::3], blobs[3::3]
    files = [held.count(b"\0") + 1 if held else 0 for held in names]
    _expect([len(held) for held in stats] == [8 * width * number for number in files])
    _expect(all(len(held) in (0, 20 * number) for held, number in zip(digests, files, strict=True)))
    # Folders of inputs have slashes after their names.
    bare = [_bare(held) if width == INPUT and b"/" in held else held for held in names]
    every = b"\0".join(filter(None, bare))
    _expect(b"/" not in every and (not every or not _astray(every)))
    parts = folders.removeprefix(b"\0").replace(b"/", b"\0")
    _expect(not _astray(parts) if folders else count <= 1)
    paths = folders.decode("utf-8", "surrogateescape").split("\0") if count else []
    _expect(len(paths) == len(set(paths)) == count)
    return dict(zip(paths, map(Folder, names, stats, digests), strict=True))

"""The manifest of what is published: the size and the SHA-256 of every file, reached from one small
root.

    root.json         version, expiry, the hash of the snapshot and of build.json, signatures
    snapshot.json     the hash of each bin; or, where there are very many, of each part of it
    snapshot/<n>.json a part: the hashes of some bins, one after another
    bins/<n>.json     [path, size, SHA-256] of each file whose path's SHA-256 begins with the bits
                      of n

So who trusts a root can check any file by reading three small ones, and who has an older copy sees
which bins are others.  The model is The Update Framework (specification 1.0: timestamp and snapshot
roles, sections 4.5 and 4.4; succinct hashed bins, TAP 15).  Everything but the root is a pure
function of the files: how many bins there are depends on their number alone.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from typing import Any, NamedTuple

import orjson

from generator.contract.artifact import document, encode
from generator.grammar.limits import MAX_KEYS
from generator.grammar.paths import (
    BUILD,
    CODINGS,
    MANIFEST_ROOT,
    MANIFEST_SNAPSHOT,
    NOT_FOUND,
    PRIVATE,
    manifest_bin,
    manifest_part,
)

#: Files that a bin has at most on average: many where hosts count files, the manifest's too, and
#: few where a change of many files is to change few bytes.
MAX_MEAN, MAX_MEAN_OF_MANY, MANY = 256, 64, 100_000
#: Bits of bins whose hashes one file holds.
MAX_FLAT_BITS = 10
#: Bits of a bin's number; they are enough for 64 million files.
MAX_BITS = 20
#: Bins whose files are read, fetched or sent together.
_TOGETHER = 64
#: Bytes of a file of the manifest: several times what one has.
MAX_NODE = 1 << 20
_SIGNED = b"registry-generator manifest root 1\n"
_FOLDER = MANIFEST_ROOT.rpartition("/")[0] + "/"
_ENDINGS = tuple(CODINGS.values())
_is_digest = re.compile(r"[0-9a-f]{64}").fullmatch
_is_instant = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z").fullmatch
_is_path = re.compile(r"(?=.{2,1024}\Z)(?:/(?!\.\.?(?:/|\Z))[^/\\]+)+").fullmatch


class Entry(NamedTuple):
    """A published file: its path without the base URL's, its bytes, and their SHA-256."""

    path: str
    size: int
    sha256: str


class Malformed(ValueError):
    """Bytes that are no file of a manifest; the text says why."""


def lists(path: str) -> bool:
    """Whether the manifest has a file: all that are published at an address of their own, but the
    manifest itself and build.json, which the root has.
    """
    return not (
        path.startswith(_FOLDER)
        or path.endswith(_ENDINGS)
        or (path[1:2] in "._" and path.split("/", 2)[1] in PRIVATE)
        or path in (BUILD, NOT_FOUND)
    )


def bits_of(files: int) -> int:
    """The bits of a bin's number, for so many files: as few as keep bins small on average."""
    mean = MAX_MEAN_OF_MANY if files > MANY else MAX_MEAN
    return min((max(files - 1, 0) // mean).bit_length(), MAX_BITS)


def bin_of(path: str, bits: int) -> int:
    """The number of the bin that has a path."""
    return int.from_bytes(sha256(path.encode()).digest()[:4], "big") >> (32 - bits)


class Layout(NamedTuple):
    """How the hashes of 2^`bits` bins lie: in one file, or each in one of 2^`upper` parts."""

    bits: int
    upper: int

    @classmethod
    def of(cls, bits: int) -> Layout:
        return cls(bits, bits // 2 if bits > MAX_FLAT_BITS else 0)

    @property
    def parts(self) -> int:
        """How many parts there are; 0 where the snapshot has none."""
        return 1 << self.upper if self.upper else 0

    @property
    def each(self) -> int:
        """The hashes in one part, or in the snapshot that has none."""
        return 1 << (self.bits - self.upper)

    def batches(self) -> Iterator[range]:
        """The numbers of all bins, so many at a time as are worked on together."""
        count = 1 << self.bits
        for first in range(0, count, _TOGETHER):
            yield range(first, min(first + _TOGETHER, count))

    def holder(self, number: int) -> str:
        """The path of the file that has the hash of a bin."""
        return manifest_part(number // self.each) if self.upper else MANIFEST_SNAPSHOT

    def holders(self) -> dict[str, int]:
        """The files that have hashes of bins, each with the number of its first bin."""
        if not self.upper:
            return {MANIFEST_SNAPSHOT: 0}
        return {manifest_part(part): part * self.each for part in range(self.parts)}


#: What a public key begins with; its 32 bytes in base64 follow.
KEY = "ed25519:"
_is_key = re.compile(KEY + r"[A-Za-z0-9+/]{43}=").fullmatch


def is_key(text: str) -> bool:
    """Whether this is written as a public key."""
    return _is_key(text) is not None


def hand_over_of(old: str, new: str) -> bytes:
    """The bytes that a key signs to hand over to another one."""
    return f"registry-generator hand-over 1\n{old}\n{new}\n".encode()


def digest(data: bytes) -> str:
    return sha256(data).hexdigest()


# --- what is written ---

Url = Callable[[str], str]


def bin_file(number: int, entries: Iterable[Any], url: Url) -> bytes:
    """The bin of this number; each of the entries is a path, a size and a SHA-256."""
    data = [list(entry) for entry in sorted(entries)]
    path = manifest_bin(number)
    return encode(document("manifest_bin", links={"self": url(path)}, number=number, data=data))


def hashes_file(path: str, first: int, hashes: Sequence[str], url: Url) -> bytes:
    """The snapshot, or a part of it; `first` is the number of the first bin or part."""
    return encode(
        document("manifest_snapshot", links={"self": url(path)}, first=first, data=hashes)
    )


def root_file(said: Mapping[str, Any], signatures: Sequence[Mapping[str, str]]) -> bytes:
    """The root; `signatures` are of `signed(said)`."""
    return b'%b,"signatures":%b}\n' % (_body(said)[:-1], orjson.dumps(signatures))


def signed(said: Mapping[str, Any]) -> bytes:
    """The bytes that are signed: a name, so that a signature of something else is none of a root,
    and the root without its signatures.
    """
    return _SIGNED + _body(said)


def _body(said: Mapping[str, Any]) -> bytes:
    return orjson.dumps(document("manifest_root", **said))


# --- what is read, which anyone may have written ---


class Root(NamedTuple):
    """What a root says.  `body` is what its signatures are of, `snapshot` and `build` are of those
    files, `handovers` has (old key, new key, signature), `signatures` (key, signature).
    """

    body: bytes
    version: int
    issued: str
    expires: str
    files: int
    bytes: int
    layout: Layout
    snapshot: Entry
    build: Entry
    handovers: list[tuple[str, str, str]]
    signatures: list[tuple[str, str]]


def read_root(raw: bytes) -> Root:
    """The root; nothing is said of whether it can be trusted.  Raises Malformed."""
    body, mark, tail = raw.rstrip(b"\n").rpartition(b',"signatures":')
    body += b"}"
    try:
        # What is read is just what is signed: a key that came again after it would count else.
        said = orjson.loads(body) if mark and len(raw) <= MAX_NODE else None
        signatures = orjson.loads(b'{"signatures":' + tail) if mark else None
    except ValueError:
        said = signatures = None
    match said, signatures:
        case {
            "kind": "manifest_root",
            "version": version,
            "issued_at": str(issued),
            "expires_at": str(expires),
            "files": files,
            "bytes": size,
            "bits": bits,
            "snapshot": {"size": first, "sha256": str(snapshot)},
            "build": {"size": second, "sha256": str(build)},
            "handovers": list(handovers),
        }, {"signatures": list(told)} if (
            all(map(_is_size, (version, files, size, bits, first, second)))
            and _is_digest(snapshot)
            and _is_digest(build)
            and _is_instant(issued)
            and _is_instant(expires)
            and bits <= min(MAX_BITS, files.bit_length())
            and max(len(handovers), len(told)) <= MAX_KEYS
        ):
            return Root(
                _SIGNED + body,
                version,
                issued,
                expires,
                files,
                size,
                Layout.of(bits),
                Entry(MANIFEST_SNAPSHOT, first, snapshot),
                Entry(BUILD, second, build),
                [_texts(one, "old", "new", "signature") for one in handovers],  # type: ignore[misc]
                [_texts(one, "key", "signature") for one in told],  # type: ignore[misc]
            )
    raise Malformed("it is no root of a manifest that this program knows")


def _texts(said: Any, *keys: str) -> tuple[str, ...]:
    texts = tuple(said.get(key) for key in keys) if isinstance(said, dict) else (None,)
    if not all(isinstance(text, str) and len(text) <= 200 for text in texts):
        raise Malformed("a key or a signature is none")
    return texts  # type: ignore[return-value]  # they were just looked at


def read_bin(raw: bytes, number: int, bits: int) -> dict[str, Entry]:
    """The entries of a bin by path.  Raises Malformed."""
    entries = {}
    for one in _rows(raw, "manifest_bin", "number", number):
        match one:
            case [str(path), size, str(check)] if (
                _is_size(size)
                and _is_digest(check)
                and _is_path(path)
                and path.isprintable()
                and lists(path)
                and bin_of(path, bits) == number
            ):
                entries[path] = Entry(path, size, check)
            case _:
                raise Malformed("an entry is none of this bin")
    return entries


def read_hashes(raw: bytes, first: int, count: int) -> list[str]:
    """The hashes of a snapshot, or of a part of it.  Raises Malformed."""
    hashes = _rows(raw, "manifest_snapshot", "first", first)
    if len(hashes) != count or not all(isinstance(h, str) and _is_digest(h) for h in hashes):
        raise Malformed("it has not the hashes that it should have")
    return hashes


def _is_size(value: Any) -> bool:
    """Whether this is a number that JSON holds exactly everywhere (RFC 8259 section 6)."""
    return type(value) is int and 0 <= value < 1 << 53


def _rows(raw: bytes, kind: str, key: str, number: int) -> list[Any]:
    try:
        said = orjson.loads(raw) if len(raw) <= MAX_NODE else None
    except ValueError:
        said = None
    if not isinstance(said, Mapping) or (said.get("kind"), said.get(key)) != (kind, number):
        raise Malformed("it is another document")
    rows = said.get("data")
    if not isinstance(rows, list):
        raise Malformed("it has no data")
    return rows

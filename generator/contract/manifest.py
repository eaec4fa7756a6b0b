"""The manifest: the size and the SHA-256 of every published file, reached from one small root.

    root.json         version, expiry, the hash of the snapshot and of build.json, signatures
    snapshot.json     the hash of each bin, or of each part if there are very many bins
    snapshot/<n>.json a part: the hashes of some consecutive bins
    bins/<n>.json     [path, size, SHA-256] of each file whose path has a SHA-256 that begins with
                      the bits of n

With a trusted root, a client can check any file by reading at most three small files, and an older
copy can be compared bin by bin.  The model is The Update Framework (specification 1.0: timestamp
and snapshot roles, sections 4.5 and 4.4; succinct hashed bins, TAP 15).  Except for the root, the
manifest is a pure function of the files; the number of bins depends on the number of files.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from typing import Any, NamedTuple

import orjson

from generator.contract.artifact import document, encode_json
from generator.grammar import paths
from generator.grammar.limits import MAX_KEYS

#: The most files in a bin on average.  Outputs of MANY_FILES have small bins, which change by fewer
#: bytes; others have large bins, because some hosts limit the number of files.
MAX_MEAN, MAX_MEAN_OF_MANY, MANY_FILES = 256, 64, 100_000
#: The snapshot has no parts up to this number of bits.
MAX_FLAT_BITS = 10
#: The most bits of a bin's number, enough for 64 million files.
MAX_BITS = 20
#: The number of bins that are read, fetched or sent together.
_BATCH = 64
#: The most bytes of a file of the manifest, several times the real size.
MAX_FILE_SIZE = 1 << 20
_SIGNED = b"registry-generator manifest root 1\n"
_FOLDER = paths.MANIFEST_ROOT.rpartition("/")[0] + "/"
_ENDINGS = tuple(paths.CODINGS.values())
_is_digest = re.compile(r"[0-9a-f]{64}").fullmatch
_is_instant = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z").fullmatch
_is_path = re.compile(r"(?=.{2,1024}\Z)(?:/(?!\.\.?(?:/|\Z))[^/\\]+)+").fullmatch


class ManifestEntry(NamedTuple):
    """A published file: its path without the prefix, its bytes, and their SHA-256."""

    path: str
    size: int
    sha256: str


class Malformed(ValueError):
    """Bytes that are not a valid file of a manifest; the text says why."""


def is_listed(path: str) -> bool:
    """Whether a bin lists a file.  Not listed are the manifest itself, build.json (its hash is in
    the root), compressed files, and files that are not served at an address of their own.
    """
    return not (
        path.startswith(_FOLDER)
        or path.endswith(_ENDINGS)
        or (path[1:2] in "._" and path.split("/", 2)[1] in paths.PRIVATE)
        or path in (paths.BUILD, paths.NOT_FOUND)
    )


def bits_for_files(files: int) -> int:
    """The bits of a bin's number for this number of files: as few as the mean size allows."""
    mean = MAX_MEAN_OF_MANY if files > MANY_FILES else MAX_MEAN
    return min((max(files - 1, 0) // mean).bit_length(), MAX_BITS)


def bin_number(path: str, bits: int) -> int:
    """The number of the bin with a path."""
    return int.from_bytes(sha256(path.encode()).digest()[:4], "big") >> (32 - bits)


class BinLayout(NamedTuple):
    """The files with the hashes of 2^`bits` bins: the snapshot, or 2^`part_bits` parts."""

    bits: int
    part_bits: int

    @classmethod
    def from_bits(cls, bits: int) -> BinLayout:
        return cls(bits, bits // 2 if bits > MAX_FLAT_BITS else 0)

    @property
    def part_count(self) -> int:
        """The number of parts; 0 if the snapshot has no parts."""
        return 1 << self.part_bits if self.part_bits else 0

    @property
    def hashes_per_part(self) -> int:
        """The number of hashes in one part, or in a snapshot without parts."""
        return 1 << (self.bits - self.part_bits)

    def batches(self) -> Iterator[range]:
        """The numbers of all bins, in batches that are processed together."""
        count = 1 << self.bits
        for first in range(0, count, _BATCH):
            yield range(first, min(first + _BATCH, count))

    def hash_files(self) -> list[str]:
        """The files with the hashes of bins: each has those of the next `hashes_per_part` bins."""
        return [paths.manifest_part(part) for part in range(self.part_count)] or [
            paths.MANIFEST_SNAPSHOT
        ]


#: The prefix of a public key; its 32 bytes in base64 follow.
KEY_PREFIX = "ed25519:"
is_key = re.compile(KEY_PREFIX + r"[A-Za-z0-9+/]{43}=").fullmatch


def hand_over_bytes(old: str, new: str) -> bytes:
    """The bytes that the key `old` signs to be replaced by the key `new`."""
    return f"registry-generator hand-over 1\n{old}\n{new}\n".encode()


def sha256_hex(data: bytes) -> str:
    return sha256(data).hexdigest()


# --- writing ---

Url = Callable[[str], str]


def render_bin(number: int, entries: Iterable[Any], url: Url) -> bytes:
    """The bin with this number; an entry is (path, size, SHA-256)."""
    data = [list(entry) for entry in sorted(entries)]
    path = paths.manifest_bin(number)
    return encode_json(
        document("manifest_bin", links={"self": url(path)}, number=number, data=data)
    )


def render_snapshot(path: str, first: int, hashes: Sequence[str], url: Url) -> bytes:
    """The snapshot, or a part of it; `first` is the number of the first bin or part."""
    links = {"self": url(path)}
    return encode_json(document("manifest_snapshot", links=links, first=first, data=hashes))


def render_root(fields: Mapping[str, Any], signatures: Sequence[Mapping[str, str]]) -> bytes:
    """The root with the signatures of `signed(fields)`."""
    return b'%b,"signatures":%b}\n' % (_body(fields)[:-1], orjson.dumps(signatures))


def signed_bytes(fields: Mapping[str, Any]) -> bytes:
    """The bytes to sign: a constant, which distinguishes a root from other signed data, and the
    root without signatures.
    """
    return _SIGNED + _body(fields)


def _body(fields: Mapping[str, Any]) -> bytes:
    return orjson.dumps(document("manifest_root", **fields))


# --- reading untrusted bytes ---


class KeyHandOver(NamedTuple):
    """An old key that a new key replaces, and the signature of the old key."""

    old: str
    new: str
    signature: str


class KeySignature(NamedTuple):
    """A key and its signature of a root."""

    key: str
    signature: str


class Root(NamedTuple):
    """The content of a root.  `body` is the signed bytes; `snapshot` and `build` are the entries of
    these files.
    """

    body: bytes
    version: int
    issued: str
    expires: str
    files: int
    bytes: int
    layout: BinLayout
    snapshot: ManifestEntry
    build: ManifestEntry
    handovers: list[KeyHandOver]
    signatures: list[KeySignature]


def read_root(raw: bytes) -> Root:
    """The root; its signatures are not verified.  Raises Malformed."""
    body, separator, tail = raw.rstrip(b"\n").rpartition(b',"signatures":')
    body += b"}"
    try:
        # The signed bytes are parsed alone: a repeated key after them would replace their values.
        fields = orjson.loads(body) if separator and len(raw) <= MAX_FILE_SIZE else None
        rest = orjson.loads(tail[:-1]) if separator and tail.endswith(b"]}") else None
    except ValueError:
        fields = rest = None
    match fields, rest:
        case {
            "kind": "manifest_root",
            "version": version,
            "issued_at": str(issued),
            "expires_at": str(expires),
            "files": files,
            "bytes": size,
            "bits": bits,
            "snapshot": {"size": snapshot_size, "sha256": str(snapshot)},
            "build": {"size": build_size, "sha256": str(build)},
            "handovers": list(handovers),
            **others,
        }, list(signatures) if (
            "signatures" not in others
            and all(map(_is_size, (version, files, size, bits, snapshot_size, build_size)))
            and _is_digest(snapshot)
            and _is_digest(build)
            and _is_instant(issued)
            and _is_instant(expires)
            and bits <= min(MAX_BITS, files.bit_length())
            and max(len(handovers), len(signatures)) <= MAX_KEYS
        ):
            return Root(
                _SIGNED + body,
                version,
                issued,
                expires,
                files,
                size,
                BinLayout.from_bits(bits),
                ManifestEntry(paths.MANIFEST_SNAPSHOT, snapshot_size, snapshot),
                ManifestEntry(paths.BUILD, build_size, build),
                [KeyHandOver(*_texts(h, *KeyHandOver._fields)) for h in handovers],
                [KeySignature(*_texts(s, *KeySignature._fields)) for s in signatures],
            )
    raise Malformed("it is no root of a manifest that this program knows")


def _texts(value: Any, *keys: str) -> tuple[str, ...]:
    texts = tuple(value.get(key) for key in keys) if isinstance(value, dict) else (None,)
    if not all(isinstance(text, str) and len(text) <= 200 for text in texts):
        raise Malformed("a key or a signature is none")
    return texts  # type: ignore[return-value]  # checked above


def read_bin(raw: bytes, number: int, bits: int) -> dict[str, ManifestEntry]:
    """The entries of a bin by path.  Raises Malformed."""
    entries = {}
    for row in _rows(raw, "manifest_bin", "number", number):
        match row:
            case [str(path), size, str(file_digest)] if (
                _is_size(size)
                and _is_digest(file_digest)
                and _is_path(path)
                and path.isprintable()
                and is_listed(path)
                and bin_number(path, bits) == number
            ):
                entries[path] = ManifestEntry(path, size, file_digest)
            case _:
                raise Malformed("an entry is none of this bin")
    return entries


def read_hashes(raw: bytes, first: int, count: int) -> list[str]:
    """The hashes of a snapshot, or of a part of it.  Raises Malformed."""
    hashes = _rows(raw, "manifest_snapshot", "first", first)
    if len(hashes) != count or not all(isinstance(h, str) and _is_digest(h) for h in hashes):
        raise Malformed("its hashes are missing or wrong")
    return hashes


def _is_size(value: Any) -> bool:
    """Whether this is a whole number that all JSON parsers keep exact (RFC 8259 section 6)."""
    return type(value) is int and 0 <= value < 1 << 53


def _rows(raw: bytes, kind: str, key: str, number: int) -> list[Any]:
    """`data` of a document of this kind with this number under `key`.  Raises Malformed."""
    try:
        content = orjson.loads(raw) if len(raw) <= MAX_FILE_SIZE else None
    except ValueError:
        content = None
    if not isinstance(content, dict) or (content.get("kind"), content.get(key)) != (kind, number):
        raise Malformed("it is a different document")
    rows = content.get("data")
    if not isinstance(rows, list):
        raise Malformed("it has no data")
    return rows

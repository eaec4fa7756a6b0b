"""The manifest of an output, made when all other files are: of every file by a build of everything,
of the bins that have a file which was written or removed by a build of what changed.

Digests come with what was written (see generator.build.write); those of all other files are in the
bins that lie there.
"""

from __future__ import annotations

import contextlib
from array import array
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple

import orjson

from generator.api import manifest
from generator.api.artifact import Artifact, utc
from generator.api.grammar import Grammar
from generator.api.manifest import Layout, Url
from generator.api.paths import (
    BUILD,
    CHANGES,
    MANIFEST_ROOT,
    MANIFEST_SNAPSHOT,
    REMOVED,
    manifest_bin,
)
from generator.build.executors import WORTH_FORKING, Executor
from generator.build.executors.here import Here
from generator.build.files import Files
from generator.build.plain import LogDamaged
from generator.build.provenance import Moment
from generator.build.report import Cause, Follows, Values
from generator.build.write import Written
from generator.disk.beside import OutputError
from generator.reader.signing import Signer, SigningError, is_signed
from generator.records.signing import Signing

#: What the files are counted as.
SURFACE = "manifest"
_CHUNK = 64
#: Entries that are held at once.
_MOST = 1 << 18
#: An entry as JSON has it: path, size and SHA-256.
_Row = list[Any]
#: A version is the time of issue in seconds; one that is far from any time is not counted on from.
_MAX_VERSION = 1 << 40


class Seal(NamedTuple):
    """For how many days a root holds, the registry's public keys, which of them took the place of
    which, and what signs it, if anything does.
    """

    days: int
    keys: Sequence[str]
    handovers: Sequence[tuple[str, str, str]]
    signer: Signer | None

    @classmethod
    def of(cls, settings: Signing, key: str | None) -> Seal:
        """By what registry.yaml says and the text of a private key.  Raises OutputError where these
        do not go together.
        """
        handovers = [(one.old, one.new, one.signature) for one in settings.handovers or ()]
        signer, keys = None, settings.keys or []
        if key is not None:
            try:
                signer = Signer(key)
                for number, (old, new, signature) in enumerate(handovers):
                    if not is_signed(old, manifest.hand_over_of(old, new), signature):
                        raise SigningError(
                            f"registry.yaml: signing.handovers[{number}] is not signed by its old "
                            "key: registry key hand-over prints one that is"
                        )
            except SigningError as error:
                raise OutputError(f"{error}; nothing was written.") from error
            if signer.public not in keys:
                raise OutputError(
                    f"The signing key is {signer.public}, which registry.yaml does not have among "
                    "signing: keys; nothing was written."
                )
        return cls(settings.days, keys, handovers, signer)

    @property
    def notes(self) -> tuple[str, ...]:
        """What is worth telling of it."""
        if not self.keys or self.signer is not None:
            return ()
        return ("The manifest is not signed: name the key with --sign.",)

    def root(self, said: Mapping[str, Any]) -> bytes:
        """The root, signed."""
        if self.signer is None:
            return manifest.root_file(said, [])
        signature = self.signer.sign(manifest.signed(said))
        return manifest.root_file(said, [{"key": self.signer.public, "signature": signature}])


def write(
    files: Files, executor: Executor, grammar: Grammar, moment: Moment, seal: Seal, last: int
) -> int:
    """Write the manifest of all that was written and that lies there; when its root was issued, in
    seconds since 1970.  `last` is that of the last build, whose root stays where it says the same.

    A version is the time of issue; where that is the clock's, it is also greater than that of the
    root that lies there.  Raises LogDamaged where the manifest there is not as it was written.
    """
    totals = _whole(files, executor, grammar.url) if files.before is None else _part(files, grammar)
    said = {
        **totals._asdict(),
        "snapshot": _told(files.now(MANIFEST_SNAPSHOT)),
        "build": _told(files.now(BUILD)),
        "keys": seal.keys,
        "handovers": [
            {"old": old, "new": new, "signature": signature}
            for old, new, signature in seal.handovers
        ],
    }
    before = None
    with contextlib.suppress(LogDamaged, manifest.Malformed):
        before = manifest.read_root(files.read(MANIFEST_ROOT))
    if files.before is not None and before is not None and not moment.renews(last):
        says = _says(before)
        if says == {key: said[key] for key in says}:
            return last
    version = at = int((moment.clock or moment.at).timestamp())
    if before is not None and moment.clock is not None and before.version < _MAX_VERSION:
        version = max(at, before.version + 1)
    links = {
        "self": MANIFEST_ROOT,
        "snapshot": MANIFEST_SNAPSHOT,
        "build": BUILD,
        "changes": CHANGES,
        "removed": REMOVED,
    }
    issued = datetime.fromtimestamp(at, UTC)
    root = {
        "links": {name: grammar.url(path) for name, path in links.items()},
        "version": version,
        "issued_at": utc(issued),
        "expires_at": utc(issued + timedelta(days=seal.days)),
        **said,
    }
    files.put(SURFACE, Artifact(MANIFEST_ROOT, seal.root(root)), Follows(MANIFEST_SNAPSHOT))
    return at


class _Totals(NamedTuple):
    files: int
    bytes: int
    bits: int


def _told(data: bytes) -> dict[str, Any]:
    return {"size": len(data), "sha256": manifest.digest(data)}


def _says(root: manifest.Root) -> dict[str, Any]:
    """What a root says of files."""
    return {
        "files": root.files,
        "bytes": root.bytes,
        "bits": root.layout.bits,
        "snapshot": {"size": root.snapshot.size, "sha256": root.snapshot.sha256},
        "build": {"size": root.build.size, "sha256": root.build.sha256},
    }


# --- all files ---


class Work(NamedTuple):
    """The entries of some bins by their numbers, and what writes them.  The entries are JSON with
    commas after them: a forked process that looks at objects copies the memory they lie in.
    """

    bins: Mapping[int, bytearray]
    url: Url
    write: Callable[[Artifact], Sequence[Written]]


def _whole(files: Files, executor: Executor, url: Url) -> _Totals:
    def entries() -> Iterator[tuple[str, int, bytes]]:
        return ((path, size, told) for path, _, size, told in files.new if manifest.lists(path))

    return _of_all(files, executor, entries, Follows(MANIFEST_SNAPSHOT), url)


def _of_all(
    files: Files,
    executor: Executor,
    entries: Callable[[], Iterator[tuple[str, int, bytes]]],
    cause: Cause,
    url: Url,
) -> _Totals:
    """Write all bins, of what `entries` gives each time: path, size and SHA-256 of every file."""
    sizes = array("Q", (size for _, size, _ in entries()))
    bits = manifest.bits_of(len(sizes))
    hashes = [""] * (1 << bits)
    workers = executor if len(hashes) >= WORTH_FORKING else Here()
    # So many bins at once that their entries are not too many for a process.
    some = max(1, len(hashes) * _MOST // max(_MOST, len(sizes)))
    for first in range(0, len(hashes), some):
        bins = {n: bytearray() for n in range(first, min(first + some, 1 << bits))}
        for path, size, told in entries():
            number = manifest.bin_of(path, bits)
            if number in bins:
                bins[number] += orjson.dumps((path, size, told.hex())) + b","
        for done in workers.run(write_bins, list(bins), Work(bins, url, files.write), _CHUNK):
            for number, digest, written in done:
                hashes[number] = digest
                files.account(SURFACE, written, cause)
    _put_hashes(files, Layout.of(bits), hashes, cause, url)
    return _Totals(len(sizes), sum(sizes), bits)


def write_bins(numbers: list[int], work: Work) -> list[tuple[int, str, Sequence[Written]]]:
    """Write the bins of these numbers: number, digest and what was written of each."""
    done = []
    for number in numbers:
        entries = orjson.loads(b"[" + work.bins[number].rstrip(b",") + b"]")
        data = manifest.bin_file(number, entries, work.url)
        written = work.write(Artifact(manifest_bin(number), data))
        done.append((number, manifest.digest(data), written))
    return done


def _put_hashes(
    files: Files, layout: Layout, hashes: Sequence[str], cause: Cause, url: Url
) -> None:
    """Write the snapshot, and the parts that it has."""
    above = []
    for path, first in layout.holders().items():
        data = manifest.hashes_file(path, first, hashes[first : first + layout.each], url)
        files.put(SURFACE, Artifact(path, data), cause)
        above.append(manifest.digest(data))
    if layout.parts:
        data = manifest.hashes_file(MANIFEST_SNAPSHOT, 0, above, url)
        files.put(SURFACE, Artifact(MANIFEST_SNAPSHOT, data), cause)


# --- what changed ---


def _part(files: Files, grammar: Grammar) -> _Totals:
    """Bring the bins of files that were written or removed up to date.  Raises LogDamaged."""
    try:
        root = manifest.read_root(files.read(MANIFEST_ROOT))
        return _patched(files, root, grammar.url)
    except manifest.Malformed:
        raise LogDamaged from None


def _patched(files: Files, root: manifest.Root, url: Url) -> _Totals:
    layout, bits = root.layout, root.layout.bits
    hashes = [
        held
        for path, first in layout.holders().items()
        for held in manifest.read_hashes(files.read(path), first, layout.each)
    ]
    changed: dict[int, dict[str, _Row | None]] = {}

    def note(path: str, row: _Row | None) -> None:
        if manifest.lists(path):
            changed.setdefault(manifest.bin_of(path, bits), {})[path] = row

    for path in files.removed:
        note(path, None)
    for path, _, size, digest in files.new:
        note(path, [path, size, digest.hex()])
    bins, count, total = {}, root.files, root.bytes
    for number, rows in changed.items():
        held = bins[number] = _held(files, number, hashes[number])
        for path, row in rows.items():
            was = held.pop(path, None)
            if was is not None:
                count, total = count - 1, total - was[1]
            if row is not None:
                count, total = count + 1, total + row[1]
                held[path] = row
    causes = {number: Follows(min(rows)) for number, rows in changed.items()}
    cause = next(iter(causes.values()), Values(("sizes",)))
    if manifest.bits_of(count) != bits:
        for number in range(1 << bits):
            if number not in bins:
                bins[number] = _held(files, number, hashes[number])
        for path in (*layout.holders(), *map(manifest_bin, range(1 << bits)), MANIFEST_SNAPSHOT):
            files.drop(SURFACE, path, cause)
        every = [
            (path, size, bytes.fromhex(told))
            for held in bins.values()
            for path, size, told in held.values()
        ]
        return _of_all(files, Here(), lambda: iter(every), cause, url)
    for number, held in bins.items():
        data = manifest.bin_file(number, held.values(), url)
        files.put(SURFACE, Artifact(manifest_bin(number), data), causes[number])
        hashes[number] = manifest.digest(data)
    _put_hashes(files, layout, hashes, cause, url)
    return _Totals(count, total, bits)


def _held(files: Files, number: int, told: str) -> dict[str, _Row]:
    """The entries of a bin that lies there, by path.  They are what was written, for the snapshot
    has its hash.  Raises LogDamaged where it has another.
    """
    raw = files.read(manifest_bin(number))
    if manifest.digest(raw) != told:
        raise LogDamaged
    return {row[0]: row for row in orjson.loads(raw)["data"]}

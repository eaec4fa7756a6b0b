"""The manifest of an output, made when all other files are."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, NamedTuple

import orjson

from generator.build.cache.store import Cache
from generator.build.executors import Executor
from generator.build.output.files import Files
from generator.build.output.write import Written
from generator.build.provenance import Moment
from generator.build.report import Cause, Follows
from generator.contract import manifest
from generator.contract.artifact import Artifact
from generator.contract.manifest import Layout, Url
from generator.disk.output_state import OutputError
from generator.grammar.paths import (
    BUILD,
    CHANGES,
    MANIFEST_ROOT,
    MANIFEST_SNAPSHOT,
    REMOVED,
    manifest_bin,
)
from generator.grammar.text import utc
from generator.model.settings.signing import Signing
from generator.reader.signing import Signer, SigningError, is_signed

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
                            "key: copy what registry key hand-over prints"
                        )
            except SigningError as error:
                raise OutputError(f"{error}; nothing was written.") from error
            if signer.public not in keys:
                raise OutputError(
                    f"The signing key is {signer.public}, but registry.yaml does not list it under "
                    "signing: keys; nothing was written."
                )
        return cls(settings.days, keys, handovers, signer)

    @property
    def notes(self) -> tuple[str, ...]:
        """What is worth telling of it."""
        if not self.keys or self.signer is not None:
            return ()
        return ("The manifest is not signed: give the key with --sign.",)

    def root(self, said: Mapping[str, Any]) -> bytes:
        """The root, signed."""
        if self.signer is None:
            return manifest.root_file(said, [])
        signature = self.signer.sign(manifest.signed(said))
        return manifest.root_file(said, [{"key": self.signer.public, "signature": signature}])


def write(
    files: Files,
    workers: Callable[[int], Executor],
    url: Url,
    moment: Moment,
    seal: Seal,
    cache: Cache,
    last: int,
) -> int:
    """Write the manifest of all other files; when its root was issued, in seconds since 1970.
    `last` is when the last build's was: if it lies there and says the same, it stays.

    A version is the time of issue; if that is the clock's, it is also greater than the version of
    the root that lies there.
    """
    totals = _bins(files, workers, cache, url)
    said = {
        **totals._asdict(),
        "snapshot": _told(files.read(MANIFEST_SNAPSHOT)),
        "build": _told(files.read(BUILD)),
        "keys": seal.keys,
        "handovers": [
            {"old": old, "new": new, "signature": signature}
            for old, new, signature in seal.handovers
        ],
    }
    before = _last_root(files.out)
    if files.has([MANIFEST_ROOT]) and before is not None and not moment.renews(last):
        says = _says(before)
        if says == {key: said[key] for key in says}:
            files.keep(SURFACE, [MANIFEST_ROOT])
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
        "links": {name: url(path) for name, path in links.items()},
        "version": version,
        "issued_at": utc(issued),
        "expires_at": utc(issued + timedelta(days=seal.days)),
        **said,
    }
    files.put(SURFACE, Artifact(MANIFEST_ROOT, seal.root(root)), Follows(MANIFEST_SNAPSHOT))
    return at


def _last_root(out: Path) -> manifest.Root | None:
    """The root that lies in the output; None if there is none that can be read."""
    try:
        with open(f"{out}{MANIFEST_ROOT}", "rb") as file:
            return manifest.read_root(file.read(manifest.MAX_NODE))
    except (OSError, manifest.Malformed):
        return None


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


class Work(NamedTuple):
    """The entries of some bins by their numbers, and what writes them.  The entries are JSON with
    commas after them: a forked process that looks at objects copies the memory they lie in.
    """

    bins: Mapping[int, bytearray]
    url: Url
    write: Callable[[Artifact], Sequence[Written]]


def _bins(files: Files, workers: Callable[[int], Executor], cache: Cache, url: Url) -> _Totals:
    """Write the bins that have a file which was written or removed, and the snapshot of the hashes
    of all.
    """
    listed = list(filter(manifest.lists, files.all))
    bits = manifest.bits_of(len(listed))
    hashes = cache.get("bins") or []
    if len(hashes) != 1 << bits:
        hashes = [""] * (1 << bits)
    above = Follows(MANIFEST_SNAPSHOT)
    stale: dict[int, Cause] = {
        n: above for n, held in enumerate(hashes) if not held or not files.has([manifest_bin(n)])
    }
    changed = filter(manifest.lists, (*files.written, *files.removed))
    stale |= {manifest.bin_of(path, bits): Follows(path) for path in changed}
    bins = {number: bytearray() for number in stale}
    for path in listed:
        if (number := manifest.bin_of(path, bits)) in bins:
            _, size, sha = files.all[path]
            bins[number] += orjson.dumps((path, size, sha.hex())) + b","
    work = Work(bins, url, files.write)
    for done in workers(len(bins)).run(write_bins, list(bins), work, _CHUNK):
        for number, digest, written in done:
            hashes[number] = digest
            files.account(SURFACE, written, stale[number])
    files.keep(SURFACE, [manifest_bin(number) for number in range(1 << bits) if number not in bins])
    cache.put("bins", hashes)
    cause = Follows(manifest_bin(min(stale))) if stale else files.other
    _put_hashes(files, Layout.of(bits), hashes, cause, url)
    return _Totals(len(listed), sum(files.all[path][1] for path in listed), bits)


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

"""Copies of a published registry: read the manifest, fetch what differs, put it somewhere.

`registry mirror` puts it into a folder, `registry sync` into records; `registry verify` only looks
at it.  A copy that would lose too many records, by the rule for builds, stays as it was.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Container, Mapping, Sequence, Set
from functools import cache
from pathlib import Path
from typing import NamedTuple, TypeVar

from generator.contract import manifest
from generator.contract.files import ReadFiles
from generator.contract.manifest import Root
from generator.disk.output_state import OutputError
from generator.grammar.grammar import Grammar
from generator.grammar.limits import is_loss
from generator.grammar.paths import MANIFEST_ROOT
from generator.kinds import Kinds
from generator.kinds.declare import Declared
from generator.reader.documents import ClientError
from generator.reader.verified import Trust, Untrusted
from generator.text.words import is_slug

#: Attempts, if the registry is published again during the copy.
_ATTEMPTS = 3
_MAX_FILES = 4_000_000
Progress = Callable[[int, int], None]
Result = TypeVar("Result")


class CopyOptions(NamedTuple):
    """The options of a copy: its folder or file, the base URL, the trusted keys, and the most
    bytes it may have. With `check`, the files of the old copy are verified. With `allow_loss`, the
    copy may lose any number of records.
    """

    out: Path
    base: str
    keys: frozenset[str]
    max_bytes: int
    check: bool = False
    allow_loss: bool = False

    def check_size(self, size: int) -> None:
        """Raises OutputError if a copy may not have so many bytes."""
        if size > self.max_bytes:
            raise OutputError(f"The registry has {size / 1e9:,.1f} GB: allow more with --most.")


def copy_trusted(read: ReadFiles, trust: Trust, copy: Callable[[Root, bytes], Result]) -> Result:
    """The result of `copy(root, raw)` with a trusted root.  Raises Untrusted and OutputError."""
    for left in reversed(range(_ATTEMPTS)):
        [raw] = read([MANIFEST_ROOT])
        root = trust.accept_root(raw)
        assert raw is not None
        if root.files > _MAX_FILES:
            raise OutputError(f"The registry has {root.files:,} files, more than a copy takes.")
        try:
            return copy(root, raw)
        except Untrusted:
            # If the registry was published meanwhile, the root has changed: try again.
            if not left or read([MANIFEST_ROOT]) == [raw]:
                raise
    raise AssertionError("an attempt returns or raises")


class Downloads:
    """Downloaded files in a folder, named by their SHA-256, as a `TrustedManifest` takes them.
    `number` and `size` count them, those of the manifest included.
    """

    def __init__(self, folder: Path, read: ReadFiles):
        self.folder, self._read = folder, read
        self.number = self.size = 0

    def find(self, path: str, digest: str) -> bytes | None:
        """The bytes of a download (see verified.FindByHash)."""
        try:
            raw = (self.folder / digest).read_bytes()
        except OSError:
            return None
        if manifest.sha256_hex(raw) != digest:
            return None
        self.put(path, self.folder / digest)
        return raw

    def read(self, paths: Sequence[str]) -> Sequence[bytes | None]:
        """Download files, which the caller checks."""
        raws = self._read(paths)
        self.folder.mkdir(exist_ok=True)
        for path, raw in zip(paths, raws, strict=True):
            if raw is not None:
                self.number, self.size = self.number + 1, self.size + len(raw)
                file = self.folder / manifest.sha256_hex(raw)
                temporary = self.folder / "file.new"
                temporary.write_bytes(raw)
                temporary.rename(file)
                self.put(path, file)
        return raws

    def put(self, path: str, source: Path) -> None:
        """Called for each file that is found or downloaded."""

    def keep(self, digests: Set[str]) -> None:
        """Remove the other downloads."""
        for file in self.folder.glob("*"):
            if file.name not in digests:
                file.unlink()


# --- losses ---


class TooManyLost(ClientError):
    """The published registry lacks too many records of the copy."""

    status = 1


@cache
def record_folders(kinds: Kinds) -> Mapping[str, Declared]:
    """The folder of the files of a kind's records -> the kind."""
    collections = Grammar(kinds).collections.values()
    return {c.record_path("").rpartition("/")[0]: c.declared for c in collections}


def record_key(path: str, kinds: Kinds) -> str | None:
    """`projects/acme` for the file of a record or of a former slug; None for another file."""
    folder, _, name = path.rpartition("/")
    slug = name.removesuffix(".json")
    kind = record_folders(kinds).get(folder)
    return f"{kind.name}/{slug}" if kind and slug != name and is_slug(slug) else None


def check_losses(before: Collection[str], now: Collection[str], known: Container[str]) -> None:
    """Raises TooManyLost. `known` has the keys of records and of former slugs."""
    lines = []
    for name in sorted({key.partition("/")[0] for key in before}):
        was = [key for key in before if key.startswith(f"{name}/")]
        count = sum(key.startswith(f"{name}/") for key in now)
        lost = sum(key not in known for key in was) if count else len(was)
        if is_loss(len(was), lost, count):
            verb = "is" if lost == 1 else "are"
            lines.append(f"{lost:,} of {len(was):,} {name} {verb} gone.")
    if lines:
        raise TooManyLost(
            "\n".join(lines) + "\nThe copy stays as it was. By mistake? Tell whoever publishes the "
            "registry. On purpose? Run the command again with --allow-loss."
        )

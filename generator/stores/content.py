"""Content that lies elsewhere: an archive here or at a URL, or a folder of a bucket, brought into a
private folder, from which it is read like any other.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from generator.dialect.folder import COLLECTIONS, REGISTRY_FILE
from generator.disk.safe_paths import is_below
from generator.problems.diagnostic import printable
from generator.stores.messages import StoreError, shown
from generator.stores.store import Store
from generator.stores.unpack import MAX_FILE, MAX_FILES, Refused, Writer, is_archive, unpack

#: Bytes of an archive that is fetched.
MAX_ARCHIVE = 16 << 30
_ENDINGS = (".yaml", ".yml")


class Fetched(NamedTuple):
    """A folder of content; `name` is what paths in it have before theirs when people are told."""

    folder: str
    name: str

    def shown(self, path: str) -> str:
        """What a path of this content is called where it came from."""
        inner = os.path.relpath(path, self.folder)
        return path if inner.startswith("..") else f"{self.name}{inner}"

    def path(self, name: str) -> str:
        """The path of what is called so."""
        inner = name.removeprefix(self.name)
        return os.path.join(self.folder, inner) if inner != name else name


@contextmanager
def fetched(where: str) -> Iterator[Fetched]:
    """The content at a URL or in an archive, for as long as it is needed.  Raises StoreError."""
    with tempfile.TemporaryDirectory(prefix="registry-") as private:
        said = shown(where) if "://" in where else printable(where)
        try:
            came = _brought(where, said, Path(private))
        except Refused as error:
            raise StoreError(f"{said} is not taken: {error}") from error
        except OSError as error:
            raise StoreError(f"{said} cannot be unpacked: {error.strerror or error}") from error
        yield came


def _brought(where: str, said: str, private: Path) -> Fetched:
    """The content, in a folder of a private one.  Raises StoreError, Refused and OSError."""
    target, url = private / "content", "://" in where
    target.mkdir()
    if is_archive(where):
        archive = private / "archive" if url else Path(where)
        if url:
            Store(where).fetch(archive, MAX_ARCHIVE)
        others = unpack(archive, target)
        folder = _content_in(target, said)
        _no_others(others, os.path.relpath(folder, target))
        return Fetched(folder, f"{said}:")
    if url:
        _of_folder(Store(where), target)
        return Fetched(str(target), f"{said}/")
    raise StoreError(
        f"{said} is a file, and no archive: content is a folder with {REGISTRY_FILE}, or a .zip, "
        ".tar or .tar.gz of one"
    )


def _of_folder(store: Store, target: Path) -> None:
    """Bring the files of content below a URL here.  Raises StoreError, and Refused."""
    names = [
        path
        for path in store.names("")
        if path.endswith(_ENDINGS)
        and (path.count("/") == 1 or path.split("/")[1] in COLLECTIONS)
        and is_below(path[1:])
    ]
    if not names:
        raise StoreError(
            f"{store.shown} has no content: no {REGISTRY_FILE}, and no record in "
            f"{'/, '.join(COLLECTIONS)}/"
        )
    if len(names) > MAX_FILES:
        raise Refused(f"it has more than {MAX_FILES:,} files")
    writer = Writer(target)
    for start in range(0, len(names), 1024):
        some = names[start : start + 1024]
        for path, data in zip(
            some, store.each(lambda p: store.read(p, MAX_FILE), some), strict=True
        ):
            if data is not None:
                writer.write(path[1:], iter((data,)))


def _content_in(target: Path, said: str) -> str:
    """The folder of an archive that has the content: the one nearest to its top.  Raises
    StoreError.
    """
    for wanted in ((REGISTRY_FILE,), COLLECTIONS):
        level = [str(target)]
        for _ in range(4):
            having = [f for f in level if any(os.path.lexists(os.path.join(f, w)) for w in wanted)]
            if len(having) > 1:
                names = ", ".join(sorted(os.path.relpath(f, target) for f in having)[:3])
                raise StoreError(
                    f"{said} has content in several folders ({names}): pack one of them"
                )
            if having:
                return having[0]
            level = [entry.path for f in level for entry in os.scandir(f) if entry.is_dir()]
    raise StoreError(
        f"{said} has no content: no {REGISTRY_FILE}, and no folder {'/, '.join(COLLECTIONS)}/"
    )


def _no_others(others: list[str], folder: str) -> None:
    """Raises Refused where what is no file lies in the content."""
    inside = "" if folder == "." else f"{folder}/"
    for other in others:
        if other.startswith(inside):
            raise Refused(f"{other.removeprefix(inside)}, and content has plain files only")

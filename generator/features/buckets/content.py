"""Content from elsewhere: an archive, local or at a URL, or a folder of a bucket, fetched into a
temporary folder.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from generator.cli.publishing._content import FetchedContent
from generator.dialect.folder import REGISTRY_FILE, is_logo
from generator.disk.safe_paths import is_inside
from generator.features.buckets.messages import StoreError, display_url
from generator.features.buckets.store import Store
from generator.features.buckets.unpack import (
    MAX_FILE,
    MAX_FILES,
    Refused,
    Writer,
    is_archive,
    unpack,
)
from generator.kinds.every import COLLECTIONS
from generator.problems.diagnostic import printable

#: Bytes of an archive at a URL.
MAX_ARCHIVE = 16 << 30
_ENDINGS = (".yaml", ".yml")


@contextmanager
def fetch_content(where: str) -> Iterator[FetchedContent]:
    """The content at a URL or in an archive, until the context ends. Raises StoreError."""
    with tempfile.TemporaryDirectory(prefix="registry-") as private:
        name = display_url(where) if "://" in where else printable(where)
        try:
            content = _fetch(where, name, Path(private))
        except Refused as error:
            raise StoreError(f"{name} is not taken: {error}") from error
        except OSError as error:
            raise StoreError(f"{name} cannot be unpacked: {error.strerror or error}") from error
        yield content


def _fetch(where: str, name: str, private: Path) -> FetchedContent:
    """The content, inside the temporary folder. Raises StoreError, Refused and OSError."""
    target, is_remote = private / "content", "://" in where
    target.mkdir()
    if is_archive(where):
        archive = private / "archive" if is_remote else Path(where)
        if is_remote:
            Store(where).fetch(archive, MAX_ARCHIVE)
        special_files = unpack(archive, target)
        folder = _find_content(target, name)
        prefix = os.path.relpath(folder, target) + "/"
        for description in special_files:
            if prefix == "./" or description.startswith(prefix):
                inner = description.removeprefix(prefix)
                raise Refused(f"{inner}, and content has plain files only")
        return FetchedContent(folder, f"{name}:")
    if is_remote:
        _fetch_folder(Store(where), target)
        return FetchedContent(str(target), f"{name}/")
    raise StoreError(
        f"{name} is a file, and no archive: content is a folder with {REGISTRY_FILE}, or a .zip, "
        ".tar or .tar.gz of one"
    )


def _fetch_folder(store: Store, target: Path) -> None:
    """Fetch the content files below a URL. Raises StoreError and Refused."""
    names = [
        path
        for path in store.names("")
        if (
            is_logo(path[1:])
            or (
                path.endswith(_ENDINGS)
                and (path.count("/") == 1 or path.split("/")[1] in COLLECTIONS)
            )
        )
        and is_inside(path[1:])
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
        batch = names[start : start + 1024]
        contents = store.map_parallel(lambda p: store.read(p, MAX_FILE), batch)
        for path, data in zip(batch, contents, strict=True):
            if data is not None:
                writer.write(path[1:], iter((data,)))


def _find_content(target: Path, name: str) -> str:
    """The folder of an archive with the content, the one closest to the top. Raises StoreError."""
    for markers in ((REGISTRY_FILE,), COLLECTIONS):
        level = [str(target)]
        for _ in range(4):
            matches = [
                f for f in level if any(os.path.lexists(os.path.join(f, w)) for w in markers)
            ]
            if len(matches) > 1:
                names = ", ".join(sorted(os.path.relpath(f, target) for f in matches)[:3])
                raise StoreError(
                    f"{name} has content in several folders ({names}): pack one of them"
                )
            if matches:
                return matches[0]
            level = [entry.path for f in level for entry in os.scandir(f) if entry.is_dir()]
    raise StoreError(
        f"{name} has no content: no {REGISTRY_FILE}, and no folder {'/, '.join(COLLECTIONS)}/"
    )

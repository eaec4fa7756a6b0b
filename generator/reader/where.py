"""Where a registry is, a folder or a base URL, and what reads its files there."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Collection, Sequence
from pathlib import Path

from generator.api.paths import INDEX
from generator.disk import below
from generator.reader.documents import MAX_READ
from generator.reader.held import ClientError

#: Gives files by their canonical paths, None for each that is not there.  Raises ClientError.
Read = Callable[[Sequence[str]], list[bytes | None]]

is_url = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://").match


def base_url(where: str) -> str:
    """A base URL as it is asked, also where it was named with the address of its index."""
    return where.strip().removesuffix(INDEX).rstrip("/")


def host(
    base: str,
    timeout: float,
    retries: int = 3,
    cache: Path | None = None,
    *,
    definite: Collection[str] = (),
    stay: bool = False,
) -> Read:
    """Reads files of a host, or of the tree that its pointer names; `cache` is a folder that keeps
    answers with their ETags.  For `definite` see generator.reader.remote, for `stay` .followed.
    Raises ClientError where the URL is none.
    """
    from generator.reader.connections import RemoteError
    from generator.reader.etags import Etags
    from generator.reader.followed import Followed
    from generator.reader.remote import Remote

    def read(paths: Sequence[str]) -> list[bytes | None]:
        try:
            return remote.read(paths)
        except RemoteError as error:
            raise ClientError(str(error)) from error

    etags = Etags(cache) if cache is not None else None
    try:
        remote = Remote(base, timeout=timeout, retries=retries, etags=etags, definite=definite)
    except RemoteError as error:
        raise ClientError(str(error)) from error
    return Followed(read, stay=stay)


def folder(path: Path) -> Read:
    """Reads files below a folder, none through a link.  Raises ClientError where there is none."""
    try:
        root = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    except OSError as error:
        raise ClientError(f"{path} cannot be read: {error.strerror}") from error

    def read(paths: Sequence[str]) -> list[bytes | None]:
        return [below.read(root, path[1:].split("/"), MAX_READ) for path in paths]

    return read

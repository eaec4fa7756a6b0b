"""How a published registry is read: by one function, whatever has its files.

A folder, a host, a bucket, a copy that is verified and a registry in memory (`Published`) each give
such a function; the query engine, readers, guards, tools and the development server take it.  It
reads several files at once, because a host answers them in parallel.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

#: Returns the files at these addresses, None for each that is missing.  Raises an error of the
#: reader if it is not known whether there is a file.
ReadFiles = Callable[[Sequence[str]], Sequence[bytes | None]]


class Vouched(bytes):
    """A file whose reader vouches for `check`, the CRC-32 that the search index lists for it, so
    that nobody needs the bytes of all files of an index to list their checks.
    """

    check: int

    def __new__(cls, data: bytes, check: int) -> Vouched:
        made = super().__new__(cls, data)
        made.check = check
        return made


def rows_in(page: bytes) -> bytes:
    """The encoded rows of a list document, with a comma and a line break between them: the bytes
    between its first and its last but one line break.
    """
    start = page.find(b"\n") + 1
    return page[start : max(start, page.rfind(b"\n", 0, max(0, len(page) - 1)))]

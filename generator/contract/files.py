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

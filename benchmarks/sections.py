"""Generated parts of a document, each between two comments that name it."""

from __future__ import annotations

from pathlib import Path


def write(document: Path, name: str, text: str) -> None:
    """Put text in the place of what is between the comments.  Raises ValueError where they are not
    there.
    """
    begin, end = f"<!-- {name}: begin -->\n", f"<!-- {name}: end -->"
    head, first, rest = document.read_text("utf-8").partition(begin)
    _, second, tail = rest.partition(end)
    if not first or not second:
        raise ValueError(f"{document} has no {begin.strip()} … {end}")
    document.write_text(f"{head}{begin}\n{text.strip()}\n\n{end}{tail}", "utf-8")

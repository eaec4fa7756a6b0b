"""The example records of `registry init`: recognised by a comment, and never published.

Looked for at the four paths where `registry init` writes them, so that it costs nothing to ask.  A
record is an example until its file, or the comment in it, is removed.
"""

from __future__ import annotations

import os

from generator.dialect.folder import take

#: How the comment begins; what follows explains it to people.
MARK = "# Example record of `registry init`"
COMMENT = f"{MARK}: never published. Remove this line once the record is your own."
PATHS = (
    "events/example-applications.yaml",
    "organizations/example-college.yaml",
    "programs/example-accelerator.yaml",
    "projects/example-project.yaml",
)


def examples(folder: str) -> dict[str, bytes]:
    """The examples that are still in a content folder: path -> bytes."""
    found = {}
    for path in PATHS:
        try:
            raw = take(os.path.join(folder, path)).raw
        except OSError:  # no such file, or one that a build reports
            continue
        if is_example(raw):
            found[path] = raw
    return found


def is_example(raw: bytes) -> bool:
    """Whether a record has the comment of an example."""
    return any(line.lstrip().startswith(MARK.encode()) for line in raw.split(b"\n"))

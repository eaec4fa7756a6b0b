"""The example records of `registry init`, which are never published.

A file is an example while it has one of `EXAMPLE_PATHS` and the comment, so only these paths are
read.
"""

from __future__ import annotations

import os

from generator.dialect.folder import read_file

#: The first words of the comment.
MARK = "# Example record of `registry init`"
COMMENT = f"{MARK}: never published. Remove this line once the record is your own."
EXAMPLE_PATHS = (
    "events/example-applications.yaml",
    "organizations/example-college.yaml",
    "programs/example-accelerator.yaml",
    "projects/example-project.yaml",
)


def find_examples(folder: str) -> dict[str, bytes]:
    """Path -> bytes of the examples in a content folder."""
    files = {}
    for path in EXAMPLE_PATHS:
        try:
            raw = read_file(os.path.join(folder, path))
        except OSError:  # the file is absent, or a build reports why it cannot be read
            continue
        if is_example(raw):
            files[path] = raw
    return files


def is_example(raw: bytes) -> bool:
    """Whether a record has the comment of an example."""
    return any(line.lstrip().startswith(MARK.encode()) for line in raw.split(b"\n"))

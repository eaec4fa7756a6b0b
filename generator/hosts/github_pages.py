"""GitHub Pages: files at their canonical addresses, and nothing else.

It has no rules and ignores queries, so bare addresses (`/api/projects?mode=page`) are answered with
404.html.  A file there would answer every query alike.  With `.nojekyll`, GitHub Pages also
publishes the files of a branch whose names begin with a dot or an underscore.

Sources: docs.github.com/en/pages/getting-started-with-github-pages (limits; custom 404 page; static
site generators).
"""

from __future__ import annotations

from collections.abc import Iterator

from generator.contract.artifact import Artifact
from generator.hosts import HostLimits

# "Published GitHub Pages sites may be no larger than 1 GB" (GitHub Pages limits); a file over 100
# MiB cannot be pushed to a branch (docs.github.com, "About large files on GitHub").
LIMITS = HostLimits(file_bytes=100 * 1024 * 1024, bytes=1_000_000_000)

BASE_URL = (
    "The site of a project lies under a path, /REPOSITORY/, and links that begin at the root of "
    "the domain lead nowhere there",
    "set base_url in registry.yaml: https://OWNER.github.io/REPOSITORY, or the address of a "
    "domain of your own",
)


def render() -> Iterator[Artifact]:
    yield Artifact("/.nojekyll", b"")

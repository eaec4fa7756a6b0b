"""The output of a build: whose folder it may be, and its files.  Those that differ from the files
of the folder are in a tree beside it, all are counted, and `commit` puts them in place together.
"""

from __future__ import annotations

import json
import os
from pathlib import Path

from generator.build.tree import PathTaken, Stat, Tree, WrittenFile, list_files
from generator.contract.artifact import Artifact
from generator.disk import safe_paths
from generator.disk.output_state import (
    MOUNT_HINT,
    OutputError,
    OutputState,
    find_content,
    foreign_names,
    is_locked_here,
    name_of_content,
)
from generator.grammar.paths import BUILD
from generator.published.listing import ListedFile, Listing
from generator.published.report import OutputDifference

#: Bytes of a build.json that are read at most.
_MOST_BUILD = 1 << 20


class BuildOutput:
    """The files of one build.  `tree` writes them, in any process; `account` then counts them.

    `before` has the files that were there.
    """

    def __init__(self, state: OutputState):
        self.state, self.before = state, list_files(state.out)
        self.tree = Tree(
            state.new_tree(), state.out if self.before else None, frozenset(self.before)
        )
        self._whole = self.tree.root
        self.listing = Listing()
        #: Path -> size and time of the files that differ.
        self._new: dict[str, Stat] = {}

    def account(self, surface: str, written: WrittenFile) -> None:
        """Count a file as part of a surface.  Raises PathTaken."""
        if written.path in self.listing.files:
            raise PathTaken(written.path)
        self.listing.add(surface, written.path, ListedFile(written.size, written.sha256))
        if written.mtime is not None:
            self._new[written.path] = Stat(written.size, written.mtime)

    def put(self, surface: str, artifact: Artifact) -> None:
        """Write and count a file."""
        self.account(surface, self.tree.write(artifact))

    def is_new(self, path: str) -> bool:
        """Whether a file differs from that of the output."""
        return path in self._new

    @property
    def stats(self) -> dict[str, Stat]:
        """The files of the output after `commit`."""
        return {path: self._new.get(path) or self.before[path] for path in self.listing.files}

    @property
    def difference(self) -> OutputDifference:
        """What differs from the output as it was when the build began."""
        before, now, new = self.before.keys(), self.listing.files.keys(), self._new.keys()
        parts = new - before, new & before, before - now
        return OutputDifference(*(tuple(sorted(part)) for part in parts))

    def complete(self) -> None:
        """Make a whole tree, if a file differs.  Raises OSError.

        It is the output of the build before the last, which the last exchange left beside this one:
        nearly all its files are files of the output already.
        """
        if any(self.difference) and self.before:
            whole, stats = Tree(self.state.subfolder("tree"), None, frozenset()), self.stats
            for path in stats.keys() - whole.keep_only(stats):
                whole.take(path, self.tree.root if path in self._new else self.state.out)
            self._whole = whole.root

    def commit(self) -> None:
        """Put the files in place, all or none.  Raises OSError."""
        if any(self.difference):
            self.state.put_in_place(self._whole)


def check_is_ours(out: Path) -> None:
    """Raise OutputError if a build may not replace a folder: it is neither empty nor a build that
    was made in this place, or it is a mount point.
    """
    out = Path(os.path.realpath(out))
    if not os.path.lexists(out):
        return
    if not out.is_dir():
        raise OutputError(_not_ours(f"{out} is a file"))
    if out.is_mount():
        raise OutputError(f"{out} cannot be replaced; nothing was written.\n{MOUNT_HINT}")
    if not os.listdir(out):
        return
    if not _is_build_file(safe_paths.read_below(out, BUILD[1:], _MOST_BUILD)):
        raise OutputError(_not_ours(f"{out} contains other files, not a build"))
    if not is_locked_here(out):
        raise OutputError(
            f"{out} is a build, but none that was made here: .registry/{out.name}/ is not beside "
            "it; nothing was written.\nRemove the folder, or choose another with --out."
        )
    if others := foreign_names(out):
        from generator.problems.diagnostic import printable

        names = (os.fsencode(name).decode("utf-8", "backslashreplace") for name in others[:5])
        raise OutputError(
            f"{out} contains {', '.join(map(printable, names))}{' and more' * (len(others) > 5)}. "
            "No build wrote that, and a build would remove it; nothing was written.\n"
            "Move your files elsewhere, or choose another folder with --out."
        )


def _not_ours(problem: str) -> str:
    return f"{problem}; nothing was written.\nChoose another folder with --out, or empty this one."


def _is_build_file(raw: bytes | None) -> bool:
    """Whether `raw` is a build.json that this generator wrote, in any version."""
    try:
        document = json.loads(raw or b"")
    except (ValueError, RecursionError):
        return False
    match document:
        case {
            "kind": "build",
            "links": {"self": str(url)},
            "generator": {"name": "registry-generator"},
        }:
            return url.endswith(BUILD)
    return False


def check_separate(content: Path, out: Path) -> None:
    """Raise OutputError if one folder is inside the other, or if the output is a link to the output
    of other content.
    """
    inner, outer = Path(os.path.realpath(content)), Path(os.path.realpath(out))
    if inner.is_relative_to(outer) or outer.is_relative_to(inner):
        raise OutputError(
            f"The output folder {out} and the content folder {content} must be separate; "
            "nothing was written.\nChoose a folder outside the content folder with --out."
        )
    # The link may have come with the content, which is not trusted.
    if out.is_symlink() and find_content(out) not in (None, name_of_content(str(content))):
        raise OutputError(
            f"{out} is a link to {outer}, which was built from another content folder; "
            "nothing was written.\n"
            "To build there, give the folder itself with --out; if not, choose another."
        )

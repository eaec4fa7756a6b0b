"""The files of one build: those that differ from the output are in a tree beside it, all are
counted, and `commit` puts them in place together.
"""

from __future__ import annotations

from generator.build.output.write import PathTaken, Stat, Workspace, Written, list_files
from generator.contract.artifact import Artifact
from generator.disk.journal import is_output_name
from generator.disk.output_state import OutputError
from generator.published.listing import File, Listing
from generator.published.report import Difference

#: If more than one file in so many differs, `commit` exchanges the whole output.
_MANY = 10


class Output:
    """The files of one build.  `tree` writes them, in any process; `account` then counts them.

    `before` has the files that were there.
    """

    def __init__(self, workspace: Workspace):
        self.workspace, self.before = workspace, list_files(workspace.out)
        self.tree = workspace.tree(frozenset(self.before))
        self.listing = Listing()
        #: Path -> size and time of the files that differ.
        self._new: dict[str, Stat] = {}

    def account(self, surface: str, written: Written) -> None:
        """Count a file as part of a surface.  Raises PathTaken."""
        if written.path in self.listing.files:
            raise PathTaken(written.path)
        self.listing.add(surface, written.path, File(written.size, written.sha256))
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
    def difference(self) -> Difference:
        """What differs from the output as it was when the build began."""
        before, now, new = self.tree.before, self.listing.files.keys(), self._new.keys()
        parts = new - before, new & before, before - now
        return Difference(*(tuple(sorted(part)) for part in parts))

    def commit(self, content: str) -> None:
        """Put the files in place, all or none.  `content` is the folder of the build."""
        workspace, tree, files = self.workspace, self.tree, self.listing.files
        removed = tree.before - files.keys()
        changes = len(self._new) + len(removed)
        sizes = {path: stat.size for path, stat in self._new.items()}
        # A journal has only names of this version: other folders go with the whole output.
        is_known = all(is_output_name(path[1:].partition("/")[0]) for path in removed)
        few = tree.out is not None and is_known and changes * _MANY < len(files)
        with workspace.built_from(content):
            if not changes or (few and workspace.apply(tree, sizes, removed)):
                return
            if tree.link(path for path in files if path not in self._new):
                workspace.replace(tree)
            elif few or not workspace.apply(tree, sizes, removed):
                raise OutputError(
                    f"{workspace.out} has a folder or a link where a build writes a file, or a "
                    "file where it makes a folder; nothing was written.\n"
                    "Remove it, and build again."
                )

"""Whether a folder may be an output: no file of somebody else is in it, and it is beside the
content.
"""

from __future__ import annotations

import contextlib
import json
import os
from pathlib import Path

from generator.contract import manifest
from generator.disk import safe_paths
from generator.disk.journal import SHARED_FOLDERS
from generator.disk.output_state import OutputError, find_content, name_of_content
from generator.grammar.paths import BUILD, MANIFEST_ROOT
from generator.reader.listed import foreign_names

#: Bytes of a build.json that are read at most.
_MOST_BUILD = 1 << 20


def check_is_build(out: Path) -> None:
    """Raise OutputError if the folder has files that no build made."""
    try:
        folder = os.open(out, safe_paths.FOLDER_FLAGS)
    except FileNotFoundError:
        return
    except NotADirectoryError:
        raise OutputError(_not_ours(f"{out} is a file")) from None
    try:
        names = os.listdir(folder)
        for shared in SHARED_FOLDERS:
            with contextlib.suppress(OSError), safe_paths.open_folder(folder, [shared]) as inner:
                names += [f"{shared}/{name}" for name in os.listdir(inner)]
        ours = _is_build(folder)
        others = foreign_names(folder, names) if ours and ".git" not in names else []
    finally:
        os.close(folder)
    if ".git" in names:
        raise OutputError(
            f"{out} has a .git: it is a git checkout, which a build would replace; "
            "nothing was written.\nBuild into another folder with --out, and copy it here."
        )
    if names and not ours:
        raise OutputError(_not_ours(f"{out} contains other files, not a build"))
    if others:
        from generator.problems.diagnostic import printable

        shown = ", ".join(
            printable(os.fsencode(name).decode("utf-8", "backslashreplace")) for name in others[:5]
        )
        raise OutputError(
            f"{out} contains {shown}{' and more' * (len(others) > 5)}. These are not files of a "
            "build, and a build would remove them; nothing was written.\n"
            "Move your files elsewhere, or choose another folder with --out."
        )


def _not_ours(problem: str) -> str:
    return f"{problem}; nothing was written.\nChoose another folder with --out, or empty this one."


def _is_build(folder: int) -> bool:
    """Whether an open folder has a build.json of this generator, in any version.

    If build.json is missing, the root of a manifest is enough: the build writes build.json again.
    """
    raw, root = (
        safe_paths.read_file(folder, path[1:].split("/"), _MOST_BUILD)
        for path in (BUILD, MANIFEST_ROOT)
    )
    if raw is not None or root is None:
        return _is_build_file(raw)
    try:
        os.stat(BUILD[1:], dir_fd=folder, follow_symlinks=False)
    except FileNotFoundError:
        with contextlib.suppress(manifest.Malformed):
            manifest.read_root(root)
            return True
    return False


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

"""Reads the theme of a registry: the files of `site/` in its folder `templates/`.

The theme may have come with the content, which is not trusted: links are refused, and sizes are
limited.
"""

from __future__ import annotations

import os
from collections.abc import Iterator

from generator.contract import templates
from generator.disk.output_state import OutputError

#: Limits: bytes of a file, files, and nested folders.
_MOST_BYTES, _MOST_FILES, _DEEPEST = 4 << 20, 1000, 4


def default_templates_folder(content: str) -> str:
    """The default folder of a registry's own templates: `templates` beside the content."""
    return os.path.join(os.path.dirname(os.path.abspath(content)), "templates")


def read_theme(content: str, folder: str | None = None) -> dict[str, bytes]:
    """Path below `site/` -> bytes, for the templates in `folder`, else beside the content.

    Raises OutputError if a given `folder` has no `site/`, or a file is too large or not a normal
    file.
    """
    named, folder = folder is not None, folder or default_templates_folder(content)
    root = os.path.join(folder, "site")
    if not os.path.isdir(root):
        if named:
            raise OutputError(
                f"{folder} has no folder site/ with templates; nothing was "
                "written.\nGive the folder that contains site/: --templates templates"
            )
        return {}
    if os.path.realpath(folder) == os.path.realpath(templates.template_folder()):
        return {}
    try:
        return _read(root)
    except OSError as error:
        raise OutputError(
            f"{error.filename} cannot be read: {error.strerror}; nothing was written."
        ) from error


def _read(root: str) -> dict[str, bytes]:
    files: dict[str, bytes] = {}
    for path in _files(root, "", _DEEPEST):
        if len(files) == _MOST_FILES:
            raise OutputError(f"{root} has more than {_MOST_FILES:,} files; nothing was written.")
        with open(os.path.join(root, path), "rb") as file:
            files[path] = file.read(_MOST_BYTES + 1)
        if len(files[path]) > _MOST_BYTES:
            raise OutputError(
                f"{os.path.join(root, path)} has more than {_MOST_BYTES:,} bytes; nothing was "
                "written."
            )
    return files


def _files(root: str, below: str, depth: int) -> Iterator[str]:
    with os.scandir(os.path.join(root, below)) as entries:
        for entry in sorted(entries, key=lambda entry: entry.name):
            path = f"{below}{entry.name}"
            if entry.name.startswith("."):
                continue
            if entry.is_file(follow_symlinks=False):
                yield path
            elif entry.is_dir(follow_symlinks=False) and depth:
                yield from _files(root, f"{path}/", depth - 1)
            else:
                raise OutputError(
                    f"{os.path.join(root, path)} is not a normal file; nothing was written.\n"
                    "A theme may have files and folders, but no links."
                )

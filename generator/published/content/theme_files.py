"""Reads the theme of a registry: the files of `site/` in its folder `templates/`.

The theme may have come with the content, which is not trusted: links are refused, and sizes are
limited.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import cache

from generator.contract import templates
from generator.disk.output_state import OutputError
from generator.problems.diagnostic import nearest_word

_TEMPLATE = ".j2"
#: The endings of files that are text.
_TEXTS = (_TEMPLATE, ".css", ".js", ".mjs", ".json", ".svg", ".html", ".md")
#: What a registry may add besides templates.
_OTHERS = {*templates.PICTURES, templates.HOME_TEXT, "assets/own.css"}
#: Limits: bytes of a file, files, and nested folders.
_MOST_BYTES, _MOST_FILES, _DEEPEST = 4 << 20, 1000, 4


def theme_folder(content: str, folder: str | None = None) -> str:
    """The folder whose files `read_theme` reads: below `templates` beside the content, unless the
    folder of templates is given.
    """
    beside = os.path.normpath(os.path.join(content, os.pardir, "templates"))
    return os.path.join(folder or beside, "site")


def read_theme(content: str, folder: str | None = None) -> dict[str, bytes]:
    """Path below `site/` -> bytes, for the templates in `folder`, else beside the content.

    Raises OutputError if a given `folder` has no `site/`, if a folder is a link, if a file is too
    large, not a normal file or not saved as UTF-8, or if no page uses a template.
    """
    named, root = folder is not None, theme_folder(content, folder)
    folder = os.path.dirname(root)
    for path in (root,) if named else (folder, root):
        if os.path.islink(path):  # the files of another folder would be published
            raise _refused(
                f"{path} is a link",
                "A theme may have files and folders, but no links. Put the files there, or name "
                "their folder: --templates DIR",
            )
    if not os.path.isdir(root):
        if named:
            hint = "Give the folder that contains site/: --templates templates"
            raise _refused(f"{folder} has no folder site/ with templates", hint)
        _check_misplaced(folder, root)
        return {}
    if os.path.realpath(folder) == os.path.realpath(templates.template_folder()):
        return {}
    try:
        theme = _read(root)
    except OSError as error:
        raise _refused(f"{error.filename} cannot be read: {error.strerror}") from error
    _check_effect(root, theme, _texts(root, theme))
    return theme


def _refused(problem: str, hint: str = "") -> OutputError:
    return OutputError(f"{problem}; nothing was written." + (f"\n{hint}" if hint else ""))


def _check_misplaced(folder: str, root: str) -> None:
    """Refuse a template beside the folder `site/`."""
    known = _known_templates() if os.path.isdir(folder) else ()
    for name in sorted(name for name in known if os.path.lexists(os.path.join(folder, name))):
        moved = f"Move it to {os.path.join(root, name)}."
        raise _refused(f"{os.path.join(folder, name)} has no effect there", moved)


def _texts(root: str, theme: dict[str, bytes]) -> dict[str, str]:
    """The texts of a theme by path; one that is not UTF-8 is refused."""
    texts: dict[str, str] = {}
    for path, data in theme.items():
        if path.endswith(_TEXTS):
            try:
                texts[path] = data.decode()
            except UnicodeDecodeError as error:
                line = data.count(b"\n", 0, error.start) + 1
                where = f"{os.path.join(root, path)}:{line}"
                raise _refused(
                    f"{where}: the file is not saved as UTF-8", "Save it as UTF-8."
                ) from None
    return texts


def _check_effect(root: str, theme: dict[str, bytes], texts: dict[str, str]) -> None:
    """Refuse a file without effect: a template that neither a page nor a template uses, and another
    file if its name is nearly, or elsewhere, one that is read.
    """
    known = _known_templates()
    others = {path.rpartition("/")[2]: path for path in _OTHERS - theme.keys()}
    every = "\n".join(text for path, text in texts.items() if path.endswith(_TEMPLATE))
    for path in theme:
        if path in known or path in every:
            continue
        where = os.path.join(root, path)
        if path.endswith(_TEMPLATE) or path + _TEMPLATE in known:
            near = nearest_word(path, known)
            hint = f"Did you mean {near}?" if near else "Remove it, or name it in another template."
            raise _refused(f"{where} is a template that no page uses", hint)
        if path in _OTHERS or path.startswith(("assets/", "texts/")):
            continue
        if near := nearest_word(path.rpartition("/")[2], others):
            raise _refused(f"{where} is a file that nothing reads", f"Did you mean {others[near]}?")


@cache
def _known_templates() -> frozenset[str]:
    """The paths of the templates of the site, in this package and in features."""
    return frozenset(path for path in templates.site_files() if path.endswith(_TEMPLATE))


def _read(root: str) -> dict[str, bytes]:
    files: dict[str, bytes] = {}
    for path in _files(root, "", _DEEPEST):
        if len(files) == _MOST_FILES:
            raise _refused(f"{root} has more than {_MOST_FILES:,} files")
        with open(os.path.join(root, path), "rb") as file:
            files[path] = file.read(_MOST_BYTES + 1)
        if len(files[path]) > _MOST_BYTES:
            raise _refused(f"{os.path.join(root, path)} has more than {_MOST_BYTES:,} bytes")
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
                hint = "A theme may have files and folders, but no links."
                raise _refused(f"{os.path.join(root, path)} is not a normal file", hint)

"""Caches compiled templates, Markdown, API examples and the YAML of the editor's configuration:
tests build hundreds of registries in a few processes, and a small build spends most of its time on
these.

The results depend on the arguments only.  A registry's own templates are compiled as usual.
"""

from __future__ import annotations

import functools
import hashlib
import marshal
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import yaml
from markupsafe import Markup

from generator.contract.templates import template_folder
from generator.feature import files
from generator.features.reference import openapi_pages, views
from generator.site import markdown
from generator.site.templating import Plain, Sandboxed


@functools.cache
def _ours() -> frozenset[str]:
    """The texts of the generator's own templates of pages."""
    folders = [template_folder() / "site", *files("templates/site")]
    found = (path for folder in folders for path in folder.glob("**/*.j2"))
    return frozenset(path.read_bytes().decode() for path in found)


def remember(folder: Path | None = None) -> None:
    """Switch on the caches in this process and its forks.  With a folder, which only this user may
    write to, the processes share their results.
    """
    known: dict[str, Any] = {}
    compile_anew, show_anew, mark_anew, dump_anew = (
        Plain.compile,
        openapi_pages.excerpt,
        markdown.html,
        yaml.safe_dump,
    )

    def once(key: bytes, make: Callable[[], Any]) -> Any:
        name = hashlib.sha256(key).hexdigest()
        if name not in known:
            file = folder and folder / name
            if file and file.exists():
                known[name] = marshal.loads(file.read_bytes())
            else:
                known[name] = make()
                if file:  # atomic: some of those processes are killed
                    draft = file.with_suffix(f".{os.getpid()}")
                    draft.write_bytes(marshal.dumps(known[name]))
                    draft.replace(file)
        return known[name]

    def compile_once(self: Plain | Sandboxed, *arguments: Any, **options: Any) -> Any:
        if self.globals.get("site") is None or options or arguments[0] not in _ours():
            return compile_anew(self, *arguments, **options)
        key = f"{type(self).__name__} {arguments!r}"
        return once(key.encode(), lambda: compile_anew(self, *arguments))

    def show_once(body: bytes) -> Markup:
        return Markup(once(body, lambda: str(show_anew(body))))

    def mark_once(text: str, prefix: str = "") -> Markup:
        return Markup(
            once(f"Markdown {prefix}\n{text}".encode(), lambda: str(mark_anew(text, prefix)))
        )

    def dump_once(data: Any, *stream: Any, **options: Any) -> Any:
        if stream or options != {"allow_unicode": True, "sort_keys": False, "width": 100}:
            return dump_anew(data, *stream, **options)
        return once(f"YAML {data!r}".encode(), lambda: dump_anew(data, **options))

    Plain.compile = Sandboxed.compile = compile_once  # type: ignore[method-assign, assignment]
    yaml.safe_dump = dump_once
    openapi_pages.excerpt = views.excerpt = show_once  # type: ignore[attr-defined]
    markdown.html = mark_once

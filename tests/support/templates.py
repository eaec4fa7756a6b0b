"""Caches compiled templates, Markdown and API examples: tests build hundreds of registries in a few
processes, and a small build spends most of its time on these.

The results depend on the text only.  A registry's own templates are compiled as usual.
"""

from __future__ import annotations

import hashlib
import marshal
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

from markupsafe import Markup

from generator.site.reference import openapi_pages
from generator.site.templating import markdown
from generator.site.templating.fast_jinja import Plain
from generator.site.views import reference as views


def remember(folder: Path | None = None) -> None:
    """Switch on the caches in this process and its forks.  With a folder, which only this user may
    write to, the processes share their results.
    """
    known: dict[str, Any] = {}
    compile_anew, show_anew, mark_anew = (
        Plain.compile,
        openapi_pages.excerpt,
        markdown.html,
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

    def compile_once(self: Plain, *arguments: Any, **options: Any) -> Any:
        if self.globals.get("site") is None or options:
            return compile_anew(self, *arguments, **options)
        return once(repr(arguments).encode(), lambda: compile_anew(self, *arguments))

    def show_once(body: bytes) -> Markup:
        return Markup(once(body, lambda: str(show_anew(body))))

    def mark_once(text: str, prefix: str = "") -> Markup:
        return Markup(
            once(f"Markdown {prefix}\n{text}".encode(), lambda: str(mark_anew(text, prefix)))
        )

    Plain.compile = compile_once  # type: ignore[method-assign]
    openapi_pages.excerpt = views.excerpt = show_once  # type: ignore[attr-defined]
    markdown.html = mark_once

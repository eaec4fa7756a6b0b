"""What the site's pages have in common is made once: tests build hundreds of registries in a few
processes, and of a small build most of the time goes into compiling templates, and then into
Markdown and the examples of the API reference.

What becomes of a template, of an example, or of Markdown, follows from its text.  Templates of a
registry's own are compiled as ever.
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
    """From now on in this process, and in those that it forks; with a folder, which nobody else may
    write to, what one of these has made the others have too.
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
                if file:  # whole or not at all: some of those processes are killed
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

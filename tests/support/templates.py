"""Templates of the site are compiled once: tests build hundreds of registries in a few processes,
and of a small build compiling takes most of the time.

What becomes of a template follows from its text and from what pages have in common: the settings of
the registry, and its own files.  Templates of a registry's own are compiled as ever.
"""

from __future__ import annotations

import hashlib
import marshal
import os
from collections.abc import MutableMapping
from pathlib import Path
from typing import Any

from generator.site.quick import Plain


def remember(folder: Path | None = None) -> None:
    """From now on in this process, and in those that it forks; with a folder, which nobody else may
    write to, what one of these has compiled the others have too.
    """
    compiled: MutableMapping[str, Any] = {}
    compile_anew = Plain.compile

    def compile_once(self: Plain, *arguments: Any, **options: Any) -> Any:
        site = self.globals.get("site")
        if site is None or options:
            return compile_anew(self, *arguments, **options)
        own = sorted(site.theme.own.items())
        common = (str(site.settings.model_dump()), site.theme.language, own)
        key = hashlib.sha256(repr((arguments, common)).encode()).hexdigest()
        if key not in compiled:
            file = folder and folder / key
            if file and file.exists():
                compiled[key] = marshal.loads(file.read_bytes())
            else:
                compiled[key] = compile_anew(self, *arguments)
                if file:  # whole or not at all: some of those processes are killed
                    draft = file.with_suffix(f".{os.getpid()}")
                    draft.write_bytes(marshal.dumps(compiled[key]))
                    draft.replace(file)
        return compiled[key]

    Plain.compile = compile_once  # type: ignore[method-assign]

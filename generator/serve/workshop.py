"""The state of the development server: the last good build, and the problems of the newest one."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

from generator import PACKAGE
from generator.disk.output_state import OutputBusy, OutputError, find_content_folder, recover_output
from generator.problems.diagnostic import Diagnostic
from generator.published.reading.theme_files import default_templates_folder
from generator.reader.site import BuildNotFound, Site
from generator.serve import overlay
from generator.serve.builder import Builder, Built, Failed

_OTHER_CODE = "The generator itself has changed: end this server and start it again."


class Reporter(Protocol):
    """Reports events to the user."""

    def ready(self, site: Site | None, port: int) -> None:
        """The server answers requests."""

    def built(self, built: Built) -> None:
        """A build changed something, or failed because of the content."""

    def failed(self, text: str) -> None:
        """A build failed for another reason."""

    def waiting(self) -> None:
        """Another build of the same output is running."""


class Workshop:
    """Starts builds, and keeps the last good build and the problems of the newest."""

    def __init__(self, content: str, out: Path, reporter: Reporter, options: Mapping[str, Any]):
        self.content, self.out, self.reporter = content, out, reporter
        #: The content, the output, and the folder for the registry's own templates.
        self.watched = (
            Path(content),
            out,
            Path(options.get("templates") or default_templates_folder(content)),
        )
        self._builder = Builder(content, out, options)
        self._site: Site | None = None
        self._is_ours = False  # whether a build of this server made the output
        #: The errors of the newest build, or why there was none; None after a good build.
        self.newest_problems: tuple[Sequence[Diagnostic], str] | None = None
        self._code = _code()

    def build(self, *, first: bool = False) -> bool:
        """Build; returns whether answers may have changed. Raises OutputError if `first`."""
        # This process still runs the old code, but its cache would name the new files: every
        # later build would trust it.
        unchanged = _code() == self._code
        built = self._builder.build(self.reporter.waiting) if unchanged else Failed(_OTHER_CODE)
        if built is None:
            return False
        if isinstance(built, Failed):
            if first and built.output:
                raise OutputError(built.reason)
            trouble: tuple[Sequence[Diagnostic], str] | None = ((), built.reason)
            changed = False
        else:
            trouble = (built.errors, "") if built.errors else None
            changed = trouble is None and bool(built.written or built.removed)
        if not (first or changed or trouble != self.newest_problems):
            return False
        # Without a complete build, the previous one stays.
        with contextlib.suppress(BuildNotFound):
            self._site = Site.open(self.out)
        self._is_ours |= trouble is None
        self.newest_problems = trouble
        if isinstance(built, Failed):
            self.reporter.failed(built.reason)
        else:
            self.reporter.built(built)
        return True

    def end(self) -> None:
        """Start no more builds, and interrupt a running one."""
        self._builder.end()

    @property
    def site(self) -> Site | None:
        """The last good build; None if the output is of other content or incomplete."""
        try:
            recover_output(self.out, patience=0)
        except OutputBusy:
            pass
        except OutputError:
            return None
        source = find_content_folder(self.out)
        # Any build notes its content: if the notes are gone, nobody else has built since.
        known = source == os.path.realpath(self.content) or (source is None and self._is_ours)
        return self._site if known else None

    def add_overlay(self, page: bytes) -> bytes:
        """An HTML page with the problems of the newest build."""
        return overlay.add_overlay(page, *(self.newest_problems or ()), stale=self.site is not None)


def _code() -> list[tuple[str, int]]:
    """The generator's own files with their modification times."""
    return sorted((str(path), path.stat().st_mtime_ns) for path in PACKAGE.rglob("*.py"))

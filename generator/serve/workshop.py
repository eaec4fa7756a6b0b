"""What the development server answers from: the last good build, and why the newest is not it."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

from generator import PACKAGE
from generator.build.site_files import beside
from generator.disk.output_state import Busy, OutputError, made_from, settle
from generator.problems.diagnostic import Diagnostic
from generator.reader.site import NoSite, Site
from generator.serve import overlay
from generator.serve.builder import Builder, Built, Failed

_OTHER_CODE = "The generator itself has changed: end this server and start it again."


class Voice(Protocol):
    """Tells a person what happens."""

    def ready(self, site: Site | None, port: int) -> None:
        """Requests are answered."""

    def built(self, built: Built) -> None:
        """A build changed something, or failed because of the content."""

    def failed(self, text: str) -> None:
        """A build failed for another reason."""

    def waiting(self) -> None:
        """Another build of the same output is running."""


class Workshop:
    """Has builds made, with these options, and holds the last good one and what is wrong with the
    newest.
    """

    def __init__(self, content: str, out: Path, voice: Voice, options: Mapping[str, Any]):
        self.content, self.out, self.voice = content, out, voice
        #: The content, the output, and the registry's own templates where it has any.
        self.watched = Path(content), out, Path(options.get("templates") or beside(content))
        self._builder = Builder(content, out, options)
        self._site: Site | None = None
        #: The errors of the newest build, or else why there was none.
        self.trouble: tuple[Sequence[Diagnostic], str] | None = None
        self._code = _code()

    def build(self, *, first: bool = False) -> bool:
        """Build; whether answers may be others now.  Raises OutputError, at the first alone."""
        # Old code, and a build log that says it is as new as the files are, would spoil every later
        # build.
        unchanged = _code() == self._code
        built = self._builder.build(self.voice.waiting) if unchanged else Failed(_OTHER_CODE)
        if built is None:
            return False
        if isinstance(built, Failed):
            if first and built.output:
                raise OutputError(built.why)
            trouble: tuple[Sequence[Diagnostic], str] | None = ((), built.why)
            changed = False
        else:
            trouble = (built.errors, "") if built.errors else None
            changed = trouble is None and bool(built.written or built.removed)
        if not (first or changed or trouble != self.trouble):
            return False
        # Where there is no whole build, what was served before is better than nothing.
        with contextlib.suppress(NoSite):
            self._site = Site.open(self.out)
        self.trouble = trouble
        if isinstance(built, Failed):
            self.voice.failed(built.why)
        else:
            self.voice.built(built)
        return True

    def end(self) -> None:
        """No more builds; one that runs is interrupted."""
        self._builder.end()

    @property
    def site(self) -> Site | None:
        """The last good build; None where the output is of other content, or half of one build and
        half of another.
        """
        try:
            settle(self.out, patience=0)
        except Busy:
            pass
        except OutputError:
            return None
        return self._site if made_from(self.out) == os.path.realpath(self.content) else None

    def dress(self, page: bytes) -> bytes:
        """An HTML page with what is wrong with the newest build."""
        return overlay.dress(page, *(self.trouble or ()), stale=self.site is not None)


def _code() -> list[tuple[str, int]]:
    """The generator's own files, and when they changed."""
    return sorted((str(path), path.stat().st_mtime_ns) for path in PACKAGE.rglob("*.py"))

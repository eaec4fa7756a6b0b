"""Sessions on a command line, recorded in text files.

A line of a session that begins with `$ ` is a command; the indented lines below it are what it
prints, without empty lines.  All other lines are comments.  `replay` runs the commands in an empty
folder, and returns the session with what they print now.

    $ registry check --content records | grep unknown     only these lines of the output
    $ registry verify published | sort                    lines in no order of their own
    $? registry build                                     only the status
    $ rm content/projects/*.yaml                          any other command goes to sh

Lines of standard error begin with `! `; a status other than 0 follows in brackets.  Words of the
session itself, which are not commands of a shell:

    $ content NAME [FOLDER]       write a registry of `CONTENTS`
    $ remember FOLDER             remember inode, size and time of everything below it
    $ unchanged FOLDER            print what is not as remembered
    $ differ ONE OTHER            print the files that differ
    $ serve FOLDER                serve it over HTTP; $HOST is its base URL, $ESC the byte 27
"""

from __future__ import annotations

import contextlib
import os
import re
import shlex
import subprocess
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from support import commands, fake_host, registries

_ENVIRONMENT = {
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_AUTHOR_NAME": "A",
    "GIT_AUTHOR_EMAIL": "a@example.org",
    "GIT_COMMITTER_NAME": "A",
    "GIT_COMMITTER_EMAIL": "a@example.org",
    "GIT_AUTHOR_DATE": "2026-11-20T12:00:00Z",
    "GIT_COMMITTER_DATE": "2026-11-20T12:00:00Z",
}
#: What differs from run to run -> what is recorded in its place.
_VOLATILE = [
    (re.compile(r"http://127\.0\.0\.1:\d+"), "http://HOST"),
    (re.compile(r"\b\d+\.\d+ s\b"), "0.00 s"),
    (re.compile(r"\bprocess \d+"), "process 1"),
    (re.compile(r"(\.registry/file-)[\w-]+"), r"\1STORE"),
    (re.compile(r"(YYYY-MM-DD, like|date:|date-released:) \"?\d{4}-\d\d-\d\d"), r"\1 TODAY"),
    (re.compile(r"^\d{4}-\d\d-\d\d(?=\. SHA-256)"), "TODAY"),
    (re.compile(r"\b[0-9a-f]{64}\b"), "SHA-256"),
]


def _thirty(**settings: Any) -> registries.Content:
    """Thirty projects with a website, some with more, and nothing else."""
    projects = {
        f"p{n:02}": {
            "name": f"P {n}",
            "website": f"https://p{n}.example/",
            "tags": {"topic": ["climate"]},
        }
        for n in range(30)
    }
    none: dict[str, Any] = {"programs": {}, "organizations": {}, "events": {}}
    return registries.api_alone(settings, projects=projects, **none)


CONTENTS: Mapping[str, Callable[[], registries.Content]] = {
    "small": registries.api_alone,
    "small-with-site": registries.content,
    "thirty": _thirty,
}


class Session:
    """A folder in which commands run one after the other."""

    def __init__(self, folder: Path, imported: tuple[str, ...] = ()):
        self.folder, self._imported = folder, imported
        self._remembered: dict[str, object] = {}
        self._host: fake_host.FakeHost | None = None
        self._ends = contextlib.ExitStack()
        self.environment = _ENVIRONMENT | {
            "GIT_CEILING_DIRECTORIES": str(folder.parent),
            "XDG_STATE_HOME": str(folder / ".state"),
        }

    def run(self, line: str) -> list[str]:
        """The lines that a command prints, and its status if it is not 0."""
        line = line.replace("$ESC", "\x1b").replace("$PWD", str(self.folder))
        if self._host:
            line = line.replace("$HOST", self._host.base)
        word, _, rest = line.partition(" ")
        if word in ("content", "remember", "unchanged", "differ", "serve"):
            return list(getattr(self, f"_{word}")(*rest.split()) or ())
        if word == "registry" or re.match(r"[A-Z_]+=\S* registry ", line):
            command, _, pipe = line.partition(" | ")
            lines = self._registry(shlex.split(command))
            if pipe == "sort":
                return sorted(lines)
            return [one for one in lines if pipe.removeprefix("grep ") in one]
        done = subprocess.run(
            ["sh", "-c", line],
            cwd=self.folder,
            env=commands.environment(**self.environment),
            capture_output=True,
            text=True,
        )
        return _lines(done.returncode, done.stdout, done.stderr)

    def _registry(self, words: list[str]) -> list[str]:
        start = words.index("registry")
        changed = dict(word.split("=", 1) for word in words[:start])
        done = commands.run_forked(
            *words[start + 1 :],
            cwd=self.folder,
            env=self.environment | changed,
            imported=self._imported,
        )
        return _lines(*done)

    def shown(self, lines: list[str]) -> list[str]:
        """Lines as they are recorded."""
        found = []
        for line in lines:
            line = line.replace(str(self.folder), "/here")
            for volatile, instead in _VOLATILE:
                line = volatile.sub(instead, line)
            found.append(line.rstrip())
        return found

    def _content(self, name: str, folder: str = "content") -> None:
        registries.write(self.folder / folder, CONTENTS[name]())

    def _remember(self, folder: str) -> None:
        self._remembered[folder] = commands.stamps(self.folder / folder)

    def _unchanged(self, folder: str) -> list[str]:
        now = commands.stamps(self.folder / folder)
        before: Any = self._remembered[folder]
        return sorted(
            path for path in now.keys() | before.keys() if now.get(path) != before.get(path)
        )

    def _differ(self, one: str, other: str) -> list[str]:
        return commands.differing(*(commands.files(self.folder / name) for name in (one, other)))

    def _serve(self, folder: str) -> None:
        self._host = self._ends.enter_context(fake_host.serving(self.folder / folder, "/api-of-a"))

    def end(self) -> None:
        self._ends.close()


def _lines(status: int, out: str, err: str) -> list[str]:
    ends = [f"[{status}]"] if status else []
    return [*out.splitlines(), *(f"! {line}" for line in err.splitlines()), *ends]


def replay(text: str, folder: Path) -> str:
    """The session with what its commands print now."""
    session, found = Session(folder), list[str]()
    try:
        for line in text.splitlines():
            if not line.startswith("  "):
                found.append(line)
            if line.startswith(("$ ", "$? ")):
                mark, _, command = line.partition(" ")
                lines = session.shown(session.run(command))
                if mark == "$?":
                    lines = [one for one in lines if re.fullmatch(r"\[-?\d+\]", one)]
                found += [f"  {one}" for one in lines if one]
    finally:
        session.end()
    return "\n".join(found) + "\n"

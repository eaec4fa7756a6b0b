"""What commands print and return, and that they leave alone what they should: a transcript each.

Words of these transcripts, which are not commands of a shell:

    $ content NAME [FOLDER]       write a registry of `CONTENTS`
    $ remember FOLDER             remember inode, size and time of everything below it
    $ unchanged FOLDER            print what is not as remembered
    $ differ ONE OTHER            print the files that differ
    $ serve FOLDER                serve it over HTTP; $HOST is its base URL, $ESC the byte 27
    $ in FOLDER registry ...      run a command in another folder
    $ $REGISTRY ...               run a command in its own process, with the packages in the folder;
                                  $PYTHON is its Python, $ROOT the checkout
"""

from __future__ import annotations

import contextlib
import os
import re
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from support import commands, fake_host, registries
from support.lanes import fast_first
from support.transcripts import Program, Shell, cases

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
    (re.compile(r"\b\d+\.\d+ s\b"), "0.00 s"),
    (re.compile(r"\b(commit|checkout) [0-9a-f]{7}\b"), r"\1 COMMIT"),
    (re.compile(r"\bprocess \d+"), "process 1"),
    (re.compile(r"\b(commit|checkout) [0-9a-f]{7}\b"), r"\1 COMMIT"),
    (re.compile(r"(\.registry/file-)[\w-]+"), r"\1STORE"),
    (re.compile(r"(YYYY-MM-DD, like|date:|date-released:) \"?\d{4}-\d\d-\d\d"), r"\1 TODAY"),
    (re.compile(r"\d{4}-\d\d-\d\d(?=\. SHA-256)"), "TODAY"),
    (re.compile(r"\b[0-9a-f]{64}\b"), "SHA-256"),
]
#: Sessions with many builds; the tests beside the code that they run have a few of them.
SLOW = ("again", "broken", "copies", "explain", "features", "publishes", "release", "same")
SESSIONS = sorted(
    (path.stem for path in Path(__file__).parent.glob("*.txt")),
    key=lambda name: (name in SLOW, name),
)


def _thirty() -> registries.Content:
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
    return registries.api_alone({}, projects=projects, **none)


def _ties() -> registries.Content:
    """Equal names, years and counts, and one place in several spellings: whatever could reveal the
    order of files.
    """
    spellings = ("a", "Tie", "xy", "Köln"), ("b", "tie", "yx", "Koln"), ("c", "TIÉ", "y", "KÖLN")
    ties = {
        f"{stem}-{number}": {
            "name": name,
            "year": 2024,
            "programs": ["launch-2025"],
            "tags": {"technology": list(tags)},
            "locations": [{"country": "DE", "city": city}],
            "aliases": [f"old-{stem}-{number}"],
        }
        for stem, name, tags, city in spellings
        for number in range(4)
    }
    settings = {"page_size": 10, "base_url": "https://registry.example/data"}
    return registries.content(registry=settings, projects=registries.SMALL["projects"] | ties)


CONTENTS: Mapping[str, Callable[[], registries.Content]] = {
    "small": registries.api_alone,
    "small-with-site": registries.content,
    "thirty": _thirty,
    "ties": _ties,
}


class WholeShell(Shell):
    """A shell with git and the words of the transcripts; what differs from run to run is hidden."""

    def __init__(self, folder: Path, ends: contextlib.ExitStack):
        here = {"GIT_CEILING_DIRECTORIES": str(folder.parent),
                "XDG_STATE_HOME": str(folder / ".state")}  # fmt: skip
        super().__init__(folder, _ENVIRONMENT | here)
        self.names |= {
            "$ESC": "\x1b",
            "$REGISTRY": f"env PYTHONPATH=$ROOT:{folder} $PYTHON -m generator",
            "$PYTHON": sys.executable,
            "$ROOT": str(commands.ROOT),
        }
        self._ends, self._remembered = ends, dict[str, dict[str, tuple[int, ...]]]()
        words = (self._content, self._remember, self._unchanged, self._differ, self._serve)
        self.programs |= {word.__name__[1:]: _program(word) for word in words} | {"in": self._in}

    def __call__(self, step: str) -> list[str]:
        lines = super().__call__(step)
        for volatile, instead in _VOLATILE:
            lines = [volatile.sub(instead, line) for line in lines]
        return lines

    def _in(self, words: list[str], env: dict[str, str | None]) -> commands.Done:
        return commands.run_forked(*words[2:], cwd=self.folder / words[0], env=env)

    def _content(self, name: str, folder: str = "content") -> None:
        registries.write(self.folder / folder, CONTENTS[name]())

    def _remember(self, folder: str) -> None:
        self._remembered[folder] = commands.stamps(self.folder / folder)

    def _unchanged(self, folder: str) -> list[str]:
        now, before = commands.stamps(self.folder / folder), self._remembered[folder]
        return sorted(
            path for path in now.keys() | before.keys() if now.get(path) != before.get(path)
        )

    def _differ(self, one: str, other: str) -> list[str]:
        return commands.differing(*(commands.files(self.folder / name) for name in (one, other)))

    def _serve(self, folder: str) -> None:
        host = self._ends.enter_context(fake_host.serving(self.folder / folder, "/api-of-a"))
        self.names["$HOST"] = host.base


def _program(word: Callable[..., list[str] | None]) -> Program:
    return lambda words, env: commands.Done(0, "".join(f"{x}\n" for x in word(*words) or ()), "")


@pytest.mark.parametrize("name", fast_first(len(SESSIONS) - len(SLOW), SESSIONS))
def test_commands_print_what_was_recorded(name: str, regenerate: bool, tmp_path: Path) -> None:
    with contextlib.ExitStack() as ends:
        (case,) = cases(Path(__file__).parent / f"{name}.txt")
        case.run(WholeShell(tmp_path, ends), regenerate)

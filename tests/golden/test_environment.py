"""The same content gives the same bytes, whatever the machine, the process or the last build.

A registry is built again and again into one folder: after saves, and after changes of the
environment, the day, the options, the templates and the number of processes.  If nothing that
counts has changed, a build gives the bytes of the one before, and else those of a build into an
empty folder.
"""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import NamedTuple

import frozen
import pytest

from support import commands, registries
from support.corpora import CORPORA, Corpus
from support.lanes import fast_first


class Registry:
    """The folder of a corpus, and how it is built now."""

    def __init__(self, corpus: Corpus, folder: Path):
        corpus.write(folder)
        self.folder, self.content, self.out = folder, folder / "content", folder / "out"
        self.options: tuple[object, ...] = ("--as-of", commands.TODAY, *corpus.options)
        self.environment: dict[str, str | None] = {
            **corpus.environment,
            "GIT_CEILING_DIRECTORIES": str(folder),
            "REGISTRY_CACHE": str(folder / "cache"),
        }

    def replace(self, old: str, new: str, path: str = "registry.yaml") -> None:
        file = self.content / path
        text = file.read_text("utf-8")
        assert old in text, (path, old)
        file.write_text(text.replace(old, new, 1), "utf-8")

    def record(self, number: int = 0) -> str:
        """The path of a project's file, in the content."""
        found = sorted(self.content.glob("projects/**/*.yaml"))[number]
        return str(found.relative_to(self.content))

    def template(self, name: str, text: str | None) -> None:
        """Write a template of the registry's own, or remove it."""
        file = self.folder / "templates" / "site" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.unlink() if text is None else file.write_text(text, "utf-8")

    def build(
        self, out: Path, machine: Mapping[str, str | None] | None = None, umask: int = 0o022
    ) -> str:
        """Build, and return the digest of the tree; a process of its own has the variables of
        `machine`.
        """
        words = ("build", "--content", self.content, "--out", out, *self.options, "--allow-loss")
        if machine:
            env = self.environment | machine
            done = commands.run(*words, env=env, cwd=self.folder, umask=umask)
        else:
            done = commands.run_forked(*words, env=self.environment, cwd=self.folder)
        assert done.status == 0, done.err
        return frozen.Tree(out).digest()


def options(*words: object) -> Callable[[Registry], None]:
    """More options; those of the same name are replaced."""

    def change(registry: Registry) -> None:
        kept = registry.options
        if words[0] in kept:
            place = kept.index(words[0])
            kept = kept[:place] + kept[place + len(words) :]
        registry.options = (*kept, *words)

    return change


def toggled(*words: str) -> Callable[[Registry], None]:
    """Without these options if they are there, else with them."""

    def change(registry: Registry) -> None:
        rest = tuple(word for word in registry.options if word not in words)
        registry.options = rest if len(rest) < len(registry.options) else (*rest, *words)

    return change


def other_address(registry: Registry) -> None:
    file = registry.content / "registry.yaml"
    file.write_text(re.sub(r"(https://\w+\.example)/\w+", r"\1/below", file.read_text(), count=1))


def other_language(registry: Registry) -> None:
    file = registry.content / "registry.yaml"
    text = file.read_text()
    english = text.replace('"language": "de"', '"language": "en"')
    file.write_text(english if english != text else f"language: de\n{text}")


def own_texts(registry: Registry) -> None:
    for language in ("de", "en"):
        registry.template(f"texts/{language}.json", '{"site": {"skip": "On"}}')


def touch(registry: Registry) -> None:
    for number, path in enumerate(sorted(registry.content.rglob("*.yaml"))):
        os.utime(path, (number * 10**8, number * 10**8))


def copied(registry: Registry) -> None:
    """The content in files made in another order."""
    registry.content.rename(registry.folder / "kept")
    for path, data in sorted(commands.files(registry.folder / "kept").items(), reverse=True):
        (registry.content / path).parent.mkdir(parents=True, exist_ok=True)
        (registry.content / path).write_bytes(data)


def deeper(registry: Registry) -> None:
    for path in sorted(registry.content.glob("projects/*.yaml"))[::3]:
        (path.parent / path.stem[0]).mkdir(exist_ok=True)
        path.rename(path.parent / path.stem[0] / path.name)


def linked(registry: Registry) -> None:
    registry.content.rename(registry.folder / "elsewhere")
    registry.content.symlink_to("elsewhere")


class Turn(NamedTuple):
    """A change, and whether published bytes change with it; variables of the environment and a
    umask for this build alone, in a process of its own.
    """

    change: Callable[[Registry], object] = lambda registry: None
    counts: bool = False
    machine: Mapping[str, str | None] = {}
    umask: int = 0o022


def all_of(*changes: Callable[[Registry], object]) -> Callable[[Registry], object]:
    return lambda registry: [change(registry) for change in changes]


TURNS = {
    "C, no hash seed, another zone": Turn(
        machine={"LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0",
                 "PYTHONHASHSEED": "0", "TZ": "Pacific/Kiritimati", "REGISTRY_CACHE": ""},
    ),
    "a record is saved: Turkish, optimized, no files for others": Turn(
        lambda r: r.replace("name: ", "name: Another ", r.record()), True,
        {"LC_ALL": "tr_TR.UTF-8", "LANG": "tr_TR.UTF-8", "PYTHONHASHSEED": "1",
         "PYTHONOPTIMIZE": "2", "TZ": "America/Adak"}, 0o077,
    ),
    "no user, a narrow terminal": Turn(
        machine={"LC_ALL": None, "LANG": None, "LANGUAGE": "de", "PYTHONHASHSEED": "4242",
                 "HOME": "/nonexistent", "USER": "nobody", "COLUMNS": "20", "TERM": "xterm",
                 "REGISTRY_CACHE": ""},
    ),
    "no site, compressed copies or none": Turn(
        all_of(toggled("--no-site"), toggled("--precompress", "gzip")), True
    ),
    "two processes": Turn(options("--jobs", "2")),
    "files made in another order, with other times": Turn(all_of(copied, touch)),
    "a link to the content": Turn(linked),
    "a day later": Turn(options("--as-of", "2026-11-22"), True),
    "a record is removed, the day before, in deeper folders": Turn(
        all_of(lambda r: (r.content / r.record(1)).unlink(), options("--as-of", "2026-11-20"),
               deeper), True,
    ),
    "another base URL, two years and an hour later": Turn(
        all_of(other_address, options("--as-of", "2028-12-31"),
               lambda r: r.environment.update(SOURCE_DATE_EPOCH=str(int(commands.EPOCH) + 3600))),
        True,
    ),
    "the site again, another host, a text of the site": Turn(
        all_of(toggled("--no-site"), options("--host", "nginx"), own_texts), True
    ),
    "the template of a page, an asset": Turn(
        all_of(
            lambda r: r.template("404.html.j2", '{% extends "original/404.html.j2" %}'
                                 "{% block main %}Nothing.{{ super() }}{% endblock %}"),
            lambda r: r.template("assets/own.css", ":root { --radius: 1px; }"),
        ), True,
    ),
    "no asset, another language": Turn(
        all_of(lambda r: r.template("assets/own.css", None), other_language), True
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", fast_first(1, ["golden", "german"]))
def test_bytes_change_with_what_counts_and_with_nothing_else(name: str, tmp_path: Path) -> None:
    registry = Registry(CORPORA[name], tmp_path)
    before = registry.build(registry.out)
    for turn, (change, counts, machine, umask) in TURNS.items():
        change(registry)
        found = registry.build(registry.out, machine, umask)
        assert (found != before) == counts, turn
        if counts:
            clean = tmp_path / "clean" / "out"
            expected = registry.build(clean)
            assert found == expected, (turn, frozen.differing(registry.out, clean)[:20])
            shutil.rmtree(clean.parent)
        before = found


@pytest.mark.parametrize("mask", [0o000, 0o077])
def test_the_umask_affects_only_file_permissions(mask: int, tmp_path: Path) -> None:
    content = registries.write(tmp_path / "content", registries.API)
    out = commands.build(content, tmp_path / "out", umask=mask, anew=True)
    for path in [out, *out.rglob("*")]:
        allowed = (0o777 if path.is_dir() else 0o666) & ~0o022 & ~mask
        assert path.stat().st_mode & 0o777 == allowed, path

"""Answers from the files of a build: those of the server, whose engine Python runs
(generator.serve.answer), and those of the build's own search.js in node.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from generator.contract.files import ReadFiles
from generator.engine.bundles import make_table
from generator.engine.context import Engine
from generator.engine.scripts import module as host_module
from generator.grammar.grammar import Grammar
from generator.grammar.paths import SEARCH_SCRIPT
from generator.reader.deployment import Deployment
from generator.serve.answer import answer
from support import commands
from support.engines import ask, need

Given = tuple[int, bytes]
_ASK = commands.ROOT / "tests" / "search" / "ask.mjs"


class Asked(NamedTuple):
    """An answer of search.js; `reads` are the paths of the files that it read."""

    status: int
    headers: dict[str, str]
    body: bytes
    reads: list[str]


def javascript(out: Path, *targets: str, module: bytes | None = None, **more: Any) -> list[Asked]:
    """The answers of a freshly loaded search.js; `more` goes to ask.mjs."""
    need()
    code = (module or (out / SEARCH_SCRIPT[1:]).read_bytes()).decode()
    given = {"script": code, "site": str(out), "targets": targets, **more}
    return [
        Asked(a["status"], a["headers"], a["body"].encode(), a["reads"]) for a in ask(_ASK, given)
    ]


def function_module(out: Path) -> bytes:
    """A host's function as a module for ask.mjs."""
    adapter = (
        "export const ask = (target, read) =>\n"
        "  respond(new Request(new URL(target, 'https://registry.invalid')), read, table, search)\n"
    )
    return host_module(Deployment.open(out).grammar, adapter)


def function(out: Path, *targets: str) -> list[Asked]:
    """The answers of a host's function, which also has feeds."""
    return javascript(out, *targets, module=function_module(out))


def deployed(grammar: Grammar, read: ReadFiles) -> Deployment:
    """A registry with these files."""
    return Deployment(grammar, read, Engine(lambda: make_table(grammar)))


def asked(site: Deployment, *targets: str) -> list[Given]:
    """The answers of the server."""
    found = (answer("GET", target, site) for target in targets)
    return [(each.status, each.body) for each in found]


def served(out: Path, *targets: str) -> list[Given]:
    return asked(Deployment.open(out), *targets)


def as_in_browsers(answers: Sequence[Given]) -> list[Given]:
    """The same answers from search.js, in whose refusals `try` is null."""
    return [(status, re.sub(rb'(?<=,"try":)"[^"]*"', b"null", body)) for status, body in answers]


def differing(targets: Sequence[str], found: Sequence[Given], wanted: Sequence[Given]) -> list[Any]:
    return [(t[:200], f, w) for t, f, w in zip(targets, found, wanted, strict=True) if f != w][:3]

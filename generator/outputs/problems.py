"""A problem document (RFC 9457) for each code, for hosts that can only serve files."""

from __future__ import annotations

from collections.abc import Iterator

from generator.contract.artifact import Artifact, encode_json
from generator.grammar.paths import INDEX, problem_path
from generator.grammar.refusals import PROBLEMS
from generator.model.symbols import Symbols

ADDRESSES = (problem_path("@").partition("@")[0],)


def render(symbols: Symbols) -> Iterator[Artifact]:
    for code, (status, title, detail) in PROBLEMS.items():
        path = problem_path(code)
        # `code`, `allowed` and `help` are extension members (RFC 9457 section 3.2).
        problem = {
            "type": symbols.grammar.url(path),
            "title": title,
            "status": status,
            "detail": detail,
            "code": code,
            "allowed": None,
            "help": symbols.grammar.url(INDEX),
        }
        yield Artifact(path, encode_json(problem))

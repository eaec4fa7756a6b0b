"""Answers of scripts at the edge of hosts, in node with the host stubbed (tests/hosts/edge.mjs)."""

from __future__ import annotations

import functools
import hashlib
import json
import shutil
from collections.abc import Iterable, Sequence
from os.path import normpath
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from generator import PACKAGE
from generator.contract.artifact import Alias, Artifact
from generator.engine.table import table
from generator.grammar.headers import PROBLEM
from generator.hosts import vercel
from support import awkward, commands
from support.asked import Request, kinds, outcome, requests, tiered
from support.engines import ask, node

HOSTS = commands.ROOT / "tests" / "hosts"
RESOLVER = PACKAGE / "search/js/source/host.mjs"
BASE_URL = "https://registry.example.org/registry"


class Site:
    """A build, its requests, and the digests that identify its files."""

    def __init__(self, folder: Path, prefix: str, *hosts: str):
        base = BASE_URL if prefix else None
        self.out = awkward.build(folder, *hosts, base_url=base, site=True)
        self.grammar = awkward.grammar(prefix)
        # For a host that runs only the resolver, and for a host with a query tier.
        every = requests(self.grammar, self.out)
        # Another prefix changes only the table of a script.
        self.requests = kinds(every)[::6] if prefix else every
        self.tiered = tiered(self.requests, self.grammar, self.out)
        self.paths: dict[str, set[str]] = {}
        for path, data in commands.files(self.out).items():
            self.paths.setdefault(hashlib.sha256(data).hexdigest(), set()).add(f"/{path}")
        self.folder = folder

    @property
    def given(self) -> tuple[Any, Any, list[Alias]]:
        """The arguments of a host's `outside`: symbols, settings and former slugs."""
        aliases = [
            Alias(c.name, path.stem, json.loads(path.read_bytes())["data"]["replaced_by"])
            for c in self.grammar.collections.values()
            for path in sorted((self.out / c.record_path("x")[1:]).parent.glob("*.json"))
            if b'"kind":"moved"' in path.read_bytes()
        ]
        assert aliases
        symbols = SimpleNamespace(grammar=self.grammar)
        return symbols, SimpleNamespace(name="Awkward Registry"), aliases

    def outside(self, host: Any) -> dict[str, Path]:
        """Writes a host's files that are beside the output."""
        return self.write(host.outside(*self.given))

    def write(self, artifacts: Iterable[Artifact]) -> dict[str, Path]:
        found = {}
        for path, data in artifacts:
            found[path] = self.folder / path[1:]
            found[path].write_bytes(data)
        return found

    def ask(self, host: str, script: Path, asked: Sequence[Sequence[Any]]) -> list[Any]:
        """The answers of edge.mjs."""
        module = script
        # Node needs the .mjs name for a module; hosts do not.
        if script.is_dir():
            module = self.folder / host
            module.mkdir(exist_ok=True)
            for path in script.glob("*.js"):
                shutil.copy(path, module / f"{path.stem}.mjs")
        elif script.suffix == ".js" and host != "cloudfront":
            module = self.folder / f"{script.stem}-{host}.mjs"
            shutil.copy(script, module)
        given = {"host": host, "script": str(module), "site": str(self.out),
                 "table": table(self.grammar), "requests": asked}  # fmt: skip
        answers: list[Any] = node(HOSTS / "edge.mjs", given=given)
        assert len(answers) == len(asked)
        return answers

    @functools.cached_property
    def resolved(self) -> dict[Request, dict[str, Any]]:
        """The resolver's answers to all its requests."""
        answers = self.ask("respond", RESOLVER, [[r.method, r.target] for r in self.requests])
        return dict(zip(self.requests, answers, strict=True))

    @functools.cached_property
    def routed(self) -> dict[Request, str]:
        """The outcomes of Vercel's rules without its middleware."""
        return self.judged("routes", self.outside(vercel)["/vercel.json"])

    def judge(self, asked: Request, answer: dict[str, Any]) -> str:
        """Compare an answer of edge.mjs or of an engine with the right answer."""
        status, headers = answer["status"], answer["headers"]
        location = headers.get("location", "").removeprefix("https://registry.example.org")
        location = location if 300 <= status < 400 and location else None
        if asked.method == "HEAD":
            assert not answer["body"], asked
            return outcome(asked, status, asked.file, asked.problem, location)
        there = 200 <= status < 300 and answer["body"]
        found = self.paths.get(answer["body"], {f"sha256:{answer['body']}"}) if there else {None}
        file = asked.file if asked.file in found else min(map(str, found))
        problem = None
        # A content type alone is not a problem document: headers may depend on the path only.
        is_problem = status >= 400 and headers.get("content-type") == PROBLEM
        if is_problem and answer["text"].startswith("{"):
            problem = json.loads(answer["text"]).get("code")
        return outcome(asked, status, file, problem, location)

    def judged(
        self, host: str, script: Path, requests: Sequence[Request] = ()
    ) -> dict[Request, str]:
        """request -> outcome, for requests that reach the script; by default the requests for the
        resolver.
        """
        asked = requests or self.requests
        answers = self.ask(host, script, [[r.method, r.target] for r in asked])
        return {r: self.judge(r, a) for r, a in zip(asked, answers, strict=True) if a is not None}


def worst(judged: dict[Request, str], *allowed: str) -> dict[str, list[tuple[str, str]]]:
    """Some wrong outcomes of each kind."""
    found: dict[str, list[tuple[str, str]]] = {}
    for request, came in judged.items():
        if came not in allowed and len(found.setdefault(came, [])) < 9:
            found[came].append((request.method, request.target[:200]))
    return found


def fallback(site: Site, asked: Sequence[Request]) -> list[dict[str, Any]]:
    """Netlify's own matcher, for requests outside of edge functions."""
    given = {"site": str(site.out), "config": None, "urls": [r.target for r in asked]}
    found = []
    for answer in ask(HOSTS / "netlify.mjs", given)["answers"]:
        there = answer["exists"]
        body = (site.out / normpath(answer["target"])[1:]).read_bytes() if there else b""
        digest = hashlib.sha256(body).hexdigest() if body else ""
        headers = {"location": answer["location"] or ""}
        if there and answer["status"] == 404:
            headers["content-type"] = "application/problem+json"
        found.append({"status": answer["status"], "headers": headers, "body": digest,
                      "text": body.decode()})  # fmt: skip
    return found

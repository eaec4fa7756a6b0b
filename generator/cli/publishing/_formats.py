"""Problems for programs: JSON, GitHub annotations, GitLab Code Quality reports, SARIF 2.1.0."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from hashlib import sha256
from typing import Any

from generator.cli._report import count_sentence, end_of, excerpts, lines_of, span
from generator.problems.diagnostic import REPEATED_FIELDS, Diagnostic, Edit, is_accepted, is_error
from generator.problems.markdown import MARK, MAX_BYTES, code_block, code_span

#: Annotations of one level that GitHub shows for a step; it shows 50 for a job
#: (github.com/actions/toolkit, "Problem Matchers").
MOST = 10

#: Severity -> its words in GitHub, GitLab and SARIF.
_GITHUB = {"error": "error", "warning": "warning", "accepted": "notice"}
_GITLAB = {"error": "major", "warning": "minor", "accepted": "info"}
_SARIF = {"error": "error", "warning": "warning", "accepted": "note"}

#: Bytes of a comment for what a workflow writes above, and for the number of problems left out.
_SPARE = 1_000

Mends = Mapping[Diagnostic, Sequence[Edit]]


def render(problems: Sequence[Diagnostic], form: str, mends: Mends | None = None) -> str:
    """All problems in a format, ending with a newline. JSON and SARIF include the replacements in
    `mends`.
    """
    if form == "github":
        return _github(problems)
    if form == "markdown":
        return _markdown(problems)
    document: Any = (
        _gitlab(problems)
        if form == "gitlab"
        else (_json if form == "json" else _sarif)(problems, mends or {})
    )
    return json.dumps(document, ensure_ascii=False, indent=1) + "\n"


def _json(problems: Sequence[Diagnostic], mends: Mends) -> dict[str, Any]:
    names = list(Diagnostic.__dataclass_fields__)[:REPEATED_FIELDS]
    keys = ("line", "column", "end_line", "end_column", "text")
    return {
        "problems": [
            {name: getattr(p, name) for name in names}
            | {
                "count": p.count,
                "also": [place._asdict() for place in p.also],
                "mend": [dict(zip(keys, edit, strict=True)) for edit in mends.get(p, ())],
            }
            for p in problems
        ]
    }


def _escape(text: str, *, in_property: bool = False) -> str:
    """Escapes of a GitHub workflow command (docs.github.com, "Workflow commands")."""
    text = text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
    return text.replace(":", "%3A").replace(",", "%2C") if in_property else text


def _github(problems: Sequence[Diagnostic]) -> str:
    """A workflow command for each of the first errors and warnings, the first of every file before
    the second of any. A notice counts the problems that GitHub would drop silently; they are
    listed in the log.
    """
    end = _ends()
    shown: list[Diagnostic] = []
    for severity in _GITHUB:
        shown += _widely(p for p in problems if p.severity == severity)[:MOST]
    out = [_command(problem, end(problem)) for problem in shown]
    told = set(shown)
    rest = [problem for problem in problems if problem not in told]
    if rest:
        what, more = _counted(problems), _counted(rest)
        out.append(
            f"::notice title=registry check::{what}. GitHub shows {MOST} of each at their lines; "
            f"{more} more are in the log of this step.\n::group::{more} more\n"
        )
        # A line of a log is a command only if it begins with "::" or contains "##[".
        out += [f"{p.path}:{p.line}:{p.column}: {p.severity}[{p.code}] {p.message}\n".replace(
            "##[", "## [") for p in rest]  # fmt: skip
        out.append("::endgroup::\n")
    return "".join(out)


def _widely(problems: Iterable[Diagnostic]) -> list[Diagnostic]:
    """The first problem of every file, then the second of each, and so on."""
    seen: Counter[str] = Counter()
    ranked = []
    for problem in problems:
        seen[problem.path] += 1
        ranked.append((seen[problem.path], problem))
    return [problem for _, problem in sorted(ranked, key=lambda pair: pair[0])]


def _counted(problems: Sequence[Diagnostic]) -> str:
    counts = count_sentence(problems)
    return " and ".join(count for count in counts if not count.startswith("0 "))


def _command(p: Diagnostic, end: int | None) -> str:
    where = f"file={_escape(p.path, in_property=True)},line={p.line},col={p.column}"
    where += f",endColumn={end}" * (end is not None) + f",title={p.code}"
    command = _GITHUB[p.severity]
    return f"::{command} {where}::{_escape(p.message + (chr(10) + p.hint if p.hint else ''))}\n"


def _ends() -> Callable[[Diagnostic], int | None]:
    """A function that returns the column after the place of a problem, or None if it is about a
    file.
    """
    lines = lru_cache(maxsize=4)(lines_of)

    def end(problem: Diagnostic) -> int | None:
        if (problem.line, problem.column) == (1, 1):
            return None
        held = lines(problem.path)
        if problem.line > len(held) or problem.column > len(held[problem.line - 1]):
            return None
        return end_of(problem) or span(held[problem.line - 1], problem.column - 1) + 1

    return end


def _markdown(problems: Sequence[Diagnostic]) -> str:
    """All problems for a comment, which is cut to what a host takes.  The texts are of anybody, so
    they are code.
    """
    out = f"{MARK}\n### What registry check found\n\n**{_counted(problems) or 'No problem'}**\n"
    excerpt = excerpts()
    for number, p in enumerate(problems):
        line = f":{p.line}" if (p.line, p.column) != (1, 1) else ""
        text = f"\n- {p.severity} `{p.code}` in {code_span(f'{p.path}{line}')}:"
        text += f" {code_span(p.message)}\n"
        if shown := excerpt(p):
            text += f"\n{code_block(shown, 'text', '  ')}\n"
        if p.hint:
            text += f"\n  {code_span(p.hint)}\n"
        if len((out + text).encode()) > MAX_BYTES - _SPARE:
            return f"{out}\n… and {len(problems) - number:,} more: run `registry check`.\n"
        out += text
    return out


def _gitlab(problems: Sequence[Diagnostic]) -> list[dict[str, Any]]:
    """A Code Quality report (docs.gitlab.com/ci/testing/code_quality, "Code Quality report
    format"). GitLab shows each problem at its line of a merge request.
    """
    seen: Counter[str] = Counter()
    return [
        {
            "description": p.message + (f" ({p.hint})" if p.hint else ""),
            "check_name": p.code,
            "fingerprint": _fingerprint(p, seen),
            "severity": _GITLAB[p.severity],
            "location": {"path": p.path, "lines": {"begin": p.line}},
        }
        for p in problems
    ]


def _sarif(problems: Sequence[Diagnostic], mends: Mends) -> dict[str, Any]:
    """https://docs.oasis-open.org/sarif/sarif/v2.1.0/"""
    from generator import __version__

    end = _ends()
    rules = {code: number for number, code in enumerate(sorted({p.code for p in problems}))}
    worst = {p.code: p.severity for p in sorted(problems, key=is_error)}
    seen: Counter[str] = Counter()

    def result(p: Diagnostic) -> dict[str, Any]:
        region = {"startLine": p.line, "startColumn": p.column}
        if (last := end(p)) is not None:
            region["endColumn"] = last
        held: dict[str, Any] = {
            "ruleId": p.code,
            "ruleIndex": rules[p.code],
            "level": _SARIF[p.severity],
            "message": {"text": p.message + (f" ({p.hint})" if p.hint else "")},
            "locations": [_location(p.path, region)],
            "partialFingerprints": {"registryProblem/v1": _fingerprint(p, seen)},
        }
        if p.count > 1:
            held["occurrenceCount"] = p.count
        if is_accepted(p):
            held["suppressions"] = [{"kind": "inSource", "justification": p.hint}]
        if p.also:
            held["relatedLocations"] = [
                _location(place.path, {"startLine": place.line, "startColumn": place.column})
                | {"id": number}
                for number, place in enumerate(p.also, 1)
            ]
        if edits := mends.get(p):
            held["fixes"] = [_fix(p, edits)]
        return held

    driver = {
        "name": "registry-generator",
        "version": __version__,
        "rules": [_rule(code, worst[code]) for code in rules],
    }
    run = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "results": list(map(result, problems)),
    }
    schema = "https://json.schemastore.org/sarif-2.1.0.json"
    return {"$schema": schema, "version": "2.1.0", "runs": [run]}


def _rule(code: str, level: str) -> dict[str, Any]:
    from generator.problems.codes import codes

    one = codes()[code]
    cause, mend = " ".join(one.cause.split()), " ".join(one.mend.split())
    return {
        "id": code,
        "name": code.title().replace("-", ""),
        "shortDescription": {"text": one.summary},
        "fullDescription": {"text": cause.replace("`", ""), "markdown": cause},
        "help": {"text": mend.replace("`", ""), "markdown": f"{cause}\n\n**Mend:** {mend}"},
        "defaultConfiguration": {"level": _SARIF[level]},
    }


def _location(path: str, region: Mapping[str, int]) -> dict[str, Any]:
    return {"physicalLocation": {"artifactLocation": _artifact(path), "region": dict(region)}}


def _artifact(path: str) -> dict[str, str]:
    from urllib.parse import quote

    if path.startswith("/"):
        return {"uri": f"file://{quote(path)}"}
    return {"uri": quote(path), "uriBaseId": "%SRCROOT%"}


def _fingerprint(problem: Diagnostic, seen: Counter[str]) -> str:
    """A digest of a problem that does not change when it moves in its file. Equal problems are
    numbered.
    """
    said = "\0".join((problem.path, problem.code, problem.message))
    digest = sha256(said.encode("utf-8", "surrogateescape")).hexdigest()[:16]
    seen[digest] += 1
    return f"{digest}:{seen[digest]}"


def _fix(problem: Diagnostic, edits: Sequence[Edit]) -> dict[str, Any]:
    replaced: Iterator[dict[str, Any]] = (
        {
            "deletedRegion": {"startLine": a, "startColumn": b, "endLine": c, "endColumn": d},
            "insertedContent": {"text": put},
        }
        for a, b, c, d, put in edits
    )
    change = {"artifactLocation": _artifact(problem.path), "replacements": list(replaced)}
    what = problem.hint or "as registry fix does it"
    return {"description": {"text": what}, "artifactChanges": [change]}

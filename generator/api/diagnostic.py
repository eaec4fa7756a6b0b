"""What went wrong, where, and the nearest right thing.

A problem of the content is a value: a `Diagnostic` with a stable code.  Stages collect diagnostics
and go on; nothing here raises or prints.  `codes` has the catalogue of them.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal, NamedTuple

Severity = Literal["error", "warning"]

#: A place in a file: path, line and column, both 1-based.
Place = tuple[str, int, int]
#: What stands between two places of a file, each a line and a column, is replaced by a text.
Edit = tuple[int, int, int, int, str]


class Fix(NamedTuple):
    """A mend that a program may make without asking (see generator.edit.fix, which makes it).

    `put` is by `how`: `text`, a tuple of `Edit`; `here`, how many characters at the problem's place
    are replaced by which; `value`, what stands at the field `loc` instead; `key`, how that field is
    called; `remove`, None: it is taken out of its list; `name`, how the file is called.
    """

    how: Literal["text", "here", "value", "key", "remove", "name"]
    put: Any
    loc: tuple[str | int, ...] = ()


#: A diagnostic as plain data, its fields in their order; of those that are told again by a later
#: build the first `TOLD`.
Packed = tuple[Any, ...]
TOLD = 7


@dataclass(frozen=True, slots=True, order=True)
class Diagnostic:
    """One problem.  `line` and `column` are 1-based; `path` is as the author would type it.

    `also` has other places that it is about, `fix` the mend where one is safe.
    """

    path: str
    line: int
    column: int
    code: str
    message: str
    hint: str | None = None
    severity: Severity = "error"
    also: tuple[Place, ...] = field(default=(), compare=False)
    fix: Fix | None = field(default=None, compare=False)

    def pack(self) -> Packed:
        """The problem as plain data, for another process or the next build."""
        said = self.path, self.line, self.column, self.code, self.message, self.hint, self.severity
        return *said, self.also, self.fix and tuple(self.fix)

    @classmethod
    def unpack(cls, packed: Packed) -> Diagnostic:
        also, fix = packed[TOLD:] or ((), None)
        return replace(cls(*packed[:TOLD]), also=also, fix=fix and Fix(*fix))

    def __str__(self) -> str:
        head = f"{self.path}:{self.line}:{self.column}: {self.severity}[{self.code}]"
        return "\n  ".join([head, self.message, *([self.hint] if self.hint else [])])


def printable(text: str) -> str:
    """Text on one line, with what cannot be seen as escapes: nothing in a record can steer a
    terminal or a log.
    """
    return (
        text
        if text.isprintable()
        else "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)
    )


def is_error(problem: Diagnostic) -> bool:
    return problem.severity == "error"


def ordered(problems: Iterable[Diagnostic]) -> list[Diagnostic]:
    """By path, line, column, code and text, each once: the same list however work was divided."""
    return sorted(
        set(problems), key=lambda d: (d.path, d.line, d.column, d.code, d.message, d.hint or "")
    )


def did_you_mean(word: str, known: Iterable[str]) -> str | None:
    """The nearest known word, or None when none is near."""
    import difflib

    likely = [k for k in known if abs(len(k) - len(word)) <= 4]
    if (
        len(likely) > 50
    ):  # comparing is a hundred times slower than counting the pairs of letters that both have
        pairs = {word[i : i + 2] for i in range(len(word) - 1)}
        likely = sorted(likely, key=lambda k: sum(pair in k for pair in pairs), reverse=True)[:50]
    near = difflib.get_close_matches(word, likely, 1, 0.7)
    return near[0] if near else None


def suggestion(word: str, known: Iterable[str], *, most: int = 12) -> str | None:
    """A hint: the nearest known word, else all of them when they are few."""
    known = sorted(known)
    near = did_you_mean(word, known)
    if near is not None:
        return f'did you mean "{near}"?'
    return "one of: " + ", ".join(known) if 0 < len(known) <= most else None


def render(problems: Sequence[Diagnostic], form: str) -> str:
    """All problems as `text`, `json`, `github` (workflow commands) or `sarif` (SARIF 2.1.0),
    newline-terminated.
    """
    return {"text": _text, "json": _json, "github": _github, "sarif": _sarif}[form](problems)


def _text(problems: Sequence[Diagnostic]) -> str:
    return "".join(f"{problem}\n" for problem in problems)


def _json(problems: Sequence[Diagnostic]) -> str:
    names = list(Diagnostic.__dataclass_fields__)[:TOLD]
    rows = [{name: getattr(p, name) for name in names} for p in problems]
    return json.dumps({"problems": rows}, ensure_ascii=False, indent=1) + "\n"


def _escape(text: str, *, in_property: bool = False) -> str:
    """Escapes of a GitHub workflow command (docs.github.com, "Workflow commands")."""
    text = text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
    return text.replace(":", "%3A").replace(",", "%2C") if in_property else text


def _github(problems: Sequence[Diagnostic]) -> str:
    out = []
    for p in problems:
        where = (
            f"file={_escape(p.path, in_property=True)},line={p.line},col={p.column},title={p.code}"
        )
        out.append(
            f"::{p.severity} {where}::{_escape(p.message + (chr(10) + p.hint if p.hint else ''))}\n"
        )
    return "".join(out)


def _sarif(problems: Sequence[Diagnostic]) -> str:
    from urllib.parse import quote

    from generator.api.codes import codes

    def result(p: Diagnostic) -> dict[str, Any]:
        region = {"startLine": p.line, "startColumn": p.column}
        place = {"artifactLocation": {"uri": quote(p.path)}, "region": region}
        text = p.message + (f" ({p.hint})" if p.hint else "")
        return {"ruleId": p.code, "level": p.severity, "message": {"text": text},
                "locations": [{"physicalLocation": place}]}  # fmt: skip

    rules = [
        {"id": c, "shortDescription": {"text": codes()[c].summary}}
        for c in sorted({p.code for p in problems})
    ]
    tool = {"driver": {"name": "registry-generator", "rules": rules}}
    schema = "https://json.schemastore.org/sarif-2.1.0.json"
    run = {
        "tool": tool,
        "columnKind": "unicodeCodePoints",
        "results": [result(p) for p in problems],
    }
    return (
        json.dumps(
            {"$schema": schema, "version": "2.1.0", "runs": [run]}, ensure_ascii=False, indent=1
        )
        + "\n"
    )

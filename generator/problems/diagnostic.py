"""What went wrong, where, and the nearest right thing.

A problem of the content is a value: a `Diagnostic` with a stable code.  Stages collect diagnostics
and go on; nothing here raises or prints.  `codes` has the catalogue of them.
"""

from __future__ import annotations

from collections.abc import Iterable
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

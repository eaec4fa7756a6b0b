"""Diagnostics: problems of the content, with their place, a stable code, a hint and a fix.

Stages return diagnostics and go on; nothing here raises or prints.  Who cannot go on with them
raises `Faulty`.  The package `codes` has the catalogue of codes.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal, NamedTuple

from generator import UserError

#: "accepted": a warning that the record or registry.yaml accepts; only `check --all` shows it.
Severity = Literal["error", "warning", "accepted"]

#: Replace the text of a file from one line and column to another line and column by a text.
Edit = tuple[int, int, int, int, str]


class Position(NamedTuple):
    """A place in a file; `line` and `column` are 1-based."""

    path: str
    line: int = 1
    column: int = 1


class Fix(NamedTuple):
    """A safe change, which generator.edit.fix makes without asking.

    `replacement` depends on `action`.  `text`: a tuple of `Edit`.  `here`: the number of characters
    to replace at the problem's place, and the new text.  `value`: the new value of the field `loc`.
    `key`: the new key of that field.  `remove`: None; the item `loc` is removed from its list.
    `name`: the new name of the file.
    """

    action: Literal["text", "here", "value", "key", "remove", "name"]
    replacement: Any
    loc: tuple[str | int, ...] = ()


class Cause(NamedTuple):
    """What many problems may have in common: what is `missing`, in words, and the file below the
    content folder that should have it, in the field `loc`, or should be it.
    """

    path: str
    missing: str
    loc: tuple[str | int, ...] = ()


#: The fields of a diagnostic in order, as plain data.  A later build that repeats the diagnostic
#: has only the first `REPEATED_FIELDS` fields.
Packed = tuple[Any, ...]
REPEATED_FIELDS = 7


@dataclass(frozen=True, slots=True, order=True)
class Diagnostic:
    """One problem.  `line` and `column` are 1-based; `path` is as the author would type it.

    `also` has other places of the problem; `fix` is a safe change, if there is one.  `count` is the
    number of problems with this `cause` that are shown as one.
    """

    path: str
    line: int
    column: int
    code: str
    message: str
    hint: str | None = None
    severity: Severity = "error"
    also: tuple[Position, ...] = field(default=(), compare=False)
    fix: Fix | None = field(default=None, compare=False)
    cause: Cause | None = field(default=None, compare=False)
    count: int = field(default=1, compare=False)

    def pack(self) -> Packed:
        """The diagnostic as plain data, for another process or the next build."""
        texts = self.path, self.line, self.column, self.code, self.message, self.hint, self.severity
        also, fix, cause = tuple(map(tuple, self.also)), self.fix, self.cause
        return *texts, also, fix and tuple(fix), cause and tuple(cause)

    @classmethod
    def unpack(cls, packed: Packed) -> Diagnostic:
        places, fix, cause = packed[REPEATED_FIELDS:] or ((), None, None)
        also = tuple(Position(*place) for place in places)
        fix, cause = fix and Fix(*fix), cause and Cause(*cause)
        return replace(cls(*packed[:REPEATED_FIELDS]), also=also, fix=fix, cause=cause)

    def __str__(self) -> str:
        head = f"{self.path}:{self.line}:{self.column}: {self.severity}[{self.code}]"
        return "\n  ".join([head, self.message, *([self.hint] if self.hint else [])])


class Faulty(UserError):
    """Files have errors, in `problems`: those of registry.yaml, or of a table."""

    status = 1

    def __init__(self, problems: list[Diagnostic]):
        super().__init__()
        self.problems = problems


def printable(text: str) -> str:
    """A text on one line that cannot control a terminal: unprintable characters are escaped."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


def is_error(problem: Diagnostic) -> bool:
    return problem.severity == "error"


def is_accepted(problem: Diagnostic) -> bool:
    return problem.severity == "accepted"


def stops_publish(problem: Diagnostic) -> bool:
    """Whether a problem stops a build with `--strict`."""
    if problem.severity != "warning":
        return is_error(problem)
    from generator.problems.codes import depends_on_day  # most builds have no warning

    return not depends_on_day(problem.code)


def accept_warning(problem: Diagnostic, reasons: Mapping[str, str]) -> Diagnostic:
    """The problem; if it is a warning and `reasons` has its code, as an accepted one."""
    if problem.severity != "warning" or problem.code not in reasons:
        return problem
    return replace(problem, severity="accepted", hint=reasons[problem.code], fix=None)


def accepted_by(entries: Any, path: str = "") -> dict[str, str]:
    """Code -> reason, for the value of a field "accept", which need not be valid.

    The entries are the codes in a record's list, or code: reason in registry.yaml.  `path` is the
    file of another record that has the field.
    """
    if isinstance(entries, dict):
        return {str(code): f"accepted in registry.yaml: {why}" for code, why in entries.items()}
    where = printable(path) if path else "this file"
    codes = entries if isinstance(entries, list | tuple) else ()
    return {code: f"accepted in {where}" for code in codes if isinstance(code, str)}


def sort_diagnostics(problems: Iterable[Diagnostic]) -> list[Diagnostic]:
    """Diagnostics sorted by path, line, column, code and text, without duplicates."""
    return sorted(
        set(problems), key=lambda d: (d.path, d.line, d.column, d.code, d.message, d.hint or "")
    )


def nearest_word(word: str, known: Iterable[str]) -> str | None:
    """The nearest known word; None if no word is near."""
    import difflib

    likely = [k for k in known if abs(len(k) - len(word)) <= 4]
    if len(likely) > 50:
        # Counting common pairs of letters is a hundred times faster than comparing words.
        pairs = {word[i : i + 2] for i in range(len(word) - 1)}
        likely = sorted(likely, key=lambda k: sum(pair in k for pair in pairs), reverse=True)[:50]
    near = difflib.get_close_matches(word, likely, 1, 0.7)
    return near[0] if near else None


def suggest_word(word: str, known: Iterable[str], *, max_words: int = 12) -> str | None:
    """A hint: the nearest known word, or else all known words if there are at most `max_words`."""
    known = sorted(known)
    near = nearest_word(word, known)
    if near is not None:
        return f'did you mean "{near}"?'
    return "one of: " + ", ".join(known) if 0 < len(known) <= max_words else None


def sort_problems(problems: Iterable[Diagnostic], strict: bool) -> list[Diagnostic]:
    """Problems without repetitions and accepted warnings, in order.  With `strict`, warnings are
    errors, except those that depend on the day: time alone stops no build.
    """
    found = (p for p in problems if not is_accepted(p))
    return sort_diagnostics(map(_strict, found) if strict else found)


def _strict(problem: Diagnostic) -> Diagnostic:
    return replace(problem, severity="error") if stops_publish(problem) else problem

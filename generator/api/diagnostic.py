"""What went wrong, where, and the nearest right thing.

A problem of the content is a value: a `Diagnostic` with a stable code.  Stages collect diagnostics and go on; nothing
here raises or prints.  `CODES` is the catalogue; docs/diagnostics.md has an entry for each.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

Severity = Literal["error", "warning"]

#: code -> one sentence for people who meet it for the first time.
CODES: dict[str, str] = {
    "missing-registry": "The content folder has no registry.yaml.",
    "unreadable-file": "A file or folder of the content cannot be read.",
    "file-too-large": "A content file is larger than 256 KiB.",
    "not-utf8": "A content file holds bytes that are not UTF-8.",
    "merge-conflict": "A content file holds the lines that git leaves where two versions could not be merged.",
    "odd-space": "A value or a key has a space that YAML does not take for one.",
    "yaml-syntax": "A content file is not well-formed YAML.",
    "yaml-too-deep": "A content file nests deeper than any record does.",
    "yaml-several-documents": "A content file holds more than one YAML document.",
    "yaml-not-a-mapping": "The top level of a content file is not a mapping of fields.",
    "yaml-key-not-text": "A key of a mapping is not plain text.",
    "yaml-duplicate-key": "A mapping names the same key twice.",
    "yaml-anchor": "YAML anchors are not part of the dialect.",
    "yaml-alias": "YAML aliases are not part of the dialect.",
    "yaml-merge-key": "YAML merge keys are not part of the dialect.",
    "yaml-tag": "YAML tags are not part of the dialect.",
    "invalid-slug": "A slug is not of the form a-z, 0-9 and single hyphens, at most 100 characters.",
    "duplicate-slug": "Two files of one kind have the same stem.",
    "alias-clash": "An alias equals a live slug, or another record's alias, of the same kind.",
    "unknown-field": "A field that the schema does not have.",
    "missing-field": "A required field is not there.",
    "misplaced-field": "A field that this kind of event does not have.",
    "wrong-type": "A value of another type than the field takes.",
    "invalid-length": "A text or list is shorter or longer than the field allows.",
    "out-of-range": "A number or date outside the field's range.",
    "line-break": "A one-line text holds a line break.",
    "control-character": "A text holds a control character, a mark that turns its direction, or a byte order mark.",
    "cut-text": "A comment ends a text that is not in quotes.",
    "odd-quotes": "A text has a quote at one end only, or typographic quotes around it.",
    "invalid-choice": "A value that is not one of the field's choices.",
    "invalid-key": "A key of a mapping that is not of the form its field asks for.",
    "invalid-url": "A URL that is not absolute http or https.",
    "invalid-contact": "A contact that is neither a URL nor an e-mail address.",
    "invalid-license": "A licence that is not on the SPDX License List.",
    "invalid-noun": "A noun for records that is not plain words.",
    "invalid-date": "A date that is not YYYY-MM-DD or does not exist.",
    "invalid-time": "A time that is not YYYY-MM-DD, with HH:MM or HH:MM:SS where a time of day is meant.",
    "unknown-country": "A country that is not an ISO 3166-1 alpha-2 code.",
    "latin-spelling": "A region or city without any ASCII letter or digit to make a slug of.",
    "unknown-timezone": "A time zone that is neither an IANA zone nor AoE.",
    "timezone-required": "A time of day without a time zone.",
    "end-before-start": "An end that lies before its start.",
    "same-record": "Two records of one kind have the same website, or the same name and not two websites.",
    "implausible-value": "A value that fits its field and is hardly meant.",
    "html-in-text": "A text holds HTML, which is shown as it is written.",
    "unknown-reference": "A reference to a record that does not exist.",
    "parent-cycle": "A record is its own ancestor.",
    "unknown-tag-family": "A tag family that registry.yaml does not declare.",
    "unknown-tag": "A tag that its closed family does not list.",
    "unknown-category": "A category that registry.yaml does not declare.",
    "unknown-program-type": "A program type that registry.yaml does not declare.",
    "unknown-host": "A host that this version has no rules for.",
    "stray-file": "A file in the content that no build reads.",
    "misplaced-record": "A record in the folder of another kind.",
    "repeated-value": "A list names the same value twice.",
    "empty-registry": "The registry has no record at all.",
    "more-problems": "A file has more problems than are told of it.",
    "records-lost": "More than a fifth of the records of a collection are gone since the last build, or all.",
    "host-limit": "The output passes a known limit of a host.",
    "no-base-url": "A host serves the site under a path, and base_url does not say so.",
}


@dataclass(frozen=True, slots=True, order=True)
class Diagnostic:
    """One problem.  `line` and `column` are 1-based; `path` is as the author would type it."""

    path: str
    line: int
    column: int
    code: str
    message: str
    hint: str | None = None
    severity: Severity = "error"

    def __str__(self) -> str:
        head = f"{self.path}:{self.line}:{self.column}: {self.severity}[{self.code}]"
        return "\n  ".join([head, self.message, *([self.hint] if self.hint else [])])


def printable(text: str) -> str:
    """Text on one line, with what cannot be seen as escapes: nothing in a record can steer a terminal or a log."""
    return text if text.isprintable() else "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


def is_error(problem: Diagnostic) -> bool:
    return problem.severity == "error"


def ordered(problems: Iterable[Diagnostic]) -> list[Diagnostic]:
    """By path, line, column, code and text, each once: the same list however the work was divided."""
    return sorted(set(problems), key=lambda d: (d.path, d.line, d.column, d.code, d.message, d.hint or ""))


def did_you_mean(word: str, known: Iterable[str]) -> str | None:
    """The nearest known word, or None when none is near."""
    import difflib

    likely = [k for k in known if abs(len(k) - len(word)) <= 4]
    if len(likely) > 50:  # comparing is a hundred times slower than counting the pairs of letters that both have
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
    """All problems as `text`, `json`, `github` (workflow commands) or `sarif` (SARIF 2.1.0), newline-terminated."""
    return {"text": _text, "json": _json, "github": _github, "sarif": _sarif}[form](problems)


def _text(problems: Sequence[Diagnostic]) -> str:
    return "".join(f"{problem}\n" for problem in problems)


def _json(problems: Sequence[Diagnostic]) -> str:
    rows = [{name: getattr(p, name) for name in Diagnostic.__dataclass_fields__} for p in problems]
    return json.dumps({"problems": rows}, ensure_ascii=False, indent=1) + "\n"


def _escape(text: str, *, in_property: bool = False) -> str:
    """Escapes of a GitHub workflow command (docs.github.com, "Workflow commands")."""
    text = text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
    return text.replace(":", "%3A").replace(",", "%2C") if in_property else text


def _github(problems: Sequence[Diagnostic]) -> str:
    out = []
    for p in problems:
        where = f"file={_escape(p.path, in_property=True)},line={p.line},col={p.column},title={p.code}"
        out.append(f"::{p.severity} {where}::{_escape(p.message + (chr(10) + p.hint if p.hint else ''))}\n")
    return "".join(out)


def _sarif(problems: Sequence[Diagnostic]) -> str:
    from urllib.parse import quote

    def result(p: Diagnostic) -> dict[str, Any]:
        region = {"startLine": p.line, "startColumn": p.column}
        place = {"artifactLocation": {"uri": quote(p.path)}, "region": region}
        text = p.message + (f" ({p.hint})" if p.hint else "")
        return {"ruleId": p.code, "level": p.severity, "message": {"text": text},
                "locations": [{"physicalLocation": place}]}  # fmt: skip

    rules = [{"id": c, "shortDescription": {"text": CODES[c]}} for c in sorted({p.code for p in problems})]
    tool = {"driver": {"name": "registry-generator", "rules": rules}}
    schema = "https://json.schemastore.org/sarif-2.1.0.json"
    run = {"tool": tool, "columnKind": "unicodeCodePoints", "results": [result(p) for p in problems]}
    return json.dumps({"$schema": schema, "version": "2.1.0", "runs": [run]}, ensure_ascii=False, indent=1) + "\n"

"""What was filled into an issue form, as GitHub writes it into the issue, and the record that it
means.

Whoever can open an issue writes what is read here.  Nothing of it is taken for YAML or for a path:
answers become values, which are written out as values and held against the models.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from generator.dialect.parse import scalar
from generator.dialect.texts import cleaned
from generator.edit.forms.github import choices
from generator.edit.forms.questions import LONG, Question
from generator.edit.new import put
from generator.grammar.text import fold, slugify
from generator.model.fields import COUNTRIES
from generator.problems.diagnostic import did_you_mean

#: What GitHub writes where nothing was answered.
_NOTHING = ("", "_No response_", "None")
_heading = re.compile(r"### (.+?)[ \t]*").fullmatch
_ticked = re.compile(r"- \[[xX]\] ").match
#: GitHub keeps issues below 65,536 characters.
MOST = 1 << 18


class Problem(NamedTuple):
    """What is wrong with an answer: the question's label, "" where it is about none; in plain
    words, with what to do.
    """

    label: str
    message: str
    hint: str = ""


class Unclear(Exception):
    """A submission that cannot be read; the text says why, in plain words."""


def answered(body: str, headings: Sequence[str]) -> dict[str, str] | None:
    """Heading -> answer; None where the body is of another form, or of none.  Raises Unclear."""
    if len(body) > MOST:
        raise Unclear(f"It has more than {MOST:,} characters.")
    lines = body.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    begun = [
        (n, m[1]) for n, line in enumerate(lines) if (m := _heading(line)) and m[1] in headings
    ]
    if not begun or begun[0][1] != headings[0] or any(map(str.strip, lines[: begun[0][0]])):
        return None
    labels = [label for _, label in begun]
    twice = next((label for label in labels if labels.count(label) > 1), None)
    if twice is not None:
        raise Unclear(
            f'The heading "{twice}" is there twice. A line of an answer cannot be "### " and a '
            "question of the form: change that line."
        )
    ends = [*(n for n, _ in begun[1:]), len(lines)]
    texts = [
        "\n".join(lines[n + 1 : end]).strip("\n \t")
        for (n, _), end in zip(begun, ends, strict=True)
    ]
    return {
        label: "" if text in _NOTHING else text for label, text in zip(labels, texts, strict=True)
    }


def unticked(text: str, promises: Sequence[str]) -> list[str]:
    """The boxes that are not ticked."""
    ticked = [line[6:].strip() for line in text.split("\n") if _ticked(line)]
    return [promise for promise in promises if promise not in ticked]


def fields(
    answers: Mapping[str, str], form: Sequence[Question]
) -> tuple[dict[str, Any], list[Problem]]:
    """The fields of a record, and what is wrong with answers that give none."""
    record: dict[str, Any] = {}
    problems: list[Problem] = []
    for question in form:
        text = answers.get(question.label, "")
        if not text:
            if question.required:
                problems.append(
                    Problem(question.label, "has no answer", "please answer this question")
                )
            continue
        value, wrong = _value(question, text)
        problems += wrong
        if value not in (None, [], {}) and not wrong:
            put(record, ".".join(question.path), value)
    return record, problems


def _value(question: Question, text: str) -> tuple[Any, list[Problem]]:
    if question.shape not in LONG and "\n" in text:
        return None, [Problem(question.label, "has several lines", "write one line")]
    match question.shape:
        case "text":
            return cleaned(text), []
        case "number":
            return scalar(text), []
        case "lines":
            return [line.strip() for line in text.split("\n") if line.strip()], []
        case "choice" | "line":
            return _one(question, text)
        case "choices":
            return _several(question, text)
        case "words":
            parts = [part.strip() for part in text.split(",") if part.strip()]
            read = [_one(question, part) if question.options else (slugify(part) or part, [])
                    for part in parts]  # fmt: skip
            return list(dict.fromkeys(v for v, _ in read)), [p for _, some in read for p in some]
        case "places":
            return _each(question, text, _place)
        case _:
            places, wrong = _each(question, text, _link)
            return dict(places), wrong


def _one(question: Question, text: str) -> tuple[Any, list[Problem]]:
    """The value that is meant by a label, a value or what is spelled nearly like one."""
    options = choices(question.options)
    if not options or text in options:
        return options.get(text, text), []
    same = {fold(label): value for label, value in options.items()}
    same |= {fold(str(value)): value for value in options.values()}
    if fold(text) in same:
        return same[fold(text)], []
    near = did_you_mean(text, list(options))
    hint = f"did you mean “{near}”?" if near else ""
    return None, [Problem(question.label, f"“{text}” is not a choice", hint)]


def _several(question: Question, text: str) -> tuple[list[Any], list[Problem]]:
    """The values of labels with commas between them, which a label may have too."""
    options = choices(question.options)
    values, rest = [], text
    while rest:
        fits = [label for label in options if rest == label or rest.startswith(f"{label}, ")]
        label = max(fits, key=len, default=None)
        taken = label if label is not None else rest.partition(",")[0]
        value, wrong = _one(question, taken)
        if wrong:
            return [], wrong
        values.append(value)
        rest = rest[len(taken) :].removeprefix(",").strip()
    return list(dict.fromkeys(values)), []


def _each(question: Question, text: str, read: Any) -> tuple[list[Any], list[Problem]]:
    values, problems = [], []
    for line in filter(None, map(str.strip, text.split("\n"))):
        try:
            values.append(read(line.removeprefix("- ")))
        except ValueError as error:
            problems.append(Problem(question.label, f"“{line}”: {error.args[0]}", error.args[1]))
    return values, problems


def _place(line: str) -> dict[str, str]:
    *near, last = [part.strip() for part in line.split(",")]
    names = {fold(name): code for code, name in COUNTRIES.items()}
    country = last if last in COUNTRIES else names.get(fold(last))
    if country is None:
        raise ValueError(f"there is no country “{last}”", _country(last))
    if len(near) > 2 or "" in near:
        raise ValueError("is not a place", "write City, Country or City, Region, Country")
    city, region = (*near, None, None)[:2]
    parts = {"country": country, "region": region, "city": city}
    return {name: part for name, part in parts.items() if part is not None}


def _country(word: str) -> str:
    near = did_you_mean(word, list(COUNTRIES.values()))
    if near:
        return f"did you mean “{near}”?"
    return "end with the country: its English name or two-letter code"


def _link(line: str) -> tuple[str, str]:
    key, colon, url = (part.strip() for part in line.partition(":"))
    if not colon or key.casefold() in ("http", "https"):
        raise ValueError("has no name", "write a name before the address, like code: https://…")
    return key, url

"""Reads the answers of a submitted issue form, and makes a record's fields of them.

Anyone can open an issue, so answers are never read as YAML or as a path.  They become plain values,
and the models check them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, NamedTuple

from generator.dialect.parse import parse_scalar
from generator.dialect.texts import without_invisible
from generator.edit.forms.github import CONFIRMED, values_by_label
from generator.edit.forms.questions import LONG, Question
from generator.edit.new import set_field
from generator.edit.places import filled
from generator.grammar.text import fold, slugify
from generator.model.fields import COUNTRIES
from generator.problems.diagnostic import nearest_word

#: What GitHub writes for an empty answer.
_NO_ANSWER = ("", "_No response_", "None")
_heading = re.compile(r"### (.+?)[ \t]*").fullmatch
_ticked = re.compile(r"- \[[xX]\] ").match
#: Characters of an issue; GitHub allows 65,536.
MAX_CHARACTERS = 1 << 18


class Problem(NamedTuple):
    """A problem with a submission, and what to do.

    `label` is that of the question, "" if the problem is not about a question.
    """

    label: str
    message: str
    hint: str = ""


class Unclear(Exception):
    """A submission cannot be read; the message says why, for the person who sent it."""


class OutOfDate(Exception):
    """A form asked the question of the message, which the registry does not ask any more."""


def _lines(body: str) -> list[str]:
    return body.replace("\r\n", "\n").replace("\r", "\n").split("\n")


def is_of_old_form(body: str) -> bool:
    """Whether the text of an issue that no form of the registry fits is from an older form for a
    record: it begins with a heading, and has the boxes of a form.
    """
    lines = _lines(body[:MAX_CHARACTERS])
    first = next(filter(str.strip, lines), "")
    headings = [heading[1] for heading in map(_heading, lines) if heading]
    return _heading(first) is not None and CONFIRMED in headings


def parse_answers(
    body: str, headings: Sequence[str], free: Collection[str] = ()
) -> dict[str, str] | None:
    """Heading -> answer; None if the issue is not from the form with these headings.

    The answers of `free` headings are texts, which may have headings of their own.  Raises Unclear
    and OutOfDate.
    """
    if len(body) > MAX_CHARACTERS:
        raise Unclear(f"It has more than {MAX_CHARACTERS:,} characters.")
    lines = _lines(body)
    begins, labels = [], []
    for number, line in enumerate(lines):
        if (heading := _heading(line)) and heading[1] in headings:
            begins.append(number)
            labels.append(heading[1])
    if not labels or labels[0] != headings[0] or any(map(str.strip, lines[: begins[0]])):
        return None
    duplicate = next((label for label in labels if labels.count(label) > 1), None)
    if duplicate is not None:
        raise Unclear(
            f'The heading "{duplicate}" is there twice. A line of an answer cannot be "### " and a '
            "question of the form: change that line."
        )
    answers = {}
    for label, begin, end in zip(labels, begins, [*begins[1:], len(lines)], strict=True):
        other = _other_question(lines[begin + 1 : end], empty=label in free)
        if other is not None:
            raise OutOfDate(other)
        text = "\n".join(lines[begin + 1 : end]).strip("\n \t")
        answers[label] = "" if text in _NO_ANSWER else text
    return answers


def _other_question(lines: Sequence[str], *, empty: bool) -> str | None:
    """The first heading in the lines of an answer, with `empty` only one without an answer."""
    for number, line in enumerate(lines):
        heading = _heading(line)
        answer = next(filter(str.strip, lines[number + 1 :]), "")
        if heading and (not empty or answer.strip() in _NO_ANSWER[1:]):
            return heading[1]
    return None


def unticked_promises(text: str, promises: Sequence[str]) -> list[str]:
    """The promises whose boxes are not ticked."""
    ticked = [line[6:].strip() for line in text.split("\n") if _ticked(line)]
    return [promise for promise in promises if promise not in ticked]


def fields_from_answers(
    answers: Mapping[str, str], form: Sequence[Question]
) -> tuple[dict[str, Any], list[Problem]]:
    """The fields of a record, and the problems of answers without a valid value."""
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
        value, value_problems = _value(question, text)
        problems += value_problems
        if value not in (None, [], {}) and not value_problems:
            set_field(record, ".".join(question.path), value)
    return record, problems


def _value(question: Question, text: str) -> tuple[Any, list[Problem]]:
    if question.shape not in LONG and "\n" in text:
        return None, [Problem(question.label, "has several lines", "write one line")]
    match question.shape:
        case "text":
            return without_invisible(text), []
        case "number":
            return parse_scalar(text), []
        case "lines":
            return [line.strip() for line in text.split("\n") if line.strip()], []
        case "choice" | "line":
            return _choice(question, text)
        case "choices":
            return _choices(question, text)
        case "words":
            words, problems = [], []
            for word in filter(None, map(str.strip, text.split(","))):
                value, word_problems = slugify(word) or word, list[Problem]()
                if question.options:
                    value, word_problems = _choice(question, word)
                words.append(value)
                problems += word_problems
            return list(dict.fromkeys(words)), problems
        case "places":
            return _parse_lines(question, text, _parse_place)
        case "identifiers":
            ids, problems = _parse_lines(question, text, _parse_identifier)
            several = {scheme: [one for name, one in ids if name == scheme] for scheme, _ in ids}
            return {name: v if v[1:] else v[0] for name, v in several.items()}, problems
        case _:
            links, problems = _parse_lines(question, text, _parse_link)
            return dict(links), problems


def _choice(question: Question, text: str) -> tuple[Any, list[Problem]]:
    """The value of a label or a value, in any case; any text if the question has no options."""
    options = values_by_label(question.options)
    if not options or text in options:
        return options.get(text, text), []
    folded = {fold(label): value for label, value in options.items()}
    folded |= {fold(str(value)): value for value in options.values()}
    if fold(text) in folded:
        return folded[fold(text)], []
    near = nearest_word(text, list(options))
    hint = f"did you mean “{near}”?" if near else ""
    return None, [Problem(question.label, f"“{text}” is not a choice", hint)]


def _choices(question: Question, text: str) -> tuple[list[Any], list[Problem]]:
    """The values of labels separated by commas.  A label may contain commas too."""
    options = values_by_label(question.options)
    values, rest = [], text
    while rest:
        fitting = [label for label in options if rest == label or rest.startswith(f"{label}, ")]
        label = max(fitting, key=len, default=rest.partition(",")[0])
        value, problems = _choice(question, label)
        if problems:
            return [], problems
        values.append(value)
        rest = rest[len(label) :].removeprefix(",").strip()
    return list(dict.fromkeys(values)), []


def _parse_lines(
    question: Question, text: str, parse: Callable[[str], Any]
) -> tuple[list[Any], list[Problem]]:
    """The values of all lines.  `parse` raises ValueError(message, hint)."""
    values, problems = [], []
    for line in filter(None, map(str.strip, text.split("\n"))):
        try:
            values.append(parse(line.removeprefix("- ")))
        except ValueError as error:
            problems.append(Problem(question.label, f"“{line}”: {error.args[0]}", error.args[1]))
    return values, problems


def _parse_place(line: str) -> dict[str, str]:
    *parts, last = [part.strip() for part in line.split(",")]
    names = {fold(name): code for code, name in COUNTRIES.items()}
    country = last if last in COUNTRIES else names.get(fold(last))
    if country is None:
        raise ValueError(f"there is no country “{last}”", _country_hint(last))
    if len(parts) > 2 or "" in parts:
        raise ValueError("is not a place", "write City, Country or City, Region, Country")
    city, region = (*parts, None, None)[:2]
    return filled({"country": country, "region": region, "city": city})


def _country_hint(word: str) -> str:
    near = nearest_word(word, list(COUNTRIES.values()))
    if near:
        return f"did you mean “{near}”?"
    return "end with the country: its English name or two-letter code"


def _parse_identifier(line: str) -> tuple[str, str]:
    scheme, colon, text = (part.strip() for part in line.partition(":"))
    if not colon or scheme.casefold() in ("http", "https"):
        raise ValueError("has no scheme", "write the scheme before it, like wikidata: Q95")
    return scheme.casefold(), text


def _parse_link(line: str) -> tuple[str, str]:
    key, colon, url = (part.strip() for part in line.partition(":"))
    if not colon or key.casefold() in ("http", "https"):
        raise ValueError("has no name", "write a name before the address, like code: https://…")
    return key, url

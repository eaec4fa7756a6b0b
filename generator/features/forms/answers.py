"""Reads the answers of a submitted issue form, and makes a record's fields of them.

Anyone can open an issue, so answers are never read as YAML or as a path.  They become plain values,
and the models check them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

from generator.dialect.parse import parse_scalar
from generator.edit.new import set_field
from generator.edit.places import NotAPlace, filled, read_place
from generator.edit.words import Vocabulary, country_meaning, is_spelling, plain
from generator.features.forms.github import CONFIRMED, values_by_label
from generator.features.forms.questions import LONG, Question
from generator.features.forms.translation import Phrase, any_of, translated
from generator.model.country_names import Reading, only_spelling, split_parts
from generator.model.dates import guess_times
from generator.model.kinds.event_times import meant_zone
from generator.model.online import ONLINE_PATHS, without_online
from generator.text.characters import without_invisible
from generator.text.numbers import in_digits, read_number, readings
from generator.text.placeholders import is_placeholder
from generator.text.slugs import lost_signs, word_slug
from generator.text.words import fold

#: What GitHub writes for an empty answer.
_NO_ANSWER = ("", "_No response_", "None")
_heading = re.compile(r"### (.+?)[ \t]*").fullmatch
#: The marks of an item of a list: before an answer, and before a line of several.
_BULLET = r"[-*+\u2022\u2013\u2014][ \t]+"
_marks = {
    False: re.compile(f"^{_BULLET}").sub,
    True: re.compile(rf"^(?:{_BULLET}|[0-9]{{1,2}}[.)][ \t]+)").sub,
}
_ticked = re.compile(r"- \[[xX]\] ").match
#: Characters of an issue; GitHub allows 65,536.
MAX_CHARACTERS = 1 << 18
#: Lines of an answer, or words between commas, and characters of one: more than any field takes.
_MAX_PARTS, _MAX_LENGTH = 1_000, 3_000


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
    headings = {heading[1] for heading in map(_heading, lines) if heading}
    known = {translated(CONFIRMED, language) for language in ("en", "de")}
    return _heading(first) is not None and not known.isdisjoint(headings)


def parse_answers(
    body: str, headings: Sequence[str], free: Collection[str] = ()
) -> dict[str, str] | None:
    """Heading -> answer; None if the issue is not from the form with these headings.

    The answers of `free` headings are texts, which may have headings of their own.  Raises Unclear
    and OutOfDate.
    """
    if len(body) > MAX_CHARACTERS:
        raise Unclear(Phrase("It has more than {} characters.", f"{MAX_CHARACTERS:,}"))
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
        message = (
            'The heading "{}" is there twice. A line of an answer cannot be "### " and a question '
            "of the form: change that line."
        )
        raise Unclear(Phrase(message, duplicate))
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
    filled = [line for line in lines if line.strip()]
    for line, answer in zip(filled, [*filled[1:], ""], strict=False):
        heading = _heading(line)
        if heading and (not empty or answer.strip() in _NO_ANSWER[1:]):
            return heading[1]
    return None


def unticked_promises(text: str, promises: Sequence[str]) -> list[str]:
    """The promises whose boxes are not ticked."""
    ticked = [line[6:].strip() for line in text.split("\n") if _ticked(line)]
    return [promise for promise in promises if promise not in ticked]


#: Whether records have a tag of a family.
IsUsed = Callable[[str, str], bool]


def _nothing_used(family: str, tag: str) -> bool:
    return False


class Words(NamedTuple):
    """What answers are compared with: the language of the registry if it declares one, the tags
    and the places in use.
    """

    language: str = ""
    is_used: IsUsed = _nothing_used
    places: Callable[[str], Sequence[str]] = lambda city: ()


def fields_from_answers(
    answers: Mapping[str, str], form: Sequence[Question], words: Words | None = None
) -> tuple[dict[str, Any], list[Problem]]:
    """The fields of a record, and the problems of answers without a valid value."""
    record: dict[str, Any] = {}
    problems: list[Problem] = []
    for question in form:
        text = answers.get(question.label, "")
        if excess := _excess(question, text):
            problems.append(excess)
            continue
        text = _without_placeholders(question, text)
        if question.shape == "places":
            text = _take_online(text, form, record)
        if not text:
            if question.required:
                problems.append(
                    Problem(question.label, "has no answer", "please answer this question")
                )
            continue
        value, value_problems = _value(question, text, words or Words())
        problems += value_problems
        if value not in (None, [], {}) and not value_problems:
            set_field(record, ".".join(question.path), value)
    return record, problems


def _excess(question: Question, text: str) -> Problem | None:
    """A problem if an answer is so large that comparing its words might take minutes."""
    if question.shape == "text":
        return None
    parts = re.split("[\n,]" if question.shape in ("words", "choices") else "\n", text)
    if len(parts) > _MAX_PARTS:
        message = Phrase("has more than {} lines or words", f"{_MAX_PARTS}")
    elif max(map(len, parts)) > _MAX_LENGTH:
        message = Phrase("has a line with more than {} characters", f"{_MAX_LENGTH}")
    else:
        return None
    return Problem(question.label, message, "write less")


def _without_placeholders(question: Question, text: str) -> str:
    """An answer without marks of lists and without words for a missing value."""
    if question.shape in ("text", "number", "integer", "time"):
        return "" if is_placeholder(text) else text
    unmarked = _marks[question.shape in LONG]
    options = {fold(str(word)) for pair in question.options.items() for word in pair}
    lines = (unmarked("", line.strip()).strip() for line in text.split("\n"))
    kept = [line for line in lines if line]
    return "\n".join(line for line in kept if fold(line) in options or not is_placeholder(line))


def _number(question: Question, text: str, language: str) -> tuple[Any, list[Problem]]:
    whole, unit = question.shape == "integer", question.unit
    value = read_number(text, "", language, unit, whole=whole)
    found = readings(text, unit=unit, whole=whole)
    if value is None and len(found) > 1:
        numbers = any_of(map(in_digits, found))
        message = Phrase("“{}” may be {}", text, numbers)
        return None, [Problem(question.label, message, Phrase("write {}", numbers))]
    return parse_scalar(text) if value is None else value, []


def _time(question: Question, text: str) -> tuple[Any, list[Problem]]:
    """A day, or with a time of day; any text that is neither stays, for the check to report."""
    found = [text] if text[:4].isdecimal() and text[4:5] == "-" else guess_times(text)
    if len(found) < 2:
        return (found[0] if found else text), []
    message = Phrase("“{}” may be {}", text, any_of(found))
    return None, [Problem(question.label, message, Phrase("write {}", any_of(found)))]


def _take_online(text: str, form: Sequence[Question], record: dict[str, Any]) -> str:
    """The lines of places without "Online", which sets its field instead, if the form has it."""
    field = next((q.path[0] for q in form if q.path in ONLINE_PATHS), None)
    lines = []
    for line in text.split("\n") if field else ():
        rest = without_online(line)
        if rest is not None:
            record[str(field)] = True
        lines += [line] if rest is None else [rest] if rest else []
    return "\n".join(lines) if field else text


def _value(question: Question, text: str, words: Words) -> tuple[Any, list[Problem]]:
    if question.shape not in LONG and "\n" in text:
        return None, [Problem(question.label, "has several lines", "write one line")]
    match question.shape:
        case "text":
            return without_invisible(text), []
        case "number" | "integer":
            return _number(question, text, words.language)
        case "time":
            return _time(question, text)
        case "lines":
            return [line.strip() for line in text.split("\n") if line.strip()], []
        case "choice" | "line":
            return _choice(question, text)
        case "choices":
            return _choices(question, text)
        case "words":
            given = [word for word in map(str.strip, text.split(",")) if word]
            if not question.options:
                kept = [word for word in given if not is_placeholder(word)]
                return _free_words(question, kept, words.is_used)
            found = [_choice(question, word) for word in given]
            known = dict.fromkeys(value for value, _ in found)
            return list(known), [problem for _, problems in found for problem in problems]
        case "places":
            return _parse_lines(question, text, partial(_parse_place, words.places))
        case "keyed":
            found, problems = _parse_lines(question, text, partial(_parse_keyed, question))
            several = {key: [one for name, one in found if name == key] for key, _ in found}
            return {name: v if v[1:] else v[0] for name, v in several.items()}, problems
        case _:
            links, problems = _parse_lines(question, text, _parse_link)
            return dict(links), problems


def _free_words(
    question: Question, words: Sequence[str], is_used: IsUsed
) -> tuple[list[str], list[Problem]]:
    """The slugs of words.  Different words with one slug are a problem: C++ and C#."""
    slugs, problems = dict[str, str](), list[Problem]()
    for word in words:
        slug, signs = word_slug(word), lost_signs(word)
        known = slugs.setdefault(slug, word)
        message: Phrase | None = None
        if not slug:
            no_slug = "“{}” has no Latin letters or digits, so no slug can be made of it"
            message = Phrase(no_slug, word)
        elif plain(known) != plain(word):
            message = Phrase("“{}” and “{}” would both become “{}”", known, word, slug)
        elif not is_spelling(word, slug) and is_used(question.path[-1], slug):
            in_use = "“{}” would become “{}”, which is in use and may be another word"
            message = Phrase(in_use, word, slug)
        elif signs:
            message = Phrase("“{}” would become “{}”, without “{}”", word, slug, signs)
        if message:
            hint = "write it in Latin letters, as it should be in an address"
            problems.append(Problem(question.label, message, hint))
    return list(slugs), problems


def _choice(question: Question, text: str) -> tuple[Any, list[Problem]]:
    """The value of a label or a value, in any case; any text if the question has no options."""
    options = values_by_label(question.options)
    if not options or text in options:
        return options.get(text, text), []
    values = {str(value): value for value in question.options}
    labels = {str(value): label for label, value in options.items()}
    meant = Vocabulary.from_labels(labels).meaning_of(text)
    if meant.value is not None:
        return values[meant.value], []
    if question.path == ("timezone",):
        return meant_zone(text) or text, []  # the check of the record knows abbreviations
    near = [choice.label for choice in meant.choices] or [meant.label] * bool(meant.nearest)
    hint = _did_you_mean(near) if near else ""
    return None, [Problem(question.label, Phrase("“{}” is not a choice", text), hint)]


def _did_you_mean(texts: Sequence[str]) -> str:
    return Phrase("did you mean {}?", any_of(f"“{text}”" for text in texts))


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
            values.append(parse(line))
        except ValueError as error:
            message = Phrase("“{}”: {}", line, error.args[0])
            problems.append(Problem(question.label, message, error.args[1]))
    return values, problems


def _parse_place(known: Callable[[str], Sequence[str]], line: str) -> dict[str, str]:
    if "," not in line and country_meaning(line).value is None and (places := known(line)):
        raise ValueError(Phrase("it ends without a country"), _did_you_mean(places))
    try:
        place = read_place(split_parts(line))
    except NotAPlace as error:
        raise ValueError(Phrase(str(error)), error.hint) from None
    meant = country_meaning(place.country)
    if place.readings:
        labels = any_of(reading.label for reading in place.readings)
        named = [_with_country(reading, place.city) for reading in place.readings]
        message = "“{}” can mean {}" if named[1:] else "“{}” is no country, but {}"
        hint = Phrase("write {}", any_of(f"“{text}”" for text in named))
        raise ValueError(Phrase(message, place.country, labels), hint)
    if meant.value is None:
        form = "end with the country: its English name or two-letter code"
        message = Phrase("there is no country “{}”", place.country)
        raise ValueError(message, _did_you_mean([meant.label]) if meant.nearest else form)
    return filled({"country": meant.value, "region": place.region, "city": place.city})


def _with_country(reading: Reading, city: str | None) -> str:
    """A place as a text with one reading."""
    country = only_spelling(reading.country)
    return ", ".join(
        filter(None, (city or ("City" if reading.region else ""), reading.region, country))
    )


def _parse_keyed(question: Question, line: str) -> tuple[str, str]:
    key, colon, text = (part.strip() for part in line.partition(":"))
    if not colon or key.casefold() in ("http", "https"):
        name, example = question.keyed
        raise ValueError(
            Phrase("has no {}", name), Phrase("write the {} before it, like {}", name, example)
        )
    return key.casefold(), text


def _parse_link(line: str) -> tuple[str, str]:
    key, colon, url = (part.strip() for part in line.partition(":"))
    if not colon or key.casefold() in ("http", "https"):
        raise ValueError(
            Phrase("has no name"), "write a name before the address, like code: https://…"
        )
    return key, url

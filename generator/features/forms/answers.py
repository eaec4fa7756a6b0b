"""Reads the answers of a submitted issue form, and makes a record's fields of them.

Anyone can open an issue, so answers are never read as YAML or as a path.  They become plain values,
and the models check them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple, TypeVar

from generator.dialect.parse import parse_scalar
from generator.edit.new import set_field
from generator.edit.places import NotAPlace, filled, read_place
from generator.edit.words import WordList, country_meaning, is_spelling, plain
from generator.edit.workspace import OpenRegistry
from generator.features.forms.github import CONFIRMED, values_by_label
from generator.features.forms.questions import LONG, Question
from generator.features.forms.translation import Phrase, any_of, translated
from generator.model.country_names import Reading, only_spelling, split_parts
from generator.model.dates import guess_times
from generator.model.kinds.event_times import meant_zone
from generator.model.online import ONLINE_PATHS, without_online
from generator.text.characters import split_commas, without_invisible
from generator.text.numbers import in_digits, is_placeholder, read_number, readings
from generator.text.words import fold, lost_signs, word_slug

T = TypeVar("T")

#: What GitHub writes for an empty answer.
_NO_ANSWER = ("", "_No response_", "None")
_HEADING = re.compile(r"^### (.*[^ \t\n])[ \t]*$", re.M)
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
_MAX_CHOICES = 12  # that a hint names


class FormProblem(NamedTuple):
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


def is_of_old_form(body: str) -> bool:
    """Whether an issue that no form fits has a heading first, and the boxes of a form."""
    known = {translated(CONFIRMED, language) for language in ("en", "de")}
    headings = _HEADING.findall(_with_line_breaks(body[:MAX_CHARACTERS]))
    return body.lstrip().startswith("### ") and not known.isdisjoint(headings)


def _with_line_breaks(body: str) -> str:
    return body.replace("\r\n", "\n").replace("\r", "\n")


def parse_answers(
    body: str, headings: Sequence[str], free: Collection[str] = ()
) -> dict[str, str] | None:
    """Heading -> answer; None if the issue is not from the form with these headings.

    The answers of `free` headings are texts, which may have headings of their own.  Raises Unclear
    and OutOfDate.
    """
    if len(body) > MAX_CHARACTERS:
        raise Unclear(Phrase("It has more than {} characters.", f"{MAX_CHARACTERS:,}"))
    before, *parts = _HEADING.split(_with_line_breaks(body))
    if before.strip() or parts[:1] != [headings[0]]:
        return None
    answers, label, other = dict[str, str](), "", ""
    for heading, text in zip(parts[::2], parts[1::2], strict=True):
        if heading in answers:
            message = (
                'The heading "{}" is there twice. A line of an answer cannot be "### " and a '
                "question of the form: change that line."
            )
            raise Unclear(Phrase(message, heading))
        if heading in headings:
            label = heading
            answers[label] = text
        elif label in free and text.strip() not in _NO_ANSWER[1:]:
            answers[label] += f"### {heading}{text}"
        else:
            other = other or heading
    if other:
        raise OutOfDate(other)
    stripped = {label: text.strip("\n \t") for label, text in answers.items()}
    return {label: "" if text in _NO_ANSWER else text for label, text in stripped.items()}


def unticked_promises(text: str, promises: Sequence[str]) -> list[str]:
    """The promises whose boxes are not ticked."""
    ticked = [line[6:].strip() for line in text.split("\n") if _ticked(line)]
    return [promise for promise in promises if promise not in ticked]


class _Unread(Exception):
    """An answer, or a part of it, has no valid value; the arguments are its problems, without
    labels.
    """


def _unread(message: str, hint: str) -> _Unread:
    return _Unread(FormProblem("", message, hint))


def fields_from_answers(
    answers: Mapping[str, str], form: Sequence[Question], known: OpenRegistry
) -> tuple[dict[str, Any], list[FormProblem]]:
    """The fields of a record, and the problems of answers without a valid value."""
    online = next((q.path[0] for q in form if q.path in ONLINE_PATHS), "")
    record: dict[str, Any] = {}
    problems: list[FormProblem] = []
    for question in form:
        try:
            text = answers.get(question.label, "")
            _refuse_excess(question, text)
            text = _without_placeholders(question, text)
            if question.shape == "places" and online:
                text = _take_online(text, online, record)
            if not text and question.required:
                raise _unread("has no answer", "please answer this question")
            value = _value(question, text, known) if text else None
        except _Unread as error:
            problems += [problem._replace(label=question.label) for problem in error.args]
        else:
            if value not in (None, [], {}):
                set_field(record, ".".join(question.path), value)
    return record, problems


def _refuse_excess(question: Question, text: str) -> None:
    if question.shape == "text":
        return
    parts = re.split("[\n,]" if question.shape in ("words", "choices") else "\n", text)
    if len(parts) > _MAX_PARTS:
        raise _unread(Phrase("has more than {} lines or words", f"{_MAX_PARTS}"), "write less")
    if max(map(len, parts)) > _MAX_LENGTH:
        message = Phrase("has a line with more than {} characters", f"{_MAX_LENGTH}")
        raise _unread(message, "write less")


def _without_placeholders(question: Question, text: str) -> str:
    """An answer without marks of lists and without words for a missing value."""
    if question.shape in ("text", "number", "integer", "time"):
        return "" if is_placeholder(text) else text
    unmarked = _marks[question.shape in LONG]
    options = {fold(str(word)) for pair in question.options.items() for word in pair}
    lines = (unmarked("", line.strip()).strip() for line in text.split("\n"))
    kept = [line for line in lines if line]
    return "\n".join(line for line in kept if fold(line) in options or not is_placeholder(line))


def _take_online(text: str, field: str, record: dict[str, Any]) -> str:
    """The lines of places without "Online", which sets its field instead."""
    lines = []
    for line in text.split("\n"):
        rest = without_online(line)
        if rest is not None:
            record[field] = True
        lines += [line] if rest is None else [rest] if rest else []
    return "\n".join(lines)


def _value(question: Question, text: str, known: OpenRegistry) -> Any:
    """The value of an answer.  Raises _Unread with all of its problems."""
    if question.shape not in LONG and "\n" in text:
        raise _unread("has several lines", "write one line")
    lines = [*filter(None, map(str.strip, text.split("\n")))]
    given = [*filter(None, split_commas(text))]
    choose = partial(_choice, question)
    match question.shape:
        case "text":
            return without_invisible(text)
        case "number" | "integer":
            return _number(question, text, known.settings.declared_language)
        case "time":
            return _time(text)
        case "lines":
            return lines
        case "choice" | "line":
            return choose(text)
        case "choices":
            return [*dict.fromkeys(_each(choose, _labels(question, text)))]
        case "words" if question.options:
            return [*dict.fromkeys(_each(choose, given))]
        case "words":
            slugs = dict[str, str]()
            is_used = partial(known.has_tag, question.path[-1])
            _each(partial(_slug, slugs, is_used), [w for w in given if not is_placeholder(w)])
            return [*slugs]
        case "places":
            return _each(partial(_place, known.places_of), lines)
    named = _each(partial(_keyed, question), lines)
    several = {key: [text for name, text in named if name == key] for key, _ in named}
    return {key: texts if texts[1:] else texts[0] for key, texts in several.items()}


def _each(read: Callable[[str], T], parts: Iterable[str]) -> list[T]:
    """The values of all parts of an answer.  Raises _Unread with the problems of all."""
    found, problems = list[T](), list[FormProblem]()
    for part in parts:
        try:
            found.append(read(part))
        except _Unread as error:
            problems += error.args
    if problems:
        raise _Unread(*problems)
    return found


def _one_of(text: str, choices: Sequence[str]) -> _Unread:
    either = any_of(choices)
    return _unread(Phrase("“{}” may be {}", text, either), Phrase("write {}", either))


def _number(question: Question, text: str, language: str) -> Any:
    whole, unit = question.shape == "integer", question.unit
    value = read_number(text, "", language, unit, whole=whole)
    found = readings(text, unit=unit, whole=whole)
    if value is None and len(found) > 1:
        raise _one_of(text, [*map(in_digits, found)])
    return parse_scalar(text) if value is None else value


def _time(text: str) -> str:
    """A day, or with a time of day; any text that is neither stays, for the check to report."""
    found = [text] if text[:4].isdecimal() and text[4:5] == "-" else guess_times(text)
    if len(found) > 1:
        raise _one_of(text, found)
    return found[0] if found else text


def _slug(known: dict[str, str], is_used: Callable[[str], bool], word: str) -> None:
    """Add the slug of a word to those known.  Different words with one slug are a problem."""
    slug, signs = word_slug(word), lost_signs(word)
    other = known.setdefault(slug, word)
    if not slug:
        message = Phrase("“{}” has no Latin letters or digits, so no slug can be made of it", word)
    elif plain(other) != plain(word):
        message = Phrase("“{}” and “{}” would both become “{}”", other, word, slug)
    elif not is_spelling(word, slug) and is_used(slug):
        in_use = "“{}” would become “{}”, which is in use and may be another word"
        message = Phrase(in_use, word, slug)
    elif signs:
        message = Phrase("“{}” would become “{}”, without “{}”", word, slug, signs)
    else:
        return
    raise _unread(message, "write it in Latin letters, as it should be in an address")


def _choice(question: Question, text: str) -> Any:
    """The value of a label or a value, in any case; any text if the question has no options."""
    if question.path == ("timezone",):
        return meant_zone(text) or text  # the check of the record knows abbreviations
    options = values_by_label(question.options)
    if not options or text in options:
        return options.get(text, text)
    values = {str(value): value for value in question.options}
    labels = {str(value): label for label, value in options.items()}
    meant = WordList.from_labels(labels).meaning_of(text)
    if meant.value is not None:
        return values[meant.value]
    near = [choice.label for choice in meant.choices] or [meant.label] * bool(meant.nearest)
    hint: str = _did_you_mean(near) if near else ""
    if not near and len(options) <= _MAX_CHOICES:
        hint = Phrase("write {}", any_of(f"“{label}”" for label in options))
    raise _unread(Phrase("“{}” is not a choice", text), hint)


def _did_you_mean(texts: Sequence[str]) -> str:
    return Phrase("did you mean {}?", any_of(f"“{text}”" for text in texts))


def _labels(question: Question, text: str) -> Iterator[str]:
    options, rest = values_by_label(question.options), text
    while rest:
        fitting = [label for label in options if rest == label or rest.startswith(f"{label}, ")]
        label = max(fitting, key=len, default=rest.partition(",")[0])
        yield label
        rest = rest[len(label) :].removeprefix(",").strip()


def _of_line(line: str, message: str, hint: str) -> _Unread:
    return _unread(Phrase("“{}”: {}", line, message), hint)


def _place(known: Callable[[str], Sequence[str]], line: str) -> dict[str, str]:
    if "," not in line and country_meaning(line).value is None and (places := known(line)):
        raise _of_line(line, Phrase("it ends without a country"), _did_you_mean(places))
    try:
        place = read_place(split_parts(line))
    except NotAPlace as error:
        raise _of_line(line, Phrase(str(error)), error.hint) from None
    if place.readings:
        labels = any_of(reading.label for reading in place.readings)
        named = [_with_country(reading, place.city) for reading in place.readings]
        message = "“{}” can mean {}" if named[1:] else "“{}” is no country, but {}"
        hint = Phrase("write {}", any_of(f"“{text}”" for text in named))
        raise _of_line(line, Phrase(message, place.country, labels), hint)
    meant = country_meaning(place.country)
    if meant.value is None:
        form = "end with the country: its English name or two-letter code"
        near = _did_you_mean([meant.label]) if meant.nearest else form
        raise _of_line(line, Phrase("there is no country “{}”", place.country), near)
    return filled({"country": meant.value, "region": place.region, "city": place.city})


def _with_country(reading: Reading, city: str | None) -> str:
    """A place as a text with one reading."""
    city = city or ("City" if reading.region else "")
    return ", ".join(filter(None, (city, reading.region, only_spelling(reading.country))))


def _keyed(question: Question, line: str) -> tuple[str, str]:
    """The key before the colon in a line, and the text after it."""
    key, colon, text = (part.strip() for part in line.partition(":"))
    if not (key and colon) or key.casefold() in ("http", "https"):
        name, example = question.keyed
        hint = Phrase("write the {} before it, like {}", name, example)
        raise _of_line(line, Phrase("has no {}", name), hint)
    return key if question.shape == "links" else key.casefold(), text

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

T = TypeVar("T")

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


class KnownWords(NamedTuple):
    """What answers are compared with: the language of the registry if it declares one, whether a
    family has a tag, and the places of a city that records name.
    """

    language: str = ""
    is_used: Callable[[str, str], bool] = lambda family, tag: False
    places: Callable[[str], Sequence[str]] = lambda city: ()


class _Unread(Exception):
    """An answer, or a part of it, has no valid value; the arguments are Problems without labels."""


def fields_from_answers(
    answers: Mapping[str, str], form: Sequence[Question], words: KnownWords | None = None
) -> tuple[dict[str, Any], list[FormProblem]]:
    """The fields of a record, and the problems of answers without a valid value."""
    record: dict[str, Any] = {}
    problems: list[FormProblem] = []
    for question in form:
        try:
            text = answers.get(question.label, "")
            _refuse_excess(question, text)
            text = _without_placeholders(question, text)
            if question.shape == "places":
                text = _take_online(text, form, record)
            if not text and question.required:
                raise _Unread(FormProblem("", "has no answer", "please answer this question"))
            value = _value(question, text, words or KnownWords()) if text else None
        except _Unread as error:
            problems += [problem._replace(label=question.label) for problem in error.args]
        else:
            if value not in (None, [], {}):
                set_field(record, ".".join(question.path), value)
    return record, problems


def _refuse_excess(question: Question, text: str) -> None:
    """Raise _Unread if an answer is so large that comparing its words might take minutes."""
    if question.shape == "text":
        return
    parts = re.split("[\n,]" if question.shape in ("words", "choices") else "\n", text)
    if len(parts) > _MAX_PARTS:
        message = Phrase("has more than {} lines or words", f"{_MAX_PARTS}")
        raise _Unread(FormProblem("", message, "write less"))
    if max(map(len, parts)) > _MAX_LENGTH:
        message = Phrase("has a line with more than {} characters", f"{_MAX_LENGTH}")
        raise _Unread(FormProblem("", message, "write less"))


def _without_placeholders(question: Question, text: str) -> str:
    """An answer without marks of lists and without words for a missing value."""
    if question.shape in ("text", "number", "integer", "time"):
        return "" if is_placeholder(text) else text
    unmarked = _marks[question.shape in LONG]
    options = {fold(str(word)) for pair in question.options.items() for word in pair}
    lines = (unmarked("", line.strip()).strip() for line in text.split("\n"))
    kept = [line for line in lines if line]
    return "\n".join(line for line in kept if fold(line) in options or not is_placeholder(line))


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


def _value(question: Question, text: str, words: KnownWords) -> Any:
    """The value of an answer.  Raises _Unread with all of its problems."""
    if question.shape not in LONG and "\n" in text:
        raise _Unread(FormProblem("", "has several lines", "write one line"))
    lines = [*filter(None, map(str.strip, text.split("\n")))]
    given = [*filter(None, map(str.strip, text.split(",")))]
    choose = partial(_choice, question)
    match question.shape:
        case "text":
            return without_invisible(text)
        case "number" | "integer":
            return _number(question, text, words.language)
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
            kept, slugs = (word for word in given if not is_placeholder(word)), dict[str, str]()
            family = question.path[-1]
            _each(partial(_slug, slugs, lambda slug: words.is_used(family, slug)), kept)
            return [*slugs]
        case "places":
            return _each(partial(_place, words.places), lines)
        case "keyed":
            named = _each(partial(_keyed, question), lines)
            several = {key: [text for name, text in named if name == key] for key, _ in named}
            return {name: found if found[1:] else found[0] for name, found in several.items()}
    return dict(_each(_link, lines))


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
    """A text may mean several things."""
    either = any_of(choices)
    return _Unread(
        FormProblem("", Phrase("“{}” may be {}", text, either), Phrase("write {}", either))
    )


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
    """Add the slug of a word to those that are known, each with its word.  Different words with one
    slug are a problem: C++ and C#.
    """
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
    hint = "write it in Latin letters, as it should be in an address"
    raise _Unread(FormProblem("", message, hint))


def _choice(question: Question, text: str) -> Any:
    """The value of a label or a value, in any case; any text if the question has no options."""
    options = values_by_label(question.options)
    if not options or text in options:
        return options.get(text, text)
    values = {str(value): value for value in question.options}
    labels = {str(value): label for label, value in options.items()}
    meant = WordList.from_labels(labels).meaning_of(text)
    if meant.value is not None:
        return values[meant.value]
    if question.path == ("timezone",):
        return meant_zone(text) or text  # the check of the record knows abbreviations
    near = [choice.label for choice in meant.choices] or [meant.label] * bool(meant.nearest)
    hint = _did_you_mean(near) if near else ""
    raise _Unread(FormProblem("", Phrase("“{}” is not a choice", text), hint))


def _did_you_mean(texts: Sequence[str]) -> str:
    return Phrase("did you mean {}?", any_of(f"“{text}”" for text in texts))


def _labels(question: Question, text: str) -> Iterator[str]:
    """The labels in a text, separated by commas.  A label may contain commas too."""
    options, rest = values_by_label(question.options), text
    while rest:
        fitting = [label for label in options if rest == label or rest.startswith(f"{label}, ")]
        label = max(fitting, key=len, default=rest.partition(",")[0])
        yield label
        rest = rest[len(label) :].removeprefix(",").strip()


def _of_line(line: str, message: str, hint: str) -> _Unread:
    return _Unread(FormProblem("", Phrase("“{}”: {}", line, message), hint))


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


def _with_key(line: str) -> tuple[str, str]:
    """The key before the colon in a line, "" if there is none, and the text after it."""
    key, colon, text = (part.strip() for part in line.partition(":"))
    return (key, text) if colon and key.casefold() not in ("http", "https") else ("", "")


def _keyed(question: Question, line: str) -> tuple[str, str]:
    (key, text), (name, example) = _with_key(line), question.keyed
    if not key:
        hint = Phrase("write the {} before it, like {}", name, example)
        raise _of_line(line, Phrase("has no {}", name), hint)
    return key.casefold(), text


def _link(line: str) -> tuple[str, str]:
    key, url = _with_key(line)
    if not key:
        hint = "write a name before the address, like code: https://…"
        raise _of_line(line, Phrase("has no name"), hint)
    return key, url

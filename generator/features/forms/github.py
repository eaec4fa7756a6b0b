"""Issue forms of GitHub: one for a new record of each kind, and one to report an error.

https://docs.github.com/en/communities/using-templates-to-encourage-useful-issues-and-pull-requests/syntax-for-githubs-form-schema
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from generator.edit.starting.files import UNSTAMPED, with_digest
from generator.features.forms.questions import LONG, Question, questions
from generator.features.forms.translation import translated
from generator.grammar.query import capitalized
from generator.model.symbols import Symbols

FOLDER = ".github/ISSUE_TEMPLATE"
#: The question for the slug of the new record.
SLUG = Question(("slug",), "Slug", "line",
                "The end of its address: a-z, digits and hyphens. Left empty, the name is used.",
                False)  # fmt: skip
#: Boxes that must be ticked to send a form.
PROMISES = ("I looked for it in the registry, and it is not there yet.",
            "What I wrote can be seen at the sources that I name.")  # fmt: skip
CONFIRMED = "Before you send it"
#: The box to tick if a record looks like an existing one but is different.
ANOTHER = "Only if you were told that it looks like a record that exists: mine is a different one."

#: The questions of the form that reports an error.
REPORT = (
    Question(("record",), "Address of the record", "line",
             "Its address in the registry, or its slug.", True,
             example="https://registry.example.org/projects/aurora-grid/"),
    Question(("wrong",), "What is wrong", "text", "", True),
    Question(("right",), "What is right", "text", "", False),
    Question(("sources",), "Where that can be seen", "lines", "Addresses, one per line.", False),
)  # fmt: skip

_FORBIDDEN_OPTION = "none"  # GitHub refuses it


def form_questions(kind: str, symbols: Symbols) -> list[Question]:
    """The questions of a kind's form, in order.  No other form has the first label."""
    first, *rest = questions(kind, symbols)
    nouns = Counter(words.one for words in symbols.grammar.collections.values())
    if nouns[symbols.grammar.collections[symbols.grammar.kinds.collection_of[kind]].one] > 1:
        first = first._replace(label=f"{first.label} ({kind})")
    return [first, *rest, translated_question(SLUG, symbols.language)]


def translated_question(question: Question, language: str) -> Question:
    """A question that all registries ask, in the language of the registry."""
    label, words = (translated(text, language) for text in (question.label, question.words))
    return question._replace(label=label, words=words)


def report_questions(language: str) -> list[Question]:
    """The questions of the form that reports an error."""
    return [translated_question(question, language) for question in REPORT]


def values_by_label(options: Mapping[Any, str]) -> dict[str, Any]:
    """Label in a list -> value, with unique labels."""
    counts = Counter(options.values())
    values: dict[str, Any] = {}
    for value, label in options.items():
        is_unique = counts[label] == 1 and label.casefold() != _FORBIDDEN_OPTION
        values[label if is_unique else f"{label} ({value})"] = value
    return values


def forms(symbols: Symbols) -> dict[str, bytes]:
    """Path below the repository -> form."""
    by_name, language = {}, symbols.language
    for kind, collection in symbols.grammar.kinds.collection_of.items():
        noun = symbols.grammar.collections[collection].one
        article = "an" if noun[:1].casefold() in "aeiou" else "a"
        named = noun if language.startswith("de") else f"{article} {noun}"
        by_name[kind] = _form(
            translated("Propose {}", language, named),
            translated("{} that the registry does not have yet.", language, capitalized(named)),
            [*map(_element, form_questions(kind, symbols)), _promises(language)],
        )
    by_name["error"] = _form(
        translated("Report an error", language),
        translated("Something in the registry is wrong.", language),
        [*map(_element, report_questions(language))],
    )
    return {f"{FOLDER}/{name}.yml": data for name, data in by_name.items()}


def _form(name: str, description: str, body: list[dict[str, Any]]) -> bytes:
    import yaml

    form = {"name": name, "description": description, "title": f"{name}: ", "body": body}
    layout: dict[str, Any] = {"allow_unicode": True, "sort_keys": False, "width": 100}
    text = yaml.dump(form, None, yaml.CSafeDumper, **layout)
    if "\\U" in text:  # libyaml escapes emoji
        text = yaml.safe_dump(form, **layout)
    return with_digest(f"# {UNSTAMPED}: registry forms rewrites it\n{text}")


def _element(question: Question) -> dict[str, Any]:
    attributes: dict[str, Any] = {"label": question.label}
    if question.words:
        attributes["description"] = question.words
    if question.shape in ("choice", "choices"):
        kind = "dropdown"
        attributes["options"] = list(values_by_label(question.options))
        if question.shape == "choices":
            attributes["multiple"] = True
    else:
        kind = "textarea" if question.shape in LONG else "input"
        if question.example:
            attributes["placeholder"] = question.example
    element: dict[str, Any] = {"type": kind, "id": "-".join(question.path)}
    element["attributes"] = attributes
    if question.required:
        element["validations"] = {"required": True}
    return element


def _promises(language: str) -> dict[str, Any]:
    boxes: list[dict[str, Any]] = [
        {"label": translated(label, language), "required": True} for label in PROMISES
    ]
    boxes.append({"label": translated(ANOTHER, language)})
    return {"type": "checkboxes", "id": "promises",
            "attributes": {"label": translated(CONFIRMED, language), "options": boxes}}  # fmt: skip

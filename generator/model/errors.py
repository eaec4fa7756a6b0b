"""Turns an error of pydantic into a fault with a message and a hint for the author.

See https://docs.pydantic.dev/latest/errors/validation_errors/ for the errors.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import Any, ClassVar, Literal, NamedTuple, get_args, get_origin

from generator.dialect.document import YamlDocument
from generator.dialect.lookalikes import describe_lookalike, plain_letters
from generator.dialect.mistakes import wrong_space
from generator.kinds.added import pattern_faults
from generator.kinds.declare import OWN_FIELDS, Field, read_fields
from generator.kinds.models import Input, declared_class, model_of
from generator.kinds.own import HAS
from generator.kinds.record import Record
from generator.kinds.types import LINE, TEXT, URL, OwnFields, Part, alternatives, is_url
from generator.model import corrections, dates
from generator.model.field_words import ELSEWHERE, meant_word
from generator.model.suggestions import describe_slug, suggest_declared
from generator.problems.codes import acceptable, codes
from generator.problems.diagnostic import Fix, nearest_word, suggest_word
from generator.problems.faults import Fault, Loc, Remedy, describe_field, describe_value
from generator.text.characters import describe_character, find_hidden, find_odd_space, hidden_hint
from generator.text.numbers import is_placeholder
from generator.text.words import fold

_NO_MEND = Remedy(None)
_COLOURS = ("invalid-colour", "low-contrast")
_COLOUR = 'write "#" and six digits 0-9 or a-f in quotes, like "#0b6e4f"'
#: Fields that people write for the day and the time of an event.
OF_DAYS = ("date", "day", "dates", "when", "deadline", "datum", "start_date")
_OF_HOURS = ("time", "times", "hour", "start_time", "end_time", "uhrzeit")
#: Codes of faults of a word that has only letters, digits and hyphens.
_WORDS = ("unknown-country", "invalid-slug", "invalid-choice", "unknown-field", "invalid-key")
_TIMES = ("opens", "closes", "due", "starts", "ends")  # of an event
_TIME = "write it like 2026-05-31, or with a time, like 2026-05-31 09:30"
_DATE = "write a date from 1800 to 2200 as year-month-day, like 2026-02-28"
_EXAMPLES = {
    "invalid-contact": "write an address like https://example.org/contact or registry@example.org",
    "invalid-url": "write an address like https://example.org/registry",
}
#: Required field -> the form of its value.
_FORMS = {
    "country": "two capital letters, like DE for Germany",
    "date": "YYYY-MM-DD",
    "one": "the word for a single record, like book",
    "many": "the word for several, like books",
    "label": "its name for people",
    "href": "the address that it leads to",
}
#: Fields that cannot be left out where they may be.
_NEEDED = ("name", "country", "kind", *_TIMES)
_MAPPING = '"key: value" entries'
_TYPES = {
    "string_type": "text",
    "int_type": "a whole number",
    "bool_type": "true or false",
    "list_type": "a list",
    "number_type": "a number",
    "float_type": "a number",
    "dict_type": _MAPPING,
    "model_type": _MAPPING,
    "model_attributes_type": _MAPPING,
}  # fmt: skip


class _Error(NamedTuple):
    """An error of pydantic.  `field` and `value` are spelled as in messages; if `on_key` is true,
    the key is wrong.
    """

    kind: str
    loc: Loc
    raw: Any
    context: dict[str, Any]
    message: str
    on_key: bool
    field: str
    value: str
    model: type[Input]
    document: YamlDocument

    @property
    def parent_model(self) -> type[Input]:
        return parent_model(self.model, self.loc)

    @property
    def is_blank(self) -> bool:
        return isinstance(self.raw, str) and not self.raw.strip()

    def fault(self, code: str, problem: str, mend: Remedy = _NO_MEND, *, word: str = "") -> Fault:
        """A fault whose message begins with the field and its value."""
        return Fault(
            code, f"{self.field}: {self.value} {problem}", self.loc, mend.hint,
            on_key=self.on_key, given_slug=word, fix=mend.fix,
        )  # fmt: skip


def fault_from_error(error: Any, model: type[Input], document: YamlDocument) -> Fault:
    """The fault for one of pydantic's error dicts."""
    loc, raw = tuple(error["loc"]), error["input"]
    on_key = bool(loc) and loc[-1] == "[key]"
    loc = loc[:-1] if on_key else loc
    field = describe_field(loc[:-1] if on_key else loc)
    value = document.source_texts.get(loc) or describe_value(raw)
    kind, context = error["type"], error.get("ctx") or {}
    details = _Error(kind, loc, raw, context, error["msg"], on_key, field, value, model, document)
    faults = (describe(details) for describe in _DESCRIBERS)
    fault = next(fault for fault in faults if fault is not None)
    if not on_key and isinstance(raw, str) and is_placeholder(raw) and loc[-1] not in _NEEDED:
        return replace(fault, hint_source="leave it out if there is no value", fix=None)
    return _with_lookalike(fault, details)


def _with_lookalike(fault: Fault, error: _Error) -> Fault:
    """The fault with the hint that characters only look like those of a slug, code or number."""
    text = fault.loc[-1] if fault.on_key and fault.loc else error.raw
    pattern = error.context.get("pattern")
    number = error.kind in ("int_type", "number_type")
    is_word = fault.code in _WORDS and pattern not in (LINE, TEXT, URL)
    if not isinstance(text, str) or not (is_word or number) or find_odd_space(text):
        return fault
    plain, reason = plain_letters(text), describe_lookalike(text)
    if reason is None:
        return fault
    if number and fault.fix is not None:
        return fault  # with the unit of its field
    if number:
        mend = corrections.correct_type(error.kind, plain, fault.loc, plain)
        advice = f"write {plain}" if mend.fix is not None else mend.hint
        return replace(fault, hint_source=f"{reason}: {advice}", fix=mend.fix)
    fix = Fix("key" if fault.on_key else "value", plain, fault.loc)
    hint = f"{reason}: write {plain}"
    return replace(fault, hint_source=hint, fix=fix, given_slug="")


def _unknown_field(error: _Error) -> Fault | None:
    if error.kind != "extra_forbidden":
        return None
    loc, key = error.loc, str(error.loc[-1])
    plain = plain_key(key)
    is_known = plain in error.parent_model.written()
    fix = Fix("key", plain, loc) if is_known else None
    odd = find_odd_space(key)
    if odd is not None:
        message = f"the field name {describe_value(key)} contains {describe_character(odd[0])}"
        indented = find_odd_space(key[0])
        hint = "indent with normal spaces" if indented else "write a normal space instead"
        hint = f'write "{plain}"' if is_known else hint
        return Fault("odd-space", message, loc, hint, on_key=True, fix=fix)
    cause = wrong_space(key) if error.raw is None and ":" in key else None
    if cause is not None:
        message = f"{describe_value(key)}: {cause.message}"
        return Fault("unknown-field", message, loc, cause.hint, on_key=True)
    parent = describe_field(loc[:-1])
    message = f"there is no field {describe_value(key)}" + (f" in {parent}" if parent else "")
    find_hint = partial(_near_field, key, error.parent_model, error.document.data)
    return Fault("unknown-field", message, loc, find_hint, on_key=True, fix=fix)


def _missing_field(error: _Error) -> Fault | None:
    if error.kind == "missing":
        name, is_own = str(error.loc[-1]), issubclass(error.parent_model, OwnFields)
        value = _choices(error.parent_model, name) or ("" if is_own else _FORMS.get(name, ""))
        if not value and issubclass(error.parent_model, Record | OwnFields):
            value = _described(_fields_of(error.parent_model)[name])
        hint = f"add {'under fields: ' * is_own}{name}: {value or '…'}"
        return Fault("missing-field", f"{error.field} is required", error.loc, hint)
    if error.raw is not None or error.kind in _COLOURS:
        return None
    required = len(error.loc) == 1 or issubclass(error.parent_model, OwnFields)
    hint = "give it a value" if required else "give it a value, or remove it"
    message, on_key = f"{error.field} has no value", isinstance(error.loc[-1], str)
    return Fault("missing-field", message, error.loc, hint, on_key=on_key)


def _described(f: Field) -> str:
    """What a field takes, in words; "" if its name says it."""
    *others, last = [*f.values] if f.is_own and f.values and not f.many else [""]
    return describe_slug(f) or (f"{', '.join(others)} or {last}" if others else last)


def _fields_of(model: type[Input]) -> Mapping[str, Field]:
    """The fields of the model of a record, with those of its kind if registry.yaml declares it."""
    return {**read_fields(declared_class(model)), **getattr(model, "own", {})}


def _choices(model: type[Input], name: str) -> str:
    """The allowed values of a field in words; "" if there is no list of them."""
    field = model.model_fields.get(name)
    types = within(field and field.annotation)
    choices = next((get_args(part) for part in types if get_origin(part) is Literal), ())
    *others, last = [str(choice) for choice in choices] or [""]
    return f"{', '.join(others)} or {last}" if others else last


def _wrong_type(error: _Error) -> Fault | None:
    if error.kind not in _TYPES:
        return None
    if error.kind == "list_type" and error.loc in error.document.list_faults:
        return error.document.list_faults[error.loc]
    loc, written = error.loc, error.document.source_texts
    if error.kind == "string_type" and loc[0] in _TIMES and isinstance(error.raw, int | float):
        message = f"{error.field}: {error.value} is not a date or time"
        hint = dates.explain(str(error.raw)) or _TIME
        return Fault("invalid-time", message, loc, dates.correct_date(error.raw, [], loc, hint)[0])
    lines = error.document.lines.get(loc, ())
    own = getattr(error.parent_model, "own", {}).get(loc[-1])
    unit = own.unit if own is not None else ""
    mend = corrections.correct_type(error.kind, error.raw, loc, written.get(loc), lines, unit)
    message = f"{error.field} must be {_TYPES[error.kind]}, not {error.value}"
    advice = mend.hint
    if own is not None and error.kind == "string_type" and mend.fix is None:
        several = isinstance(error.raw, list) and len(error.raw) > 1
        more = "; if records may have several, write many: true for it in registry.yaml"
        advice = f"{advice}{more}" if several else advice
    if own is not None and advice == corrections.DIGITS and not own.unit:
        advice = f"{advice}; for words this field needs type: text in registry.yaml"
    return Fault("wrong-type", message, loc, advice, fix=mend.fix)


def _wrong_text(error: _Error) -> Fault | None:
    """Wrong characters in a text, or an empty text, list or key."""
    kind, raw, loc = error.kind, error.raw, error.loc
    pattern = error.context.get("pattern")
    is_text = kind == "invalid-license" or kind in _EXAMPLES or pattern in (LINE, TEXT, URL)
    if is_text and isinstance(raw, str) and not error.is_blank and find_hidden(raw):
        return hidden_fault(raw, loc)
    if kind == "string_pattern_mismatch" and not error.is_blank:
        code, problem, default_hint = pattern_faults()[error.context["pattern"]]
        mend = corrections.correct_form(code, raw, loc)
        if loc == ("website",) and (other := _exchanged(raw, error.document.data)):
            mend = Remedy(f"name and website are exchanged: write name: {raw}, website: {other}")
        word = raw if code == "invalid-slug" and not error.on_key else ""
        return error.fault(code, problem, Remedy(mend.hint or default_hint, mend.fix), word=word)
    if error.on_key and error.is_blank:
        message = f"{error.field}: an entry has no name"
        hint = 'write a name before the ":"'
        return Fault("invalid-key", message, loc, hint, on_key=True)
    if kind in ("string_too_short", "string_pattern_mismatch", "too_short"):
        state = "has only spaces" if raw else "is empty"
        hint = "give it a value" if kind == "too_short" else "give it a value, or remove it"
        return Fault("invalid-length", f"{error.field} {state}", loc, hint)
    return None


def _exchanged(website: str, data: Any) -> str | None:
    """The address that the name of a record is, if its website is a name."""
    name = data.get("name") if isinstance(data, dict) else None
    if not isinstance(name, str) or "." not in name or "." in website:
        return None
    address = name if is_url(name) else f"https://{name}/"
    return address if is_url(address) else None


def _wrong_size(error: _Error) -> Fault | None:
    """A text, list or mapping that is too long, or a number out of range."""
    kind, field, context, loc = error.kind, error.field, error.context, error.loc
    if kind in ("string_too_long", "too_long"):
        of = "entries" if isinstance(error.raw, dict) else "items"
        of = "characters" if isinstance(error.raw, str) else of
        message = (
            f"{field} has {len(error.raw):,} {of}; at most {context['max_length']:,} are allowed"
        )
        hint = "shorten it" if of == "characters" else f"keep the most important {of}"
        if loc[:1] == ("kinds",) and loc[-2:-1] == ("nouns",):
            hint = "write the word for one and the word for several"
        return Fault("invalid-length", message, loc, hint, on_key=error.on_key)
    if kind in ("greater_than_equal", "less_than_equal"):
        bound = f"at least {context['ge']:,}" if "ge" in context else f"at most {context['le']:,}"
        bound = bound.replace(",", "") if field.endswith("year") else bound
        is_short = field == "year" and len(str(error.raw)) != 4
        form = "write four digits, like 2020" if is_short else None
        return Fault("out-of-range", f"{field} must be {bound}, not {error.value}", loc, form)
    return None


def _wrong_value(error: _Error) -> Fault:
    """A value with the right form that is not an allowed value."""
    kind, raw, loc, context = error.kind, error.raw, error.loc, error.context
    if kind in _COLOURS:
        subject = f"{error.field} has" if raw is None else f"{error.field}: {error.value}"
        near = context.get("near")
        hint = f'the nearest readable colour is "{near}"' if near is not None else _COLOUR
        return Fault(kind, f"{subject} {error.message}", loc, hint)
    match kind:
        case "unknown-choice":
            find_hint = partial(suggest_declared, raw, context["known"], context["where"])
            return replace(error.fault("invalid-choice", error.message), hint_source=find_hint)
        case "literal_error":
            choices = re.findall(r"'([^']*)'", context["expected"])
            mend = corrections.correct_choice(raw, choices, loc)
            if loc[-1:] == ("type",) and "fields" in loc:
                mend = corrections.correct_field_type(raw, error.document.data, mend)
            return error.fault("invalid-choice", "is not an allowed value", mend)
        case "invalid-declaration":
            hint, field = context.get("hint", "correct it, or remove it"), error.field
            field += f".{raw}" if error.on_key else ""
            return Fault(kind, f"{field} {error.message}", loc, hint, on_key=error.on_key)
        case "code":
            mend = corrections.correct_choice(raw, [*acceptable()], loc)
            if raw in codes():
                mend = Remedy("remove it, and correct what it reports")
            mend = mend if mend.hint is not None else Remedy("`registry explain` lists all codes")
            kind = "invalid-choice"
        case "unknown-country":
            mend = corrections.correct_country(raw, loc)
        case "invalid-license":
            mend = corrections.correct_licence(raw, loc)
        case "invalid-date":
            default_hint = dates.explain(str(raw)) or _DATE
            if times := dates.guess_times(str(raw)):
                default_hint = f"write the day alone: {times[0][:10]}"
            mend = dates.correct_date(raw, dates.guess_days(str(raw)), loc, default_hint)
        case _ if not kind.startswith("invalid-"):
            return Fault("wrong-type", f"{error.field}: {error.message}", loc)
        case _:
            mend = Remedy(_EXAMPLES.get(kind))
    return error.fault(kind, error.message, mend)


#: The first of these that returns a fault describes the error; the last always does.
_DESCRIBERS = (
    _unknown_field, _missing_field, _wrong_type, _wrong_text, _wrong_size, _wrong_value
)  # fmt: skip


def within(annotation: Any) -> Iterator[Any]:
    """A type, and the types of which it is made."""
    yield annotation
    for part in get_args(annotation):
        yield from within(part)


def parent_model(model: type[Input], loc: Loc) -> type[Input]:
    """The model that the field at `loc` belongs to."""
    for part in loc[:-1]:
        if (name := model.written().get(str(part))) is not None:
            types = within(model.model_fields[name].annotation)
            inner = (t for t in types if isinstance(t, type) and issubclass(t, Input | Part))
            model = next(map(model_of, inner), model)
    return model


def _near_field(given: str, model: type[Input], data: Any) -> str | None:
    """A hint for a field that a model does not have; `data` is that of the record."""
    key = plain_key(given)
    if "opens" in model.model_fields and (key in OF_DAYS or key in _OF_HOURS):
        return _event_time(key, data)
    if issubclass(model, OwnFields):
        return suggest_declared(key, {k: own.label for k, own in model.own.items()}, model.where)
    if where := getattr(model, "where", ""):
        if key in HAS:
            return f"write {key} into has of {where} in registry.yaml, if these records have it"
        if key == OWN_FIELDS:
            return "write what it has at the top of the file, without fields"
    if issubclass(model, Record) and _is_left_out(key, model):
        return "registry.yaml leaves out what it refers to (without_kinds): remove it"
    own_fields = parent_model(model, ("fields", key))
    if issubclass(own_fields, OwnFields) and key in own_fields.own:
        return "write it under fields, with this registry's own fields"
    written = data if isinstance(data, dict) else {}
    inner = written.get(given)
    if issubclass(model, Record) and isinstance(inner, dict) and "name" in inner:
        return "the name of the file is the slug: remove this line, and indent the others less"
    if "kinds" in model.written() and isinstance(inner, dict) and "one" in inner:
        return "indent it and its lines by two spaces, so that it is below kinds"
    meant = meant_word(key, (*model.written(), *corrections.PLACE_FIELDS))
    place = _inner_field(key, model) if "kinds" in model.written() else None
    if place is not None and meant not in model.written():
        return f"write it under {place}"
    declared = written.get("kinds") if not issubclass(model, Record) else None
    if isinstance(declared, dict) and key in declared:
        return f"write its fields under kinds.{key}.fields"
    if (advice := ELSEWHERE.get(key)) and issubclass(model, Record):
        return advice
    if (relation := _relation_to(key, model)) is not None:
        return f'did you mean "{relation}"?'
    if (meant or key) in corrections.PLACE_FIELDS and "locations" in model.model_fields:
        return "write it under locations, like locations: [{country: DE, city: Kiel}]"
    if meant in model.written() and not nearest_word(key, model.written()):
        return f'did you mean "{meant}"?'
    hint = suggest_word(key, model.written(), max_words=30)
    if where and not nearest_word(key, model.written()) and (label := _labelled(key, model)):
        return f'did you mean "{label}"?'
    if hint is None and not issubclass(model, Record):
        return "no setting has this name: remove it"
    if " " in given and given in written and (hint or "one of").startswith("one of"):
        return "if this goes on the text above, put all of that text in quotes"
    where = getattr(model, "where", "")
    if where and hint is not None and hint.startswith("one of"):
        return f"{hint}; or declare it in registry.yaml, under {where}.fields"
    return hint


def _labelled(key: str, model: type[Input]) -> str | None:
    """The field of an own kind with this label, or with one like it."""
    labels = {fold(own.label): own.place[-1] for own in getattr(model, "own", {}).values()}
    near = nearest_word(fold(key), labels)
    return labels[near] if near else None


def _inner_field(key: str, model: type[Input]) -> str | None:
    """The group of settings that has a setting: `site` for `accent`."""
    if nearest_word(key, [name for name in model.written() if key in (name, f"{name}s")]):
        return None
    for name in model.written():
        types = alternatives(model.model_fields[model.written()[name]].annotation)
        inner = [t for t in types if isinstance(t, type) and issubclass(t, Input)]
        if any(key in t.written() for t in inner):
            return name
    return None


def _relation_to(key: str, model: type[Input]) -> str | None:
    """The relation that a word for the records of its kind means, such as `author`."""
    if not issubclass(model, Record):
        return None
    relations = [f for f in _fields_of(model).values() if f.refers]
    near = [f.place[-1] for f in relations if key in (f.filter, f.refers, f.refers.rstrip("s"))]
    return near[0] if len(near) == 1 and near[0] != key else None


def _is_left_out(key: str, model: type[Input]) -> bool:
    """Whether records have a field in a registry that leaves no kind out."""
    declaring = declared_class(model).__mro__
    found = [vars(of).get("__annotations__", {}).get(key) for of in declaring]
    return key not in model.written() and any(a and get_origin(a) is not ClassVar for a in found)


def _event_time(key: str, data: Any) -> str:
    """A hint for a field such as `date` or `time` of an event."""
    from generator.model.kinds.event_times import REQUIRED_TIME

    field = REQUIRED_TIME.get(str(data.get("kind"))) if isinstance(data, dict) else None
    example = f"{field or 'starts'}: 2027-02-01"
    if key in _OF_HOURS:
        return f"write the time after the day, like {example} 10:00, and its zone under timezone"
    if field is not None:
        return f"write {field}: this event has kind: {data['kind']}"
    return "an event has starts and ends, a deadline due, an application window opens and closes"


def hidden_fault(text: str, loc: Loc, at: int | None = None) -> Fault:
    """The fault of the first hidden character of a text, or of that at a place."""
    if at is None:
        match = find_hidden(text)
        at = match.start() if match else text.index("\x85")
    hint = hidden_hint(text, at)
    replacement = {"write a space instead": " ", "remove it": ""}.get(hint)
    return Fault(
        "control-character",
        f"{describe_field(loc)} holds {describe_character(text[at])}",
        loc,
        hint,
        search_text=text[max(0, at - 8) : at + 1],
        fix=Fix("here", (1, replacement)) if replacement is not None else None,
    )


def plain_key(key: str) -> str:
    """A key in the spelling of the schema: lower case, with `_` for spaces and hyphens."""
    return re.sub(r"[\W_]+", "_", key.strip().casefold()).strip("_")

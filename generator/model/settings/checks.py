"""Warns about settings that are allowed but surely not meant: two values with one label, two
spellings of a tag, HTML in a text, and a base URL that is the address of a page.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from generator.kinds.own import field_settings
from generator.kinds.rules import Broken, broken_rules
from generator.kinds.told import MAX_TOLD, size_of, tell
from generator.kinds.types import without_index
from generator.model.checks.tags import check_listed_tags
from generator.model.checks.texts import check_html
from generator.model.settings.registry import Settings
from generator.problems.diagnostic import Fix, nearest_word
from generator.problems.faults import Fault, Loc, describe_field
from generator.text.words import fold


def check_settings(settings: Settings) -> Iterator[Fault]:
    texts: dict[Loc, str | None] = {
        ("name",): settings.name,
        ("description",): settings.description,
        ("site", "footer"): settings.site.footer,
    }
    for loc, text in texts.items():
        yield from check_html(text or "", loc)
    families = settings.families.items()
    yield from check_listed_tags({name: f.tags for name, f in families if f.tags is not None})
    for name, family in families:
        if family.tags is not None and family.labels:
            message = f"tag_families.{name} has tags, so these labels are not used"
            hint, loc = (
                "write each label after its tag, under tags",
                ("tag_families", name, "labels"),
            )
            yield Fault("invalid-declaration", message, loc, hint, on_key=True)
    for loc, labels in _labels(settings):
        yield from _check_labels(loc, labels)
    if settings.base_url and without_index(settings.base_url) != settings.base_url:
        meant, loc = without_index(settings.base_url), ("base_url",)
        message, fix = "base_url is the address of a page", Fix("value", meant, loc)
        yield Fault("odd-url", message, loc, f"write {meant}", severity="warning", fix=fix)


def check_shared_labels(settings: Settings) -> Iterator[Fault]:
    """Labels of fields that are no shared fields of their kind."""
    for name, labels in settings.labels or ():
        common = settings.kinds[name].common if labels else {}
        fields = [key for key, f in common.items() if f.published and not f.computed]
        for key in (key for key in labels or () if key not in fields):
            near = nearest_word(key, fields)
            hint = f'did you mean "{near}"?' if near else f"write one of {', '.join(fields)}"
            message = f'labels: {name} have no shared field "{key}"'
            yield Fault("unknown-field", message, ("labels", name, key), hint, on_key=True)


#: The settings of kinds and fields of which a value breaks a rule.
_OF_VALUES = ("of", "filter", "one", "badge", "reverse")


def check_kinds(settings: Settings) -> Iterator[Fault]:
    """Rules about all kinds, own fields and relations together."""
    first = settings.bare.having({}, {}, ())
    own, kinds = settings.own_fields, settings.own_kinds
    fields = {c: {key: field_settings(of) for key, of in fs.items()} for c, fs in own.items()}
    if kinds or settings.without_kinds or any(
        of["type"] in ("record", "money") for fs in fields.values() for of in fs.values()
    ):  # fmt: skip
        left_out = settings.without_kinds or ()
        found = [*broken_rules(first, fields, kinds, left_out, [*settings.families])]
        for broken in found or _too_long(settings):
            where = describe_field(broken.loc)
            is_key = isinstance(broken.loc[-1], str) and broken.loc[-1] not in _OF_VALUES
            yield Fault(
                broken.code, f"{where}: {broken.message}", broken.loc, broken.hint, on_key=is_key
            )


def _too_long(settings: Settings) -> Iterator[Broken]:
    """What index.json tells of kinds, if no reader would take it."""
    collections = settings.grammar().collections.items()
    nouns = {name: (of.one, of.many) for name, of in collections}
    if (size := size_of(tell(settings.kinds, nouns))) > MAX_TOLD:
        message = (
            f"their fields and labels have {size:,} bytes in index.json, and readers take at most "
            f"{MAX_TOLD:,}"
        )
        hint = "shorten labels, or leave out the values of choices, which any record may then have"
        yield Broken(("kinds",), "invalid-declaration", message, hint)


def _labels(settings: Settings) -> Iterator[tuple[Loc, Mapping[str, str]]]:
    """The place of each list of values, and the label of each value."""
    for family, declared in settings.families.items():
        if declared.tags is not None:
            yield ("tag_families", family, "tags"), declared.tags
        yield ("tag_families", family, "labels"), declared.labels or {}
    yield ("tag_families",), {name: family.label for name, family in settings.families.items()}
    for name in ("organization_categories", "program_types", "event_stages"):
        yield (name,), getattr(settings, name) or {}
    own: list[tuple[Loc, Any]] = [(("fields", name), of) for name, of in settings.fields or ()]
    for name, kind in (settings.declared_kinds or {}).items():
        own.append((("kinds", name, "fields"), kind.fields))
    for loc, fields in own:
        for key, field in (fields or {}).items():
            yield (*loc, key, "values"), field.values or {}
        yield loc, {key: field.label for key, field in (fields or {}).items()}


def _check_labels(loc: Loc, labels: Mapping[str, str]) -> Iterator[Fault]:
    slugs: dict[str, str] = {}
    for slug, label in labels.items():
        first = slugs.setdefault(" ".join(fold(label).split()), slug)
        if first != slug:
            where = describe_field(loc)
            message = f'{where}: "{slug}" has the same label as "{first}", "{label}"'
            hint = "keep one of them, or give them labels that readers can tell apart"
            yield Fault(
                "repeated-value", message, (*loc, slug), hint, on_key=True, severity="warning"
            )

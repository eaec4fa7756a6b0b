"""The key `landscape` names tag families, and a number or tag family that projects have."""

from __future__ import annotations

from collections.abc import Container, Iterator

from generator.features.landscape.boxes import number_names
from generator.features.landscape.settings import Settings
from generator.model.settings.registry import Settings as Registry
from generator.problems.diagnostic import suggest_word
from generator.problems.faults import Fault


def check_keys(settings: Registry, unread: Container[str]) -> Iterator[Fault]:
    landscape = Settings.of(settings).landscape
    if landscape is None or "tag_families" in unread or "fields" in unread:
        return
    families = [*settings.families]
    for i, family in enumerate(landscape.families or ()):
        loc = ("landscape", "families", i)
        if family not in families:
            message = f'landscape.families[{i}]: there is no tag family "{family}"'
            yield Fault("unknown-tag-family", message, loc, suggest_word(family, families))
        elif family in (landscape.families or ())[:i]:
            message = f'landscape.families[{i}]: "{family}" is already in this list'
            yield Fault("invalid-landscape", message, loc, "name another family, or remove it")
    size = landscape.size
    if size is None:
        return
    numbers = number_names(settings)
    listed = [name for name, family in settings.families.items() if family.tags]
    if size not in numbers and size not in listed:
        yield Fault("invalid-landscape", *_size(settings, size, [*numbers, *listed]))


def _size(
    settings: Registry, size: str, known: list[str]
) -> tuple[str, tuple[str, str], str | None]:
    """The message, place and hint of a size that cannot be used."""
    own = settings.grammar().fields.get("projects", {}).get(size)
    hint: str | None = f"name one of: {', '.join(known)}"
    if own is not None and own.type == "number":
        message, hint = "is neither sorted nor filtered", f"add sort: true to the field {size}"
    elif own is not None:
        message = "is not a number"
    elif size in settings.families:
        message, hint = "lists no tags", f"list the tags of {size}, the largest first"
    else:
        message, hint = (
            "is neither a number of projects nor a tag family",
            suggest_word(size, known),
        )
    return f'landscape.size: "{size}" {message}', ("landscape", "size"), hint

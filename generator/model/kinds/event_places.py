"""The places of an event, which may be those of its program."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import chain
from typing import Any

from generator.grammar.filters import Facet
from generator.kinds.continents import with_continents
from generator.kinds.event import Event
from generator.model.symbols import NamedPlace, Symbols, encode_place, encode_places, finest_places


def event_places(record: Event, symbols: Symbols) -> tuple[NamedPlace, ...]:
    """The places of an event; those of its program if it has none itself and is not online."""
    if record.locations:
        return tuple(chain.from_iterable(p.named for p in encode_places(record.locations)))
    program = symbols.series.get(record.program or "")
    return program.places if program is not None and not record.online else ()


def places_of(event: Mapping[str, Any], symbols: Symbols) -> list[NamedPlace]:
    """The finest of the places of an event, given as its summary; those of its program if it has
    none itself and is not online.
    """
    if event["locations"]:
        named = ((p["country"], p["region"], p["city"]) for p in event["locations"])
        return finest_places(chain.from_iterable(encode_place(*place).named for place in named))
    program = symbols.series.get(event.get("program") or "")
    return finest_places(program.places) if program is not None and not event["online"] else []


def shared_facets(
    tags: Iterable[Facet],
    places: Iterable[str],
    online: bool | None,
    program: str | None,
    organization: str | None,
    symbols: Symbols,
) -> list[Facet]:
    """The facets of tags, places and categories of an event with its own tags (facets) and places
    (without continents), and with those of its program.
    """
    target = symbols.series.get(program or "")
    facets = [*tags, *(target.tags if target else ())]
    for slug in (organization, target.organization if target else None):
        owner = symbols.owners.get(slug or "")
        if owner is not None and owner.group:
            facets.append(Facet("organization_category", owner.group))
    places = [*places, "online"] if online else [*places]
    if not places and target is not None:
        places = [place.slug for place in target.places]
    return facets + [Facet("location", place) for place in with_continents(places)]

"""Cities in two spellings, and cities that only look alike."""

from __future__ import annotations

import pytest

from generator.model.checks import CollectionRecords, Uses
from generator.model.checks.city_spellings import check_registry
from generator.model.symbols import encode_place

#: Places of records: country, region and city.
Places = list[tuple[str, str | None, str]]


def found(*places: tuple[str, str | None, str], collection: str = "projects") -> list[str]:
    """The places with a warning, if each of these places is that of one record."""
    members: dict[str, list[int]] = {}
    labels: dict[str, str] = {}
    for number, place in enumerate(places):
        document = encode_place(*place)
        labels |= dict(document.labels)
        for facet in document.facets:
            members.setdefault(facet, []).append(number)
    slugs = [f"r{number}" for number in range(len(places))]
    records = CollectionRecords(slugs, {}, {}, {}, Uses(members, slugs, labels))
    faults = check_registry({collection: records}, lambda name, slug: slug)
    return [fault.message.split('"')[1] for _, _, fault in faults]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (("DE", None, "München"), ("DE", None, "Munich")),
        (("DE", None, "Köln"), ("DE", None, "Koeln")),
        (("DE", None, "Koeln"), ("DE", None, "Cologne")),
        (("DE", None, "Muenchen"), ("DE", None, "Munich")),
        (("DK", None, "Århus"), ("DK", None, "Aarhus")),
        (("CH", None, "St. Gallen"), ("CH", None, "Sankt Gallen")),
        (("US", "California", "Oakland"), ("US", None, "Oakland")),
        (("US", "California", "Oakland"), ("US", "CA", "Oakland")),
        (("US", "DC", "Washington, D.C."), ("US", None, "Washington")),
    ],
)
def test_the_second_spelling_of_a_city_has_a_warning(
    first: tuple[str, str | None, str], second: tuple[str, str | None, str]
) -> None:
    region, city = second[1:]
    assert found(first, second) == [f"{city}, {region}" if region else city]
    assert found(first, second, second) == [f"{first[2]}, {first[1]}" if first[1] else first[2]]


@pytest.mark.parametrize(
    "places",
    [
        [("US", "Oregon", "Portland"), ("US", "Maine", "Portland")],
        [("US", "Oregon", "Portland"), ("US", "Maine", "Portland"), ("US", None, "Portland")],
        [("DE", None, "Zürich"), ("DE", None, "Zurich")],  # one place, by its slug
        [("DE", None, "Munich"), ("US", None, "München")],
        [("US", None, "Moers"), ("US", None, "Mors")],
        [("US", "New York", "New York"), ("US", None, "New York")],  # the state
        [("FR", None, "Paris"), ("FR", None, "Parigny")],
        [],
    ],
)
def test_other_cities_have_none(places: Places) -> None:
    assert found(*places) == []

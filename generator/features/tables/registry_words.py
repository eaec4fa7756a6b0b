"""The words that the records of a registry use, for those of a table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from generator.edit.words import Vocabulary, plain, texts
from generator.model.country_names import other_spelling


@dataclass(slots=True)
class RegistryWords:
    """The places and tags in use, from the data of records, which may be invalid."""

    places: dict[tuple[str, str], dict[str, str]] = field(default_factory=dict)
    tags: dict[str, dict[str, str]] = field(default_factory=dict)

    def add(self, data: Mapping[str, Any]) -> None:
        """Add the words of a record."""
        places, tags = data.get("locations"), data.get("tags")
        for place in places if isinstance(places, list) else ():
            if isinstance(place, dict) and isinstance(place.get("country"), str):
                for part in ("region", "city"):
                    if isinstance(name := place.get(part), str):
                        self.places.setdefault((place["country"], part), {})[name] = name
        for family, used in tags.items() if isinstance(tags, dict) else ():
            words = self.tags.setdefault(family, {})
            words |= {tag: tag for tag in texts(used)}

    def place_vocabularies(self) -> dict[tuple[str, str], Vocabulary]:
        """The regions and cities in use, by (country, "region" or "city")."""
        result = {}
        for (country, part), names in self.places.items():
            words = result[country, part] = Vocabulary.from_labels(names, "text")
            for name in names if part == "region" else ():
                if other := other_spelling(name, country):
                    words.spelled.setdefault(plain(other), [name])
        return result

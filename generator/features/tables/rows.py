"""Reads a row of a table as the fields of a record, with its places in one field."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from generator.dialect.values import PLACE_ORDER
from generator.edit.places import NotAPlace, filled, read_place
from generator.edit.tables.columns import Loc
from generator.edit.tables.sheet import SheetRow
from generator.edit.words import Choice, Meaning, country_meaning
from generator.features.tables.cells import CellReader
from generator.features.tables.compose import cut
from generator.features.tables.mapping import MappedField
from generator.features.tables.problems import InvalidRow
from generator.kinds.types import COUNTRIES
from generator.model.country_names import find_country, is_part, split_parts
from generator.model.online import without_online
from generator.problems.faults import shorten
from generator.text.words import fold

_PLACES = ("locations",)


class RowReader(CellReader):
    """Reads rows."""

    def read_row(self, row: SheetRow) -> dict[Loc, Any]:
        """The values of a row, with its places in one field.  Raises InvalidRow at the end."""
        values: dict[Loc, Any] = {}
        invalid = None
        for target in self.asked.targets:
            if (row.number, target.column.name) in self.left_out:
                continue
            try:
                values[target.column.loc] = self.value(target, row)
            except InvalidRow as error:
                invalid = error if not self.leaves_out(target, row) else invalid
        self._cut(values)
        self._take_online(values)
        parts = {loc[1]: values.pop(loc) for loc in list(values) if loc[:1] == _PLACES and loc[1:]}
        try:
            if _PLACES in values and not parts.keys() - {"country"}:
                values[_PLACES] = self._places(values[_PLACES], parts.get("country") or [], row)
            elif parts:
                values[_PLACES] = self._joined(parts, row)
        except InvalidRow:
            targets = [t for t in self.asked.targets if t.column.loc[:1] == _PLACES]
            if not sum(self.leaves_out(target, row) for target in targets):
                raise
            values.pop(_PLACES, None)
        if invalid is not None:
            raise invalid
        return values

    def leaves_out(self, target: MappedField, row: SheetRow) -> bool:
        """Whether the map leaves out a wrong cell, which is counted then."""
        if target.source.leaves_out_errors:
            self.left_out.add((row.number, target.column.name))
        return target.source.leaves_out_errors

    def _cut(self, values: dict[Loc, Any]) -> None:
        """Cut the texts that the map cuts; the description takes the rest."""
        for column, source in self.asked.targets:
            text = values.get(column.loc)
            if source.cut is not None and isinstance(text, str):
                values[column.loc], rest = cut(text, source.cut)
                if rest and self.asked.takes_rest:
                    values["description",] = rest

    def _take_online(self, values: dict[Loc, Any]) -> None:
        """Replace places such as "Online" by the field that says so, if the records have one."""
        places, found = values.get(_PLACES), []
        for text, by_map in places or () if self.online else ():
            rest = without_online(text) if isinstance(text, str) else None
            if rest is not None and values.get((self.online,)) is None:
                values[self.online,] = True
            found += [(text if rest is None else rest, by_map)] if rest != "" else []
        if self.online and places:
            values[_PLACES] = found or None

    def _places(self, items: Sequence[Any] | None, countries: Sequence[Any], row: SheetRow) -> Any:
        """The places in a column of places, from (text or mapping, whether the map says it).

        `countries` are those of another column.
        """
        target = next(t for t in self.asked.targets if t.column.shape == "place")
        if not items:
            known = [{"country": country} for country in countries if country is not None]
            return [self._with_known_words(place, target, row) for place in known] or None
        if len(countries) == 1:
            countries = [countries[0]] * len(items)
        if countries and len(countries) != len(items):
            message = f"{len(countries)} countries for {len(items)} places"
            raise self.invalid(target, row, "invalid-length", message)
        named = countries or [None] * len(items)
        pairs = zip(items, named, strict=True)
        places = [self._place(target, row, part, by_map, of) for (part, by_map), of in pairs]
        return list(filter(None, places)) or None

    def _place(
        self, target: MappedField, row: SheetRow, part: Any, by_map: bool, named: str | None
    ) -> dict[str, Any] | None:
        """A place from a text, as "Oslo, Norway", or from a mapping of its parts.

        `named` is the country as another column names it.  With `by_map` the map gives the text.
        """
        if isinstance(part, dict):
            if part.keys() - set(PLACE_ORDER) or not isinstance(part.get("country"), str):
                message = "a place has a country, and perhaps a region and a city"
                raise self.invalid(target, row, "wrong-type", message)
            if self.asked.exact:  # a part that an exported place lacks is empty, not unknown
                part = dict.fromkeys(PLACE_ORDER) | part
            return self._with_known_words(part, target, row)
        country = named and self.word(country_meaning(named), named, "country", target, row)
        if country and country not in COUNTRIES:
            return {"country": country}
        names, sure = split_parts(str(part)), by_map and "," not in part
        if not by_map:
            *names, last = names
            names = self._parts_before(target, names)
            sure = fold(last) in self.meanings.get(target.column.name, {})
            meaning = self.meaning(target.column, last)
            if isinstance(meaning, dict) and len(names) < 3:
                before = dict(zip(("city", "region"), names, strict=False))
                return self._place(target, row, {"city": None} | before | meaning, True, None)
            names += split_parts(str(meaning)) if meaning is not None else []
        if not names:
            return None
        if country is None and target.source.country is not None:
            default = target.source.country
            if is_part(names[-1], default) or find_country(names[-1]) is None:
                country = default
        try:
            place = read_place(names, country, sure=sure)
        except NotAPlace as error:
            more = "; for several places, set split in the map" if len(names) > 3 else ""
            message = f'"{shorten(part)}": {error}'
            raise self.invalid(target, row, "unmatched-value", message, error.hint + more) from None
        parts = {"country": place.country, "region": place.region, "city": place.city}
        if not place.readings:
            return self._with_known_words(filled(parts), target, row)
        choices = tuple(
            Choice({"country": r.country, "region": r.region} if r.region else r.country, r.label)
            for r in place.readings
        )
        self.word(Meaning(None, choices=choices), place.country, "locations", target, row)
        return filled(parts | {"country": place.readings[0].country})

    def _parts_before(self, target: MappedField, names: Sequence[str]) -> list[str]:
        """The meanings of the parts of a place before the last.  A word for a country or for a
        whole place is only meant for the last part: CA in "Los Angeles, CA, USA" stays.
        """
        pairs = [(name, self.meaning(target.column, name)) for name in names]
        return [
            str(meaning)
            if isinstance(meaning, str) and "," not in meaning and not find_country(meaning)
            else name
            for name, meaning in pairs
            if meaning is not None
        ]

    def _with_known_words(
        self, place: Mapping[str, Any], target: MappedField, row: SheetRow
    ) -> dict[str, Any]:
        """A place with its country as a code, and with regions and cities as records spell them."""
        name = place["country"]
        country = self.word(country_meaning(name), name, "country", target, row)
        result: dict[str, Any] = {"country": country}
        for part in (part for part in ("region", "city") if part in place):
            name = result[part] = place[part]
            if name is not None and not self.asked.exact:
                words = self.places.get((country, part))
                meant = words.meaning_of(str(name)) if words is not None else Meaning(str(name))
                result[part] = self.word(meant, name, part, target, row)
        return result

    def _joined(self, parts: Mapping[str, Any], row: SheetRow) -> list[dict[str, Any]] | None:
        """The places of the columns of countries, regions and cities.  Raises InvalidRow."""
        by_part = {t.column.loc[1]: t for t in self.asked.targets
                   if t.column.loc[:-1] == _PLACES}  # fmt: skip
        count = max((len(names) for names in parts.values() if names), default=0)
        countries = parts.get("country") or []
        if len(countries) == 1 and by_part["country"].source.column is None:
            countries = countries * count  # the map gives one country to all places
        if len(countries) != count or None in countries:
            message = (
                f"locations: {len(list(filter(None, countries)))} countries for {count} places"
            )
            hint = "every place needs a country: map locations.country, or give it a value"
            target = by_part[next(iter(parts))]
            if not any(t.source.leaves_out_errors for t in by_part.values()):
                problem = "missing-field", message, hint
                self.problems.add(row, target.column.name, target.table_column, *problem)
            raise InvalidRow
        places: list[dict[str, Any]] = [{"country": country} for country in countries]
        for part in ("region", "city"):
            names = parts.get(part) or []
            if names and len(names) != count:
                message = f"{len(names)} values, but {count} places"
                hint = "leave the value of a place empty: a||c"
                raise self.invalid(by_part[part], row, "invalid-length", message, hint)
            for place, name in zip(places, names, strict=False):
                place[part] = name
        known = (self._with_known_words(place, by_part["country"], row) for place in places)
        return [*known] or None

"""Warns about a time zone that is no city's but an offset from UTC, the same in summer and winter.

GMT is also the time of London in winter, so it gets a warning only if London has another time then.
"""

import re
from collections.abc import Iterator
from datetime import datetime

from generator.kinds.event import Event
from generator.model.kinds.event_places import event_places
from generator.model.kinds.event_times import event_times, zone, zone_places
from generator.model.symbols import Symbols, finest_places
from generator.problems.faults import Fault
from generator.text.words import slugify

#: Zone -> the city whose clocks show this time in winter.
_CITIES = {
    "EST": "America/New_York",
    "MST": "America/Denver",
    "HST": "Pacific/Honolulu",
    "GMT": "Europe/London",
}
_is_gmt = re.compile(r"(?:Etc/)?(?:GMT|Greenwich)(?:[+-]?0)?").fullmatch
_is_offset = re.compile(r"EST|MST|HST|Etc/GMT[+-][1-9][0-9]?").fullmatch


def check_zone(record: Event, symbols: Symbols) -> Iterator[Fault]:
    name = record.timezone or ""
    is_gmt = _is_gmt(name)
    if not is_gmt and not _is_offset(name):
        return
    try:
        offset, times = zone(name).utcoffset(datetime(2000, 1, 1)), event_times(record)
    except ValueError:  # reported as a fault of the zone or of a time
        return
    meant = _city_zone(record, symbols) or _CITIES.get("GMT" if is_gmt else name)
    at = [time for time in times[:2] if time is not None]
    if is_gmt and all(time.astimezone(zone(meant)).utcoffset() == offset for time in at):
        return
    hours = int(offset.total_seconds()) // 3600 if offset else 0
    utc = f"UTC{hours:+}" if hours else "UTC"
    message = f"timezone: {name} is {utc} in summer and winter"
    if name.startswith("Etc/GMT") and hours:
        message += "; the sign in its name is inverted"
    hint = f"write the zone of the city, like {meant or 'Europe/Paris'}"
    if name == "Etc/GMT+12":
        hint = "write AoE (anywhere on Earth)"
    hint += ", or UTC if that is meant" if not hours else ""
    yield Fault("fixed-offset", message, ("timezone",), hint, severity="warning")


def _city_zone(record: Event, symbols: Symbols) -> str | None:
    """The zone of the places of an event, if all have one: a zone that is named after the city, or
    the only one of the country.
    """
    found = set()
    for place, label in finest_places(event_places(record, symbols)):
        country, city = place[:2], slugify(label.partition(", ")[0])
        zones = [(named, zone) for code, named, zone in zone_places() if code == country]
        found.add(dict(zones).get(city) or (zones[0][1] if len(zones) == 1 else None))
    return found.pop() if len(found) == 1 else None

"""A registry in German with places, own fields of every type, and logos of every kind.

The project Kite has every own field; `Good logo 0` and so on have the logos.
"""

from __future__ import annotations

from typing import Any

from support import registries, shapes
from support.malicious_svg import GOOD

#: Own field -> its declaration, the value of Kite, and how a page writes it.
OWN: dict[str, tuple[dict[str, Any], Any, list[str]]] = {
    "hiring": ({"type": "boolean"}, True, ["Ja"]),
    "audited": ({"type": "boolean"}, False, ["Nein"]),
    "raised": ({"type": "number", "unit": "EUR"}, 1234567.25, ["1.234.567,25 EUR"]),
    "growth": ({"type": "number"}, -0.00005, ["-0,00005"]),
    "opened": ({"type": "date"}, "2024-03-05", ["5. März 2024"]),
    "market": ({"type": "choice", "many": True}, ["farms", "own-food"], ["farms", "own food"]),
    "round": ({"type": "choice", "values": {"seed": "Saat & mehr"}}, "seed", ["Saat & mehr"]),
    "deck": ({"type": "url"}, "https://www.decks.example/a/", ["decks.example/a"]),
    "motto": ({"type": "text"}, "yes, 1234", ["yes, 1234"]),
}  # fmt: skip
_PLACES: list[dict[str, str]] = [
    {"country": "US", "region": "California", "city": "Oakland"},
    {"country": "DE", "city": "Leipzig"},
    {"country": "US", "region": "California", "city": "Fresno"},
    {"country": "ZA", "city": "Durban"},
    {"country": "US", "region": "Oregon", "city": "Salem"},
    {"country": "DE", "city": "Kiel"},
    {"country": "NG", "city": "Lagos"},
]


#: Path -> a logo of each kind that is allowed.
LOGOS = {f"projects/good-{n}.svg": raw for n, raw in enumerate(GOOD.values())}


def content() -> registries.Content:
    """The records; the files of LOGOS belong to them."""
    records = registries.content(shapes.tools(60))
    own = {key: {"label": key.title(), "summary": True, **OWN[key][0]} for key in OWN}
    records["registry"] |= {"language": "de", "page_size": 20}
    records["registry"]["fields"]["projects"] |= own
    for number, project in enumerate(records["projects"].values()):
        project["year"] = 1998 + number % 27
        project["locations"] = [_PLACES[number % len(_PLACES)]]
        project["status"] = "inactive" if number % 5 == 0 else "active"
        if number % 9 == 0:
            project["summary"] += " Künstliche Intelligenz."
    for number in range(len(LOGOS)):
        name = f"Good logo {number}"
        records["projects"][f"good-{number}"] = {"name": name, "logo": f"good-{number}.svg"}
    records["projects"]["kite"] = {
        "name": "Kite", "year": 2024, "locations": [{"country": "FI", "city": "Helsinki"}],
        "fields": {key: value for key, (_, value, _) in OWN.items()},
    }  # fmt: skip
    return records

"""The continents of countries: UN M49 (https://unstats.un.org/unsd/methodology/m49/), with North
America, which includes Central America and the Caribbean, apart from South America.

continents.json beside this module has the countries of each, as the codes of ISO 3166-1 and XK
(Kosovo) in lower case; Taiwan and Kosovo, which M49 does not list, are in Asia and Europe.  The
script of lists reads the same file.
"""

import json
from collections.abc import Iterable, Iterator
from pathlib import Path

#: Continent -> its countries in lower case, separated by spaces.
COUNTRIES_OF: dict[str, str] = json.loads(Path(__file__).with_suffix(".json").read_bytes())
#: Continent -> its English label.  The continents are values of the filter "location".
CONTINENTS = {name: name.replace("-", " ").title() for name in COUNTRIES_OF}
#: Country in lower case -> its continent.
CONTINENT_OF = {code: name for name, codes in COUNTRIES_OF.items() for code in codes.split()}


def with_continents(places: Iterable[str]) -> Iterator[str]:
    """Values of the filter "location", with the continent before each country."""
    for place in places:
        if place in CONTINENT_OF:
            yield CONTINENT_OF[place]
        yield place

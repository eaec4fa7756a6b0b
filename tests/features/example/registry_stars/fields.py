from typing import Annotated

from generator.kinds.declare import Ranged, Sorted, Words
from generator.kinds.types import Count


class Project:
    stars: Annotated[Count | None, Ranged(), Sorted("", "-stars"), Words("Its stars.", 12)] = None

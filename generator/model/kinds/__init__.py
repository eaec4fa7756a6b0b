"""The four kinds of records, one module each: the input model and what documents show of it.

`KINDS` lists collections after those that they refer to, because a build needs them in this order.
"""

from collections.abc import Mapping

from generator.model.kinds import event, organization, program, project
from generator.model.symbols import Kind

KINDS: dict[str, Kind] = {
    kind.collection: kind for kind in (organization.KIND, program.KIND, event.KIND, project.KIND)
}

#: collection -> field -> the collection that it refers to
REFERENCES: Mapping[str, Mapping[str, str]] = {
    name: kind.reference_fields for name, kind in KINDS.items()
}

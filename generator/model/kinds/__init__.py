"""The resource kinds: one module each, with its input model, its memberships and its output
documents.

`KINDS` lists them in the order in which a build needs them: what is referred to before what refers
to it.
"""

from collections.abc import Mapping

from generator.model.kinds import event, organization, program, project
from generator.model.symbols import Kind

KINDS: dict[str, Kind] = {
    kind.collection: kind for kind in (organization.KIND, program.KIND, event.KIND, project.KIND)
}

#: collection -> field -> the collection that it refers to.
REFERENCES: Mapping[str, Mapping[str, str]] = {name: kind.refers for name, kind in KINDS.items()}

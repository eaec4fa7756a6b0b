"""UUIDs from names (RFC 9562 §5.5), as permanent identifiers in feeds: they do not change if the
registry moves to another address.
"""

from __future__ import annotations

import uuid

_NAMESPACE = uuid.UUID("6d0a4b0e-3a55-5b0c-9d0b-5c7e7a3c2f11")


def uid(registry: str, name: str) -> str:
    """The UUID of `name`, which is unique in the registry of this name."""
    return str(uuid.uuid5(uuid.uuid5(_NAMESPACE, registry), name))

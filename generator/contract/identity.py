"""Names of things for those who keep copies of them: UUIDs made from names (RFC 9562 §5.5), which
say nothing of an address and so outlive a move to another.
"""

from __future__ import annotations

import uuid

_NAMESPACE = uuid.UUID("6d0a4b0e-3a55-5b0c-9d0b-5c7e7a3c2f11")


def uid(registry: str, name: str) -> str:
    """Of something of a registry, by the registry's name and its own."""
    return str(uuid.uuid5(uuid.uuid5(_NAMESPACE, registry), name))

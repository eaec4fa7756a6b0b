"""What tells some bytes from others between builds; nothing of it is published."""

from __future__ import annotations

import marshal
from hashlib import blake2b
from typing import Any


def digest(*parts: bytes) -> bytes:
    """16 bytes of BLAKE2b of the parts, joined."""
    return blake2b(b"".join(parts), digest_size=16).digest()


def digest_of(value: Any) -> bytes:
    """16 bytes of BLAKE2b of plain data, as `marshal` takes it."""
    # Version 2 has no references, so equal values give equal bytes.
    return digest(marshal.dumps(value, 2))


def digest_repr(value: Any) -> bytes:
    """16 bytes of BLAKE2b of any value, by its `repr`."""
    return digest(repr(value).encode("utf-8", "surrogatepass"))

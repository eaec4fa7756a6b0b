"""Digests by which a build recognises unchanged data; they are not published."""

from __future__ import annotations

import marshal
from hashlib import blake2b
from typing import Any


def digest(*parts: bytes) -> bytes:
    """16 bytes of BLAKE2b of the joined parts."""
    return blake2b(b"".join(parts), digest_size=16).digest()


def digest_data(value: Any) -> bytes:
    """16 bytes of BLAKE2b of plain data, marshalled."""
    # Version 2 has no references, so equal values give equal bytes.
    return digest(marshal.dumps(value, 2))


def digest_repr(value: Any) -> bytes:
    """16 bytes of BLAKE2b of the `repr` of a value."""
    return digest(repr(value).encode("utf-8", "surrogatepass"))

"""Ed25519 signatures (RFC 8032), with the package cryptography, which is imported on first use.

A public key is written as `ed25519:` and its 32 bytes in base64.
"""

from __future__ import annotations

import base64
import importlib
from collections.abc import Iterable
from typing import Any

from generator import UserError
from generator.contract.manifest import KEY_PREFIX, KeyHandOver, hand_over_bytes, is_key
from generator.problems.extras import how_to_install


class SigningError(UserError):
    """A key is invalid, or the package cryptography is missing; the text says what to do."""


def cryptography(module: str) -> Any:
    """A module of cryptography.hazmat.primitives. Raises SigningError if the package is missing."""
    try:
        return importlib.import_module(f"cryptography.hazmat.primitives.{module}")
    except ImportError:
        raise SigningError(
            f"Signatures need the package cryptography: {how_to_install('signing')}"
        ) from None


def ed25519() -> Any:
    return cryptography("asymmetric.ed25519")


def is_signed(by: str, message: bytes, signature: str) -> bool:
    """Whether `signature` is the signature of `message` by the key `by`. Raises SigningError."""
    if not is_key(by):
        return False
    try:
        raw = base64.b64decode(signature, validate=True)
    except ValueError:
        return False
    public_key = ed25519().Ed25519PublicKey.from_public_bytes
    try:
        public_key(base64.b64decode(by.removeprefix(KEY_PREFIX))).verify(raw, message)
    except Exception as error:  # InvalidSignature, and ValueError for no point of the curve
        if type(error).__name__ not in ("InvalidSignature", "ValueError"):
            raise
        return False
    return True


def keys_after_handovers(pinned: Iterable[str], handovers: Iterable[KeyHandOver]) -> frozenset[str]:
    """The trusted keys after the hand-overs, in order. A hand-over counts if a key that is trusted
    at that point signed it; the new key then replaces the old key.
    """
    keys = set(pinned)
    for given in handovers:
        signed = hand_over_bytes(given.old, given.new)
        if (
            given.old in keys
            and is_key(given.new)
            and is_signed(given.old, signed, given.signature)
        ):
            keys.remove(given.old)
            keys.add(given.new)
    return frozenset(keys)

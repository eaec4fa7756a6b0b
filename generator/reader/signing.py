"""Ed25519 signatures (RFC 8032), with the package cryptography, which is imported on first use.

A public key is written as `ed25519:` and its 32 bytes in base64. A private key is a file with
`ed25519-private:` and 32 bytes in base64, or PEM (PKCS #8). It is never part of a registry's
content.
"""

from __future__ import annotations

import base64
import importlib
from collections.abc import Iterable
from typing import Any

from generator.contract.manifest import KEY_PREFIX, KeyHandOver, hand_over_bytes, is_key
from generator.problems.extras import how_to_install

_PRIVATE = "ed25519-private:"
_MAX_KEY = 10_000


class SigningError(Exception):
    """A key is invalid, or the package cryptography is missing; the text says what to do."""


def _cryptography(module: str) -> Any:
    try:
        return importlib.import_module(f"cryptography.hazmat.primitives.{module}")
    except ImportError:
        raise SigningError(
            f"Signatures need the package cryptography: {how_to_install('signing')}"
        ) from None


def _ed25519() -> Any:
    return _cryptography("asymmetric.ed25519")


def is_signed(by: str, message: bytes, signature: str) -> bool:
    """Whether `signature` is the signature of `message` by the key `by`. Raises SigningError."""
    if not is_key(by):
        return False
    try:
        raw = base64.b64decode(signature, validate=True)
    except ValueError:
        return False
    public_key = _ed25519().Ed25519PublicKey.from_public_bytes
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


class Signer:
    """A private key. Raises SigningError if the text is not a private key."""

    def __init__(self, text: str):
        try:
            self._key = self._read(text.strip())
        except (ValueError, TypeError):
            raise SigningError(
                "The signing key is none: it is what `registry key new FILE` writes, or an Ed25519 "
                "key in PEM without a password."
            ) from None
        self.public = (
            KEY_PREFIX + base64.b64encode(self._key.public_key().public_bytes_raw()).decode()
        )

    @staticmethod
    def _read(text: str) -> Any:
        private = _ed25519().Ed25519PrivateKey
        if len(text) > _MAX_KEY:
            raise ValueError
        if text.startswith("-----BEGIN"):
            key = _cryptography("serialization").load_pem_private_key(text.encode(), None)
            if not isinstance(key, private):
                raise ValueError
            return key
        if not text.startswith(_PRIVATE):
            raise ValueError
        raw = base64.b64decode(text.removeprefix(_PRIVATE), validate=True)
        return private.from_private_bytes(raw)

    def sign(self, message: bytes) -> str:
        """The signature in base64. Ed25519 signatures are deterministic."""
        return base64.b64encode(self._key.sign(message)).decode()


def new_key() -> str:
    """A new random private key, as text."""
    key = _ed25519().Ed25519PrivateKey.generate()
    return f"{_PRIVATE}{base64.b64encode(key.private_bytes_raw()).decode()}\n"

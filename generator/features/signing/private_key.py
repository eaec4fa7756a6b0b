"""Private keys of Ed25519: files with `ed25519-private:` and 32 bytes in base64, or PEM (PKCS #8).

A private key is never part of a registry's content.
"""

from __future__ import annotations

import base64
from typing import Any

from generator import UserError
from generator.contract.manifest import KEY_PREFIX
from generator.reader.signing import SigningError, cryptography, ed25519

_PRIVATE = "ed25519-private:"
_MAX_KEY = 10_000


class PrivateKey:
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
        private = ed25519().Ed25519PrivateKey
        if len(text) > _MAX_KEY:
            raise ValueError
        if text.startswith("-----BEGIN"):
            key = cryptography("serialization").load_pem_private_key(text.encode(), None)
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
    key = ed25519().Ed25519PrivateKey.generate()
    return f"{_PRIVATE}{base64.b64encode(key.private_bytes_raw()).decode()}\n"


def read_key_file(file: str) -> str:
    try:
        with open(file, "rb") as stream:
            return stream.read(1 << 16).decode("ascii", "replace")
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or "it is no path"
        raise UserError(f"{file}: {why}") from error

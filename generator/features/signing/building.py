"""The option `--sign` of `registry build`."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from generator import UserError
from generator.cli._where import option

if TYPE_CHECKING:
    from generator.build.options import Asked

OPTIONS = (
    option(
        "--sign FILE",
        "Sign the manifest with this private key. REGISTRY_SIGNING_KEY can hold the key instead.",
        envvar="REGISTRY_SIGNING_KEY_FILE",
    ),
)


def prepare(asked: Asked) -> None:
    file: str | None = asked.given["sign"]
    # In a workflow without such a secret the variable is empty.
    text = os.environ.get("REGISTRY_SIGNING_KEY")
    if file is None and not text:
        return
    from dataclasses import replace

    from generator.features.signing.private_key import PrivateKey, read_key_file
    from generator.reader.signing import SigningError

    try:
        signer = PrivateKey(read_key_file(file) if file is not None else text or "")
    except SigningError as error:
        raise UserError(f"{error}; nothing was written.") from error
    asked.options = replace(asked.options, signer=signer)

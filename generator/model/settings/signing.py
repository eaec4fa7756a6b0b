"""The settings of registry.yaml for the keys that sign the manifest, and for how long it holds.

They are in the core, because every manifest has them, whether a build signs it or not: readers
learn from it which keys replaced others, and that it has expired.
"""

from __future__ import annotations

from typing import Annotated

from generator.grammar.limits import MAX_KEYS
from generator.kinds.marks import Limits
from generator.kinds.models import Input
from generator.kinds.types import PublicKey, Signature

_MOST_KEYS = 8  # valid at the same time


class HandOver(Input):
    """That a key takes the place of another one, signed by that."""

    old: PublicKey
    new: PublicKey
    signature: Signature


class Signing(Input):
    """The public keys, one of which signs; which of them took the place of which, the first one
    first; and for how many days a root holds.
    """

    keys: Annotated[list[PublicKey], Limits(max_length=_MOST_KEYS)] | None = None
    handovers: Annotated[list[HandOver], Limits(max_length=MAX_KEYS)] | None = None
    days: Annotated[int, Limits(ge=1, le=366)] = 30

"""The state that a store holds, as guards compare it."""

from __future__ import annotations

from collections.abc import Sequence

from generator.api import pointer
from generator.api.pointer import MAX_POINTER, POINTER, Pointer
from generator.guard.published import Published
from generator.reader.documents import MAX_READ
from generator.stores.said import StoreError
from generator.stores.store import Store, Stored


def pointed(before: Stored | None, store: Store) -> Pointer | None:
    """The pointer in an object; None if there is no object.  Raises StoreError."""
    now = pointer.parse(before.data) if before is not None else None
    if before is not None and now is None:
        raise StoreError(
            f"{store.shown}{POINTER} is no pointer of a registry; nothing was written.\n"
            "Choose another address, or remove it where nothing reads it."
        )
    return now


def published(store: Store) -> Published | None:
    """The state that the pointer of a store names; None if it has no pointer.  Raises
    StoreError.
    """
    now = pointed(store.get(POINTER, MAX_POINTER), store)
    return published_at(now, store) if now is not None else None


def published_at(now: Pointer, store: Store) -> Published:
    """The state in the tree of a pointer."""

    def read(paths: Sequence[str]) -> list[bytes | None]:
        return store.each(lambda path: store.read(now.place + path, MAX_READ), paths)

    return Published(store.shown, read)

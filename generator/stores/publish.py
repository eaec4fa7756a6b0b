"""A build, published into a store: whole, or as it was.

Every version has a tree of its own, and a pointer names the current one
(generator.contract.pointer).  A publish updates the tree that has been unused for longest, so it
sends only files that differ, and does not touch a tree that anybody reads.  It writes objects first
and the pointer last.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from generator.contract import pointer
from generator.contract.manifest import MAX_NODE, Root
from generator.contract.pointer import MAX_POINTER, POINTER, TREES, Pointer
from generator.disk.output_state import OutputError
from generator.grammar import headers
from generator.grammar.paths import MANIFEST_ROOT
from generator.guard.published import Published
from generator.reader.documents import MAX_READ
from generator.stores.lease import Lease
from generator.stores.local_build import Ready
from generator.stores.messages import StoreError
from generator.stores.store import Store, Stored
from generator.stores.tree import Tree

_HEADERS = {"Content-Type": headers.TYPES["json"], "Cache-Control": headers.ANEW}


class Sent(NamedTuple):
    """What came of it: the root that is published now, the tree that has it, the objects and bytes
    that were put, and the objects that were removed.  `repaired` counts those of them that a check
    found missing, damaged or not in the manifest; None without a check.
    """

    root: Root
    tree: str
    put: int
    bytes: int
    removed: int
    notes: tuple[str, ...] = ()
    repaired: int | None = None


class NotNewer(OutputError):
    """What is published is as new, or newer."""


def publish(
    folder: Path,
    store: Store,
    *,
    keep: int = 1,
    older: bool = False,
    check: bool = False,
    progress: Callable[[int, int], None] = lambda done, total: None,
    waiting: Callable[[], None] = lambda: None,
    guarded: Callable[[Published | None], None] | None = None,
) -> Sent:
    """Publish the build in a folder, and keep `keep` former versions, at least one.  With `check`,
    compare every object of its tree with the manifest and repair the tree.

    Raises OutputError where the folder holds no whole build, NotNewer, Busy where somebody else
    publishes, and StoreError; what was published before is then as it was.  `guarded` is called
    with what is published, and raises if the build may not follow it.
    """
    ready = Ready(folder)
    with Lease(store, waiting) as lease:
        before = store.get(POINTER, MAX_POINTER)
        now = pointed(before, store)
        is_there = False
        if now is not None and now.root == ready.digest:
            # A tree without its root is not whole: then the build goes into another one.
            is_there = check or store.read(now.place + MANIFEST_ROOT, MAX_NODE) == ready.raw
        elif now is not None and not older:
            _must_be_newer(ready, now, store)
        if guarded is not None and not is_there:
            guarded(published_at(now, store) if now is not None else None)
        tree = now.tree if now is not None and is_there else _next(now, keep)
        work = Tree(ready, store, pointer.place_of(tree), lease.check, progress)
        if not is_there:
            work.bring()
        brought = work.put + work.removed
        if check:
            work.repair()
        former = (now.tree, *now.former) if now is not None else ()
        kept = tuple(name for name in former if name != tree)[:keep]
        then = Pointer(tree, kept, ready.root.version, ready.digest)
        if then != now:
            lease.renew()
            if not store.replace(POINTER, then.encoded(), before, _HEADERS):
                raise StoreError(
                    f"{store.shown}: something else was published meanwhile, and stays.\n"
                    "Publish again where this is the newer one."
                )
        notes = _prune(store, then, lease)
        if not store.says_headers and not is_there:
            notes += (
                "This store keeps no types and cache times of objects: what serves them has to say "
                "them.",
            )
        repaired = work.put + work.removed - brought if check else None
        return Sent(ready.root, tree, work.put, work.bytes, work.removed, notes, repaired)


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


def _must_be_newer(ready: Ready, now: Pointer, store: Store) -> None:
    """Raises NotNewer."""
    if ready.root.version <= now.version:
        raise NotNewer(
            f"{store.shown} has version {now.version}, and {ready.folder} is version "
            f"{ready.root.version}: readers take none that is older than what they have seen.\n"
            "Build it anew and publish that; or publish this one all the same with --older."
        )


def _next(now: Pointer | None, keep: int) -> str:
    """The tree to write: the former one that was left longest ago, where enough are kept and its
    objects have the headers of today; else a new one.
    """
    rules = _rules()
    if now is None:
        return f"1-{rules}"
    if len(now.former) >= keep and pointer.rules_of(now.former[-1]) == rules:
        return now.former[-1]
    return f"{max(map(pointer.number_of, (now.tree, *now.former))) + 1}-{rules}"


def _rules() -> str:
    """What tells the headers of one version of this program from those of another."""
    said = repr((headers.TYPES, headers.PROBLEM, headers.CATALOG, headers.CACHE, headers.IMMUTABLE))
    return sha256(said.encode()).hexdigest()[:8]


def _prune(store: Store, now: Pointer, lease: Lease) -> tuple[str, ...]:
    """Remove the trees that the pointer does not name; what is no tree is left alone."""
    for tree in store.folders(TREES):
        if pointer.is_tree(tree) and tree not in (now.tree, *now.former):
            place = pointer.place_of(tree)
            store.remove(place + MANIFEST_ROOT, lease.check)
            store.remove_all(store.names(place), lease.check)
            if store.names(place):
                return (f"{store.shown}{place} could not be removed; nothing reads it.",)
    return ()

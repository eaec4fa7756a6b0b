"""Publish a build into a store, completely or not at all.

Each version has its own tree, and a pointer names the current tree (generator.contract.pointer). A
publish updates the tree that has been unused for longest, so it sends only changed files, and no
reader uses that tree. It writes the objects first and the pointer last.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from generator.contract import manifest, pointer
from generator.contract.manifest import MAX_FILE_SIZE, Malformed, Root
from generator.contract.pointer import MAX_POINTER, POINTER, TREES, Pointer
from generator.disk.output_state import OutputError
from generator.features.buckets.lease import Lease
from generator.features.buckets.local_build import LocalBuild
from generator.features.buckets.messages import StoreError
from generator.features.buckets.store import Store, Stored
from generator.features.buckets.tree import BucketTree
from generator.grammar import headers
from generator.grammar.paths import MANIFEST_ROOT
from generator.guard.published import PublishedState
from generator.reader.documents import MAX_READ

_HEADERS = {"Content-Type": headers.MEDIA_TYPES["json"], "Cache-Control": headers.REVALIDATE}


class PublishResult(NamedTuple):
    """The result: the published root, its tree, the number and bytes of the objects written, and
    the number of objects removed. With `lacks_headers`, the store kept no headers of new objects.
    `repaired` counts objects that a check found missing, damaged or unlisted; None without a check.
    """

    root: Root
    tree: str
    put: int
    bytes: int
    removed: int
    lacks_headers: bool = False
    repaired: int | None = None


class NotNewer(OutputError):
    """The published version is as new as this build, or newer."""


def publish(
    folder: Path,
    store: Store,
    *,
    keep: int = 1,
    older: bool = False,
    check: bool = False,
    progress: Callable[[int, int], None] = lambda done, total: None,
    waiting: Callable[[], None] = lambda: None,
    guarded: Callable[[PublishedState | None], None] | None = None,
) -> PublishResult:
    """Publish the build in a folder, and keep `keep` former versions, at least one. With `check`,
    compare every object of its tree with the manifest and repair the tree.

    `guarded` is called with the published state, and raises if the build may not replace it. Raises
    OutputError if the build is incomplete, NotNewer, Busy if another publish is running, and
    StoreError; the published version is then unchanged.
    """
    ready = LocalBuild(folder)
    with Lease(store, waiting) as lease:
        before = store.get(POINTER, MAX_POINTER)
        current = parse_pointer(before, store)
        is_in_tree = False
        if current is not None and current.root == ready.digest:
            # A tree without its root is incomplete: then the build goes into another tree.
            is_in_tree = (
                check or store.read(current.tree_path + MANIFEST_ROOT, MAX_FILE_SIZE) == ready.raw
            )
        elif current is not None and not older:
            _check_newer(ready, current, store)
        if guarded is not None and not is_in_tree:
            guarded(state_at(current, store) if current is not None else None)
        tree = current.tree if current is not None and is_in_tree else _choose_tree(current, keep)
        writer = BucketTree(ready, store, pointer.path_of_tree(tree), lease.check, progress)
        if not is_in_tree:
            writer.bring()
        changes = writer.put + writer.removed
        if check:
            writer.repair()
        former_trees = (current.tree, *current.former) if current is not None else ()
        kept_trees = tuple(name for name in former_trees if name != tree)[:keep]
        new_pointer = Pointer(tree, kept_trees, ready.root.version, ready.digest)
        if new_pointer != current:
            _point(store, new_pointer, before, lease)
        _prune(store, new_pointer, lease)
        repaired = writer.put + writer.removed - changes if check else None
        lacks_headers = not store.keeps_headers and not is_in_tree
        counts = writer.put, writer.bytes, writer.removed
        return PublishResult(ready.root, tree, *counts, lacks_headers, repaired)


def roll_back(store: Store, back: int, waiting: Callable[[], None]) -> tuple[Pointer, Pointer]:
    """Make the former version published that is `back` versions older; the pointers before and
    after. The version published until now stays as a former version. Raises Busy and StoreError.
    """
    with Lease(store, waiting) as lease:
        before = store.get(POINTER, MAX_POINTER)
        current = parse_pointer(before, store)
        former = current.former if current is not None else ()
        if current is None:
            raise StoreError(f"{store.shown} has no registry; nothing was changed.")
        if back > len(former):
            kept = f"{len(former)} former version{'s' * (len(former) != 1)}"
            raise StoreError(
                f"{store.shown} keeps {kept}, so it cannot go back {back}; nothing was changed.\n"
                "Build the version that you want, and publish it with --older."
            )
        tree = former[back - 1]
        raw = store.read(pointer.path_of_tree(tree) + MANIFEST_ROOT, MAX_FILE_SIZE)
        try:
            version = manifest.read_root(raw or b"").version
        except Malformed as error:
            raise StoreError(
                f"{store.shown}{pointer.path_of_tree(tree)} is no whole version: an interrupted "
                "publish has begun to write over it. Nothing was changed."
            ) from error
        others = tuple(name for name in (current.tree, *former) if name != tree)
        new_pointer = Pointer(tree, others, version, manifest.sha256_hex(raw or b""))
        _point(store, new_pointer, before, lease)
        return current, new_pointer


def _point(store: Store, new_pointer: Pointer, before: Stored | None, lease: Lease) -> None:
    """Put a pointer in place of `before`.  Raises StoreError."""
    lease.renew()
    if not store.replace(POINTER, new_pointer.encoded(), before, _HEADERS):
        raise StoreError(
            f"{store.shown}: something else was published meanwhile, and stays.\n"
            "Publish again where this is the newer one."
        )


def parse_pointer(before: Stored | None, store: Store) -> Pointer | None:
    """The pointer in an object; None if there is no object. Raises StoreError."""
    current = pointer.parse_pointer(before.data) if before is not None else None
    if before is not None and current is None:
        raise StoreError(
            f"{store.shown}{POINTER} is no pointer of a registry; nothing was written.\n"
            "Choose another address, or remove it where nothing reads it."
        )
    return current


def published_state(store: Store) -> PublishedState | None:
    """The state that the pointer of a store names; None without a pointer. Raises StoreError."""
    current = parse_pointer(store.get(POINTER, MAX_POINTER), store)
    return state_at(current, store) if current is not None else None


def state_at(current: Pointer, store: Store) -> PublishedState:
    """The state in the tree of a pointer."""

    def read(paths: Sequence[str]) -> list[bytes | None]:
        return store.map_parallel(
            lambda path: store.read(current.tree_path + path, MAX_READ), paths
        )

    return PublishedState(store.shown, read)


def _check_newer(ready: LocalBuild, current: Pointer, store: Store) -> None:
    """Raises NotNewer."""
    if ready.root.version <= current.version:
        raise NotNewer(
            f"{store.shown} has version {current.version}, and {ready.folder} is version "
            f"{ready.root.version}: readers take none that is older than what they have seen.\n"
            "Build again and publish that, or publish this older build with --older."
        )


def _choose_tree(current: Pointer | None, keep: int) -> str:
    """The tree to write: the former tree unused for longest if enough former trees are kept and its
    objects have the current headers; else a new tree.
    """
    rules = _headers_digest()
    if current is None:
        return f"1-{rules}"
    if len(current.former) >= keep and pointer.header_digest(current.former[-1]) == rules:
        return current.former[-1]
    return f"{max(map(pointer.tree_number, (current.tree, *current.former))) + 1}-{rules}"


def _headers_digest() -> str:
    """A digest of the headers of objects, which changes with the rules for them."""
    rules = (
        headers.MEDIA_TYPES,
        headers.PROBLEM,
        headers.CATALOG,
        headers.CACHE,
        headers.IMMUTABLE,
    )
    return sha256(repr(rules).encode()).hexdigest()[:8]


def _prune(store: Store, current: Pointer, lease: Lease) -> None:
    """Remove the trees that the pointer does not name."""
    for tree in store.folders(TREES):
        if pointer.is_tree_name(tree) and tree not in (current.tree, *current.former):
            lease.check()
            store.remove(pointer.path_of_tree(tree) + MANIFEST_ROOT)
            store.remove_below(pointer.path_of_tree(tree), lease.check)

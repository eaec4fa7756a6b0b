"""Publish a build into a store, completely or not at all, and what commands say of it.

Each version has its own tree, and a pointer names the current tree (generator.contract.files). A
publish updates the tree that has been unused for longest, so it sends only changed files, and no
reader uses that tree. It writes the objects first and the pointer last.
"""

from __future__ import annotations

import os
import re
import time
from collections.abc import Callable, Sequence
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click

from generator import UserError
from generator.contract import files, manifest
from generator.contract.files import MAX_POINTER, POINTER, TREES, Pointer
from generator.contract.manifest import MAX_FILE_SIZE, Malformed, Root
from generator.disk.output_state import OutputError, OutputState
from generator.features.buckets.lease import WATCHED, Lease
from generator.features.buckets.store import Store, Stored, StoreError, display_url
from generator.features.buckets.tree import BucketTree, LocalBuild
from generator.grammar import headers
from generator.grammar.paths import MANIFEST_ROOT
from generator.guard.published import Damaged, PublishedState
from generator.reader.documents import MAX_READ

if TYPE_CHECKING:
    from generator.guard.state import State

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
        current = read_pointer(before, store)
        is_in_tree = False
        if current is not None and current.root == ready.top.sha256:
            # A tree without its root is incomplete: then the build goes into another tree.
            is_in_tree = (
                check or store.read(current.tree_path + MANIFEST_ROOT, MAX_FILE_SIZE) == ready.raw
            )
        elif current is not None and not older and ready.root.version <= current.version:
            raise NotNewer(
                f"{store.shown} has version {current.version}, and {ready.folder} is version "
                f"{ready.root.version}: readers take none that is older than what they have seen.\n"
                "Build again and publish that, or publish this older build with --older."
            )
        if guarded is not None and not is_in_tree:
            guarded(state_at(current, store) if current is not None else None)
        tree = current.tree if current is not None and is_in_tree else _choose_tree(current, keep)
        writer = BucketTree(ready, store, files.path_of_tree(tree), lease.check, progress)
        if not is_in_tree:
            writer.bring()
        changes = writer.put + writer.removed
        if check:
            writer.repair()
        former_trees = (current.tree, *current.former) if current is not None else ()
        kept_trees = tuple(name for name in former_trees if name != tree)[:keep]
        new_pointer = Pointer(tree, kept_trees, ready.root.version, ready.top.sha256)
        if new_pointer != current:
            _point(store, new_pointer, before, lease)
        for name in store.folders(TREES):
            if files.is_tree_name(name) and name not in (tree, *kept_trees):
                lease.check()
                store.remove(files.path_of_tree(name) + MANIFEST_ROOT)
                store.remove_below(files.path_of_tree(name), lease.check)
        repaired = writer.put + writer.removed - changes if check else None
        lacks_headers = not store.keeps_headers and not is_in_tree
        counts = writer.put, writer.bytes, writer.removed
        return PublishResult(ready.root, tree, *counts, lacks_headers, repaired)


def roll_back(store: Store, back: int, waiting: Callable[[], None]) -> tuple[Pointer, Pointer]:
    """Publish the version that is `back` versions older; the pointers before and after."""
    with Lease(store, waiting) as lease:
        before = store.get(POINTER, MAX_POINTER)
        current = read_pointer(before, store)
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
        raw = store.read(files.path_of_tree(tree) + MANIFEST_ROOT, MAX_FILE_SIZE)
        try:
            version = manifest.read_root(raw or b"").version
        except Malformed as error:
            raise StoreError(
                f"{store.shown}{files.path_of_tree(tree)} is no whole version: an interrupted "
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


def read_pointer(before: Stored | None, store: Store) -> Pointer | None:
    """The pointer in an object; None if there is no object. Raises StoreError."""
    current = files.parse_pointer(before.data) if before is not None else None
    if before is not None and current is None:
        raise StoreError(
            f"{store.shown}{POINTER} is no pointer of a registry; nothing was written.\n"
            "Choose another address, or remove it where nothing reads it."
        )
    return current


def published_in(store: Store) -> PublishedState | None:
    """The state that the pointer of a store names; None without a pointer. Raises StoreError."""
    current = read_pointer(store.get(POINTER, MAX_POINTER), store)
    return state_at(current, store) if current is not None else None


def state_at(current: Pointer, store: Store) -> PublishedState:
    def read(paths: Sequence[str]) -> list[bytes | None]:
        return store.map_parallel(
            lambda path: store.read(current.tree_path + path, MAX_READ), paths
        )

    return PublishedState(store.shown, read)


def _choose_tree(current: Pointer | None, keep: int) -> str:
    """The oldest former tree if enough are kept and its headers are current, else a new one."""
    rules = _headers_digest()
    if current is None:
        return f"1-{rules}"
    if len(current.former) >= keep and files.header_digest(current.former[-1]) == rules:
        return current.former[-1]
    return f"{max(map(files.tree_number, (current.tree, *current.former))) + 1}-{rules}"


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


def build_folder_for(url: str) -> Path:
    """The folder below .registry that keeps the build for a store until the next build."""
    said = display_url(url)
    name = re.sub(r"[^a-z0-9]+", "-", said.lower()).strip("-")[:60]
    place = Path(f"{name}-{sha256(said.encode()).hexdigest()[:8]}")
    with OutputState(place) as state:
        return Path(os.path.relpath(state.subfolder("build")))


def state_of_store(published: PublishedState | None, where: str, *, lost: bool) -> State | None:
    """The state of a store for guards; None if it is empty, or unreadable and `lost`."""
    from generator.guard.state import require_counted, state_of_published

    if published is None:
        told = (
            f"Nothing is published at {where}: this is the first publish, and nothing is compared."
        )
        click.echo(told, err=True)
        return None
    try:
        require_counted(published)
    except Damaged as error:
        if lost:
            return None
        raise UserError(f"{error}\nTo publish without comparing, say --allow-loss.") from error
    return state_of_published(published).kept()


def check_guards(
    folder: Path, where: str, content: str, before: PublishedState | None, *, lost: bool
) -> None:
    """End the command if a build trips a guard against the state of a store."""
    from generator.build import settings_of
    from generator.cli._report import show_problems
    from generator.dialect.folder import open_content
    from generator.guard.state import state_of_published
    from generator.published.content.guards import Guard
    from generator.published.content.read import read_approvals

    earlier = state_of_store(before, where, lost=lost)
    if earlier is None:
        return
    files, guard = open_content(content), Guard(earlier, "allow" if lost else "stop")
    now = state_of_published(PublishedState.open(str(folder)), earlier)
    problems = [*read_approvals(files)[1], *guard.check_state(files, now, settings_of(files))]
    show_problems(problems)
    if problems:
        raise Tripped("Nothing was published; what was published before is as it was.")


class Tripped(UserError):
    """A guard stops a publish."""

    status = 1


def tell_waiting(store: Store) -> None:
    click.echo(
        f"Another publish to {store.shown} has not finished. Waiting {WATCHED:.0f} s to see if it "
        "is still running.",
        err=True,
    )


def send(
    folder: Path,
    store: Store,
    keep: int = 1,
    older: bool = False,
    check: bool = False,
    guarded: Callable[[PublishedState | None], None] | None = None,
) -> None:
    from generator.cli._report import progress_bar

    began = time.perf_counter()
    with progress_bar() as progress:
        sent = publish(
            folder,
            store,
            keep=keep,
            older=older,
            check=check,
            progress=lambda done, total: progress("bins", done, total),
            waiting=lambda: tell_waiting(store),
            guarded=guarded,
        )
    done = f"{sent.put:,} objects put, {sent.bytes / 1e6:,.1f} MB, and {sent.removed:,} removed"
    if not sent.put and not sent.removed:
        done = "it was published already"
    click.echo(
        f"Published {store.shown}: {sent.root.files:,} files, version {sent.root.version}, in "
        f"/trees/{sent.tree}; {done}, in {time.perf_counter() - began:.1f} s."
    )
    if sent.repaired is not None:
        count = "1 object was" if sent.repaired == 1 else f"{sent.repaired:,} objects were"
        found = f"{count} missing, damaged or not in the manifest, and repaired"
        click.echo(f"Checked every object: {found if sent.repaired else 'all are as published'}.")
    if sent.lacks_headers:
        click.echo(
            "This store keeps no types and cache times of objects: what serves them has to say "
            "them."
        )

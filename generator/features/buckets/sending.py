"""Helpers for commands that publish into a store."""

from __future__ import annotations

import hashlib
import os
import re
import time
from pathlib import Path
from typing import TYPE_CHECKING

import click

from generator import UserError

if TYPE_CHECKING:
    from generator.features.buckets.store import Store
    from generator.guard.published import PublishedState
    from generator.guard.state import State


def build_folder_for(url: str) -> Path:
    """The folder below .registry that keeps the build for a store until the next build."""
    from generator.disk.output_state import OutputState
    from generator.features.buckets.messages import display_url

    said = display_url(url)
    name = re.sub(r"[^a-z0-9]+", "-", said.lower()).strip("-")[:60]
    place = Path(f"{name}-{hashlib.sha256(said.encode()).hexdigest()[:8]}")
    with OutputState(place) as state:
        return Path(os.path.relpath(state.subfolder("build")))


def open_store(url: str, connections: int = 32) -> Store:
    """The store at a URL."""
    from generator.features.buckets.store import Store

    return Store(url, connections)


def state_of_store(published: PublishedState | None, where: str, *, lost: bool) -> State | None:
    """The state of a store's registry, for guards. None if the store is empty, or if it cannot be
    read and `lost` allows that.
    """
    from generator.guard.published import Damaged
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


def published_state(store: Store, *, lost: bool) -> State | None:
    """The current state of a store, for the guards of a build."""
    from generator.features.buckets.publish import published_state as published

    return state_of_store(published(store), store.shown, lost=lost)


class Guarded:
    """Checks the guards before a publish: called with the state of the store, it ends the command
    with status 1 if a guard is tripped.
    """

    def __init__(self, folder: Path, where: str, content: str, *, lost: bool):
        self.folder, self.where, self.content, self.lost = folder, where, content, lost

    def __call__(self, before: PublishedState | None) -> None:
        from generator.build.revision import settings_of
        from generator.cli._report import show_problems
        from generator.dialect.folder import Content
        from generator.guard.published import PublishedState
        from generator.guard.state import state_of_published
        from generator.published.content.guards import Guard

        earlier = state_of_store(before, self.where, lost=self.lost)
        if earlier is None:
            return
        content = Content(self.content)
        guard = Guard(earlier, "allow" if self.lost else "stop")
        now = state_of_published(PublishedState.open(str(self.folder)), earlier)
        problems = [
            *guard.check_approvals(content),
            *guard.check_state(content, now, settings_of(content)),
        ]
        show_problems(problems)
        if problems:
            raise Tripped("Nothing was published; what was published before is as it was.")


class Tripped(UserError):
    """A guard stops a publish."""

    status = 1


def tell_waiting(store: Store) -> None:
    """Say that the lease of another publish is watched."""
    from generator.features.buckets.lease import WATCHED

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
    guarded: Guarded | None = None,
) -> None:
    """Publish a build and report the result."""
    from generator.cli._report import progress_bar
    from generator.features.buckets.publish import publish

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

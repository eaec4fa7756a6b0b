"""The search index brought up to date: where few records are others in a few of its files, else
from its own shards.

Either way the files are those of a whole build.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from generator.records.symbols import Symbols
from generator.search.blocks import Blocks
from generator.search.format import Damaged, entries, unpack
from generator.search.index import Index, ranks_of
from generator.search.manifest import BLOCKS, Manifest, Unavailable
from generator.search.patched import Anew, Files, Kept, Patched
from generator.search.vocabulary import Vocabulary
from generator.tables.facets import declared
from generator.tables.patch import Patch, position
from generator.tables.table import Registry, Table


def updated(
    files: Files,
    before: Table,
    result: Patch,
    terms: Mapping[str, str],
    registry: Registry,
    old: Symbols,
    kept: Kept,
    *,
    new_day: bool,
) -> Kept:
    """Write what of an index changed.  `terms` has those of every record that was rendered again.

    Raises Damaged where the last build's index is not one that a build writes, and what reading its
    files raises.
    """
    table, collection = result.table, before.collection
    dated = collection is registry.symbols.grammar.events
    values, had = (declared(collection, symbols) for symbols in (registry.symbols, old))
    if not (terms or result.touched or values != had or (dated and new_day)):
        return kept
    manifest = _manifest(files, before)
    same = {name: set(known) for name, known in values.items()} == {
        name: set(known) for name, known in had.items()
    }
    if same and not dated:
        try:
            labels = {name for name in values if values[name] != had[name]}
            return Patched(files, before, result, registry, old, manifest, kept).write(
                terms, labels
            )
        except Anew:
            pass
    ranks = ranks_of(table)
    order = table.orders[collection.sorts[0]]
    blocks = Blocks.of(table.slugs[number] for number in order)
    vocabulary = _vocabulary(files, before, table, ranks, manifest, terms, blocks)
    index = Index(table, ranks, blocks, vocabulary, registry)
    checks, written = {}, set()
    for part in index.parts():
        artifacts, checks[part] = index.render(part)
        for artifact in artifacts:
            files.put(artifact)
            written.add(artifact.path)
    files.put(index.manifest(checks))
    for path in manifest.paths(_blocks(files, manifest)):
        if path not in written:
            files.drop(path)
    return index.weight, index.margins


def _manifest(files: Files, before: Table) -> Manifest:
    try:
        return Manifest.parse(files.read(before.collection.manifest_path), before.collection)
    except Unavailable as error:
        raise Damaged from error


def _blocks(files: Files, manifest: Manifest) -> Blocks:
    return manifest.blocks(files.read(manifest.path((BLOCKS, 0))))


def _vocabulary(
    files: Files,
    before: Table,
    table: Table,
    ranks: Sequence[int],
    manifest: Manifest,
    terms: Mapping[str, str],
    blocks: Blocks,
) -> Vocabulary:
    """The words of all records, with positions as they are now for numbers: from the shards, but
    for records that were rendered again.
    """
    live = set(table.orders[table.collection.sorts[0]])
    fresh = {number for slug in terms if (number := position(before, slug)) is not None}
    now = [
        ranks[number] if number in live and number not in fresh else -1
        for number in before.orders[table.collection.sorts[0]]
    ]
    vocabulary, positions = Vocabulary(blocks.ids), _blocks(files, manifest).positions
    for shard in range(manifest.layout.shards):
        for key, body in entries(files.read(manifest.path(("keys", shard)))):
            if key[0] not in b"/*=":
                for level, ids in unpack(body).items():
                    places = map(positions.__getitem__, ids)
                    left = [rank for rank in map(now.__getitem__, places) if rank >= 0]
                    vocabulary.have(key.decode(), level, left)
    for slug, packed in terms.items():
        number = position(table, slug)
        assert number is not None
        vocabulary.put(ranks[number], packed)
    return vocabulary

"""The words of records on their way to the indexes of a build."""

from __future__ import annotations

from array import array
from collections.abc import Mapping

from generator.build.executors import Executor
from generator.build.runs import Postings
from generator.records.folder import STREAMED
from generator.search.blocks import Blocks
from generator.search.index import Index
from generator.search.vocabulary import Vocabulary
from generator.tables.table import Registry


class Terms(dict[str, str]):
    """The words of each record, by its slug."""

    add = dict.__setitem__


def words_of(name: str, workers: Executor, *, whole: bool) -> Vocabulary | Terms:
    """What takes the words of a collection's records."""
    if not whole:
        return Terms()
    return Postings() if workers.scratch is not None and name in STREAMED else Vocabulary()


def indexes_of(
    registry: Registry, words: Mapping[str, Vocabulary], workers: Executor
) -> dict[str, Index]:
    """The index of each table, whose rows lie in the default order."""
    indexes = {}
    for table in registry.tables:
        held = words[table.collection.name]
        blocks = Blocks.of(table.slugs)
        ids = dict(zip(table.slugs, blocks.ids, strict=True))
        held.ids = array("I", map(ids.__getitem__, held.slugs))
        del ids
        if isinstance(held, Postings):
            held.merge(workers)
        indexes[table.collection.name] = Index(table, range(len(table)), blocks, held, registry)
    return indexes

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


def words_of(name: str, workers: Executor, *, whole: bool) -> Postings | Terms:
    """What takes the words of a collection's records."""
    in_runs = whole and workers.scratch is not None and name in STREAMED
    return Postings() if in_runs else Terms()


def indexes_of(
    registry: Registry, words: Mapping[str, Postings | Terms], workers: Executor
) -> dict[str, Index]:
    """The index of each table, whose rows lie in the default order; of `words` it leaves nothing
    that it does not need.
    """
    indexes = {}
    for table in registry.tables:
        held = words[table.collection.name]
        blocks = Blocks.of(table.slugs)
        ids, slugs = blocks.ids, table.slugs
        if isinstance(held, Postings):
            by_slug = dict(zip(slugs, ids, strict=True))
            held.ids = array("I", map(by_slug.__getitem__, held.slugs))
            del by_slug
            held.merge(workers)
            vocabulary: Vocabulary = held
        else:
            vocabulary = Vocabulary()
            # Ids that come in order are never sorted.
            for position in sorted(range(len(ids)), key=ids.__getitem__):
                vocabulary.put(ids[position], held.pop(slugs[position]))
        index = Index(table, range(len(table)), blocks, vocabulary, registry)
        indexes[table.collection.name] = index
    return indexes

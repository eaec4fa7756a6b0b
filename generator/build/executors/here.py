"""The executor that works in this process."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from generator.build.executors import CHUNK, Item, Result, Shared, chunks


class Here:
    """Works on a chunk when its result is read."""

    def run(
        self,
        process: Callable[[list[Item], Shared], Result],
        items: Sequence[Item],
        shared: Shared,
        size: int = CHUNK,
    ) -> Iterator[Result]:
        return (process(chunk, shared) for chunk in chunks(items, size))

"""Work done in this process, while its results are read."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from generator.build.executors import CHUNK, Item, Result, Shared, chunks


class Here:
    """Takes one chunk after the other, each when its result is asked for."""

    def run(
        self,
        process: Callable[[list[Item], Shared], Result],
        items: Sequence[Item],
        shared: Shared,
        size: int = CHUNK,
    ) -> Iterator[Result]:
        return (process(chunk, shared) for chunk in chunks(items, size))

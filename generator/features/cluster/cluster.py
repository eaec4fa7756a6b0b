"""The executor that uses the workers of a dask.distributed cluster.

The shared data of stages, and the items of all chunks of a stage, are written to files beside the
output.  A worker receives the name of a function and the place of a chunk in its file, and sends
back marshalled data (see generator.features.cluster.worker).  What needs the whole registry is made
by the build itself, meanwhile.  If a worker is lost, others do its chunks again;
generator.features.cluster.worker allows for files that are written twice.  If the scheduler is
lost, the build fails.
"""

from __future__ import annotations

import contextlib
import hashlib
import importlib
import logging
import marshal
import os
import pickle
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

from generator.disk.output_state import OutputError, fingerprint
from generator.executors import Executor, WorkerFailed, chunks, unpack_error
from generator.features.cluster import worker

#: Chunks that are submitted at once; more follow as these are done.  They keep workers busy while
#: the build makes one item itself.
_AHEAD = 4096
#: Seconds to wait for the scheduler, for a worker, and for running chunks to end.
_CONNECTING, _WAITING, _ENDING = 10.0, 60.0, 20.0
#: Seconds between two looks for results.
_PERIOD = 0.01
_NONE = object()


class Cluster:
    """The cluster of the scheduler at an address; `tell` is called with messages for people.

    A context manager for one build.  The connection is made when there is work; leaving closes it,
    after the workers have dropped the data of the build.
    """

    def __init__(self, address: str, tell: Callable[[str], None]):
        self.address, self.tell = address, tell
        self._client: Any = None
        self._workers: ClusterExecutor | None = None

    def __enter__(self) -> Cluster:
        return self

    def __exit__(self, *raised: object) -> None:
        if self._client is not None:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                _run_on_workers(self._client, worker.drop_shared_data)
                self._client.close(timeout=2)

    def workers(self, content: str, beside: Path) -> ClusterExecutor:
        """The executor for one build, which may write files into `beside`.  Raises OutputError."""
        if self._workers is None:
            self._client = self._connected()
            self._workers = ClusterExecutor(self._client, self, content, beside)
        return self._workers

    def _connected(self) -> Any:
        try:
            distributed = importlib.import_module("distributed")
        except ImportError:
            raise OutputError(
                "--executor dask needs the package distributed: "
                "pip install 'registry-generator[cluster]'; nothing was written."
            ) from None
        # Failures are reported by the build itself.
        for name in ("distributed", *logging.root.manager.loggerDict):
            if name.partition(".")[0] == "distributed":
                logging.getLogger(name).setLevel(logging.CRITICAL + 1)
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # versions are checked below
                client = distributed.Client(
                    self.address, timeout=_CONNECTING, name="registry", set_as_default=False
                )
        except Exception as error:
            raise OutputError(
                f"The scheduler at {self.address} does not answer "
                f"({' '.join(str(error).split()) or type(error).__name__}); nothing was written.\n"
                "Start one with: dask scheduler. It prints its address, such as tcp://HOST:8786."
            ) from error
        try:
            client.run_on_scheduler(worker.version)
        except Exception as error:
            client.close(timeout=2)
            raise OutputError(
                f"The scheduler at {self.address} does not run this generator "
                f"({' '.join(str(error).split())}); nothing was written.\n"
                f"{worker.INSTALL_SAME_VERSION}"
            ) from error
        self.tell(f"Building on the cluster at {self.address}; watch it at {client.dashboard_link}")
        return client

    @property
    def lost(self) -> WorkerFailed:
        return WorkerFailed(
            f"The scheduler at {self.address} stopped, and this build with it; nothing was "
            "written.\nFind out why, start the scheduler and its workers, and build again."
        )


class ClusterExecutor(Executor):
    """The executor of one build on a cluster (see generator.executors)."""

    def __init__(self, client: Any, cluster: Cluster, content: str, beside: Path):
        self.client, self.cluster = client, cluster
        self.folder, self.content = beside, content
        #: The shared data of the last stage, with its file and the SHA-256 of that.
        self._shared: tuple[Any, Path, bytes] | None = None

    def _results(
        self,
        process: Callable[..., Any],
        items: Sequence[Any],
        shared: Any,
        size: int,
        here: Sequence[Any],
    ) -> Iterator[Any]:
        tasks = _Tasks(self, process, *self._stage(items, shared, size))
        tasks.submit()
        return tasks.results(process([item], shared) for item in here)

    def _stage(
        self, items: Sequence[Any], shared: Any, size: int
    ) -> tuple[worker.Stage, list[worker.Place]]:
        """Write the chunks of a stage to a file, and the shared data to another unless the stage
        before had the same; the stage and the places of its chunks.
        """
        file, digest = self._written(shared)
        places, chunk_file = [], self._new_file()
        with chunk_file.open("xb") as opened:
            for chunk in chunks(items, size):
                packed = pickle.dumps(chunk, pickle.HIGHEST_PROTOCOL)
                places.append((opened.tell(), len(packed), hashlib.sha256(packed).digest()))
                opened.write(packed)
        registry = worker.registry_digest(self.content)
        version, where = worker.version(), str(Path.cwd())
        stage = worker.Stage(
            fingerprint(), version, str(file), digest, str(chunk_file), self.content, where,
            registry,
        )  # fmt: skip
        return stage, places

    def _written(self, shared: Any) -> tuple[Path, bytes]:
        """The file with shared data, and its SHA-256."""
        if self._shared is None or self._shared[0] is not shared:
            if self._shared is not None:
                self._shared[1].unlink()
            file = self._new_file()
            with file.open("xb") as opened:
                worker.Pickler(opened).dump(shared)
            self._shared = shared, file, worker.file_digest(str(file))
        return self._shared[1:]

    def _new_file(self) -> Path:
        """The path of a file that the build removes at its end."""
        return self.folder / f"new-{os.urandom(8).hex()}"


class _Tasks:
    """The chunks of one stage."""

    def __init__(
        self,
        workers: ClusterExecutor,
        process: Callable[..., Any],
        stage: worker.Stage,
        places: Sequence[worker.Place],
    ):
        self.workers, self.client, self.stage = workers, workers.client, stage
        self.process = worker.function_name(process)
        self.left, self.submitted = iter(places), 0
        self.key = f"{process.__name__.strip('_')}-{os.urandom(6).hex()}"
        self.waiting: dict[str, Any] = {}  # futures by key
        self.completed: Any = importlib.import_module("distributed").as_completed(
            with_results=True, raise_errors=False, loop=self.client.loop
        )
        self.looked = time.monotonic()
        self.empty_since: float | None = None  # when a look first found no worker

    def submit(self) -> None:
        """Submit more chunks, up to `_AHEAD`."""
        added = list(islice(self.left, max(0, _AHEAD - len(self.waiting))))
        if not added:
            return
        first = self.submitted
        self.submitted += len(added)
        keys = [f"{self.key}-{number}" for number in range(first, self.submitted)]
        futures = self.client.map(
            worker.work,
            added,
            key=keys,
            process=self.process,
            stage_fields=tuple(self.stage),
            pure=False,
        )
        for future in futures:
            self.waiting[future.key] = future
            self.completed.add(future)

    def results(self, here: Iterator[Any]) -> Iterator[Any]:
        """The results of all chunks, in any order.  Those `here` are made one by one, when no other
        result has arrived; submits more meanwhile.
        """
        try:
            while True:
                batch = self.completed.next_batch(block=False)
                for future, result in batch:
                    del self.waiting[future.key]
                    yield self._result(future, result)
                if len(self.waiting) < _AHEAD // 2:
                    self.submit()
                if batch:
                    continue
                if (made := next(here, _NONE)) is not _NONE:
                    yield made
                elif self.waiting:
                    self._wait()
                else:
                    break
            Path(self.stage.chunks).unlink(missing_ok=True)
        finally:
            if self.waiting:
                self._cancel()

    def _result(self, future: Any, result: Any) -> Any:
        """The result of a chunk.  Raises its exception, or WorkerFailed."""
        if isinstance(result, bytes):
            done, value = marshal.loads(result)
            if done:
                return value
            raise unpack_error(value)
        if future.status == "cancelled" or self.client.status != "running":
            raise self.workers.cluster.lost
        error = future.exception()
        if type(error).__name__ == "KilledWorker":
            raise WorkerFailed(
                "Several workers were lost over the same work, as when memory runs out: give each "
                f"more with --memory-limit, or start fewer on a machine; nothing was written.\n"
                f"The last was {error.last_worker.address}."
            )
        raise WorkerFailed(f"The cluster failed: {error}")

    def _wait(self) -> None:
        """Wait a little.  Raises WorkerFailed if the scheduler or all workers are gone."""
        time.sleep(_PERIOD)
        now = time.monotonic()
        if self.client.status != "running":
            raise self.workers.cluster.lost
        if now - self.looked < 2:
            return
        self.looked = now
        # Not client.scheduler_info(): a timer of the client empties what that returns.
        try:
            told = self.client.sync(self.client.scheduler.identity, n_workers=-1)
        except OSError:
            return  # the scheduler has just stopped, which the client's status tells
        if told["workers"]:
            self.empty_since = None
        elif self.empty_since is None:
            self.empty_since = now
        elif now - self.empty_since > _WAITING:
            raise WorkerFailed(
                f"The scheduler at {self.workers.cluster.address} has had no worker for "
                f"{_WAITING:.0f} s; nothing was written.\n"
                f"Start some with: dask worker {self.workers.cluster.address} --nthreads 1; "
                "where this generator is not installed, one ends with its first work."
            )

    def _cancel(self) -> None:
        """Cancel all waiting chunks, and wait until running chunks end."""
        if self.client.status == "running":
            with contextlib.suppress(Exception):  # the scheduler may be shutting down
                self.client.cancel(list(self.waiting.values()), force=True)
            _run_on_workers(self.client, worker.drop_shared_data)


def _run_on_workers(client: Any, function: Callable[[], None]) -> None:
    """Call a function on all workers and wait for it; failures are ignored."""
    if client.status == "running":
        with contextlib.suppress(Exception):
            client.sync(client._run, function, on_error="ignore", callback_timeout=_ENDING)

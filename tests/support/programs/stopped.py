"""`registry` that gets a signal just before, or just after, the nth request of a kind to a store,
and does not wait for a publisher that is gone.
"""

import os
import signal
import sys
import threading

import generator.cli
from generator.features.buckets import lease
from generator.features.buckets.store import Store

kind, path, number, when, how = sys.argv.pop(1).split(",")
left, lock = int(number), threading.Lock()
real = getattr(Store, kind)
lease.WATCHED = 0.3


def request(self, asked, *arguments, **more):
    global left
    with lock:
        left -= path in (asked[0] if isinstance(asked, list) else asked)
        now = left == 0
        left -= now
    if now and when == "before":
        os.kill(os.getpid(), getattr(signal, how))
    answer = real(self, asked, *arguments, **more)
    if now and when == "after":
        os.kill(os.getpid(), getattr(signal, how))
    return answer


setattr(Store, kind, request)
generator.cli.main()

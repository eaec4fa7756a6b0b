"""`registry` that runs out of memory while it reads records: in the parent or in a worker."""

import os
import sys

import generator.cli
import generator.published.reading.load as load
import generator.published.reading.read as read

where, parent, real = sys.argv.pop(1), os.getpid(), read.read_good


def read_good(*arguments):
    if (os.getpid() == parent) == (where == "parent"):
        raise MemoryError
    return real(*arguments)


read.read_good = read_good
load.CHECK_SHARE = 1  # a check of few records has workers too
generator.cli.main()

"""`registry` that prints its peak memory in MiB at the end."""

import sys

import generator.cli

try:
    generator.cli.main()
finally:
    with open("/proc/self/status") as status:
        print(
            "PEAK",
            next(int(line.split()[1]) for line in status if line.startswith("VmHWM")) // 1024,
            file=sys.stderr,
        )

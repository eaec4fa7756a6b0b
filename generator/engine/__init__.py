"""The query engine: the JavaScript of hosts and browsers, run by an embedded QuickJS.

It answers queries, MCP, matching and feeds from the files of a published registry, wherever these
are: a folder, a host, a registry in memory.  `engine.py` is what others use; `context.py` runs the
script; `table.py` makes the registry's settings for it.
"""

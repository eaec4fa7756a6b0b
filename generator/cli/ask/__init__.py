"""Commands that read a published registry, from a folder or over HTTP.

Start with `read.py`; `_show.py` prints what they find.
May import what `generator.cli` may, but not another command.
"""

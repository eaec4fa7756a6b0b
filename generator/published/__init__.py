"""A registry as a function from address to bytes, read from a content folder.

    records.read(folder, moment)        what is kept of every file of the content, and its problems
    Published(records, options)         a mapping: the address of a published file -> its bytes

Start with `published.py`; each module of `families` has the addresses that are made alike.  May
import executors and below.
"""

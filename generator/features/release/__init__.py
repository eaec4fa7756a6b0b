"""Releases: versions of a registry to cite, as tags of git with an archive of their build.

For people who cite the data and for whoever keeps it.  Adds the command `registry release` and the
page `/docs/cite/`.  The key `release` of registry.yaml, a version and a day, is of the core: the
metadata of the home page and the Data Package have it too.  The feature diff makes the notes of
a release.
"""

NEEDS = ("diff",)

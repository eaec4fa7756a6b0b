"""The generator's own features, one a folder.  None is needed: without its folder the generator
builds, verifies and serves, and names the feature nowhere.

A feature may import all of the core, and another feature only if the import contract in
pyproject.toml says so.  The core never imports a feature; it asks `generator.feature` for the
modules of features that docs/extending.md lists, each of which may be missing.
"""

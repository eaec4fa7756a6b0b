"""Signing: a key signs the manifest of a build, so that readers know who published it.

For registries whose readers do not trust a host.  Adds `registry key`, which makes, shows and
replaces keys, and the option `--sign` of `registry build`.  The public keys in registry.yaml, and
`--key` of readers, are of the core: every manifest names the keys, whoever builds it.
"""

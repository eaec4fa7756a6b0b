"""The pattern of the addresses of documents by identifier."""

from generator.contract.layout import PathPattern

FORMS = (PathPattern("other", "api/by-id/[a-z][a-z0-9_-]{0,49}", r"[0-9a-f]{16}\.json"),)

"""The MCP server: the tools over a published registry."""

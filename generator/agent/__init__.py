"""Tools for models: declarations, arguments, answers of bounded size, and the MCP server.

Start with `tools.py`. May import reader and below, never what builds a registry.
"""

"""API reference: every address of a registry's API with live examples, on pages of the site.

For people and agents who program with the data.  Adds the pages below `/docs/api/`, made from
openapi.json, with an explorer that sends queries, and the guide for agents, `/docs/agents/`.  Start
with `openapi_pages.py`.
"""

"""Cards: the picture that previews of links to a registry show.

For people who share a page in a chat or a post.  Adds one PNG with the name and the description of
the registry, and its address to the head of pages.
"""

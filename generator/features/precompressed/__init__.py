"""Precompressed copies: a compressed file beside each text, in gzip or Brotli.

For hosts that send such files as they are: nginx, Apache and Caddy.  Adds the option
`--precompress` of `registry build`.
"""

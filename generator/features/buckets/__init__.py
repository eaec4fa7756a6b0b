"""Buckets: a build published into a bucket, and content read from a bucket or an archive.

For hosts that serve a bucket, such as S3, R2 and MinIO.  Adds `registry publish`, a URL as `--out`
of `registry build` with its option `--keep`, and an archive or a URL as `--content` of
`registry build` and `registry check`.
"""

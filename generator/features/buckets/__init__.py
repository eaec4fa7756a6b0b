"""Buckets: a build published into a bucket.

For hosts that serve a bucket, such as S3, R2 and MinIO.  Adds `registry publish` and
`registry rollback`, and a URL as `--out` of `registry build` with its option `--keep`.
"""

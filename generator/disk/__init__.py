"""What lies in folders that anyone may have written to: reached without links, finished where a
kill left it.
"""

"""Reads tables from files, folders, patterns of file names and web addresses.

The files may come from anyone and contain anything.
"""

from __future__ import annotations

import glob
import os
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache
from pathlib import Path
from urllib.parse import urlsplit

from generator import UserError
from generator.dialect.parse import BOM
from generator.edit.tables import FORMATS, format_of
from generator.edit.tables.data import read_rows, row_paths
from generator.edit.tables.delimited import read_csv, read_excel, sheet_names
from generator.edit.tables.sheet import Sheet, SheetFile, SheetRow, column_names, unreadable

MAX_BYTES = 1 << 28  # of a table
MAX_FILES = 100_000
#: The first bytes of spreadsheets: of those of Excel and LibreOffice, and of old Excel.
_SPREADSHEETS = (b"PK\x03\x04", b"\xd0\xcf\x11\xe0")
_NO_TABLES = (".pdf", ".doc", ".docx", ".odt", ".html", ".htm", ".zip", ".png", ".jpg")
_OTHER_SPREADSHEETS = (".xls", ".xlsb", ".ods", ".numbers")


class NoSource(UserError):
    """A source is no table; the message says why, and how to write it."""


def read(
    given: str | Sequence[str],
    form: str = "",
    within: str = "",
    wanted: Iterable[str] = (),
    header: int = 1,
) -> Sheet:
    """The table in files, folders, patterns or at a web address, all of one format.

    `within` is the path of the rows in a document, or the name of a sheet of Excel; `wanted` and
    `header` are those of `read_csv`.  Raises NoSource, UnreadableTable, ClientError and OSError.
    """
    sources = [given] if isinstance(given, str) else list(given)
    paths = _paths(sources)
    form = form or _one_format(paths, sources)
    several = len(paths) > 1 or paths != sources
    sheets = []
    for path in paths:
        raw = _fetch(path) if is_remote(path) else _bytes(path)
        sheets.append(_read(path, raw, form, within, set(wanted), header, several))
    if len(sheets) == 1:
        return sheets[0]
    rows = list[SheetRow]()
    for sheet in sheets:
        last = rows[-1].number if rows else 0
        rows += [row._replace(number=last + row.number) for row in sheet.rows]
    columns = dict.fromkeys(name for sheet in sheets for name in sheet.columns)
    head = sheets[0].head if sheets else 1
    return Sheet(" ".join(sources), list(columns), rows, [s.files[0] for s in sheets], head)


def find_rows(given: str | Sequence[str], form: str = "") -> dict[str, int]:
    """The paths of rows in a document that is no list of rows, with their numbers of rows; or the
    sheets of a workbook, if it has several.
    """
    sources = [given] if isinstance(given, str) else list(given)
    paths = _paths(sources)
    form = form or _one_format(paths, sources)
    if paths != sources or len(paths) > 1 or form not in ("json", "yaml", "toml", "excel"):
        return {}
    raw = _fetch(paths[0]) if is_remote(paths[0]) else _bytes(paths[0])
    if form == "excel":
        names = sheet_names(paths[0], raw)
        return dict.fromkeys(names, 1) if names[1:] else {}
    return row_paths(SheetFile(paths[0], _decode(paths[0], raw)), form)


def is_remote(source: str) -> bool:
    return source.lower().startswith(("https://", "http://"))


def _paths(sources: Sequence[str]) -> list[str]:
    """The files that sources name, in order."""
    found: list[str] = []
    for source in sources:
        if is_remote(source) or Path(source).is_file():
            found.append(source)
        elif Path(source).is_dir():
            below = sorted(_files_below(source))
            if not below:
                raise NoSource(f"{source} has no file of a table: {', '.join(FORMATS)}")
            found += below
        else:
            matching = sorted(glob.glob(source, recursive=True))
            if not matching:
                raise NoSource(f"there is no file {source}")
            found += [path for path in matching if Path(path).is_file()]
    if len(found) > MAX_FILES:
        raise NoSource(f"these are {len(found):,} files; import at most {MAX_FILES:,} at once")
    return found


def _files_below(folder: str) -> Iterable[str]:
    """The files of a folder and of those in it that may be tables, without hidden files."""
    for root, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if name[:1] != ".")
        yield from (os.path.join(root, n) for n in names if n[:1] != "." and format_of(n))


def _one_format(paths: Sequence[str], sources: Sequence[str]) -> str:
    forms = Counter(format_of(urlsplit(p).path if is_remote(p) else p) for p in paths)
    if len(forms) > 1:
        counts = ", ".join(f"{count:,} {form or 'other'}" for form, count in forms.most_common())
        folder = sources[0] if Path(sources[0]).is_dir() else os.path.dirname(sources[0])
        hint = f'name those of one format, like "{os.path.join(folder, "*.yml")}"'
        raise NoSource(f"these are files of several formats ({counts}); {hint}")
    form = next(iter(forms), "")
    if form:
        return form
    if paths[0].lower().endswith(_OTHER_SPREADSHEETS):
        raise NoSource(
            f"{paths[0]} is a spreadsheet. Save it as .xlsx or as CSV UTF-8 in your spreadsheet "
            "program, and import that file"
        )
    if paths[0].lower().endswith(_NO_TABLES):
        raise NoSource(f"{paths[0]} is no table: save its table as CSV UTF-8, and import that file")
    raise NoSource(f"the name {paths[0]} does not end in the name of a format: add --format")


def _bytes(path: str) -> bytes:
    with Path(path).open("rb") as file:
        if os.fstat(file.fileno()).st_size > MAX_BYTES:
            message = f"the file is larger than {MAX_BYTES >> 20} MiB"
            raise unreadable(path, 1, 1, message, "split it")
        return file.read(MAX_BYTES + 1)


@lru_cache(maxsize=1)
def _fetch(url: str) -> bytes:
    """The file at a web address, with the bounds of all reading from hosts.  Raises ClientError."""
    from generator.reader.remote import Remote

    if not url.lower().startswith("https://"):
        raise NoSource(f"{url} is not encrypted: write https://, or download the file")
    parts = urlsplit(url)
    if "@" in parts.netloc:
        raise NoSource(f"{parts.hostname}: write the address without a user name")
    base = f"https://{parts.netloc}"
    path = url.partition("#")[0][len(base) :]
    raw = Remote(base, timeout=30, retries=2, definite=[path]).read([path])[0]
    if raw is None:
        raise NoSource(f"there is no file at {url}")
    return raw


def _read(
    path: str, raw: bytes, form: str, within: str, wanted: set[str], header: int, several: bool
) -> Sheet:
    if form == "excel":
        return read_excel(path, raw, within, header)
    text = _decode(path, raw)
    if form == "csv":
        return read_csv(path, text, wanted, header)
    file = SheetFile(path, text)
    rows = list(read_rows(file, form, within, single=several))
    return Sheet(path, column_names(rows), rows, [file])


def _decode(path: str, raw: bytes) -> str:
    if raw[:2] in (b"\xff\xfe", b"\xfe\xff"):
        raise unreadable(path, 1, 1, "this file is saved as UTF-16", 'save it as "CSV UTF-8"')
    try:
        return raw.removeprefix(BOM).decode()
    except UnicodeDecodeError as error:
        if raw.startswith(_SPREADSHEETS):
            message = "this is a spreadsheet of Excel or LibreOffice, whatever its name says"
            hint = 'open it there, save it as .xlsx or as "CSV UTF-8", and import that file'
            raise unreadable(path, 1, 1, message, hint) from None
        before = raw[: error.start]
        line = before.count(b"\n") + 1
        column = len(before.rpartition(b"\n")[2].decode("utf-8", "replace")) + 1
        message = "this file is not saved as UTF-8"
        hint = 'save it as UTF-8: spreadsheets call that "CSV UTF-8"'
        raise unreadable(path, line, column, message, hint) from None

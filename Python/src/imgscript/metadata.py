"""Reads what downloads have written: sidecars, credits and tar shards.

>>> import json, tempfile, pathlib
>>> folder = pathlib.Path(tempfile.mkdtemp())
>>> _ = (folder / "fox.jpg").write_bytes(b"...")
>>> item = {"provider": "met", "id": "7", "type": "image", "title": "A fox", "license": {"id": "cc0-1.0"}}
>>> _ = (folder / "fox.jpg.json").write_text(json.dumps(item | {"fetched": {"sha256": "ab", "bytes": 3}}))
>>> [(record.item.title, record.path.name, record.fetched["bytes"]) for record in read_sidecars(folder)]
[('A fox', 'fox.jpg', 3)]
>>> [row["license"] for row in rows(read_sidecars(folder))]
['cc0-1.0']
"""

from __future__ import annotations

import json
import os
import tarfile
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from ._items import Item

if TYPE_CHECKING:
    import datasets
    import pandas
    import pyarrow

#: The columns of tables, each with how it is found in a record.
COLUMNS = (
    "ref", "provider", "id", "title", "author", "author_url", "license", "license_url", "credit", "page", "created", "tags",
    "path", "width", "height", "bytes", "format", "sha256",
)


@dataclass(frozen=True, slots=True)
class Record:
    """An image that was downloaded."""

    item: Item
    #: The file; in a shard, the name in it.
    path: Path
    #: What is known of the file: url, sha256, bytes, …
    fetched: Mapping[str, Any]
    #: The file's content, from a shard.
    content: bytes | None = field(default=None, repr=False)

    def row(self) -> dict[str, Any]:
        """The record as a row of a table."""
        item, fetched = self.item, self.fetched
        values = (
            item.ref, item.provider, item.id, item.title, item.author and item.author.name, item.author and item.author.url,
            item.license and item.license.id, item.license and item.license.url, item.credit, item.page, item.created,
            list(item.tags), str(self.path), fetched.get("width"), fetched.get("height"), fetched.get("bytes"),
            fetched.get("format"), fetched.get("sha256"),
        )
        return dict(zip(COLUMNS, values, strict=True))


def read_sidecars(folder: str | os.PathLike[str]) -> Iterator[Record]:
    """The images of a folder whose downloads had `--write-json`, in the order of their paths."""
    for path in sorted(Path(folder).rglob("*.json")):
        image = path.with_suffix("")
        if not path.is_file() or not image.is_file():
            continue
        with path.open(encoding="utf-8") as file:
            try:
                found = json.load(file)
            except ValueError:  # It is somebody else's.
                continue
        if isinstance(found, dict) and "provider" in found and "id" in found:
            yield Record(Item.from_json(found), image, found.get("fetched") or {})


def read_shards(paths: Iterable[str | os.PathLike[str]] | str | os.PathLike[str]) -> Iterator[Record]:
    """The images of tar shards (`--output-format webdataset`): a folder of them, or their paths and URLs.

    URLs such as `s3://…` take fsspec.
    """
    if isinstance(paths, (str, os.PathLike)):
        folder = Path(paths)
        paths = sorted(folder.glob("*.tar")) if folder.is_dir() else [paths]
    for path in paths:
        with _open(path) as stream, tarfile.open(fileobj=stream, mode="r|") as tar:
            image: tuple[str, bytes] | None = None
            for member in tar:
                content = tar.extractfile(member)
                if content is None:
                    continue
                if not member.name.endswith(".json"):
                    image = (member.name, content.read())
                    continue
                found = json.load(content)
                if image is not None and image[0].rsplit(".", 1)[0] == member.name.removesuffix(".json"):
                    yield Record(Item.from_json(found), Path(image[0]), found.get("fetched") or {}, image[1])


def _open(path: str | os.PathLike[str]) -> IO[bytes]:
    text = os.fspath(path)
    if "://" not in text:
        return open(text, "rb")
    import fsspec

    file: IO[bytes] = fsspec.open(text, "rb").open()
    return file


def read_credits(folder: str | os.PathLike[str]) -> list[dict[str, Any]]:
    """The entries of a folder's `credits.json`."""
    found = json.loads((Path(folder) / "credits.json").read_text(encoding="utf-8"))
    credits: list[dict[str, Any]] = found["credits"]
    return credits


def rows(records: Iterable[Record]) -> Iterator[dict[str, Any]]:
    """The records as rows of a table with `COLUMNS`."""
    return (record.row() for record in records)


def to_pandas(records: Iterable[Record]) -> pandas.DataFrame:
    """A data frame with a row for each image."""
    import pandas

    return pandas.DataFrame(list(rows(records)), columns=list(COLUMNS))


def to_arrow(records: Iterable[Record]) -> pyarrow.Table:
    """An Arrow table with a row for each image."""
    import pyarrow

    numbers = {"width", "height", "bytes"}
    schema = pyarrow.schema([
        (name, pyarrow.int64() if name in numbers else pyarrow.list_(pyarrow.string()) if name == "tags" else pyarrow.string())
        for name in COLUMNS
    ])
    return pyarrow.Table.from_pylist(list(rows(records)), schema=schema)


def to_dataset(records: Iterable[Record]) -> datasets.Dataset:
    """A data set of Hugging Face with the pictures themselves in the column `image`."""
    import datasets

    found = list(records)
    images = [{"bytes": record.content, "path": str(record.path) if record.content is None else None} for record in found]
    columns = {name: [record.row()[name] for record in found] for name in COLUMNS}
    return datasets.Dataset.from_dict(columns | {"image": images}).cast_column("image", datasets.Image())


def to_webdataset(folder: str | os.PathLike[str]) -> Any:
    """The shards of a folder as a `webdataset.WebDataset`, whose samples have `json` and the picture by its ending."""
    import webdataset

    return webdataset.WebDataset([str(path) for path in sorted(Path(folder).glob("*.tar"))], shardshuffle=False)

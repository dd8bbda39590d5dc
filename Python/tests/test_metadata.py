"""What downloads have written."""

from __future__ import annotations

import io
import json
import tarfile
from pathlib import Path

import pytest

from imgscript.metadata import COLUMNS, read_credits, read_shards, read_sidecars, rows, to_arrow, to_pandas

ITEM = {
    "provider": "met", "id": "7", "type": "image", "title": "A fox", "author": {"name": "Ana"}, "tags": ["red", "fox"],
    "license": {"id": "cc0-1.0", "url": "https://creativecommons.org/publicdomain/zero/1.0/"}, "media": [],
    "fetched": {"key": "met:7:original", "sha256": "ab", "bytes": 3, "width": 4, "height": 5, "format": "jpeg"},
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "met").mkdir()
    (tmp_path / "met" / "7.jpg").write_bytes(b"jpg")
    (tmp_path / "met" / "7.jpg.json").write_text(json.dumps(ITEM))
    (tmp_path / "notes.json").write_text("{")
    (tmp_path / "alone.jpg.json").write_text(json.dumps(ITEM))
    (tmp_path / "credits.json").write_text(json.dumps({"generator": "imgscript", "credits": [{"title": "A fox"}]}))
    with tarfile.open(tmp_path / "00000.tar", "w") as tar:
        for name, content in (("met_7.jpg", b"jpg"), ("met_7.json", json.dumps(ITEM).encode())):
            info = tarfile.TarInfo(name)
            info.size = len(content)
            tar.addfile(info, io.BytesIO(content))
    return tmp_path


def test_sidecars_are_those_of_images(folder: Path) -> None:
    (record,) = read_sidecars(folder)
    assert record.path == folder / "met" / "7.jpg" and record.item.title == "A fox"
    assert list(record.row()) == list(COLUMNS)
    assert record.row()["credit"] == "A fox, Ana, cc0-1.0, via met"


def test_shards_have_pictures_with_their_items(folder: Path) -> None:
    (record,) = read_shards(folder)
    assert record.content == b"jpg" and record.path == Path("met_7.jpg") and record.item.ref == "met:7"
    assert [found.content for found in read_shards([folder / "00000.tar"])] == [b"jpg"]


def test_remote_shards_are_read_by_fsspec(folder: Path) -> None:
    pytest.importorskip("fsspec")
    assert [found.content for found in read_shards([f"file://{folder}/00000.tar"])] == [b"jpg"]


def test_credits_are_a_list(folder: Path) -> None:
    assert read_credits(folder) == [{"title": "A fox"}]


def test_tables_have_a_row_for_each_image(folder: Path) -> None:
    pytest.importorskip("pandas")
    frame = to_pandas(read_sidecars(folder))
    assert list(frame.columns) == list(COLUMNS) and frame.loc[0, "license"] == "cc0-1.0"


def test_arrow_tables_have_types_without_rows_too(folder: Path) -> None:
    pytest.importorskip("pyarrow")
    table = to_arrow(read_shards(folder))
    assert table.to_pylist() == list(rows(read_shards(folder)))
    assert to_arrow([]).schema == table.schema


def test_data_set_has_the_pictures(folder: Path) -> None:
    datasets = pytest.importorskip("datasets")
    from imgscript.metadata import to_dataset

    found = to_dataset(read_shards(folder)).cast_column("image", datasets.Image(decode=False))
    assert found[0]["image"]["bytes"] == b"jpg" and found[0]["title"] == "A fox"


def test_webdataset_reads_the_same(folder: Path) -> None:
    pytest.importorskip("webdataset")
    from imgscript.metadata import to_webdataset

    (sample,) = to_webdataset(folder)
    assert sample["jpg"] == b"jpg" and json.loads(sample["json"])["id"] == "7"

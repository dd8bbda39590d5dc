"""The clients over the built programs: over samples, and over a source of the tests' own."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from imgscript import APIError, AsyncClient, Client, Download, ImgScriptError, ProgramNotFound, SearchError, Server
from imgscript._client import _Events

from .conftest import png

@pytest.fixture(scope="module")
def client(arguments: list[str], tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    with Client(arguments=arguments, directory=tmp_path_factory.mktemp("downloads")) as client:
        yield client


def test_listing_is_read_over_its_parts_to_the_limit(client: Client) -> None:
    assert [image.id for image in client.search("lake", limit=None)] == [str(number) for number in range(1, 46)]
    assert [image.id for image in client.search("lake", limit=23)] == [str(number) for number in range(1, 24)]
    assert list(client.search("lake", limit=0)) == [] and list(client.search("nothing")) == []


def test_conditions_are_counted(client: Client) -> None:
    images = client.search("lake", licenses=["cc-by"], limit=5)
    assert list(images) == [] and images.left_out == 45


def test_failure_of_all_is_raised_and_of_one_is_told(client: Client) -> None:
    with pytest.raises(SearchError, match="lakes: "):
        list(client.search("broken"))
    images = client.search("lake", providers=["lakes", "ruins"], limit=None)
    assert len(list(images)) == 45
    assert [failure.provider for failure in images.failures] == ["ruins"]
    with pytest.raises(APIError, match="unknown provider"):
        list(client.search("lake", providers=["nowhere"]))


def test_errors_say_what_was_found(client: Client) -> None:
    with pytest.raises(APIError, match="nowhere") as error:
        client.details("nowhere:1")
    assert error.value.status == 404
    with pytest.raises(TypeError, match="sequences of strings"):
        client.search("lake", providers="lakes")


def test_notebook_shows_picture_and_credit(client: Client) -> None:
    shown = client.details("lakes:7")._repr_mimebundle_()
    assert 'src="data:image/png;base64,' in shown["text/html"] and 'alt="Lake &lt;7&gt;"' in shown["text/html"]
    assert "CC0" in shown["text/html"] and "Ana" in shown["text/plain"]


def test_download_tells_of_files_and_progress(client: Client) -> None:
    steps: list[Download] = []
    images = list(client.search("lake", limit=3))
    download = client.download([*images, "lakes:10"], "red/lakes", on_progress=steps.append)
    assert (download.state, download.finished, download.failed) == ("finished", 4, 0)
    assert {file.ref for file in download.files} == {"lakes:1", "lakes:2", "lakes:3", "lakes:10"}
    assert all(file.path and (Path(download.folder) / file.path).is_file() for file in download.files)
    assert steps and steps[-1].done == 4
    again = client.download(images, "red/lakes")
    assert (again.finished, again.skipped) == (0, 3)
    with pytest.raises(APIError, match="folder"):
        client.download(images, "../out")


def test_asynchronous_client_is_the_same(client: Client, arguments: list[str], tmp_path: Path) -> None:
    async def run() -> None:
        async with AsyncClient(arguments=arguments, directory=tmp_path) as other:
            assert [image.id async for image in other.search("lake", limit=23)] == [str(n) for n in range(1, 24)]
            searches = [[image.id async for image in other.search("lake", limit=5)] for _ in range(3)]
            assert searches == [[str(n) for n in range(1, 6)]] * 3
            assert (await other.details("lakes:4")).title == "Lake <4>"
            assert "lakes" in [provider.id for provider in await other.providers()]
            download = await other.download(["lakes:4"])
            assert download.finished == 1 and download.files[0].ref == "lakes:4"
            content, kind = await other.fetch((await other.details("lakes:4")).pictures["thumbnail"].url)
            assert content == png(4) and kind == "image/png"

    asyncio.run(run())
    with pytest.raises(ImgScriptError, match="async with"):
        asyncio.run(AsyncClient().details("lakes:4"))


def test_server_ends_with_its_client_and_lets_nobody_else_in() -> None:
    with Client(sample=True) as client:
        assert client._server is not None
        process, url = client._server._process, client._server.url
        with Client(url, "wrong-token-wrong-token") as other, pytest.raises(APIError) as error:
            other.details("pixabay:195893")
        assert error.value.status in (401, 403)
    assert process.poll() is not None


def test_missing_program_is_told_of_with_a_hint(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("IMGSCRIPT_PROGRAM", "/nowhere/imgscript")
    with pytest.raises(ProgramNotFound, match="hint: install it"):
        Server()


def test_server_that_cannot_start_says_why() -> None:
    with pytest.raises(ProgramNotFound, match="unknown option"):
        Server(["--nonsense"])


@pytest.mark.parametrize(
    ("body", "message", "code"),
    [
        ({"error": {"code": "auth", "message": "needs a key"}}, "needs a key", "auth"),
        ({"type": "about:blank", "title": "Not Found", "status": 404}, "Not Found", "Not Found"),
        ({"type": "https://imgscript.example/problems/rate", "title": "Rate", "detail": "too fast"}, "too fast", "rate"),
        ({"type": "urn:imgscript:problem:auth", "detail": "no key", "code": "auth"}, "no key", "auth"),
        (None, "the server answered with status 502", "unknown"), ([], "the server answered with status 502", "unknown"),
        ({"error": "text"}, "the server answered with status 502", "unknown"),
    ])
def test_errors_of_any_form_are_read(body: object, message: str, code: str) -> None:
    error = APIError.of(502, body)
    assert (error.message, error.code) == (message, code)


def test_events_are_read_line_by_line() -> None:
    events = _Events()
    lines = [": comment", "event: file", "data: {\"ref\":", 'data: "a:1"}', "", "", "data: 7", "", "event:end", 'data:{"id":"x"}', ""]
    assert [found for line in lines if (found := events.add(line))] == [("file", {"ref": "a:1"}), ("end", {"id": "x"})]

"""Clients of `imgscript serve`, for programs with and without asyncio."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import httpx

from ._errors import APIError, ImgScriptError, SearchError
from ._items import Item, Provider
from ._program import Server

#: How many images a request asks each provider for.
_PART = 50


@dataclass(frozen=True, slots=True)
class Failure:
    """A provider that failed; the others go on."""

    provider: str
    code: str
    message: str
    hint: str | None = None

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> Failure:
        return cls(str(value["provider"]), str(value.get("code", "unknown")), str(value.get("message", "")), value.get("hint"))


@dataclass(frozen=True, slots=True)
class DownloadedFile:
    """What came of one image of a download."""

    ref: str
    #: Where the file is; None where there is none.
    path: str | None
    #: Whether it was there before.
    skipped: bool = False
    #: Why there is no file.
    error: str | None = None


@dataclass(frozen=True, slots=True)
class Download:
    """How far a download has come."""

    id: str
    state: str
    folder: str
    total: int
    done: int
    finished: int
    skipped: int
    failed: int
    bytes: int
    files: tuple[DownloadedFile, ...] = ()
    error: str | None = None

    @classmethod
    def from_json(cls, value: Mapping[str, Any], files: Iterable[DownloadedFile] = ()) -> Download:
        numbers = {name: int(value.get(name, 0)) for name in ("total", "done", "finished", "skipped", "failed", "bytes")}
        return cls(
            id=str(value["id"]), state=str(value["state"]), folder=str(value.get("folder", "")), files=tuple(files),
            error=value.get("error"), **numbers)


class _Listing:
    """The parts of a listing, with what both kinds of clients know of them."""

    def __init__(self, parameters: list[tuple[str, str]], limit: int | None) -> None:
        self._parameters = parameters
        self._limit = limit
        self._cursor: str | None = None
        self._given = 0
        #: The providers that failed so far.
        self.failures: list[Failure] = []
        #: How many images the conditions left out.
        self.left_out = 0

    def _request(self) -> list[tuple[str, str]]:
        rest = _PART if self._limit is None else min(self._limit - self._given, _PART)
        return [*self._parameters, ("limit", str(rest)), *([("cursor", self._cursor)] if self._cursor else [])]

    def _read(self, part: Mapping[str, Any]) -> list[dict[str, Any]]:
        self.failures += [Failure.from_json(failure) for failure in part.get("failures", ())]
        self.left_out += sum(provider.get("filtered", 0) for provider in part.get("providers", ()))
        self._cursor = part.get("next")
        images: list[dict[str, Any]] = part["images"]
        if self._limit is not None:
            images = images[: self._limit - self._given]
        self._given += len(images)
        if self._given == 0 and self._cursor is None and self.failures and self.left_out == 0:
            raise SearchError("; ".join(f"{failure.provider}: {failure.message}" for failure in self.failures))
        return images

    @property
    def _is_done(self) -> bool:
        return self._cursor is None or (self._limit is not None and self._given >= self._limit)


class Images(_Listing, Iterator[Item]):
    """The images of a listing, requested as they are iterated."""

    def __init__(self, client: Client, parameters: list[tuple[str, str]], limit: int | None) -> None:
        super().__init__(parameters, limit)
        self._client = client
        self._items = self._iterate()

    def _iterate(self) -> Iterator[Item]:
        if self._limit == 0:
            return
        while True:
            for image in self._read(self._client._json("GET", "/images", params=self._request())):
                yield Item.from_json(image, self._client.fetch)
            if self._is_done:
                return

    def __iter__(self) -> Images:
        return self

    def __next__(self) -> Item:
        return next(self._items)


class AsyncImages(_Listing, AsyncIterator[Item]):
    """The images of a listing, requested as they are iterated."""

    def __init__(self, client: AsyncClient, parameters: list[tuple[str, str]], limit: int | None) -> None:
        super().__init__(parameters, limit)
        self._client = client
        self._items = self._iterate()

    async def _iterate(self) -> AsyncIterator[Item]:
        if self._limit == 0:
            return
        while True:
            for image in self._read(await self._client._json("GET", "/images", params=self._request())):
                yield Item.from_json(image)
            if self._is_done:
                return

    def __aiter__(self) -> AsyncImages:
        return self

    async def __anext__(self) -> Item:
        return await anext(self._items)


def _parameters(
    subject: tuple[str, str], providers: Sequence[str], *, licenses: Sequence[str] = (), tags: Sequence[str] = (),
    min_width: int | None = None, min_height: int | None = None, near: tuple[float, float] | None = None,
    parameters: Mapping[str, str] | None = None,
) -> list[tuple[str, str]]:
    if isinstance(providers, str) or isinstance(licenses, str) or isinstance(tags, str):
        raise TypeError("providers, licenses and tags are sequences of strings (found a string)")
    pairs = [subject, *(("provider", name) for name in providers), *(("license", name) for name in licenses)]
    pairs += [("tag", tag) for tag in tags]
    pairs += [(name, str(value)) for name, value in (("min-width", min_width), ("min-height", min_height)) if value]
    if near is not None:
        pairs.append(("near", f"{near[0]},{near[1]}"))
    return pairs + [(f"param.{name}", value) for name, value in (parameters or {}).items()]


def _download_request(images: Iterable[Item | str], folder: str | None) -> dict[str, Any]:
    items = [image if isinstance(image, str) else dict(image.json) for image in images]
    return {"items": items} if folder is None else {"items": items, "folder": folder}


def _server_arguments(sample: bool, offline: bool, arguments: Sequence[str]) -> list[str]:
    return [*(["--sample"] if sample else []), *(["--offline"] if offline else []), *arguments]


class _Events:
    """Reads server-sent events line by line."""

    def __init__(self) -> None:
        self._name, self._data = "message", ""

    def add(self, line: str) -> tuple[str, dict[str, Any]] | None:
        if line:
            name, _, value = line.partition(":")
            value = value.removeprefix(" ")
            if name == "event":
                self._name = value
            elif name == "data":
                self._data += value
            return None
        event, data = self._name, self._data
        self._name, self._data = "message", ""
        found = json.loads(data) if data else None
        return (event, found) if isinstance(found, dict) else None


class _Progress:
    """What a download's events have told so far."""

    def __init__(self, download: Download, on_progress: Callable[[Download], object] | None) -> None:
        self.download = download
        self._files: list[DownloadedFile] = []
        self._on_progress = on_progress

    def add(self, name: str, value: Mapping[str, Any]) -> None:
        if name == "file":
            self._files.append(
                DownloadedFile(
                    str(value.get("ref", "")), value.get("path"), bool(value.get("skipped")), value.get("error")))
        elif "state" in value and "id" in value:
            self.download = Download.from_json(value, self._files)
            if self._on_progress is not None:
                self._on_progress(self.download)

    @property
    def is_done(self) -> bool:
        return self.download.state != "running"

    def result(self, state: Mapping[str, Any]) -> Download:
        """The end, with the state that the server gives in the end."""
        download = Download.from_json(state, self._files)
        if download.state == "failed":
            raise ImgScriptError(f"the download failed: {download.error}")
        return download


def _checked(response: httpx.Response) -> httpx.Response:
    if response.status_code >= 400:
        raise APIError.from_response(response)
    return response


class Client:
    """A client of a server that runs, or of one that it starts and ends itself.

    >>> with Client(sample=True) as client:
    ...     [image.ref for image in client.search("coffee", providers=["pixabay"], limit=1)]
    ...     client.details("pixabay:99100000").license
    ['pixabay:99100000']
    License(id='pixabay', name='Pixabay Content License', url='https://pixabay.com/service/license-summary/')
    """

    def __init__(
        self, url: str | None = None, token: str | None = None, *, sample: bool = False, offline: bool = False,
        directory: str | os.PathLike[str] | None = None, arguments: Sequence[str] = (), program: str | None = None,
        timeout: float = 120,
    ) -> None:
        """Connects to `url` with its `token`; without them, starts `imgscript serve` with these options.

        `directory` is the folder of downloads, `arguments` are further options of the program.
        """
        self._server: Server | None = None
        if url is None:
            self._server = Server(_server_arguments(sample, offline, arguments), program=program, directory=directory)
            url, token = self._server.url, self._server.token
        self._http = httpx.Client(
            base_url=url, headers={"Authorization": f"Bearer {token}"} if token else {}, timeout=timeout, trust_env=False)

    def close(self) -> None:
        """Closes the connections, and ends the server if it was started here."""
        self._http.close()
        if self._server is not None:
            self._server.close()

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _json(self, method: str, path: str, **arguments: Any) -> Any:
        return _checked(self._http.request(method, "/api/v1" + path, **arguments)).json()

    def search(
        self, text: str, providers: Sequence[str] = (), *, limit: int | None = 100, licenses: Sequence[str] = (),
        tags: Sequence[str] = (), min_width: int | None = None, min_height: int | None = None,
        near: tuple[float, float] | None = None, parameters: Mapping[str, str] | None = None,
    ) -> Images:
        """Searches for images; `limit` is their number in all, None for all there are."""
        return Images(
            self, _parameters(
                ("q", text), providers, licenses=licenses, tags=tags, min_width=min_width, min_height=min_height,
                near=near, parameters=parameters), limit)

    def feed(self, providers: Sequence[str] = (), *, limit: int | None = 100, **conditions: Any) -> Images:
        """Lists recent, popular or editorial images, with the conditions of `search`."""
        return Images(self, _parameters(("feed", ""), providers, **conditions), limit)

    def collection(self, ref: str, *, limit: int | None = 100, **conditions: Any) -> Images:
        """Lists the images of a collection, `PROVIDER:ID`, with the conditions of `search`."""
        return Images(self, _parameters(("collection", ref), (), **conditions), limit)

    def details(self, ref: str) -> Item:
        """Everything that a source says about an image: `PROVIDER:ID`, or the URL of its page."""
        return Item.from_json(self._json("GET", "/details", params={"ref": ref}), self.fetch)

    def providers(self) -> list[Provider]:
        """The installed sources."""
        return [Provider.from_json(value) for value in self._json("GET", "/providers")["providers"]]

    def fetch(self, path: str) -> tuple[bytes, str]:
        """The bytes and the media type of a picture, by its path on the server."""
        response = _checked(self._http.get(path))
        return response.content, response.headers.get("content-type", "application/octet-stream")

    def download(
        self, images: Iterable[Item | str], folder: str | None = None, *,
        on_progress: Callable[[Download], object] | None = None,
    ) -> Download:
        """Downloads images, or references, into a folder below that of the server; cancelled when it is interrupted."""
        progress = _Progress(
            Download.from_json(self._json("POST", "/downloads", json=_download_request(images, folder))), on_progress)
        address = f"/api/v1/downloads/{progress.download.id}"
        try:
            events = _Events()
            with self._http.stream("GET", address + "/events", timeout=None) as response:
                if response.status_code >= 400:
                    response.read()
                for line in _checked(response).iter_lines():
                    if event := events.add(line):
                        progress.add(*event)
            return progress.result(_checked(self._http.get(address)).json())
        except BaseException:
            if not progress.is_done:
                self._http.delete(address)
            raise


class AsyncClient:
    """The same for programs with asyncio.

    >>> async def titles() -> list[str]:
    ...     async with AsyncClient(sample=True) as client:
    ...         return [image.ref async for image in client.search("coffee", providers=["pixabay"], limit=1)]
    >>> asyncio.run(titles())
    ['pixabay:99100000']
    """

    def __init__(
        self, url: str | None = None, token: str | None = None, *, sample: bool = False, offline: bool = False,
        directory: str | os.PathLike[str] | None = None, arguments: Sequence[str] = (), program: str | None = None,
        timeout: float = 120,
    ) -> None:
        """Takes what `Client` does; a server is started by `async with`."""
        self._url, self._token, self._timeout = url, token, timeout
        self._start = lambda: Server(
            _server_arguments(sample, offline, arguments), program=program, directory=directory)
        self._server: Server | None = None
        self._connected: httpx.AsyncClient | None = None

    async def __aenter__(self) -> AsyncClient:
        if self._url is None:
            self._server = await asyncio.to_thread(self._start)
            self._url, self._token = self._server.url, self._server.token
        headers = {"Authorization": f"Bearer {self._token}"} if self._token else {}
        self._connected = httpx.AsyncClient(base_url=self._url, headers=headers, timeout=self._timeout, trust_env=False)
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        """Closes the connections, and ends the server if it was started here."""
        if self._connected is not None:
            await self._connected.aclose()
        if self._server is not None:
            await asyncio.to_thread(self._server.close)

    @property
    def _http(self) -> httpx.AsyncClient:
        if self._connected is None:
            raise ImgScriptError("the client is not connected (expected async with)")
        return self._connected

    async def _json(self, method: str, path: str, **arguments: Any) -> Any:
        return _checked(await self._http.request(method, "/api/v1" + path, **arguments)).json()

    def search(
        self, text: str, providers: Sequence[str] = (), *, limit: int | None = 100, licenses: Sequence[str] = (),
        tags: Sequence[str] = (), min_width: int | None = None, min_height: int | None = None,
        near: tuple[float, float] | None = None, parameters: Mapping[str, str] | None = None,
    ) -> AsyncImages:
        """Searches for images; `limit` is their number in all, None for all there are."""
        return AsyncImages(
            self, _parameters(
                ("q", text), providers, licenses=licenses, tags=tags, min_width=min_width, min_height=min_height,
                near=near, parameters=parameters), limit)

    def feed(self, providers: Sequence[str] = (), *, limit: int | None = 100, **conditions: Any) -> AsyncImages:
        """Lists recent, popular or editorial images, with the conditions of `search`."""
        return AsyncImages(self, _parameters(("feed", ""), providers, **conditions), limit)

    def collection(self, ref: str, *, limit: int | None = 100, **conditions: Any) -> AsyncImages:
        """Lists the images of a collection, `PROVIDER:ID`, with the conditions of `search`."""
        return AsyncImages(self, _parameters(("collection", ref), (), **conditions), limit)

    async def details(self, ref: str) -> Item:
        """Everything that a source says about an image: `PROVIDER:ID`, or the URL of its page."""
        return Item.from_json(await self._json("GET", "/details", params={"ref": ref}))

    async def providers(self) -> list[Provider]:
        """The installed sources."""
        return [Provider.from_json(value) for value in (await self._json("GET", "/providers"))["providers"]]

    async def fetch(self, path: str) -> tuple[bytes, str]:
        """The bytes and the media type of a picture, by its path on the server."""
        response = _checked(await self._http.get(path))
        return response.content, response.headers.get("content-type", "application/octet-stream")

    async def download(
        self, images: Iterable[Item | str], folder: str | None = None, *,
        on_progress: Callable[[Download], object] | None = None,
    ) -> Download:
        """Downloads images, or references, into a folder below that of the server; cancelled with its task."""
        request = _download_request(images, folder)
        progress = _Progress(Download.from_json(await self._json("POST", "/downloads", json=request)), on_progress)
        address = f"/api/v1/downloads/{progress.download.id}"
        try:
            events = _Events()
            async with self._http.stream("GET", address + "/events", timeout=None) as response:
                if response.status_code >= 400:
                    await response.aread()
                async for line in _checked(response).aiter_lines():
                    if event := events.add(line):
                        progress.add(*event)
            return progress.result(_checked(await self._http.get(address)).json())
        except BaseException:
            if not progress.is_done:
                await asyncio.shield(self._http.delete(address))
            raise

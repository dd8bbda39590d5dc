"""The typed values of the API."""

from __future__ import annotations

import base64
import html
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any


def _text(json: Mapping[str, Any], name: str) -> str | None:
    value = json.get(name)
    return value if isinstance(value, str) else None


def _integer(json: Mapping[str, Any], name: str) -> int | None:
    value = json.get(name)
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _texts(json: Mapping[str, Any], name: str) -> tuple[str, ...]:
    return tuple(value for value in json.get(name) or () if isinstance(value, str))


@dataclass(frozen=True, slots=True)
class License:
    """A licence, as the source states it."""

    id: str
    name: str | None = None
    url: str | None = None

    @classmethod
    def from_json(cls, json: Mapping[str, Any]) -> License:
        return cls(json["id"], _text(json, "name"), _text(json, "url"))


@dataclass(frozen=True, slots=True)
class Author:
    """Who made an image."""

    name: str
    id: str | None = None
    url: str | None = None

    @classmethod
    def from_json(cls, json: Mapping[str, Any]) -> Author:
        return cls(json["name"], _text(json, "id"), _text(json, "url"))


@dataclass(frozen=True, slots=True)
class Media:
    """A file of an image, at the source."""

    role: str
    url: str
    width: int | None = None
    height: int | None = None
    bytes: int | None = None
    format: str | None = None
    type: str | None = None
    #: Which of the item's files it is a size of.
    file: int = 1

    @classmethod
    def from_json(cls, json: Mapping[str, Any]) -> Media:
        return cls(
            json["role"], json["url"], _integer(json, "width"), _integer(json, "height"), _integer(json, "bytes"),
            _text(json, "format"), _text(json, "type"), _integer(json, "file") or 1)


@dataclass(frozen=True, slots=True)
class Picture:
    """A file to show, by way of the server."""

    url: str
    width: int | None = None
    height: int | None = None

    @classmethod
    def from_json(cls, json: Mapping[str, Any]) -> Picture:
        return cls(json["url"], _integer(json, "width"), _integer(json, "height"))


@dataclass(frozen=True, slots=True)
class Attribution:
    """The credit of an image, to be shown with it unchanged."""

    text: str
    html: str
    markdown: str

    @classmethod
    def from_json(cls, json: Mapping[str, Any]) -> Attribution:
        return cls(json["text"], json["html"], json["markdown"])


@dataclass(frozen=True, slots=True)
class Item:
    """An image or a collection.

    In a notebook it shows its picture and its credit. `json` has everything that the server sent.

    >>> fox = Item.from_json({
    ...     "provider": "met", "id": "7", "ref": "met:7", "type": "image", "title": "A <fox>", "pictures": {},
    ...     "license": {"id": "cc0-1.0", "name": "CC0"}, "media": [{"role": "original", "url": "https://a.example/7.jpg"}],
    ...     "attribution": {"text": "Ana, CC0", "html": "Ana, <b>CC0</b>", "markdown": "Ana, CC0"}})
    >>> fox.title, fox.license, fox.media[0].url
    ('A <fox>', License(id='cc0-1.0', name='CC0', url=None), 'https://a.example/7.jpg')
    >>> fox._repr_mimebundle_()["text/plain"]
    'A <fox>\\nAna, CC0'
    """

    provider: str
    id: str
    ref: str
    type: str
    title: str | None
    description: str | None
    alt: str | None
    page: str | None
    author: Author | None
    license: License | None
    attribution: Attribution | None
    created: str | None
    tags: tuple[str, ...]
    media: tuple[Media, ...]
    pictures: Mapping[str, Picture]
    rating: str | None
    ai_generated: bool | None
    json: Mapping[str, Any] = field(repr=False, compare=False)
    _fetch: Callable[[str], tuple[bytes, str]] | None = field(default=None, repr=False, compare=False)

    @classmethod
    def from_json(
        cls, json: Mapping[str, Any], fetch: Callable[[str], tuple[bytes, str]] | None = None
    ) -> Item:
        """Reads an item of the API, a line of `--format jsonl`, or a sidecar."""
        author, license = json.get("author"), json.get("license")
        attribution, generated = json.get("attribution"), json.get("aiGenerated")
        return cls(
            provider=json["provider"], id=json["id"], ref=json.get("ref") or f"{json['provider']}:{json['id']}",
            type=json.get("type") or "image", title=_text(json, "title"), description=_text(json, "description"),
            alt=_text(json, "alt"), page=_text(json, "page"),
            author=Author.from_json(author) if isinstance(author, dict) else None,
            license=License.from_json(license) if isinstance(license, dict) else None,
            attribution=Attribution.from_json(attribution) if isinstance(attribution, dict) else None,
            created=_text(json, "created"), tags=_texts(json, "tags"),
            media=tuple(Media.from_json(media) for media in json.get("media") or ()),
            pictures={name: Picture.from_json(value) for name, value in (json.get("pictures") or {}).items()},
            rating=_text(json, "rating"), ai_generated=generated if isinstance(generated, bool) else None, json=json,
            _fetch=fetch)

    @property
    def credit(self) -> str:
        """The line to show with the image."""
        if self.attribution is not None:
            return self.attribution.text
        stated = self.json.get("credit")
        if isinstance(stated, str):
            return stated
        parts = [self.title, self.author and self.author.name, self.license and (self.license.name or self.license.id)]
        return ", ".join([part for part in parts if part] + [f"via {self.provider}"])

    def picture(self, name: str = "preview") -> tuple[bytes, str]:
        """The bytes and the media type of a picture: `thumbnail`, `preview` or `full`."""
        picture = self.pictures.get(name) or next(iter(self.pictures.values()), None)
        if picture is None or self._fetch is None:
            raise LookupError(f"{self.ref} has no picture")
        return self._fetch(picture.url)

    def _caption(self) -> str:
        credit = self.attribution.html if self.attribution else html.escape(self.credit)
        return f"<figcaption>{credit}</figcaption>"

    def _repr_html_(self) -> str:
        """The picture with its credit, as a notebook shows it."""
        image = ""
        try:
            content, kind = self.picture("thumbnail")
        except Exception:  # What cannot be shown is named; a cell never fails by being shown.
            image = f"<b>{html.escape(self.title or self.ref)}</b>"
        else:
            data = base64.b64encode(content).decode()
            image = f'<img alt="{html.escape(self.alt or self.title or self.ref)}" src="data:{kind};base64,{data}">'
        page = self.page if self.page and self.page.startswith(("https://", "http://")) else None
        if page:
            image = f'<a href="{html.escape(page)}">{image}</a>'
        return f'<figure style="display:inline-block;max-width:320px">{image}{self._caption()}</figure>'

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, str]:
        return {"text/plain": f"{self.title or self.ref}\n{self.credit}", "text/html": self._repr_html_()}


@dataclass(frozen=True, slots=True)
class Provider:
    """A source of images."""

    id: str
    name: str
    summary: str | None
    license: str | None
    operations: tuple[str, ...]
    needs_key: bool
    #: Why it cannot be used; None where it can.
    error: str | None
    json: Mapping[str, Any] = field(repr=False, compare=False)

    @classmethod
    def from_json(cls, json: Mapping[str, Any]) -> Provider:
        operations = tuple(operation["kind"] for operation in json.get("operations") or ())
        return cls(
            json["id"], json["name"], _text(json, "summary"), _text(json, "license"), operations,
            json.get("key") == "required", _text(json, "error"), json)

"""What can go wrong."""

from __future__ import annotations

from typing import Any

import httpx


class ImgScriptError(Exception):
    """Any failure of this package."""


class ProgramNotFound(ImgScriptError):
    """The program imgscript is not installed, or cannot be started."""


class APIError(ImgScriptError):
    """The server answered with an error.

    It reads problem details (RFC 9457) and the errors of servers before them.

    >>> error = APIError.of(404, {"type": "about:blank", "title": "Not Found", "detail": "no such image"})
    >>> error.status, error.code, str(error)
    (404, 'Not Found', 'no such image')
    >>> str(APIError.of(422, {"error": {"code": "auth", "message": "needs a key", "hint": "imgscript auth set"}}))
    'needs a key\\nhint: imgscript auth set'
    """

    def __init__(self, status: int, code: str, message: str, hint: str | None = None) -> None:
        super().__init__(message if hint is None else f"{message}\nhint: {hint}")
        self.status = status
        self.code = code
        self.message = message
        self.hint = hint

    @classmethod
    def of(cls, status: int, body: Any) -> APIError:
        """Reads the body of an answer, whatever it is."""
        found = body if isinstance(body, dict) else {}
        inner = found.get("error")
        if isinstance(inner, dict):
            found = inner

        def text(*names: str) -> str | None:
            return next((found[name] for name in names if isinstance(found.get(name), str) and found[name]), None)

        code = text("code")
        if code is None and (kind := text("type")) and kind != "about:blank":
            code = kind.rstrip("/").rsplit("/", 1)[-1].rsplit("#", 1)[-1].rsplit(":", 1)[-1]
        message = text("message", "detail", "title") or f"the server answered with status {status}"
        return cls(status, code or text("title") or "unknown", message, text("hint"))

    @classmethod
    def from_response(cls, response: httpx.Response) -> APIError:
        try:
            body = response.json()
        except ValueError:
            body = None
        return cls.of(response.status_code, body)


class SearchError(ImgScriptError):
    """Every provider of a listing failed."""

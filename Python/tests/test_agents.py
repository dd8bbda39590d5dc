"""`imgscript mcp` with the official client of the Model Context Protocol, which holds results to their schemas."""

from __future__ import annotations

import base64
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from imgscript import find_program

pytest.importorskip("mcp")

import anyio  # noqa: E402
from mcp import Client, MCPError, StdioServerParameters  # noqa: E402


@asynccontextmanager
async def agent(arguments: list[str], folder: Path, *options: str) -> AsyncIterator[Client]:
    """An agent's client, with a home of its own."""
    home = folder / "home"
    home.mkdir(exist_ok=True)
    server = StdioServerParameters(
        command=find_program(), args=["mcp", *arguments, *options], env={"HOME": str(home), "PATH": "/usr/bin:/bin"})
    async with Client(server) as client:
        yield client


def run(session: Callable[[], Awaitable[None]]) -> None:
    anyio.run(session)


async def call(client: Client, tool: str, /, **arguments: Any) -> dict[str, Any]:
    """The structured result of a tool that has to succeed."""
    result = await client.call_tool(tool, arguments)
    assert not result.is_error, result.content
    assert isinstance(result.structured_content, dict)
    return result.structured_content


def test_agent_finds_credits_and_downloads(arguments: list[str], tmp_path: Path) -> None:
    async def session() -> None:
        async with agent(arguments, tmp_path, "--directory", str(tmp_path / "pictures")) as client:
            assert client.protocol_version == "2025-11-25"
            assert client.instructions and "credit" in client.instructions
            names = [tool.name for tool in (await client.list_tools()).tools]
            assert "download_images" in names and "draft_provider" not in names

            found = await call(client, "search_images", query="lake", limit=10)
            # The ninth has no stated licence.
            assert [image["ref"] for image in found["images"]] == [f"lakes:{n}" for n in [*range(1, 9), 10, 11]]
            assert found["left_out"] == 1 and "include_unlicensed" in found["notes"][0]
            assert all("CC0" in image["credit"] and "Ana" in image["credit"] for image in found["images"])
            more = await call(client, "search_images", query="lake", limit=10, cursor=found["next_cursor"])
            assert more["images"][0]["ref"] == "lakes:12"
            every = await call(client, "search_images", query="lake", limit=10, include_unlicensed=True)
            assert every["images"][8]["ref"] == "lakes:9" and "license" not in every["images"][8]

            shown = await client.call_tool("get_image", {"ref": "lakes:7"})
            picture = shown.content[0]
            assert picture.type == "image" and picture.mime_type == "image/png"
            assert base64.b64decode(picture.data).startswith(b"\x89PNG")
            refused = await client.call_tool("get_image", {"ref": "lakes:9"})
            assert refused.is_error and "no stated licence" in str(refused.content)

            steps: list[float] = []

            async def count(progress: float, total: float | None, message: str | None) -> None:
                steps.append(progress)

            result = await client.call_tool(
                "download_images", {"refs": ["lakes:1", "lakes:2", "lakes:9"], "folder": "some/lakes"},
                progress_callback=count)
            downloaded = result.structured_content
            assert isinstance(downloaded, dict) and downloaded["left_out"] == 1 and downloaded["failures"] == []
            assert {file["ref"] for file in downloaded["files"]} == {"lakes:1", "lakes:2"}
            folder = tmp_path / "pictures" / "some" / "lakes"
            assert all((folder / file["path"]).is_file() for file in downloaded["files"])
            assert "Ana" in (folder / "credits.md").read_text() and steps == sorted(set(steps)) != []

    run(session)


def test_agent_adds_a_source(arguments: list[str], tmp_path: Path) -> None:
    async def session() -> None:
        providers = tmp_path / "own"
        async with agent(arguments, tmp_path, "--authoring", str(providers)) as client:
            origin = "http://" + arguments[arguments.index("--allow-host") + 1]
            draft = await call(
                client, "draft_provider", name="ponds", request=f"{origin}/search?q=lake&page=1&n=20", text="lake")
            assert (providers / "ponds.js").is_file() and "module.exports" in draft["script"]
            checked = await call(client, "check_provider", name="ponds")
            assert checked["usable"]
            tested = await call(client, "test_provider", name="ponds")
            assert tested["failed"] == 0 and tested["passed"] > 5
            found = await call(client, "search_images", query="lake", providers=["ponds"], include_unlicensed=True, limit=3)
            assert len(found["images"]) == 3
            broken = await call(client, "check_provider", name="ponds", script="module.exports = {")
            assert not broken["usable"] and broken["findings"]
            for name in ("lakes", "../ponds", "Ponds", ""):
                refused = await client.call_tool("check_provider", {"name": name, "script": "module.exports = {}"})
                assert refused.is_error, name
            assert sorted(path.name for path in tmp_path.iterdir()) == ["home", "own"]

    run(session)


def test_hostile_arguments_are_told_of(arguments: list[str], tmp_path: Path) -> None:
    hostile: list[tuple[str, dict[str, Any]]] = [
        ("search_images", {}), ("search_images", {"query": "x" * 501}), ("search_images", {"query": "a", "limit": 10**30}),
        ("search_images", {"query": "a", "providers": ["../../etc/passwd"]}),
        ("search_images", {"query": "a", "cursor": "AAAA"}), ("search_images", {"query": "a", "since": "\u202e"}),
        ("similar_images", {"image": "/etc/passwd"}), ("similar_images", {"image": "file:///etc/passwd"}),
        ("image_details", {"ref": "http://169.254.169.254/latest/meta-data"}), ("image_details", {"ref": "lakes:\0"}),
        ("get_image", {"ref": "lakes:1", "max_side": 1_000_000}),
        ("download_images", {"refs": ["lakes:1"], "folder": "../out"}), ("download_images", {"refs": ["/etc/passwd"]}),
        ("download_images", {"refs": ["lakes:1"], "folder": "/etc"}), ("download_images", {"refs": []}),
    ]

    async def session() -> None:
        async with agent(arguments, tmp_path, "--directory", str(tmp_path / "pictures")) as client:
            for name, values in hostile:
                result = await client.call_tool(name, values)
                assert result.is_error and str(result.content).count("error: ") == 1, (name, values, result)
            for uri in ("file:///etc/passwd", "imgscript://image/", "imgscript://image/lakes%3A9", "imgscript://credits/.."):
                with pytest.raises(MCPError):
                    await client.read_resource(uri)
            with pytest.raises(MCPError):
                await client.call_tool("draft_provider", {"name": "a", "request": "https://a.example"})
        assert [path.name for path in tmp_path.iterdir()] == ["home"]

    run(session)


def test_calls_are_answered_side_by_side_and_can_be_cancelled(arguments: list[str], tmp_path: Path) -> None:
    async def session() -> None:
        answers: dict[int, str] = {}
        async with agent(arguments, tmp_path) as client:

            async def details(number: int) -> None:
                found = await call(client, "image_details", ref=f"lakes:{number}")
                answers[number] = found["image"]["ref"]

            async with anyio.create_task_group() as group:
                for number in range(1, 1_001):
                    group.start_soon(details, number)
            assert answers == {number: f"lakes:{number}" for number in range(1, 1_001)}

            with anyio.move_on_after(0.01) as scope:
                await client.call_tool("list_providers", {})
            assert scope.cancelled_caught
            assert (await call(client, "image_details", ref="lakes:1"))["image"]["ref"] == "lakes:1"

    run(session)


def test_prompts_and_resources_are_listed(arguments: list[str], tmp_path: Path) -> None:
    async def session() -> None:
        async with agent(arguments, tmp_path) as client:
            assert [prompt.name for prompt in (await client.list_prompts()).prompts] == ["illustrate_text", "check_license"]
            prompt = await client.get_prompt("illustrate_text", {"text": "Lakes are deep.", "pictures": "2"})
            assert "Lakes are deep." in str(prompt.messages[0].content)
            templates = (await client.list_resource_templates()).resource_templates
            assert [template.uri_template for template in templates][0] == "imgscript://image/{ref}"
            credit = (await client.read_resource("imgscript://credit/lakes%3A7")).contents[0]
            assert "Ana" in str(credit) and "CC0" in str(credit)
            picture = (await client.read_resource("imgscript://image/lakes%3A7")).contents[0]
            assert getattr(picture, "mime_type", None) == "image/png"

    run(session)

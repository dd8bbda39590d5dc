"""Writes seeds for `make fuzz` from a folder of other projects' test suites.

usage: fuzz-seeds.py SUITES FOLDER

FOLDER gets a folder for each target that a suite has something for. A suite that is not there is left out.
"""

import json
import pathlib
import re
import sys

LONGEST, IMAGES = 32 << 10, 150


def files(folder):
    return sorted(path for path in folder.rglob("*") if path.is_file()) if folder.exists() else []


def json_of(path):
    return json.loads(path.read_text("utf-8")) if path.exists() else []


def json_texts(suites):
    for path in files(suites / "nst+JSONTestSuite/test_parsing"):
        yield path.read_bytes()


def urls(suites):
    for test in json_of(suites / "ada-url+ada/tests/wpt/urltestdata.json"):
        if isinstance(test, dict):
            base = test.get("base") or "http://example.com/a/b"
            # A URL, a reference, and a query pair, each in its line.
            yield "\n".join([base, test["input"].replace("\n", "\t"), "a", "b"]).encode("utf-8", "replace")
    for test in json_of(suites / "ada-url+ada/tests/wpt/toascii.json"):
        if isinstance(test, dict):
            yield f"http://{test['input']}/".encode("utf-8", "replace")


def set_cookies(suites):
    for path in files(suites / "abarth+http-state/tests/data/parser"):
        if path.name.endswith("-test"):
            lines = [line[11:].strip() for line in path.read_bytes().splitlines() if line.lower().startswith(b"set-cookie:")]
            yield b"\n".join([b"http://home.example.org:8888/cookie-parser"] + lines)


def cookie_files(suites):
    for path in files(suites / "yt-dlp+yt-dlp/test/testdata/cookies"):
        yield path.read_bytes()


def dates(suites):
    for name in ("examples.json", "bsd-examples.json"):
        path = suites / "abarth+http-state/tests/data/dates" / name
        yield from re.findall(rb'"test": *"([^"]*)"', path.read_bytes() if path.exists() else b"")
    for path in (suites / "sdists").glob("feedparser-*/tests/wellformed/date/*.xml"):
        yield from re.findall(rb"<(?:pubDate|published|updated|issued|modified|dc:date)>([^<]*)</", path.read_bytes())


def response_heads(suites):
    for path in files(suites / "curl+curl/tests/data"):
        found = re.search(rb"<data[^>]*>\n(HTTP/.*?)\n\n", path.read_bytes().replace(b"%CR", b"").replace(b"\r", b""), re.S)
        if found:
            yield b"\x01" + found[1] + b"\n\n"


def images(suites):
    kinds = {}
    for line in (suites / "images/manifest.tsv").read_text().splitlines() if (suites / "images").exists() else ():
        name, length, kind = line.split("\t")[:3]
        if int(length) <= LONGEST and kinds.setdefault(kind, 0) < IMAGES:
            kinds[kind] += 1
            yield (suites / "images/src" / name).read_bytes()[: int(length)]


TARGETS = {
    "json": json_texts, "urls": urls, "set-cookies": set_cookies, "cookie-files": cookie_files, "dates": dates,
    "response-heads": response_heads, "images": images,
}


def main():
    suites, folder = map(pathlib.Path, sys.argv[1:3])
    for target, seeds in TARGETS.items():
        place = folder / target
        place.mkdir(parents=True, exist_ok=True)
        known = {seed for seed in seeds(suites) if 0 < len(seed) <= LONGEST}
        for number, seed in enumerate(sorted(known)):
            (place / str(number)).write_bytes(seed)
        print(f"{target:16} {len(known):6} seeds", file=sys.stderr)


if __name__ == "__main__":
    main()

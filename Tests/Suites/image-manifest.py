"""Lists the images of a folder, with what Pillow and libvips make of each and of its beginnings.

usage: image-manifest.py FOLDER >manifest.tsv

FOLDER holds other projects' source trees, one a folder. Each line has the path, the number of bytes taken (a cut, or the
whole file), the format, `good` or `broken`, and the size: good is a file that one of the two decodes without complaint; a cut
is good if that gives the same pixels as the whole file. At most 150 files of each format come from each tree.
Needs Pillow, pillow-heif, pyvips with libvips, and pillow-jxl-plugin.
"""

import collections
import hashlib
import io
import logging
import multiprocessing
import os
import pathlib
import sys
import warnings

import pillow_heif
import pillow_jxl  # noqa: F401
import pyvips
from PIL import Image, ImageSequence

FORMATS = {
    "jpg": "jpeg", "jpeg": "jpeg", "png": "png", "apng": "png", "gif": "gif", "webp": "webp", "avif": "avif", "heic": "heic",
    "heif": "heic", "hif": "heic", "jxl": "jxl", "tif": "tiff", "tiff": "tiff", "bmp": "bmp", "dib": "bmp", "ico": "ico",
    "svg": "svg",
}
NAMES = {
    "JPEG": "jpeg", "MPO": "jpeg", "PNG": "png", "GIF": "gif", "WEBP": "webp", "AVIF": "avif", "HEIF": "heic", "JXL": "jxl",
    "TIFF": "tiff", "BMP": "bmp", "ICO": "ico", "svgload": "svg", "jxlload": "jxl", "tiffload": "tiff", "heifload": "heic",
    "gifload": "gif", "jpegload": "jpeg", "pngload": "png", "webpload": "webp", "magickload": "bmp",
}
PER_TREE, CUTS_PER_TREE, CUTS_PER_FORMAT = 150, 10, 60
LONGEST, FRAMES, LARGEST = 8 << 20, 20, 100_000_000


def pillow(data):
    """The format, size and pixels' digest by Pillow; None where it refuses the file."""
    try:
        image = Image.open(io.BytesIO(data))
        size, digest = image.size, hashlib.md5(str(getattr(image, "n_frames", 1)).encode())
        for number, frame in enumerate(ImageSequence.Iterator(image)):
            if number < FRAMES:
                frame.load()
                digest.update(repr(frame.size).encode() + frame.tobytes())
        for side in sorted(image.ico.sizes()) if image.format == "ICO" else ():
            digest.update(image.ico.getimage(side).tobytes())
        return NAMES.get(image.format, image.format), size, digest.hexdigest()
    except Image.DecompressionBombWarning:
        return "too large", size if "size" in locals() else (0, 0), ""
    except Exception:
        return None


def vips(data):
    """The same by libvips."""
    try:
        image = pyvips.Image.new_from_buffer(data, "", fail_on="error")
        loader = image.get("vips-loader").removesuffix("_buffer")
        size = (image.width, image.height)
        # libvips has no other decoder of bitmaps; of other formats, ImageMagick shows what there is of a file.
        if "magick" in loader and not data.startswith(b"BM"):
            return None
        if size[0] * size[1] > LARGEST:
            return "too large", size, ""
        pages = image.get("n-pages") if image.get_typeof("n-pages") else 1
        if loader in ("gifload", "webpload", "tiffload") and pages > 1:
            image = pyvips.Image.new_from_buffer(data, "", fail_on="error", n=min(pages, FRAMES))
        digest = hashlib.md5(bytes(image.write_to_memory()) + str(pages).encode()).hexdigest()
        return NAMES.get(loader, loader), size, digest
    except Exception:
        return None


def judge(jobs, results):
    Image.MAX_IMAGE_PIXELS = LARGEST
    warnings.simplefilter("error", Image.DecompressionBombWarning)
    logging.disable(logging.CRITICAL)
    while True:
        data = jobs.recv_bytes()
        results.send((pillow(data), vips(data)))


class Judges:
    """Both decoders, in a process of their own, which may crash or hang."""

    def __init__(self):
        self.process = None

    def start(self):
        jobs, self.jobs = multiprocessing.Pipe(False)
        self.results, results = multiprocessing.Pipe(False)
        self.process = multiprocessing.Process(target=judge, args=(jobs, results), daemon=True)
        self.process.start()
        jobs.close()
        results.close()

    def __call__(self, data):
        if not self.process:
            self.start()
        try:
            self.jobs.send_bytes(data)
            if self.results.poll(60):
                return self.results.recv()
        except (EOFError, OSError):
            pass
        self.process.kill()
        self.process.join()
        self.process = None
        return None, None


def files(folder):
    found, seen = collections.defaultdict(list), set()
    for path in sorted(folder.rglob("*")):
        ending = path.suffix[1:].lower()
        if ending not in FORMATS or not path.is_file() or path.is_symlink() or not 0 < path.stat().st_size <= LONGEST:
            continue
        data = path.read_bytes()
        digest = hashlib.md5(data).digest()
        if digest not in seen:
            seen.add(digest)
            found[path.relative_to(folder).parts[0], FORMATS[ending]].append((digest, path))
    for group in found.values():
        yield from ((path, FORMATS[path.suffix[1:].lower()]) for _, path in sorted(group)[:PER_TREE])


def main():
    judged = Judges()
    folder, cuts = pathlib.Path(sys.argv[1]), collections.Counter()
    for path, listed in files(folder):
        data = path.read_bytes()
        results = judged(data)
        known = [result for result in results if result]
        name = path.relative_to(folder)
        # Another kind of file under this name, or one that is not decoded here.
        if known and known[0][0] not in FORMATS.values() or any(result[0] == "too large" for result in known):
            continue
        kind = known[0][0] if known else listed
        # libvips gives an AVIF file the name of its loader.
        kind = listed if kind == "heic" and listed == "avif" else kind
        # Pillow leaves it to its caller to crop and turn an AVIF file's picture.
        size = "%d\t%d" % known[-1 if kind == "avif" else 0][1] if known else "\t"
        print(name, len(data), kind, "good" if known else "broken", size, sep="\t", flush=True)
        tree = name.parts[0]
        if not known or len(data) < 200 or cuts[kind] >= CUTS_PER_FORMAT or cuts[tree, kind] >= CUTS_PER_TREE:
            continue
        cuts.update([kind, (tree, kind)])
        for percent in (30, 60, 95):
            length = len(data) * percent // 100
            same = any(part and part[2] == whole[2] for part, whole in zip(judged(data[:length]), results) if whole)
            print(name, length, kind, "good" if same else "broken", size if same else "\t", sep="\t", flush=True)


if __name__ == "__main__":
    os.nice(10)
    Image.init()
    pillow_heif.register_heif_opener()
    multiprocessing.set_start_method("fork")
    main()

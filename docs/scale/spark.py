#!/usr/bin/env python3
"""Downloads a list with Apache Spark: each task takes one fixed part of it with imgscript download --shard.

    spark-submit docs/scale/spark.py --list /data/foxes.jsonl --parts 64 --directory '/data/foxes/{part}'
    python3 docs/scale/spark.py --master 'local[4,4]' --list foxes.jsonl --parts 8 --directory foxes

List and folder have to be on a file system that all workers see; {part} gives each part a folder of its own, as a network
folder needs it (docs/scale.md). What follows `--` goes to imgscript. A part fails, and is run again, when more of its downloads
fail than --max-failures says; all that failed is in one list in the end, which --list takes.
"""
import argparse
import collections
import json
import pathlib
import subprocess
import sys
import tempfile


def read_arguments():
    own, rest = sys.argv[1:], []
    if "--" in own:
        own, rest = own[: own.index("--")], own[own.index("--") + 1 :]
    reader = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    reader.add_argument("--list", required=True, help="what to download: lines of a search's jsonl, ids or addresses")
    reader.add_argument("--parts", type=int, required=True, help="into how many parts the list is cut")
    reader.add_argument("--directory", required=True)
    reader.add_argument("--max-failures", default="5%", help="how many downloads of a part may fail: 100 or 5%% (default)")
    reader.add_argument("--failed", default="failed.jsonl", help="the list of all that failed (default: failed.jsonl)")
    reader.add_argument("--master", help="the cluster; spark-submit knows it by itself")
    reader.add_argument("--imgscript", default="imgscript")
    return reader.parse_args(own), rest


def download(command, name):
    """Runs a part; returns its totals, and raises where it has to run again."""
    totals = {}
    with tempfile.TemporaryFile("w+") as errors:
        running = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=errors, text=True)
        for line in running.stdout:
            if line.startswith('{"event":"summary"'):
                totals = json.loads(line)
        # Spark runs a failed task again, on another machine if need be: what is there is not fetched twice.
        if running.wait() != 0:
            errors.seek(0)
            raise RuntimeError(f"{name} ended with {running.returncode}: {errors.read()[-2000:]}")
    return totals


def collect_failures(folders, path):
    """Writes one list of all that failed; returns how many lines it has."""
    count = 0
    with open(path, "wb") as output:
        for folder in folders:
            listed = pathlib.Path(folder, ".imgscript", "failed.jsonl")
            for line in listed.open("rb") if listed.exists() else ():
                output.write(line)
                count += 1
    return count


def main():
    from pyspark.sql import SparkSession

    arguments, rest = read_arguments()
    directory, count = arguments.directory, arguments.parts
    command = [arguments.imgscript, "download", "--input", arguments.list, "--progress", "json"]
    command += ["--max-failures", arguments.max_failures, *rest]

    def run(parts):
        for part in parts:
            own = ["--directory", directory.replace("{part}", str(part)), "--shard", f"{part}/{count}"]
            yield download([*command, *own], f"part {part}/{count}")

    builder = SparkSession.builder.appName("imgscript download")
    if arguments.master:
        builder = builder.master(arguments.master)
    spark = builder.getOrCreate()
    finished = spark.sparkContext.parallelize(range(1, count + 1), count).mapPartitions(run).collect()
    spark.stop()
    sums = collections.Counter()
    for totals in finished:
        sums.update({key: totals.get(key, 0) for key in ("finished", "skipped", "bytes")})
    folders = dict.fromkeys(directory.replace("{part}", str(part)) for part in range(1, count + 1))
    failed = collect_failures(folders, arguments.failed)
    print(f"{len(finished)} of {count} parts are done")
    print(f"{sums['finished']} files downloaded ({sums['bytes']} bytes), {sums['skipped']} existing, {failed} failed")
    if failed:
        print(f"failures: {arguments.failed}")


if __name__ == "__main__":
    main()

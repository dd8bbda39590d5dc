#!/usr/bin/env python3
"""Downloads a list with Apache Spark: each task takes one fixed part of it with imgscript download --shard.

    spark-submit docs/scale/spark.py --list /data/foxes.jsonl --parts 64 --directory '/data/foxes/{part}'
    python3 docs/scale/spark.py --master 'local[4,4]' --list foxes.jsonl --parts 8 --directory foxes

List and folder have to be on a file system that all workers see; {part} gives each part a folder of its own, as a network
folder needs it (docs/scale.md). What follows `--` goes to imgscript.
"""
import argparse
import subprocess
import sys

from pyspark.sql import SparkSession


def read_arguments():
    own, rest = sys.argv[1:], []
    if "--" in own:
        own, rest = own[: own.index("--")], own[own.index("--") + 1 :]
    reader = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    reader.add_argument("--list", required=True, help="what to download: lines of a search's jsonl, ids or addresses")
    reader.add_argument("--parts", type=int, required=True, help="into how many parts the list is cut")
    reader.add_argument("--directory", required=True)
    reader.add_argument("--master", help="the cluster; spark-submit knows it by itself")
    reader.add_argument("--imgscript", default="imgscript")
    return reader.parse_args(own), rest


def main():
    arguments, rest = read_arguments()
    command = [arguments.imgscript, "download", "--input", arguments.list, "--progress", "none", *rest]
    directory, count = arguments.directory, arguments.parts

    def download(parts):
        for part in parts:
            own = ["--directory", directory.replace("{part}", str(part)), "--shard", f"{part}/{count}"]
            done = subprocess.run([*command, *own], stderr=subprocess.PIPE, text=True)
            # Spark runs a failed task again, on another machine if need be: what is there is not fetched twice.
            if done.returncode != 0:
                raise RuntimeError(f"part {part}/{count} ended with {done.returncode}: {done.stderr[-2000:]}")
            yield part

    builder = SparkSession.builder.appName("imgscript download")
    if arguments.master:
        builder = builder.master(arguments.master)
    spark = builder.getOrCreate()
    finished = spark.sparkContext.parallelize(range(1, count + 1), count).mapPartitions(download).collect()
    print(f"{len(finished)} of {count} parts are done")
    spark.stop()


if __name__ == "__main__":
    main()

"""Runs a sweep on Dask: each task is one part of the members.

    pip install distributed
    python dask_sweep.py study.ron results 100                          on this machine
    python dask_sweep.py study.ron results 100 tcp://scheduler:8786     on a cluster that shares the folder

A worker that dies costs nothing but its time: Dask gives its part to another one, which keeps the results that are there.
"""

import os
import subprocess
import sys

from distributed import Client, LocalCluster

CAROM = os.environ.get("CAROM", "carom")


def run_part(part: int, parts: int, file: str, output: str) -> int:
    command = [CAROM, "sweep", file, "--output", output, "--jobs", "1", "--quiet", "--shard", f"{part}/{parts}"]
    subprocess.run(command, check=True)
    return part


def sweep(client: Client, file: str, output: str, parts: int) -> None:
    tasks = [client.submit(run_part, part, parts, file, output, pure=False, retries=3) for part in range(1, parts + 1)]
    client.gather(tasks)
    subprocess.run([CAROM, "sweep", "merge", output], check=True)


def main(file: str, output: str, parts: int, scheduler: str | None = None) -> None:
    if scheduler:
        with Client(scheduler) as client:
            sweep(client, file, output, parts)
        return
    with LocalCluster(host="127.0.0.1", threads_per_worker=1, dashboard_address=None) as cluster, Client(cluster) as client:
        sweep(client, file, output, parts)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]), *sys.argv[4:])

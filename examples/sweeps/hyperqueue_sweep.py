"""Runs a sweep on HyperQueue: each task is one part of the members.

    pip install hyperqueue
    python hyperqueue_sweep.py study.ron results 100

The wheel carries the engine, so this begins a cluster of its own on this machine. On a cluster that is there already, use
`Client(server_dir)`, or no Python at all:

    hq submit --array 1-100 sh -c 'carom sweep study.ron --output results --jobs 1 --shard $HQ_TASK_ID/100'
"""

import os
import subprocess
import sys

from hyperqueue import Job, LocalCluster

CAROM = os.environ.get("CAROM", "carom")


def main(file: str, output: str, parts: int) -> None:
    with LocalCluster() as cluster:
        cluster.start_worker()
        client = cluster.client()
        job = Job()
        for part in range(1, parts + 1):
            command = [CAROM, "sweep", file, "--output", output, "--jobs", "1", "--quiet", "--shard", f"{part}/{parts}"]
            job.program(command, cwd=os.getcwd(), stdout=None, stderr=None)
        client.wait_for_jobs([client.submit(job)])
    subprocess.run([CAROM, "sweep", "merge", output], check=True)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]))

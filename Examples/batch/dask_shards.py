"""Renders the songs of a folder in shards, by Dask. The shard of a worker that dies goes on at another.

usage: dask_shards.py SHARDS SONGS OUT    (pip install 'dask[distributed]')
"""

import ctypes
import signal
import subprocess
import sys

from dask.distributed import Client, LocalCluster, as_completed


def end_with_worker():
    """Has Linux end the program when its worker dies, so that no two render a shard (PR_SET_PDEATHSIG)."""
    ctypes.CDLL(None).prctl(1, signal.SIGTERM)


def render(shard, count, songs, out):
    arguments = ["synth", "render", songs, "-o", f"{out}/", "--jobs", "1", "--shard", f"{shard}/{count}"]
    arguments += ["--manifest", f"{out}.{shard}.jsonl", "--resume"]
    subprocess.run(arguments, check=True, preexec_fn=end_with_worker)
    return shard


if __name__ == "__main__":
    count, songs, out = int(sys.argv[1]), sys.argv[2], sys.argv[3]
    # A real cluster: Client("tcp://scheduler:8786"), and folders that all hosts have.
    with LocalCluster(n_workers=2, threads_per_worker=1) as cluster, Client(cluster) as client:
        shards = client.map(render, range(1, count + 1), count=count, songs=songs, out=out)
        for shard in as_completed(shards):
            print(f"shard {shard.result()} of {count}", flush=True)
    with open(f"{out}.jsonl", "w") as manifest:
        for shard in range(1, count + 1):
            manifest.write(open(f"{out}.{shard}.jsonl").read())

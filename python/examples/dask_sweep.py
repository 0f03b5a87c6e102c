"""A sweep on the workers of Dask: the time to rest of a ball over its restitution, beside the closed form."""

import sys
import tempfile
from pathlib import Path

import numpy as np
import pyarrow as pa
from distributed import Client, LocalCluster

import carom

BASE = Path(sys.argv[1]) if len(sys.argv) > 1 else Path("scenarios/studies/base/dropped_ball.ron")


def main() -> None:
    sweep = carom.Sweep(
        BASE, {"materials.ball.restitution": np.linspace(0.1, 0.9, 9)}, collect=["time.rest", "count.impact"]
    )
    options = dict(host="127.0.0.1", n_workers=2, threads_per_worker=1, dashboard_address=None, silence_logs=50)
    with tempfile.TemporaryDirectory() as folder, LocalCluster(**options) as cluster, Client(cluster) as client:
        table = pa.table(sweep.run(Path(folder) / "results", client=client))
    e, found = table["materials.ball.restitution"].to_numpy(), table["time_rest"].to_numpy()
    theory = np.sqrt(2 / 9.81) * (1 + e) / (1 - e)
    for row in zip(e, found, theory):
        print("e = {:.1f}: {:.6f} s, closed form {:.6f} s".format(*row))
    assert np.allclose(found, theory, rtol=0, atol=2e-5)


if __name__ == "__main__":
    main()

"""The common part of the scripts in this folder: two programs that run the same gas alternately, and a table of their
processor times.

The time per impact is the difference of the processor times of a long and a short run, divided by the difference of
their impacts. This excludes the start of a program.
"""

import math
import os
import platform
import re
import statistics
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
SPHERES = [1372, 10976, 108000, 1000188]
PACKING = [0.10, 0.262, 0.49, 0.545]
# Approximate number of impacts of all spheres in a run, and impacts per sphere that first melt the lattice.
IMPACTS = 400_000
MELT = 5


def rate(packing):
    """Impacts of a sphere per unit of time, by Enskog's theory with the contact value of Carnahan and Starling."""
    density = 6 * packing / math.pi
    contact = (1 - packing / 2) / (1 - packing) ** 3
    return 4 * math.sqrt(math.pi) * density * contact


def times(spheres, packing):
    """The end times of the short and of the long run."""
    start = MELT / rate(packing)
    return start, start + max(IMPACTS / spheres, 1) * 2 / rate(packing)


def build_carom():
    subprocess.run(["cargo", "build", "--release", "--manifest-path", HERE / "gas" / "Cargo.toml"], check=True)
    target = os.environ.get("CARGO_TARGET_DIR", HERE / "gas" / "target")
    return Path(target) / "release" / "gas"


def run(command, folder):
    """Runs a command, and returns its processor time, s, and its output."""
    with subprocess.Popen(list(map(str, command)), stdout=subprocess.PIPE, text=True, cwd=folder) as program:
        output = program.stdout.read()
        _, status, usage = os.wait4(program.pid, 0)
        program.returncode = os.waitstatus_to_exitcode(status)
    if program.returncode != 0:
        sys.exit(f"{command[0]} failed:\n{output}")
    return usage.ru_utime + usage.ru_stime, output


def number(output, wanted=r"(\d+) impacts"):
    """The number of impacts in the output of a program."""
    found = re.search(wanted, output)
    return int(found[1]) if found else sys.exit(f"a program did not count its impacts:\n{output}")


def per_impact(commands, folder, counts=None):
    """Processor time of an impact, ns, from a short and a long run. Without `counts`, their output has the impacts."""
    (short, before), (long, after) = (run(command, folder) for command in commands)
    few, many = counts or [number(before), number(after)]
    return 1e9 * (long - short) / (many - few)


def table(title, names, wanted, measure):
    """Prints a table with a row for each gas. `measure` gives the times of an impact in carom and in each peer."""
    print(f"{machine()}; carom {commit(HERE)}, {title}; ns of processor time per impact\n")
    best = "best of the others" if len(names) > 1 else names[0]
    print(f"| spheres | packing | carom | {' | '.join(names)} | {best} / carom | quartiles |")
    print(f"|---|---|---|{'---|' * len(names)}---|---|")
    for spheres in wanted.spheres:
        for packing in wanted.packing:
            rounds = measure(spheres, packing)
            medians = [statistics.median(column) for column in zip(*rounds)]
            low, ratio, high = quartiles([min(row[1:]) / row[0] for row in rounds])
            cells = " | ".join(f"{time:.0f}" for time in medians)
            print(f"| {spheres:,} | {packing} | {cells} | {ratio:.2f} | {low:.2f}–{high:.2f} |", flush=True)


def add_arguments(parser):
    parser.add_argument("checkout", type=Path)
    parser.add_argument("--spheres", type=numbers(int), default=SPHERES, help="numbers of spheres, each 4 n³")
    parser.add_argument("--packing", type=numbers(float), default=PACKING, help="packing fractions")
    parser.add_argument("--rounds", type=int, default=3, help="rounds, of which the table has medians")


def machine():
    lines = Path("/proc/cpuinfo").read_text().splitlines() if Path("/proc/cpuinfo").exists() else []
    names = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
    wide = "with" if any("avx512f" in line for line in lines) else "without"
    return f"{names[0] if names else platform.processor()}, {os.cpu_count()} cores, {wide} AVX-512"


def commit(folder):
    known = subprocess.run(["git", "-C", folder, "rev-parse", "--short", "HEAD"], capture_output=True, text=True)
    return known.stdout.strip() or "unknown"


def quartiles(values):
    return statistics.quantiles(values, n=4, method="inclusive") if len(values) > 1 else values * 3


def numbers(kind):
    return lambda text: [kind(word) for word in text.split(",")]

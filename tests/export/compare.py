"""Compares what other programs read from the exports of a run with the tables of the run.

Arguments: the folder with the exports, and the name of the run. Text must give the same bits. glTF must give the path within the
rounding of its 24-bit numbers.
"""

import csv
import importlib
import json
import struct
import sys
from fractions import Fraction
from pathlib import Path

SCRATCH, NAME = Path(sys.argv[1]), sys.argv[2]
RUN = SCRATCH / "output" / NAME
# Half a unit in the last place of a 24-bit number, relative to the number, with a margin for the sum of four terms.
ROUNDING = 8 * 2.0**-24


def table(name):
    with open(RUN / f"{name}.csv", newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def vector(row, *names):
    return tuple(float(row[name]) for name in names)


def reader(name):
    try:
        return importlib.import_module(name)
    except ImportError:
        print(f"  skipped: {name} cannot be installed")
        return None


def moments():
    """The rows of the trajectory by instant."""
    found = {}
    for row in table("trajectory"):
        found.setdefault(row["time"], []).append(row)
    return found


def state(row):
    return (vector(row, "x", "y", "z"), vector(row, "vx", "vy", "vz"))


def lines():
    """The bodies of each frame of the text, as position and velocity."""
    with open(SCRATCH / f"{NAME}.xyz", encoding="utf-8") as file:
        while count := file.readline():
            time = file.readline().split("Time=")[1].strip()
            rows = [file.readline().split() for _ in range(int(count))]
            yield time, [tuple(map(float, row[2:8])) for row in rows]


def check_xyz():
    frames = dict(lines())
    expected = moments()
    assert list(frames) == list(expected)
    for time, rows in expected.items():
        found = set(frames[time])
        missing = [row["body"] for row in rows if state(row)[0] + state(row)[1] not in found]
        # A moving mesh or plane would have no line, but these scenarios contain none.
        assert not missing, (time, missing)
    print(f"  xyz: {len(expected)} frames, the same bits")


def check_ovito():
    if reader("ovito") is None:
        return
    from ovito.io import import_file

    pipeline = import_file(str(SCRATCH / f"{NAME}.xyz"))
    frames = list(lines())
    assert pipeline.source.num_frames == len(frames), (pipeline.source.num_frames, len(frames))
    for frame, (time, rows) in enumerate(frames):
        data = pipeline.compute(frame)
        # OVITO does not always read a number as the nearest double.
        assert abs(data.attributes["Time"] - float(time)) <= 2.0**-51 * float(time)
        particles = data.particles
        found = zip(particles.positions[...].tolist(), particles.velocities[...].tolist(), strict=True)
        for (position, velocity), row in zip(found, rows, strict=True):
            for number, exact in zip(position + velocity, row, strict=True):
                assert abs(number - exact) <= 2.0**-51 * abs(exact), (time, number, exact)
        assert min(particles["Radius"]) >= 0.0
        assert PERIODS is None or [data.cell[axis][axis] for axis in range(3)] == PERIODS
    print(f"  ovito: {len(frames)} frames, {particles.count} bodies in the last")


def check_ase():
    if reader("ase") is None:
        return
    from ase.io import read

    frames = list(lines())
    found = read(SCRATCH / f"{NAME}.xyz", index=":", format="extxyz")
    assert len(found) == len(frames)
    for atoms, (time, rows) in zip(found, frames, strict=True):
        assert atoms.info["Time"] == float(time)
        assert atoms.positions.tolist() == [list(row[:3]) for row in rows]
        assert atoms.arrays["velo"].tolist() == [list(row[3:]) for row in rows]
    dump = SCRATCH / f"{NAME}.lammps-dump"
    if dump.exists():
        dumped = read(dump, index=":", format="lammps-dump-text")
        assert len(dumped) == len(found)
        for theirs, ours in zip(dumped, found, strict=True):
            assert theirs.positions.tolist() == ours.positions.tolist()
    print(f"  ase: {len(frames)} frames, the same bits")


def check_lammps():
    """Dump and data file, as OVITO reads them."""
    if not (SCRATCH / f"{NAME}.lammps-dump").exists() or reader("ovito") is None:
        return
    from ovito.io import import_file

    frames = list(lines())
    for file, chosen in (("lammps-dump", frames), ("lammps-data", frames[-1:])):
        pipeline = import_file(str(SCRATCH / f"{NAME}.{file}"))
        assert pipeline.source.num_frames == len(chosen)
        for frame, (_, rows) in enumerate(chosen):
            particles = pipeline.compute(frame).particles
            found = zip(particles.positions[...].tolist(), particles.velocities[...].tolist(), strict=True)
            for (position, velocity), row in zip(found, rows, strict=True):
                for number, exact in zip(position + velocity, row, strict=True):
                    assert abs(number - exact) <= 2.0**-51 * abs(exact), (file, number, exact)
            assert particles["Radius"][...].min() > 0.0
    print(f"  ovito: {len(frames)} frames of a dump, and a data file")


def check_gsd():
    """The trajectory of HOOMD-blue, as its own package and OVITO read it. The package writes it once more, for an import."""
    file = SCRATCH / f"{NAME}.gsd"
    if not file.exists() or reader("gsd") is None:
        return
    import gsd.hoomd
    import numpy

    frames = list(lines())
    middle = numpy.array(ORIGIN) + numpy.array(PERIODS) / 2
    (SCRATCH / "again").mkdir(exist_ok=True)
    with gsd.hoomd.open(file) as found, gsd.hoomd.open(SCRATCH / "again" / file.name, "w") as again:
        assert len(found) == len(frames)
        for step, (theirs, (time, rows)) in enumerate(zip(found, frames, strict=True)):
            theirs.validate()
            exact, particles = numpy.array(rows), theirs.particles
            assert theirs.configuration.step == step and theirs.log["time"].tolist() == [float(time)]
            assert theirs.configuration.box.tolist() == numpy.float32([*PERIODS, 0, 0, 0]).tolist()
            assert particles.position.tolist() == (exact[:, :3] - middle).astype(numpy.float32).tolist()
            assert particles.velocity.tolist() == exact[:, 3:].astype(numpy.float32).tolist()
            assert (numpy.abs(particles.position) <= theirs.configuration.box[:3] / 2).all()
            assert particles.diameter.min() > 0 and particles.mass.min() > 0
            assert particles.typeid.max() < len(particles.types)
            again.append(theirs)
    if reader("ovito") is not None:
        from ovito.io import import_file

        pipeline = import_file(str(file))
        assert pipeline.source.num_frames == len(frames)
        data = pipeline.compute(len(frames) - 1)
        assert data.particles.count == len(rows)
        assert numpy.allclose(data.particles["Radius"][...], particles.diameter / 2)
        assert data.attributes["time"] == float(time), data.attributes
    print(f"  gsd: {len(frames)} frames, the same numbers of 32 bits")


def poly_data(vtk, file):
    source = vtk.vtkXMLPolyDataReader()
    source.SetFileName(str(file))
    source.Update()
    return source.GetOutput()


def check_vtk():
    vtk = reader("vtk")
    if vtk is None:
        return
    import xml.etree.ElementTree as tree

    folder = SCRATCH / f"{NAME}.vtk"
    expected = moments()
    cells = 0
    found = {time: set() for time in expected}
    for series in ("spheres", "solids"):
        if not (folder / f"{series}.pvd").exists():
            continue
        sets = tree.parse(folder / f"{series}.pvd").getroot().findall("Collection/DataSet")
        assert [entry.get("timestep") for entry in sets] == list(expected)
        for entry in sets:
            data = poly_data(vtk, folder / entry.get("file"))
            cells += data.GetNumberOfCells()
            if series == "spheres":
                velocities = data.GetPointData().GetArray("velocity")
                for row in range(data.GetNumberOfPoints()):
                    found[entry.get("timestep")].add((data.GetPoint(row), velocities.GetTuple3(row)))
            else:
                # The position is the mean of the corners of six faces, each corner counted three times, apart from
                # rounding.
                for first in range(0, data.GetNumberOfCells(), 6):
                    assert data.GetCell(first).GetNumberOfPoints() == 4
    balls = {name for name, radius in radii().items() if radius is not None}
    for time, rows in expected.items():
        missing = [row["body"] for row in rows if row["body"] in balls and state(row) not in found[time]]
        assert not missing, (time, missing)
    if (folder / "fixed.vtp").exists():
        cells += poly_data(vtk, folder / "fixed.vtp").GetNumberOfCells()
    print(f"  vtk: {len(expected)} frames, {cells} cells in all, the same bits")


def radii():
    """The radius of each moving body, of those that are balls, as the nodes of glTF name them."""
    document, _ = glb()
    found = {}
    for node in document["nodes"][1:]:
        scale = node.get("scale", [1.0, 1.0, 1.0])
        mesh = document["meshes"][node["mesh"]]["primitives"][0]
        ball = document["accessors"][mesh["attributes"]["POSITION"]]["count"] == 642
        found[node["name"]] = scale[0] if ball else None
    return found


def glb():
    data = (SCRATCH / f"{NAME}.gltf").read_bytes()
    magic, version, length, text_length, kind = struct.unpack("<4sIII4s", data[:20])
    assert (magic, version, length, kind) == (b"glTF", 2, len(data), b"JSON")
    document = json.loads(data[20 : 20 + text_length])
    return document, data[28 + text_length :]


def check_pygltflib():
    library = reader("pygltflib")
    if library is None:
        return
    document = library.GLTF2().load_binary(str(SCRATCH / f"{NAME}.gltf"))
    blob = document.binary_blob()

    def numbers(index):
        accessor = document.accessors[index]
        view = document.bufferViews[accessor.bufferView]
        size = {"SCALAR": 1, "VEC3": 3}[accessor.type]
        flat = struct.unpack_from(f"<{accessor.count * size}f", blob, view.byteOffset)
        return flat if size == 1 else [flat[row : row + 3] for row in range(0, len(flat), 3)]

    ways = {}
    for animation in document.animations:
        for channel in animation.channels:
            if channel.target.path == "translation":
                sampler = animation.samplers[channel.sampler]
                assert sampler.interpolation == "CUBICSPLINE"
                ways[document.nodes[channel.target.node].name] = (numbers(sampler.input), numbers(sampler.output))
    worst, keys = 0.0, 0
    for row in table("trajectory"):
        if row["body"] not in ways:
            continue
        times, values = ways[row["body"]]
        keys += len(times)
        found = spline(times, values, float(row["time"]))
        exact = vector(row, "x", "y", "z")
        scale = 1.0 + max(map(abs, exact)) + max(map(abs, vector(row, "vx", "vy", "vz"))) * max(1.0, float(row["time"]))
        for axis in range(3):
            away = abs(found[axis] - exact[axis])
            if PERIODS:
                # The path of a body continues beyond the periodic cell.
                scale = max(scale, abs(found[axis]))
                away = abs(away - round(away / PERIODS[axis]) * PERIODS[axis])
            worst = max(worst, away / scale)
            assert away <= ROUNDING * scale, (row["body"], row["time"], found, exact)
    print(f"  pygltflib: {len(ways)} animated bodies, at most {worst:.1e} of their coordinates from the paths")


def spline(times, values, time):
    """The cubic Hermite spline of glTF 2.0, appendix C.5."""
    import bisect

    last = max(0, min(bisect.bisect_right(times, time) - 1, len(times) - 2))
    span = times[last + 1] - times[last]
    t = min(1.0, max(0.0, (time - times[last]) / span))
    position, leaving = values[3 * last + 1], values[3 * last + 2]
    arriving, after = values[3 * last + 3], values[3 * last + 4]
    a, b = 2 * t**3 - 3 * t**2 + 1, t**3 - 2 * t**2 + t
    c, d = -2 * t**3 + 3 * t**2, t**3 - t**2
    return [
        a * position[axis] + span * b * leaving[axis] + c * after[axis] + span * d * arriving[axis] for axis in range(3)
    ]


def check_events():
    with open(SCRATCH / f"{NAME}.jsonl", encoding="utf-8") as file:
        lines = [json.loads(line, parse_float=Fraction) for line in file]
    rows = table("events")
    assert len(lines) == len(rows)
    for line, row in zip(lines, rows):
        assert Fraction(line["time"]) == Fraction(row["time"])
        assert (line["kind"], line["a"], line["b"] or "") == (row["kind"], row["a"], row["b"])
        assert tuple(map(float, line["point"])) == vector(row, "px", "py", "pz")
        assert float(line["impulse"]) == float(row["impulse"])
    print(f"  json: {len(lines)} events, the same digits")


def check_edmd():
    """The layout that `loadparticles` of EDMD reads."""
    file = SCRATCH / f"{NAME}.sph"
    if not file.exists():
        return
    words = iter(file.read_text(encoding="utf-8").split("\n"))
    for rows in moments().values():
        count, edges = int(next(words)), [float(word) for word in next(words).split()]
        assert count == len(rows)
        for _ in range(count):
            letter, *numbers = next(words).split()
            x, y, z, radius = map(float, numbers)
            assert "a" <= letter <= "z" and 0 < radius <= 0.5
            assert all(-1e-9 <= place <= edge + 1e-9 for place, edge in zip((x, y, z), edges))
    assert list(words) == [""]
    print("  edmd: the layout of its snapshots")


def periods():
    """The edges of the periodic cell and its corner; nothing in an open space."""
    first = (SCRATCH / f"{NAME}.xyz").read_text(encoding="utf-8").split("\n", 2)[1]
    if "Lattice" not in first:
        return None, None
    edges, corner = (
        [float(word) for word in first.split(f'{key}="')[1].split('"')[0].split()] for key in ("Lattice", "Origin")
    )
    return [edges[0], edges[4], edges[8]], corner


print(NAME)
PERIODS, ORIGIN = periods()
check_xyz()
check_ovito()
check_ase()
check_lammps()
check_gsd()
check_vtk()
check_pygltflib()
check_events()
check_edmd()

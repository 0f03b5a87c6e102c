"""What a simulation asks for, in Python's values: it is what a scenario file can say, and errors name the argument."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import carom
from conftest import ROOT

#: A value for each field that a plot or an expectation needs.
NEEDED: dict[str, dict[str, Any]] = {
    "path": {"plane": "xz"}, "strobe": {"plane": "XY", "every": 0.5}, "height": {"axis": "z"},
    "space_time": {"axis": "x"}, "phase": {"axis": "x"}, "concentration": {"axis": "z"},
    "separation": {"bodies": ["ball", "stone"]},
    "energy_drift": {"below": 1e-9}, "momentum_drift": {"below": 1}, "deepest": {"below": 1},
    "position": {"body": "ball", "near": (0, 0, 1), "within": 9},
    "velocity": {"body": "ball", "near": np.zeros(3), "within": 9},
    "last_event": {"kind": "impact", "body": "ball", "near": 1, "within": 9},
    "hash": "0" * 64,
    **{name: {"near": 1, "within": 9} for name in (
        "temperature", "pressure", "collision_rate", "compressibility", "fraction", "coordination", "rattlers"
    )},
}  # fmt: skip


def simulation(**asked: Any) -> carom.Simulation:
    sim = carom.Simulation(gravity=(0, 0, -10), timestep=0.125, duration=1, **asked)
    sim.add("floor", carom.Plane((0, 0, 1)))
    for place, name in enumerate(["ball", "stone"]):
        sim.add(name, carom.Sphere(0.5), mass=1, position=(2 * place, 0, 2))
    return sim


def snake(name: str) -> str:
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).lower()


def listed(section: str) -> list[str]:
    """The entries in the table of a section of the scenario reference, in Python's words."""
    page = (ROOT / "docs" / "scenario.md").read_text(encoding="utf-8")
    table = page.split(f"\n## {section}\n")[1].split("\n## ")[0]
    rows = [line.split("|")[1] for line in table.splitlines() if line.startswith("| `")]
    return [snake(name) for row in rows for name in re.findall(r"`([A-Z]\w+)", row)]


@pytest.mark.parametrize("name", listed("plots"))
def test_every_plot_can_be_asked_for(name: str) -> None:
    is_flat = name == "boundary_map"
    observed = {"observe": ["gas", {"packing": {"within": {"sphere": {"center": (0, 0, 0), "radius": 9}}}}]}
    sim = carom.Simulation(plots={name: NEEDED.get(name, {})}, planar=is_flat, **({} if is_flat else observed))  # type: ignore[arg-type]
    assert sim.scenario.count(name.replace("_", "").title()[:4]) or name.replace("_", "") in sim.scenario.lower()


@pytest.mark.parametrize("name", listed("expect"))
def test_everything_can_be_expected(name: str) -> None:
    value = NEEDED.get(name, {} if name == "at_rest" else {"at_least": 0})
    ball = {"packing": {"within": {"sphere": {"center": (0, 0, 0), "radius": 9}}}}
    sim = simulation(expect=[{name: value}], observe=["gas", ball])
    assert name.replace("_", "") in sim.scenario.lower()


def test_every_setting_of_a_style(tmp_path: Any) -> None:
    page = (ROOT / "docs" / "plots.md").read_text(encoding="utf-8").split("## Settings")[1].split("\n## ")[0]
    fields = re.findall(r"`(\w+): [^`]*`(?:, `\w+: [^`]*`)* \|", page)
    style = {
        "theme": "dark", "width": "10 cm", "height": 60, "title": False, "legend": "inside", "letter": "b", "font_size": 9,
        "time": (0, 0.5), "x": [0, 1], "y": np.array([0.5, 3]), "log_x": None, "log_y": True, "colors": {"ball": "#D55E00"},
        "labels": {"ball": "steel"}, "formats": "pdf", "dpi": 300,
        "over": [
            {"points": {"label": "measured", "points": np.ones((3, 2))}},
            {"curve": {"label": "model", "points": [(0, 1), (1, 2)], "color": "#000000"}},
            {"formula": {"label": "theory", "y": "2 - 5*t^2"}},
        ],
    }  # fmt: skip
    assert set(fields) <= set(style) | {"log_x"} and len(fields) > 10
    sim = simulation(plots=[{"height_z": style}])
    sim.save(tmp_path / "styled.ron")
    again = carom.Simulation.load(tmp_path / "styled.ron")
    assert again.scenario == sim.scenario
    for part in ["Height(axis: Z", "width: Mm(100.0)", "height: Mm(60.0)", "legend: Inside", "Formula(label:", "formats: [Pdf]"]:
        assert part in sim.scenario


def test_what_is_asked_for_is_done(tmp_path: Any) -> None:
    sim = simulation(
        record={"stride": 2, "bodies": "ball", "format": "parquet"}, plots=["energy", "path_xz"], style={"formats": ["svg"]},
        expect=["at_rest", {"impacts": {"exactly": 2}}],
    )  # fmt: skip
    run = carom.run(sim, tmp_path / "run")
    verdicts = [verdict["met"] for verdict in run.summary["expectations"]]
    assert verdicts == [False, True] and not run.is_success
    assert sorted(path.name for path in run.folder.glob("*.svg")) == ["energy.svg", "path_xz.svg"]
    assert not list(run.folder.glob("*.png")) and (run.folder / "trajectory.parquet").exists()
    assert len(run.trajectory) == 5 and sim.time == 0
    sim.run()
    assert sim.hash == run.hash
    with pytest.raises(carom.CommandError, match="begun"):
        carom.run(sim, tmp_path / "again")


def wrong_calls() -> list[tuple[Callable[[], object], str]]:
    def made(**asked: Any) -> Callable[[], object]:
        return lambda: simulation(**asked)

    add = carom.Simulation().add
    return [
        (made(plots=["pathxz_"]), r'plots\[0\] must be "path", .*did you mean "path"\?'),
        (made(plots=["energy", {"path_xz": {"bodes": []}}]), r'plots\[1\]\["path_xz"\] has no "bodes", .*did you mean "bodies"'),
        (made(plots=[{"height_z": {"theme": "printt"}}]), r'plots\[0\]\["height_z"\]\["theme"\] must be .*"print", found "printt"'),
        (made(plots=[{"height_z": {"width": 3}}]), r"plots\[0\]\.width: must be a length from 30 to 400 mm, found 3.0 mm"),
        (made(plots=["strobe_xz"]), r'plots\[0\] needs "every"'),
        (made(plots=["path"]), r'plots\[0\] needs a plane: name it "path_xy"'),
        (made(plots=["path_x"]), r"plots\[0\] must be"),
        (made(plots=[3]), r"plots\[0\] must be"),
        (made(plots=5), r"plots must be a list, found 5 \(an int\)"),
        (made(plots=["gas"]), r'observe="gas"'),
        (made(style={"width": "wide"}), r'style\["width"\] must be a length such as 85 or "85 mm", "single" or "double", found "wide"'),
        (made(style={"x": (1, 2, 3)}), r'style\["x"\] must be a list of 2'),
        (made(style={"dpi": 1.5}), r'style\["dpi"\] must be a whole number'),
        (made(style={"title": "no"}), r'style\["title"\] must be True or False'),
        (made(style=["print"]), "style must be a dictionary"),
        (made(record={"format": "hdf"}), r'record\["format"\] must be "csv" or "parquet"'),
        (made(record={"stride": 0}), r"record.stride: must be a whole number from 1"),
        (made(expect={"hash": 3}), r'expect\["hash"\] must be a text'),
        (made(expect=[{"impacts": {}, "at_rest": {}}]), "the only key"),
        (made(expect=[{"deepest": {"below": float("nan")}}]), r'\["below"\] must be a finite number'),
        (made(observe="packing"), r"observe\[0\]"),
        (made(observe={"packing": {"gap": -1}}), r"observe\[0\]"),
        (made(impacts="never"), 'impacts is one of "together" and "pairwise"'),
        (made(periodic=[(1, 0), None, None]), "periodic"),
        (lambda: add("b", carom.Sphere(1), motion="kinematc"), 'motion is one of "free", .*did you mean "kinematic"'),
        (lambda: add("b", carom.Sphere(1), motion=7), "motion is one of .*found 7"),
        (lambda: add("b", carom.Sphere(1), mass="heavy"), "mass: .*'heavy'"),
        (lambda: add("b", carom.Sphere(1), motion={"sine": {"axis": (0, 0, 1)}}), 'add "amplitude"'),
        (lambda: add("b", carom.Sphere(1), motion={"sine": {"amplitude": "a"}}), r'motion\["sine"\]\["amplitude"\].*found \'a\''),
        (lambda: add("b", carom.Sphere(1), mass=1, collides_with=3), "collides_with: must be a name or a list of names, found 3"),  # type: ignore[arg-type]
        (lambda: carom.Tiles("wide", ["#"]), "must be a number or 2 of them, found 'wide'"),  # type: ignore[arg-type]
        (lambda: add("b", carom.Sphere(1)), 'give mass=, in kg, or density=, in kg/m³, or motion="fixed"'),
        (lambda: add("b", "ball", mass=1), r"must be a shape such as carom.Sphere\(0.1\), found 'ball'"),  # type: ignore[arg-type]
        (lambda: add("b", carom.Sphere(-1), mass=1), "shape.radius: must be a positive"),
        (lambda: add("b", carom.Sphere(1), mass=1, material="tin"), r"sim\.material"),
        (lambda: carom.Simulation().material("m", restitution=1.5), "^restitution: must be a number from 0 to 1, found 1.5"),
    ]


@pytest.mark.parametrize("call, words", wrong_calls(), ids=lambda value: value[:30] if isinstance(value, str) else "")
def test_errors_are_about_the_line_in_python(call: Callable[[], object], words: str) -> None:
    with pytest.raises((ValueError, TypeError), match=words) as caught:
        call()
    error = caught.value
    assert "simulation:" not in str(error) and error.__context__ is None and error.__cause__ is None
    if isinstance(error, carom.ScenarioError):
        assert error.line is None and error.file is None


def test_words_have_any_case() -> None:
    for word in ["kinematic", "Kinematic", "KINEMATIC"]:
        sim = carom.Simulation(impacts="Pairwise", plots="PathXZ" if word == "Kinematic" else "path_XZ")  # type: ignore[arg-type]
        sim.add("lift", carom.Box((1, 1, 1)), motion=word)
        assert sim["lift"].motion == "kinematic" and "Path(plane: XZ)" in sim.scenario


def test_bodies_may_come_after_the_plots_that_name_them() -> None:
    sim = simulation(plots=[{"height_z": {"bodies": ["pebble"]}}])
    assert sim.count == 3
    with pytest.raises(carom.ScenarioError, match=r"plots\[0\].bodies\[0\]: there is no body `pebble`"):
        sim.run()
    sim.add("pebble", carom.Sphere(0.1), mass=1, position=(5, 5, 5))
    sim.run()
    assert sim.plot("height_z").svg.startswith("<svg")

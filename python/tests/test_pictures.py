"""Plots, films, pages and exports, of simulations and of runs, and the command line."""

from __future__ import annotations

import pickle
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import carom
from conftest import ROOT

BEGINNINGS = {"svg": b"<svg", "png": b"\x89PNG", "pdf": b"%PDF", "csv": b"panel"}


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> carom.Run:
    return carom.run(ROOT / "scenarios" / "newtons_cradle.ron", tmp_path_factory.mktemp("runs") / "cradle")


def test_a_plot_of_a_simulation_is_that_of_its_run(bounce: carom.Simulation, tmp_path: Path) -> None:
    bounce.save(tmp_path / "bounce.ron")
    run = carom.run(tmp_path / "bounce.ron", tmp_path / "bounce")
    with pytest.raises(carom.CommandError, match="not run yet"):
        bounce.plot("path_xz")
    bounce.run()
    for name in ["path_xz", "energy", "height_z", "space_time_x"]:
        assert bounce.plot(name).svg == run.plot(name).svg == bounce.copy().plot(name).svg
    styled = {"theme": "print", "width": "85 mm", "labels": {"ball": "steel"}}
    assert bounce.plot("height_z", **styled).svg == run.plot("height_z", **styled).svg != run.plot("height_z").svg
    assert 'width="85mm"' in run.plot("height_z", **styled).svg


def test_a_picture_is_saved_in_the_format_of_its_ending(run: carom.Run, tmp_path: Path) -> None:
    picture = run.plot("space_time_x")
    for ending, beginning in BEGINNINGS.items():
        picture.savefig(tmp_path / f"x.{ending}")
        assert (tmp_path / f"x.{ending}").read_bytes().startswith(beginning)
    assert picture._repr_svg_() == (tmp_path / "x.svg").read_text(encoding="utf-8")
    whole = (tmp_path / "x.png").stat().st_size
    picture.savefig(str(tmp_path / "x.PNG"), dpi=72)
    assert 0 < (tmp_path / "x.PNG").stat().st_size < whole
    for path, dpi in [("x.jpg", None), ("x", None), ("x.png", 1), ("x.png", 10**6)]:
        with pytest.raises(ValueError):
            picture.savefig(tmp_path / path, dpi=dpi)
    with pytest.raises(OSError):
        picture.savefig(tmp_path / "missing" / "x.svg")


def test_the_plots_of_a_scenario_keep_their_settings(run: carom.Run) -> None:
    """What the scenario asks for is drawn as `carom plot` draws it, with what is given instead."""
    assert run.plot("space_time_x").svg == (run.folder / "space_time_x.svg").read_text(encoding="utf-8")
    assert "ball 4" not in run.plot("height_x", bodies=["ball 1", "ball 5"]).svg
    both = run.plot("energy", beside=[run], over=[{"formula": {"label": "theory", "y": "0.5"}}]).svg
    assert "theory" in both and "theory" not in run.plot("energy").svg


def test_what_is_given_is_over_what_is_asked_for() -> None:
    sim = carom.Simulation(
        timestep=0.1, duration=1, plots=[{"oblique": {"bodies": ["a"], "theme": "dark"}}], style={"width": 100}
    )  # fmt: skip
    for place, name in enumerate("ab"):
        sim.add(name, carom.Sphere(0.5), mass=1, position=(2 * place, 0, 0), velocity=(0, 1, 0))
    sim.run()
    known, turned, all_of_them = sim.plot("oblique"), sim.plot("oblique", azimuth=30), sim.plot("oblique", bodies=["*"])
    assert known.svg != turned.svg and 'width="100mm"' in known.svg and 'width="100mm"' in turned.svg
    assert ["<title>b</title>" in picture.svg for picture in (known, turned, all_of_them)] == [False, False, True]
    # Another kind of plot has the style of all plots.
    assert 'width="100mm"' in sim.plot("path_xy").svg and 'width="60mm"' in sim.plot("path_xy", width="6 cm").svg


def test_letters_that_are_missing_are_told(tmp_path: Path) -> None:
    sim = carom.Simulation(timestep=0.1, duration=1)
    sim.add("球", carom.Sphere(0.5), mass=1, velocity=(0, 1, 0))
    sim.run()
    picture = sim.plot("path_xy")
    assert "球" in picture.svg
    picture.savefig(tmp_path / "a.svg")
    for name in ["a.png", "a.pdf"]:
        with pytest.warns(UserWarning, match="lacks 球"):
            picture.savefig(tmp_path / name)


@pytest.mark.parametrize(
    "name, options, words",
    [
        ("paths_xz", {}, r'must be "path", .*found "paths_xz".*; the scenario has "'),
        ("path_xz", {"them": "print"}, r'"path_xz" has no "them".*did you mean "theme"'),
        ("energy", {"bodies": "ball 1"}, r'"energy" has no "bodies"'),
        ("path_xz", {"theme": "printt"}, "^theme must be"),
        ("path_xz", {"bodies": ["ball 9"]}, r"bodies\[0\]: there is no body `ball 9`"),
        ("path_xz", {"colors": {"ball 1": "red"}}, r"colors.ball 1"),
        ("strobe_xz", {}, '"strobe_xz" needs "every"'),
        ("oblique", {"over": [{"formula": {"label": "a", "y": "1"}}]}, "over: nothing can be laid"),
        ("gas", {}, "observed gas"),
    ],
)
def test_a_wrong_plot_says_what_is_right(run: carom.Run, name: str, options: dict[str, Any], words: str) -> None:
    with pytest.raises(ValueError, match=words) as caught:
        run.plot(name, **options)
    assert caught.value.__context__ is None and "text" not in str(caught.value).split()


def test_what_was_done_by_hand_is_in_the_picture(bounce: carom.Simulation, tmp_path: Path) -> None:
    bounce.kick("ball", (0, 1, 0), at=2)
    bounce.run(until=1.5)
    bounce.spawn("stone", carom.Sphere(0.25), mass=1, position=(9, 0, 3))
    bounce.run(until=3)
    assert "stone" in bounce.plot("height_z", bodies=["stone"]).svg
    assert "stone" in bounce.report().html
    twin = pickle.loads(pickle.dumps(bounce))
    assert twin.plot("path_xy").svg == bounce.plot("path_xy").svg
    bounce.export("jsonl", tmp_path / "events.jsonl")
    impacts = [line for line in (tmp_path / "events.jsonl").read_text().splitlines() if '"impact"' in line]
    assert len(impacts) == len([kind for kind in bounce.take_events()["kind"] if kind == "impact"])
    bounce.reverse()
    bounce.run()
    with pytest.raises(carom.CommandError, match="reversed"):
        bounce.plot("path_xy")


def test_an_instant_between_two_numbers(bounce: carom.Simulation) -> None:
    bounce.run(until=f"1.{'3' * 40}")
    assert bounce.plot("energy").svg.startswith("<svg")
    before = bounce.hash
    bounce.run(events=1)
    assert bounce.plot("energy").svg.startswith("<svg") and bounce.hash != before


def test_films(bounce: carom.Simulation, run: carom.Run, tmp_path: Path) -> None:
    bounce.run(until=1)
    film = bounce.film(fps=5, size=(160, 120), title=False, legend=False, clock=False)
    html = film._repr_html_()
    assert film.kind == "gif" and film.data.startswith(b"GIF89a") and html is not None and "data:image/gif" in html
    film.save(tmp_path / "a.gif")
    options: dict[str, Any] = {"fps": 5, "until": 1, "size": (240, 240), "title": False, "legend": False}
    for name in ["b.gif", "b.apng", "frames"]:
        run.film(tmp_path / name, slow=(4, 0.05), view="oblique", azimuth=-30, **options)
    assert (tmp_path / "b.apng").read_bytes().startswith(b"\x89PNG") and (tmp_path / "frames" / "frames.csv").exists()
    run.film(tmp_path / "frames", **options)
    for act, words in [
        (lambda: film.save(tmp_path / "a.mp4"), "of the kind gif"),
        (lambda: run.film(tmp_path / "a.avi"), r"ends in \.gif, \.apng"),
        (lambda: run.film(view="up"), 'view must be "xz"'),
        (lambda: run.film(fps=0), "fps must be"),
        (lambda: run.film(size=(1, 1)), "size must be"),
        (lambda: run.film(slow=0.5), "slow must be"),
        (lambda: run.film(azimuth=3), "oblique"),
        (lambda: run.film(follow="ball 9"), 'no body "ball 9"'),
        (lambda: run.film(until=99), "until|ends"),
        (lambda: run.film(from_=-1), "from_ must be"),
        (lambda: run.film(theme="pink"), "^theme must be"),
        (lambda: run.film(width=3), "a film has no 'width'|a film has no \"width\""),
    ]:
        with pytest.raises((ValueError, TypeError), match=words):
            act()
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "notes.txt").write_text("mine")
    with pytest.raises(FileExistsError):
        run.film(tmp_path / "mine", **options)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.gif", "b.apng", "b.gif", "frames", "mine"]


def test_exports(run: carom.Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ["xyz", "vtk", "gltf", "lammps_dump", "lammps-data", "GSD", "jsonl"]:
        path = run.export(name, tmp_path / name)
        assert path.exists()
    monkeypatch.chdir(tmp_path)
    assert run.export("xyz", every=0.5, until=1, bodies=["ball 1"]) == Path("cradle.xyz")
    assert (tmp_path / "cradle.xyz").read_text().count("\n") == 9
    with pytest.raises(FileExistsError, match="cradle.xyz is there already"):
        run.export("xyz")
    (tmp_path / "cradle.xyz").unlink()
    for options, words in [
        ({"format": "obj"}, 'format must be "xyz"'),
        ({"format": "gltf", "every": 1}, "every is for"),
        ({"format": "sph"}, 'choose another format: "xyz"'),
        ({"format": "xyz", "every": -1}, "every must be"),
        ({"format": "xyz", "bodies": ["ball 9"]}, "no body `ball 9`"),
    ]:
        with pytest.raises(ValueError, match=words):
            run.export(**options)  # type: ignore[arg-type]
    assert not list(tmp_path.glob(".*"))


def test_pages(run: carom.Run, tmp_path: Path, program: str) -> None:
    page = run.report()
    page.save(tmp_path / "page.html")
    subprocess.run([program, "report", run.folder, "-o", tmp_path / "same.html"], check=True, stdout=subprocess.DEVNULL)
    assert (tmp_path / "page.html").read_bytes() == (tmp_path / "same.html").read_bytes()
    shown = page._repr_html_()
    # One document of its own, in which links to its parts stay within it.
    assert shown.count("<iframe") == 1 and "<script" not in shown and "&lt;base href=&quot;about:srcdoc&quot;&gt;" in shown
    assert shown.index("about:srcdoc") < shown.index("Content-Security-Policy")
    other = carom.run(ROOT / "scenarios" / "newtons_cradle.ron", tmp_path / "other", set={"duration": 2})
    assert "cradle" in run.report(other).html and "other" in run.report(other).html


def carom_command(*words: str, **options: Any) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-m", "carom", *words], capture_output=True, text=True, **options)


def test_the_command_is_the_program(program: str, tmp_path: Path) -> None:
    for words in [["--version"], ["--help"], ["run", "--help"], ["run"], ["check", "missing.ron"], ["runn"], ["list"]]:
        here, there = (
            carom_command(*words, cwd=tmp_path),
            subprocess.run([program, *words], capture_output=True, text=True, cwd=tmp_path),
        )
        assert (here.returncode, here.stdout, here.stderr) == (there.returncode, there.stdout, there.stderr), words
    scenario = str(ROOT / "scenarios" / "newtons_cradle.ron")
    assert carom_command("run", scenario, "--quiet", "--output", str(tmp_path)).returncode == 0
    assert carom.Run(tmp_path / "newtons_cradle").is_success
    name = tmp_path / "\udcff.ron"
    told = carom_command("check", str(name))
    assert told.returncode == 3 and "cannot be read" in told.stderr


@pytest.mark.skipif(sys.platform == "win32", reason="a signal to one process")
def test_ctrl_c_halts_the_command(tmp_path: Path) -> None:
    import signal
    import time

    scenario = ROOT / "scenarios" / "hard_spheres.ron"
    words = ["run", str(scenario), "--output", str(tmp_path), "--duration", "1000"]
    process = subprocess.Popen([sys.executable, "-m", "carom", *words], stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True)
    until = time.monotonic() + 60
    while not list(tmp_path.rglob("recording.carom")) and time.monotonic() < until:
        time.sleep(0.05)
    time.sleep(0.5)
    process.send_signal(signal.SIGINT)
    _, told = process.communicate(timeout=30)
    assert process.returncode == 130 and "Traceback" not in told and "--resume" in told

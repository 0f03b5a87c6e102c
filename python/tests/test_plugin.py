"""The pytest plugin, as another project uses it."""

from __future__ import annotations

from pathlib import Path

import pytest

import carom

SCENE = """(timestep: 0.125, duration: 2, gravity: (0, 0, -10), bodies: [
    (name: "ball", shape: Sphere(radius: 0.5), mass: 1, position: (0, 0, 3)),
    (name: "floor", shape: Plane(normal: (0, 0, 1), offset: 0)),
]"""
TEST = "def test_fall(carom_replay):\n    carom_replay('fall.ron')\n"


def run(pytester: pytest.Pytester, *options: str) -> pytest.RunResult:
    return pytester.runpytest_subprocess("-p", "no:cacheprovider", *options)


def test_it_records_compares_and_accepts(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(TEST)
    scene, recording = pytester.path / "fall.ron", pytester.path / "fall.carom"
    scene.write_text(SCENE + ")")
    first = run(pytester)
    first.assert_outcomes(passed=1)
    first.stdout.fnmatch_lines(["carom: recorded *fall.carom*"])
    recorded = recording.read_bytes()
    second = run(pytester)
    second.assert_outcomes(passed=1)
    second.stdout.no_fnmatch_line("carom: recorded*")
    assert recording.read_bytes() == recorded

    kick = 10 * 2**-52
    scene.write_text(SCENE + f', commands: [Kick(at: 0.5, body: "ball", impulse: (0, 0, {kick!r}))])')
    third = run(pytester)
    third.assert_outcomes(failed=1)
    third.stdout.fnmatch_lines(
        ["fall.ron: the state after step 4, at 0.5 s, *`ball`: velocity.z *, 2 ulps off", "to accept it: pytest --carom-update"]
    )
    assert recording.read_bytes() == recorded
    run(pytester, "--carom-update").assert_outcomes(passed=1)
    assert recording.read_bytes() != recorded
    run(pytester).assert_outcomes(passed=1)
    assert not list(pytester.path.glob("*.new"))


def test_a_longer_and_a_shorter_run_differ(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(TEST)
    scene = pytester.path / "fall.ron"
    for duration in ["2", "3", "1"]:
        scene.write_text(SCENE.replace("duration: 2", f"duration: {duration}") + ")")
        run(pytester).assert_outcomes(**{"passed" if duration == "2" else "failed": 1})


def test_a_simulation_is_compared_too(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(
        "import carom\n"
        "def test_fall(carom_replay):\n"
        "    sim = carom.Simulation(gravity=(0, 0, -10), duration=1)\n"
        "    sim.add('ball', carom.Sphere(1), mass=1)\n"
        "    carom_replay(sim, 'ball.carom')\n"
    )
    for _ in range(2):
        run(pytester).assert_outcomes(passed=1)
    assert carom.Recording(pytester.path / "ball.carom")[-1].time == 1


def test_a_wrong_scenario_is_an_error(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(TEST)
    Path(pytester.path / "fall.ron").write_text("(timestep: 0.1, duration: 1, gravitas: 1)")
    result = run(pytester)
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*ScenarioError: *fall.ron:1:30: *gravitas*"])

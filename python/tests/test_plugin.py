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


@pytest.fixture(autouse=True)
def own_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CI", raising=False)


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
        [
            "fall.ron: changed since it was recorded:",
            "  commands: `Kick(at: 0.5, body: \"ball\", impulse: (0, 0, 2.220446049250313e-15))` added",
            "the state after step 4, at 0.5 s, *`ball`: velocity.z *, 2 ulps off",
            "to accept it: pytest --carom-update",
        ]
    )
    third.stdout.no_fnmatch_line("*Traceback*")
    third.stdout.no_fnmatch_line("*another exception*")
    assert third.stdout.str().count("the state after step 4") == 1
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
        result = run(pytester)
        result.assert_outcomes(**{"passed" if duration == "2" else "failed": 1})
        if duration != "2":
            result.stdout.fnmatch_lines(["fall.ron: changed since it was recorded:", f"  duration 2 → {duration}", "the recording *"])


def test_a_simulation_is_compared_too(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(
        "import carom\n"
        "def test_fall(carom_replay):\n"
        "    sim = carom.Simulation(gravity=(0, 0, -10), duration=1)\n"
        "    sim.add('ball', carom.Sphere(1), mass=1)\n"
        "    carom_replay(sim, 'ball.carom')\n"
        "def test_bounce(carom_replay):\n"
        "    sim = carom.Simulation(gravity=(0, 0, -10), duration=2)\n"
        "    sim.add('ball', carom.Sphere(1), mass=1, position=(0, 0, 2))\n"
        "    sim.add('floor', carom.Plane((0, 0, 1)))\n"
        "    @sim.on('impact')\n"
        "    def kick(event):\n"
        "        sim.kick('ball', (1, 0, 0))\n"
        "        if sim.time > 1:\n"
        "            sim.stop()\n"
        "    carom_replay(sim, 'bounce.carom')\n"
    )
    for _ in range(2):
        run(pytester).assert_outcomes(passed=2)
    assert carom.Recording(pytester.path / "ball.carom")[-1].time == 1


def test_a_wrong_scenario_is_an_error(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(TEST)
    Path(pytester.path / "fall.ron").write_text("(timestep: 0.1, duration: 1, gravitas: 1)")
    result = run(pytester)
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*ScenarioError: *fall.ron:1:30: *gravitas*"])


def test_in_continuous_integration_a_missing_recording_fails(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytester.makepyfile(TEST)
    (pytester.path / "fall.ron").write_text(SCENE + ")")
    monkeypatch.setenv("CI", "true")
    missing = run(pytester)
    missing.assert_outcomes(failed=1)
    missing.stdout.fnmatch_lines(["fall.ron: its recording *fall.carom is missing*", "to make it: pytest --carom-update*"])
    assert not (pytester.path / "fall.carom").exists()
    run(pytester, "--carom-update").assert_outcomes(passed=1)
    run(pytester).assert_outcomes(passed=1)
    (pytester.path / "fall.carom").unlink()
    monkeypatch.setenv("CI", "False")
    run(pytester).assert_outcomes(passed=1)


def test_changes_are_named(bounce: carom.Simulation, tmp_path: Path) -> None:
    with carom.Recorder(tmp_path / "ball.carom", bounce):
        bounce.run()
    other = carom.Simulation(gravity=(0, 0, -10), timestep=0.125, duration=4)
    other.add("floor", carom.Plane((0, 0, 1)))
    other.add("ball", carom.Sphere(0.5), mass=1, position=(0, 0, 5.5), velocity=(2, 0, 0))
    assert carom.changes(tmp_path / "ball.carom", other) == ["bodies.ball.velocity.x 1 → 2"]
    with pytest.raises(carom.Divergence, match="bodies.ball.velocity.x 1 → 2\n.*step 0") as caught:
        carom.verify(tmp_path / "ball.carom", other)
    assert caught.value.changes == ["bodies.ball.velocity.x 1 → 2"]

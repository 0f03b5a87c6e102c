"""The package as a whole: its stubs, its page of the book, its examples."""

from __future__ import annotations

import doctest
import os
import re
import subprocess
import sys
from importlib.metadata import entry_points, version
from pathlib import Path

import pytest

import carom
from conftest import ROOT

EXAMPLES = ROOT / "python" / "examples"


def test_the_stubs_are_right() -> None:
    pytest.importorskip("mypy")
    command = [sys.executable, "-m", "mypy.stubtest", "carom", "--ignore-disjoint-bases"]
    subprocess.run(command, check=True, cwd=ROOT / "python" / "tests")


def test_the_package_is_typed(tmp_path: Path) -> None:
    pytest.importorskip("mypy")
    use = tmp_path / "use.py"
    use.write_text(
        "from decimal import Decimal\nimport numpy as np\nimport carom\n"
        "reveal_type(carom.Simulation.load('x').energy.total)\ncarom.Sphere('1')\n"
        "rows = np.zeros((3, 3))\ncarom.Mesh(rows, np.zeros((1, 3), dtype=int))\n"
        "carom.Heights(1, rows)\ncarom.Polygon(rows)\n"
        "sine = {'sine': {'axis': (0, 0, 1), 'amplitude': 0.003, 'frequency': 20}}\n"
        "knots = {'knots': [(0.0, (0, 0, 0))]}\nsim = carom.Simulation()\n"
        "sim.add('a', carom.Sphere(1), motion=sine)\nsim.add('b', carom.Sphere(1), motion=knots)\n"
        "sim.run(until=Decimal('1.5'))\n"
        "for one in carom.Recording('x'):\n    one.kick('a', (0, 0, 1), at=np.float32(0.5))\n"
    )
    told = subprocess.run([sys.executable, "-m", "mypy", "--strict", use], capture_output=True, text=True, cwd=tmp_path)
    assert 'Revealed type is "float"' in told.stdout.replace("builtins.", "") and "Found 1 error" in told.stdout


def test_version_and_plugin_are_those_of_the_package() -> None:
    manifest = (ROOT / "python" / "Cargo.toml").read_text()
    assert carom.__version__ == version("carom") == re.search(r'^version = "(.*)"', manifest, re.M)[1]  # type: ignore[index]
    assert "carom" in {point.name for point in entry_points(group="pytest11")}


def test_everything_public_says_what_it_is() -> None:
    for name in carom.__all__:
        item = getattr(carom, name)
        assert name == "__version__" or item.__doc__, name
        for part, value in vars(item).items() if isinstance(item, type) else ():
            if not part.startswith("_") and (callable(value) or isinstance(value, (property, staticmethod))):
                assert getattr(item, part).__doc__, f"{name}.{part}"


def test_the_page_of_the_book(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for library in ["pandas", "polars"]:
        pytest.importorskip(library)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "scenarios").symlink_to(ROOT / "scenarios")
    failed, tried = doctest.testfile(
        str(ROOT / "docs" / "python.md"), module_relative=False, optionflags=doctest.ELLIPSIS, encoding="utf-8",
        parser=_Blocks(),
    )
    assert failed == 0 and tried > 30


class _Blocks(doctest.DocTestParser):
    """Reads the examples of a page, whose blocks end with a fence."""

    def parse(self, string: str, name: str = "<string>") -> list[str | doctest.Example]:
        return super().parse(re.sub(r"^```.*$", "", string, flags=re.M), name)


@pytest.mark.parametrize("name", ["galperin", "gas", "energy", "dask_sweep"])
def test_examples(name: str) -> None:
    for library in {"gas": ["pyarrow"], "dask_sweep": ["pyarrow", "distributed"]}.get(name, []):
        pytest.importorskip(library)
    command = [sys.executable, "-W", "error", EXAMPLES / f"{name}.py"]
    told = subprocess.run(command, check=True, cwd=ROOT, capture_output=True, text=True, env={**os.environ, "PYTHONWARNINGS": ""})
    if name == "galperin":
        assert re.findall(r"(\d+) impacts", told.stdout) == ["3", "31", "314", "3141"]


def test_the_notebook(tmp_path: Path) -> None:
    nbclient, nbformat = pytest.importorskip("nbclient"), pytest.importorskip("nbformat")
    pytest.importorskip("ipykernel"), pytest.importorskip("pandas")
    notebook = nbformat.read(EXAMPLES / "first_look.ipynb", as_version=4)
    resources = {"metadata": {"path": str(tmp_path)}}
    nbclient.NotebookClient(notebook, timeout=120, kernel_name="python3", resources=resources).execute()
    shown = [output.data for cell in notebook.cells for output in cell.get("outputs", []) if "data" in output]
    assert any("image/svg+xml" in data for data in shown)
    pages = [data["text/html"] for data in shown if "text/html" in data]
    assert any("<iframe" in page for page in pages) and any("data:image/gif" in page for page in pages)

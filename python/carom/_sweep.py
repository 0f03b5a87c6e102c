"""Sweeps: one scenario run many times with other values, here or on any pool of workers."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from carom._carom import Picture, Study, Table
from carom._run import Page

#: Number of parts of a sweep per worker of a pool of unknown size. Small parts avoid a long wait for the last one.
_PARTS = 32

#: The first words of results, and their names in a sweep file.
_FIGURES = {"audit": "Audit", "gas": "Gas", "packing": "Packing"}


class Sweep:
    """A sweep: a base scenario, what varies, and what is collected of each member."""

    def __init__(
        self,
        base: str | os.PathLike[str],
        vary: Mapping[str, Any],
        *,
        collect: Sequence[str] | Mapping[str, str],
        combine: str = "Grid",
        set: Mapping[str, Any] | None = None,
        title: str | None = None,
    ) -> None:
        base = Path(base)
        title = title if title is not None else f"A sweep of {base.stem}"
        value = Study.value
        lines = [f"title: {value(title)}", f"base: {value(base.name)}"]
        if set:
            lines.append("set: {" + ", ".join(f"{value(path)}: {value(to)}" for path, to in set.items()) + "}")
        lines.append("vary: {" + ", ".join(f"{value(path)}: {_values(path, of)}" for path, of in vary.items()) + "}")
        lines.append(f"combine: {_camel(combine)}")
        results = collect if isinstance(collect, Mapping) else _columns(collect)
        lines.append("collect: {" + ", ".join(f"{value(name)}: {_measure(of)}" for name, of in results.items()) + "}")
        text = "Sweep(\n" + "".join(f"    {line},\n" for line in lines) + ")\n"
        self._study = Study.over("sweep", text, base)
        self._folder: Path | None = None

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Sweep:
        """The sweep of a sweep file."""
        sweep = cls.__new__(cls)
        sweep._study = Study.load(path)
        sweep._folder = None
        return sweep

    @property
    def title(self) -> str:
        """A line that describes the sweep."""
        return self._study.title

    @property
    def text(self) -> str:
        """The text of the sweep file. Saved beside the base scenario, `carom sweep` runs it."""
        return self._study.text

    def __len__(self) -> int:
        return len(self._study)

    @property
    def members(self) -> list[dict[str, str]]:
        """The values of each member in RON. The keys are the paths."""
        paths, rows = self._study.members()
        return [dict(zip(paths, row)) for row in rows]

    def run(
        self,
        folder: str | os.PathLike[str],
        client: Any = None,
        *,
        jobs: int = 0,
        parts: int | None = None,
        progress: Callable[[int, int], object] | None = None,
    ) -> Table:
        """Runs all members that have no result in the folder yet, and makes one table of all.

        Without a client it runs on `jobs` threads, 0 for all cores. A client is anything with `submit` (Dask,
        `concurrent.futures`, executorlib) or `map` (`multiprocessing.Pool`), whose workers share the folder. It gets the
        sweep in `parts` parts. `progress` is called with the numbers of members that are done and of all, the last time at
        the end.
        """
        place = Path(folder).absolute()
        if jobs < 0 or (parts is not None and parts < 1):
            raise ValueError(f"jobs must be 0 or more, and parts 1 or more, found jobs={jobs} and parts={parts}")
        if client is None:
            done = self._study.run(place, jobs=jobs, progress=progress)
            if progress is not None:
                progress(*done)
        else:
            self._spread(place, client, min(parts or _PARTS, len(self)), progress)
        return self.merge(place)

    def _spread(
        self, place: Path, client: Any, parts: int, progress: Callable[[int, int], object] | None
    ) -> None:
        shards = [(number, parts) for number in range(1, parts + 1)]
        if hasattr(client, "submit"):
            # All workers write the same bytes for a member, so it does no harm if a part runs twice.
            futures = [client.submit(_part, self._study, str(place), shard) for shard in shards]
            waiting = (future.result() for future in futures)
        elif hasattr(client, "map"):
            waiting = iter(client.map(_Part(self._study, str(place)), shards))
        else:
            raise TypeError(f"{client!r} has neither `submit` nor `map`")
        done = 0
        for result in waiting:
            done += result[0]
            if progress is not None:
                progress(done, len(self))

    def merge(self, folder: str | os.PathLike[str]) -> Table:
        """Makes table, summary and plots of the results in a folder."""
        self._folder = Path(folder)
        return self._study.merge(self._folder)

    @property
    def plots(self) -> dict[str, Picture]:
        """The plots of the last run, by the names of their results."""
        if self._folder is None:
            return {}
        names = self._study.plots()
        return dict(zip(names, self._study.pictures(self._folder, names, {})))

    def plot(self, name: str | None = None, **style: Any) -> Picture:
        """A plot of the last run, by the name of its result, in another style: `sweep.plot("rest", theme="print")`.

        The words are those of `style` in a scenario. Without a name it is the first plot.
        """
        if self._folder is None:
            raise ValueError("the sweep has no results yet: call its run() first")
        names = self._study.plots()
        chosen = names[:1] if name is None else [known for known in names if known == name]
        if not chosen:
            raise ValueError(f"no plot is called {name!r}; those of this sweep are {', '.join(names)}")
        return self._study.pictures(self._folder, chosen, style)[0]

    def report(self) -> Page:
        """The page of the last run, as `carom report` makes it."""
        if self._folder is None:
            raise ValueError("the sweep has no results yet: call its run() first")
        return Page(self._study.page(self._folder, self._folder.absolute().name))

    def __repr__(self) -> str:
        return f"<carom.Sweep {self.title!r}: {len(self)} members>"


class _Part:
    """One part of a sweep, for pools that have only `map`."""

    def __init__(self, study: Study, folder: str) -> None:
        self.study, self.folder = study, folder

    def __call__(self, shard: tuple[int, int]) -> tuple[int, int]:
        return _part(self.study, self.folder, shard)


def _part(study: Study, folder: str, shard: tuple[int, int]) -> tuple[int, int]:
    """Runs a part of a sweep on one thread of a worker."""
    return study.run(folder, shard=shard, jobs=1)


def _values(path: str, values: Any) -> str:
    """The values of a factor. A range of seeds becomes `Seeds`, over which plots take means."""
    if isinstance(values, str):
        # Such as `LogRange(from: 1, to: 100, count: 5)`.
        return values
    if isinstance(values, range) and values.step == 1 and path.rsplit(".", 1)[-1] == "seed":
        return f"Seeds(count: {len(values)}, first: {values.start})"
    if not isinstance(values, Iterable):
        raise TypeError(f"vary[{path!r}] must be a list of values, found {values!r}")
    return "List([" + ", ".join(Study.value(value) for value in values) + "])"


def _columns(results: Sequence[str]) -> dict[str, str]:
    """The results by the names of their columns: that of `count.impact` is `count_impact`."""
    if isinstance(results, str):
        raise TypeError(f"collect is a list of results or a dictionary, found {results!r}: give [{results!r}]")
    named: dict[str, str] = {}
    for result in results:
        column = "".join(letter if letter.isascii() and letter.isalnum() else "_" for letter in result)
        other = named.setdefault(column, result)
        if other != result:
            raise ValueError(
                f"{other!r} and {result!r} in collect have the same column {column!r}: give a dictionary with a name for "
                f"each, such as {{'one': {other!r}, 'two': {result!r}}}"
            )
    return named


def _measure(result: str) -> str:
    """A result in the notation of a sweep file. A text with a bracket is already in this notation."""
    if "(" in result or result == "Met":
        return result
    word, *rest = result.split(".")
    match word, rest:
        case "met", []:
            return "Met"
        case "count", [kind]:
            return f"Count(kind: {_camel(kind)})"
        case "time", [kind]:
            return f"Time(kind: {_camel(kind)})"
        case "time", [kind, nth] if nth.isdigit():
            return f"Time(kind: {_camel(kind)}, nth: {nth})"
        case "final", [*body, quantity] if body:
            return f"Final(body: {Study.value('.'.join(body))}, quantity: {_camel(quantity)})"
        case ("audit" | "gas" | "packing"), [figure]:
            return f"{_FIGURES[word]}({_camel(figure)})"
    raise ValueError(
        f"no result is called {result!r}: give for example count.impact, time.rest, time.impact.3, final.ball.x, "
        "audit.energy_drift, gas.compressibility, packing.fraction, met, or one as in a sweep file"
    )


def _camel(name: str) -> str:
    return "".join(part[:1].upper() + part[1:] for part in name.split("_"))

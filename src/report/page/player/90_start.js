// Beginning: the page has a place for a player, or for a playground. Runs that are too large to be carried have no scenario.
const data = JSON.parse(document.getElementById("carom-data").textContent);
const runs = data.runs.filter((run) => run.scenario !== null);

function startPlayer(section) {
  const trouble = make("ul", { classes: "carom-problems" });
  const choice = make("select", { "aria-label": "Run", onchange: () => open(runs[choice.selectedIndex]) },
    ...runs.map((run) => make("option", { text: run.title ? `${run.name}: ${run.title}` : run.name })));
  choice.selectedIndex = Math.max(0, runs.indexOf(data.runs[Number(section.dataset.run ?? 0)]));
  if (runs.length > 1) section.append(make("label", { classes: "carom-chosen" }, document.createTextNode("Run"), choice));
  const player = new Player(section, {
    isAlone: true,
    loaded: () => trouble.replaceChildren(),
    problems: ({ problems }) => trouble.replaceChildren(...problems.map(({ message }) => make("li", { text: message }))),
  });
  section.append(trouble);
  const open = (run) => player.open(run);
  // Plots and tables lead to an instant of a run, which then is in view.
  document.addEventListener("carom-seek", ({ detail: { time, isImpact, run } }) => {
    const rank = runs.indexOf(data.runs[run]);
    if (rank < 0) return;
    if (rank === choice.selectedIndex) {
      // The table has twelve digits, and an impact its exact instant.
      player.jump("time", Math.min(isImpact ? time * (1 - 6e-12) : time, player.end));
      if (isImpact) player.jump("impact", 1);
    } else {
      choice.selectedIndex = rank;
      player.open(runs[rank], false, time);
    }
    section.scrollIntoView({ block: "nearest" });
  });
  open(runs[choice.selectedIndex]);
}

for (const section of document.querySelectorAll("#carom-player, #carom-playground")) {
  if (runs.length === 0) break;
  if (!Engine.isPossible()) {
    section.append(make("p", { text: "This browser has no WebAssembly, so the run cannot be played here. All other parts of the page are complete." }));
  } else if (section.id === "carom-playground") {
    new Playground(section, runs[0], data.presets ?? []);
  } else {
    startPlayer(section);
  }
}

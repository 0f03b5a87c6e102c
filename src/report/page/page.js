"use strict";
// Tables of events: a search, an order by each column, and pages. Without this script all rows are there.
(() => {
  const ROWS = 50;

  const make = (tag, words, parent) => {
    const element = document.createElement(tag);
    if (words) element.textContent = words;
    if (parent) parent.append(element);
    return element;
  };

  const enhance = (box) => {
    const body = box.querySelector("tbody");
    const all = [...body.rows].map((row) => ({ row, text: row.textContent.toLowerCase() }));
    const cell = (entry, column) => entry.row.cells[column].textContent;
    let shown = all;
    let sought = all;
    let order = { column: 0, down: false };
    let page = 0;

    const tools = make("div");
    tools.className = "tools";
    box.prepend(tools);
    const label = make("label", "Search ", tools);
    const search = make("input", "", label);
    search.type = "search";
    search.placeholder = box.dataset.search ?? "body or kind";
    const back = make("button", "Previous", tools);
    const on = make("button", "Next", tools);
    back.type = on.type = "button";
    const state = make("output", "", tools);

    const draw = () => {
      const pages = Math.max(1, Math.ceil(shown.length / ROWS));
      page = Math.min(Math.max(page, 0), pages - 1);
      body.replaceChildren(...shown.slice(page * ROWS, (page + 1) * ROWS).map((entry) => entry.row));
      back.disabled = page === 0;
      on.disabled = page === pages - 1;
      const first = shown.length ? page * ROWS + 1 : 0;
      const last = Math.min(shown.length, (page + 1) * ROWS);
      const of = shown.length === all.length ? "" : `, of ${all.length} in all`;
      state.textContent = `${first} to ${last} of ${shown.length} rows${of}`;
    };

    const sort = () => {
      const { column, down } = order;
      const isNumber = heads[column].classList.contains("num");
      const key = (entry) => (isNumber ? Number(cell(entry, column).replace("−", "-")) || 0 : cell(entry, column));
      const less = (a, b) => (a < b ? -1 : a > b ? 1 : 0);
      // Rows of equal keys stay in the order of time.
      shown = [...sought].sort((a, b) => (down ? -1 : 1) * less(key(a), key(b)));
    };

    const heads = [...box.querySelectorAll("thead th")];
    heads.forEach((head, column) => {
      const words = head.textContent;
      head.textContent = "";
      const button = make("button", words, head);
      button.type = "button";
      button.addEventListener("click", () => {
        order = { column, down: order.column === column && !order.down };
        heads.forEach((other) => other.removeAttribute("aria-sort"));
        head.setAttribute("aria-sort", order.down ? "descending" : "ascending");
        page = 0;
        sort();
        draw();
      });
    });
    heads[0].setAttribute("aria-sort", "ascending");

    search.addEventListener("input", () => {
      const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
      sought = all.filter((entry) => words.every((word) => entry.text.includes(word)));
      page = 0;
      sort();
      draw();
    });
    back.addEventListener("click", () => { page -= 1; draw(); });
    on.addEventListener("click", () => { page += 1; draw(); });
    draw();
  };

  document.querySelectorAll(".events").forEach(enhance);
})();

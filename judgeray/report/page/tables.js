// Tables that sort, filter and copy. The server wrote them; without this script they are plain tables.
"use strict";

const tables = (() => {
  const collator = new Intl.Collator(undefined, { numeric: true });

  // Cells with data-v sort by that number; an empty one (not known) stays last in both directions.
  function compare(left, right, direction) {
    const [a, b] = [left.dataset.v, right.dataset.v];
    if (a === undefined || b === undefined) {
      return direction * collator.compare(left.textContent, right.textContent);
    }
    if (a === "" || b === "") return (a === "") - (b === "");
    return direction * (Number(a) - Number(b));
  }

  function sort(table, column) {
    const headers = [...table.tHead.rows[0].cells];
    const direction = headers[column].getAttribute("aria-sort") === "ascending" ? -1 : 1;
    headers.forEach((header) => header.setAttribute("aria-sort", "none"));
    headers[column].setAttribute("aria-sort", direction === 1 ? "ascending" : "descending");
    const body = table.tBodies[0];
    const rows = [...body.rows];
    rows.sort((left, right) => compare(left.cells[column], right.cells[column], direction));
    body.append(...rows);
  }

  // A row shows when every control that knows it lets it through, and it holds all words searched for.
  function filter(table, words, shown) {
    const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
    let visible = 0;
    for (const row of table.tBodies[0].rows) {
      const text = wanted.length ? [...row.cells].map((cell) => cell.textContent.toLowerCase()).join(" ") : "";
      row.hidden = !(allowed(row, shown) && wanted.every((word) => text.includes(word)));
      visible += !row.hidden;
    }
    return visible;
  }

  function allowed(element, shown) {
    return Object.entries(shown).every(
      ([letter, indices]) =>
        element.dataset[letter] === undefined || element.dataset[letter].split(" ").every((index) => indices.has(index)),
    );
  }

  // Numbers are copied as the page spells them; a dash (not known) becomes an empty cell.
  function rowsOf(table) {
    const header = [...table.tHead.rows[0].cells].map((cell) => cell.textContent.trim());
    const lines = [...table.tBodies[0].rows].filter((row) => !row.hidden);
    const text = (cell) => (cell.dataset.v === "" ? "" : cell.textContent.trim());
    return [header, ...lines.map((row) => [...row.cells].map(text))];
  }

  async function toClipboard(text) {
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      const area = document.createElement("textarea");
      area.value = text;
      area.className = "off-screen";
      document.body.append(area);
      area.select();
      document.execCommand("copy");
      area.remove();
    }
  }

  function connect(holder, state) {
    const table = holder.querySelector("table");
    const search = holder.querySelector("input[type=search]");
    const said = holder.querySelector("output");
    const refresh = () => {
      const visible = filter(table, search ? search.value : "", state.shown);
      const all = table.tBodies[0].rows.length;
      const told = visible === all ? `${all} rows` : `${visible} of ${all} rows`;
      if (said && said.textContent !== told) said.textContent = told;
    };
    table.tHead.addEventListener("click", (event) => {
      const header = event.target.closest("th");
      if (header && event.target.closest("button")) sort(table, header.cellIndex);
    });
    if (search) search.addEventListener("input", refresh);
    for (const button of holder.querySelectorAll("button[data-copy]")) {
      button.addEventListener("click", async () => {
        const rows = rowsOf(table);
        await toClipboard(copying[button.dataset.copy](rows));
        if (said) said.textContent = `copied ${rows.length - 1} rows as ${button.textContent}`;
      });
    }
    state.listeners.push(refresh);
    refresh();
  }

  return { connect, sort, filter, allowed, rowsOf };
})();

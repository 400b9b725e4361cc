// Charts: drawn when they come near the screen (or paper), restricted by the page's controls.
"use strict";

const figures = (() => {
  const views = new Map();

  // Text from data becomes text nodes only.
  function showTip(tip, event, value) {
    if (value === null || value === undefined || value === "") {
      tip.hidden = true;
      return;
    }
    const list = document.createElement("dl");
    for (const [name, text] of Object.entries(value)) {
      const [term, detail] = [document.createElement("dt"), document.createElement("dd")];
      term.textContent = name;
      detail.textContent = String(text);
      list.append(term, detail);
    }
    tip.replaceChildren(list);
    tip.hidden = false;
    const { width, height } = tip.getBoundingClientRect();
    const left = Math.min(event.clientX + 14, document.documentElement.clientWidth - width - 8);
    const top = event.clientY + height + 24 > window.innerHeight ? event.clientY - height - 12 : event.clientY + 14;
    tip.style.left = `${Math.max(8, left)}px`;
    tip.style.top = `${Math.max(8, top)}px`;
  }

  async function draw(holder, data, state) {
    if (views.has(holder)) return views.get(holder);
    const tip = document.getElementById("tip");
    const drawing = vegaEmbed(holder, data.charts[Number(holder.dataset.chart)], {
      actions: false, ast: true, defaultStyle: false, mode: "vega", renderer: "svg",
      tooltip: (_, event, __, value) => showTip(tip, event, value),
    }).then((result) => {
      result.view.addEventListener("mouseout", () => { tip.hidden = true; });
      holder.dataset.drawn = "yes";
      return restrict(result.view, data, state).then(() => result.view);
    });
    views.set(holder, drawing);
    return drawing;
  }

  // Parameters are null while everything is shown, else the names that are.
  async function restrict(view, data, state) {
    for (const [part, letter] of [["judge", "j"], ["design", "g"], ["condition", "c"]]) {
      if (state.shown[letter] === undefined) continue;
      const all = data.names[part];
      const names = all.filter((_, index) => state.shown[letter].has(String(index)));
      try {
        view.signal(`${part}_shown`, names.length === all.length ? null : names);
      } catch {
        // a chart without this parameter is not restricted by it
      }
    }
    return view.runAsync();
  }

  function connect(data, state) {
    const holders = [...document.querySelectorAll("[data-chart]")];
    const watcher = new IntersectionObserver(
      (entries) => {
        for (const entry of entries) if (entry.isIntersecting) draw(entry.target, data, state);
      },
      { rootMargin: "500px" },
    );
    holders.forEach((holder) => watcher.observe(holder));
    window.addEventListener("beforeprint", () => { drawAll(data, state); });
    window.addEventListener("scroll", () => { document.getElementById("tip").hidden = true; }, { passive: true });
    state.listeners.push(() => {
      for (const drawing of views.values()) drawing.then((view) => restrict(view, data, state));
    });
  }

  const drawAll = (data, state) =>
    Promise.all([...document.querySelectorAll("[data-chart]")].map((holder) => draw(holder, data, state)));

  return { connect, drawAll, views };
})();

// The page's controls: which datasets, judges, designs and conditions are shown, everywhere at once.
"use strict";

const page = (() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const state = { shown: {}, listeners: [] };

  function readControls() {
    for (const letter of ["d", "j", "g", "c"]) {
      const boxes = document.querySelectorAll(`input[data-part="${letter}"]`);
      if (boxes.length) state.shown[letter] = new Set([...boxes].filter((box) => box.checked).map((box) => box.value));
    }
  }

  // Panels and drill-down cells belong to a dataset, judge, design, condition as far as they say so.
  function hideParts() {
    for (const part of document.querySelectorAll(".panel, .cell")) part.hidden = !tables.allowed(part, state.shown);
    const boxes = [...document.querySelectorAll("input[data-part]")];
    const hidden = boxes.filter((box) => !box.checked && box.type === "checkbox").length;
    document.getElementById("hidden-parts").textContent = hidden ? `${hidden} hidden` : "all shown";
    document.getElementById("show-all").disabled = hidden === 0;
  }

  function changed() {
    readControls();
    hideParts();
    state.listeners.forEach((listen) => listen());
  }

  function showAll() {
    for (const box of document.querySelectorAll("input[data-part][type=checkbox]")) box.checked = true;
    changed();
  }

  // A link to a case or a heading opens what holds it.
  function openTarget() {
    const target = location.hash.length > 1 ? document.getElementById(location.hash.slice(1)) : null;
    for (let part = target; part; part = part.parentElement) if (part.tagName === "DETAILS") part.open = true;
    if (target) target.scrollIntoView();
  }

  readControls();
  hideParts();
  document.querySelectorAll(".grid").forEach((holder) => tables.connect(holder, state));
  figures.connect(data, state);
  document.getElementById("controls").addEventListener("change", changed);
  document.getElementById("show-all").addEventListener("click", showAll);
  window.addEventListener("hashchange", openTarget);
  if (window.matchMedia("(max-width: 60rem)").matches) document.getElementById("controls").open = false;
  document.documentElement.dataset.ready = "yes";
  openTarget();
  return { data, state, changed };
})();

"use strict";
// Theme: the system's choice, until the reader presses the button.
const root = document.documentElement;
const system = matchMedia("(prefers-color-scheme: dark)");
const isDark = () => (root.dataset.theme ?? (system.matches ? "dark" : "light")) === "dark";
// A custom property reads back as light-dark(...); a real one that uses it reads back resolved.
const probe = document.head.appendChild(document.createElement("meta"));
function colour(name) {
  probe.style.color = `var(--${name})`;
  return getComputedStyle(probe).color;
}

// Charts take every colour and font from the page, so one palette rules both themes.
function chartConfig() {
  const [text, muted, line, accent, bad] = ["text", "muted", "line", "accent", "bad"].map(colour);
  const font = getComputedStyle(document.body).fontFamily;
  const narrow = innerWidth < 600;
  // A name such as "AETHER and AETHER-LB, computed here" takes up to 290 pixels.
  const columns = Math.max(1, Math.floor(document.querySelector("main").clientWidth / 290));
  return {
    background: "transparent",
    font,
    view: { stroke: null },
    axis: {
      labelColor: text, titleColor: muted, titleFontWeight: "normal", labelFontSize: 12,
      titleFontSize: 12, titlePadding: 8, gridColor: line, domainColor: line, tickColor: line,
    },
    legend: {
      orient: "top", direction: narrow ? "vertical" : "horizontal", labelColor: text,
      labelFontSize: 13, symbolSize: 90, symbolStrokeColor: muted, labelLimit: 300, offset: 6, symbolOpacity: 1,
      columns, layout: { top: { direction: "vertical", anchor: "start", margin: 6 } },
    },
    range: {
      category: [
        "c1", "c2", "c3", "c4", "c5", "c6", "c7", "c8",
        "c9", "c10", "c11", "c12", "c13", "c14", "c15", "c16", "c17", "c18", "c19", "c20",
      ].map(colour),
    },
    style: {
      all: { color: colour("bar") },
      searched: { color: colour("bar-done") },
      printed: { color: text },
      wrong: { color: bad },
      "wrong-label": { color: bad, fontSize: 12, fontWeight: 600 },
      found: { color: accent },
      "found-label": { color: text, fontSize: 12, fontWeight: 600 },
      "none-label": { color: muted, fontSize: 11 },
      peer: { color: muted },
      hollow: { color: text },
      cell: { color: colour("bg"), fontWeight: 600 },
      limit: { color: accent },
      "limit-label": { color: accent, fontSize: 11 },
    },
  };
}

let drawn = Promise.resolve();
function drawCharts() {
  drawn = drawn.then(() => Promise.all([...document.querySelectorAll(".chart")].map(async (place) => {
    const spec = JSON.parse(document.getElementById(place.dataset.spec).textContent);
    delete spec.config; // the library's default, which would win over the page's
    place.view?.finalize();
    const made = await vegaEmbed(place, spec, {
      renderer: "svg", actions: false, config: chartConfig(), tooltip: { theme: "custom" },
    });
    place.view = made.view;
    place.dataset.ready = isDark() ? "dark" : "light";
    const svg = place.querySelector("svg");
    svg.setAttribute("role", "img");
    svg.setAttribute("aria-label", place.dataset.title);
  })));
  return drawn;
}

const toggle = document.getElementById("theme");
function nameToggle() { toggle.textContent = isDark() ? "Light page" : "Dark page"; }
toggle.addEventListener("click", () => {
  root.dataset.theme = isDark() ? "light" : "dark";
  nameToggle();
  drawCharts();
});
system.addEventListener("change", () => { nameToggle(); drawCharts(); });
nameToggle();
drawCharts();

// Tables: the library is a module without a global, so it comes in through a blob.
async function sortable() {
  const source = JSON.parse(document.getElementById("datatables").textContent);
  const url = URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
  const { ITable } = await import(url);
  URL.revokeObjectURL(url);
  for (const table of document.querySelectorAll("table.sortable")) {
    const search = table.tBodies[0].rows.length > 12;
    new ITable(table, {
      paging: false, info: false, searching: search, autoWidth: false, order: [],
      layout: { topStart: search ? "search" : null, topEnd: null, bottomStart: null, bottomEnd: null },
      language: { search: "Filter", zeroRecords: "no row matches the filter" },
    });
  }
  root.dataset.tables = "ready";
}
sortable();

// Drawings: buttons for those who cannot pinch.
for (const box of document.querySelectorAll(".drawing")) {
  const svg = box.querySelector("svg");
  const natural = parseFloat(svg.style.getPropertyValue("--natural"));
  let zoom = 0.6;
  // Squeezed below half its size nobody can read it: start larger, and let its box scroll.
  const start = () => {
    if (svg.clientWidth >= natural / 2) return;
    svg.style.setProperty("--zoom", zoom);
    box.classList.remove("fit");
  };
  // Folded away it has no width yet.
  const folded = box.closest("details:not([open])");
  if (folded) folded.addEventListener("toggle", start, { once: true });
  else start();
  box.addEventListener("click", (event) => {
    const step = { in: 1.3, out: 1 / 1.3 }[event.target.dataset.zoom];
    if (event.target.dataset.zoom === undefined) return;
    if (step) {
      if (box.classList.contains("fit")) zoom = svg.clientWidth / natural;
      zoom = Math.min(6, Math.max(0.2, zoom * step));
      svg.style.setProperty("--zoom", zoom);
    }
    box.classList.toggle("fit", !step);
  });
}

// A link into a folded table opens it.
function unfold() {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  const folded = target?.closest("details:not([open])");
  if (!folded) return;
  folded.open = true;
  target.scrollIntoView();
}
addEventListener("hashchange", unfold);
unfold();

// Contents: open next to the page on wide screens, folded above it on narrow ones.
const contents = document.querySelector("nav.contents details");
const wide = matchMedia("(min-width: 68rem)");
const fold = () => { contents.open = wide.matches; };
wide.addEventListener("change", fold);
fold();
const links = new Map([...document.querySelectorAll("nav.contents a")].map((a) => [a.hash.slice(1), a]));
const watch = new IntersectionObserver((entries) => {
  const seen = entries.find((entry) => entry.isIntersecting);
  if (!seen) return;
  for (const link of links.values()) link.removeAttribute("aria-current");
  links.get(seen.target.id)?.setAttribute("aria-current", "true");
}, { rootMargin: "0px 0px -75% 0px" });
for (const id of links.keys()) watch.observe(document.getElementById(id));

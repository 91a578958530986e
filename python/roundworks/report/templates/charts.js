"use strict";
// Charts: drawn when they come near the window, the others when nothing else is to do. They take every
// colour and font from the page, so one palette rules both schemes.
const charts = [...document.querySelectorAll(".chart")];

// A custom property reads back as light-dark(...); a real one that uses it reads back resolved.
const probe = document.head.appendChild(document.createElement("meta"));
function colour(name) {
  probe.style.color = `var(--${name})`;
  return getComputedStyle(probe).color;
}

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
      ramp: [colour("raised"), colour("accent")],
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
      "end-name": { fontSize: 12 },
      "share": { color: text, fontSize: narrow ? 0 : 11 },
      "share-on": { color: colour("bg"), fontWeight: 600, fontSize: narrow ? 0 : 11 },
      "none-label": { color: muted, fontSize: 11 },
      peer: { color: muted },
      hollow: { color: text },
      cell: { color: colour("bg"), fontWeight: 600 },
      limit: { color: accent },
      "limit-label": { color: accent, fontSize: 11 },
    },
  };
}

// What the controls of the page have chosen, by signal; a chart takes the signals that it has.
const chosen = new Map();
function signal(place, name, value) {
  try { place.view.signal(name, value); } catch { /* this chart has no such signal */ }
}
for (const form of document.querySelectorAll("form.choose")) {
  const choose = () => {
    const boxes = [...form.querySelectorAll('[name="shown"]')];
    const shown = boxes.filter((box) => box.checked).map((box) => box.value);
    const library = form.querySelector('[name="library"]:checked')?.value;
    chosen.set("shown", shown.length === boxes.length ? null : shown);
    chosen.set("peers", form.querySelector('[name="peers"]').checked);
    if (library) chosen.set("library", library);
    for (const row of document.querySelectorAll("[data-cipher]")) row.hidden = !shown.includes(row.dataset.cipher);
    for (const cell of document.querySelectorAll("[data-library]")) cell.hidden = cell.dataset.library !== library;
    for (const place of charts.filter((each) => each.view)) {
      for (const [name, value] of chosen) signal(place, name, value);
      place.view.runAsync();
    }
  };
  form.addEventListener("change", choose);
  form.addEventListener("click", (event) => {
    const all = event.target.dataset.all;
    if (!all) return;
    for (const box of form.querySelectorAll('[name="shown"]')) box.checked = all === "on";
    choose();
  });
  choose(); // a browser may have kept what was chosen before
}

const specOf = (place) => JSON.parse(document.getElementById(place.dataset.spec).textContent);

// A narrow page has no space for names at the ends of lines: a legend says them.
function slim(spec) {
  const named = (layer) => layer.mark?.style === "end-name";
  if (!spec.layer?.some(named)) return;
  spec.layer = spec.layer.filter((layer) => !named(layer));
  spec.padding.right = 5;
  for (const { encoding } of spec.layer) {
    for (const channel of [encoding?.color, encoding?.shape]) {
      if (channel?.legend !== null) continue;
      delete channel.legend;
      channel.title = null;
    }
  }
}

async function draw(place) {
  const scheme = isDark() ? "dark" : "light";
  if (place.dataset.drawing === scheme) return;
  place.dataset.drawing = scheme;
  await load("vega");
  const spec = specOf(place);
  if (innerWidth < 600) slim(spec);
  delete spec.config; // the library's default, which would win over the page's
  place.view?.finalize();
  const made = await vegaEmbed(place, spec, {
    renderer: "svg", actions: false, config: chartConfig(), tooltip: { theme: "custom" },
  });
  place.view = made.view;
  for (const [name, value] of chosen) signal(place, name, value);
  await place.view.runAsync();
  place.dataset.ready = scheme;
  const svg = place.querySelector("svg");
  svg.setAttribute("role", "img");
  svg.setAttribute("aria-label", place.dataset.title);
  for (const empty of svg.querySelectorAll("g[role]:empty")) {
    empty.removeAttribute("role");
    empty.removeAttribute("aria-roledescription");
  }
}

whenNear(charts, draw);
whenSchemeChanges.push(() => charts.filter((place) => place.dataset.ready).forEach(draw));
// A page that is printed, or searched by the browser, has all of them.
async function drawAll() {
  for (const place of charts) {
    await new Promise((idle) => (window.requestIdleCallback ?? setTimeout)(idle));
    await draw(place);
  }
}
if (charts.length) addEventListener("load", () => setTimeout(drawAll, 300));

// Every data set of a chart as one table.
function csv(place) {
  const spec = specOf(place);
  const rows = [];
  const take = (part) => {
    if (Array.isArray(part?.data?.values)) rows.push(...part.data.values);
    for (const inner of part?.layer ?? []) take(inner);
    for (const inner of part?.vconcat ?? part?.hconcat ?? []) take(inner);
    if (part?.spec) take(part.spec);
  };
  for (const values of Object.values(spec.datasets ?? {})) rows.push(...values);
  take(spec);
  const names = [...new Set(rows.flatMap(Object.keys))];
  const quoted = (value) => {
    const text = value === null || value === undefined ? "" : String(value);
    return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  return [names, ...rows.map((row) => names.map((name) => row[name]))]
    .map((line) => line.map(quoted).join(",")).join("\n") + "\n";
}

for (const place of charts) {
  const figure = place.closest("figure");
  figure.addEventListener("click", async (event) => {
    const what = event.target.dataset.save;
    if (!what) return;
    await draw(place);
    if (what === "full") {
      if (document.fullscreenElement) document.exitFullscreen();
      else figure.requestFullscreen();
    } else if (what === "csv") {
      save(`${figure.id}.csv`, csv(place), "text/csv");
    } else if (what === "svg") {
      save(`${figure.id}.svg`, await place.view.toSVG(), "image/svg+xml");
    } else {
      save(`${figure.id}.png`, await place.view.toImageURL("png", 2), "image/png");
    }
  });
}

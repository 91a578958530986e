"use strict";
// What every page has: its scheme, the search over all pages, folded parts, drawings, and a way to load
// what lies next to it. Everything is loaded by script elements, for a page opened from a file may not fetch.
const root = document.documentElement;
const system = matchMedia("(prefers-color-scheme: dark)");
const isDark = () => (root.dataset.theme ?? (system.matches ? "dark" : "light")) === "dark";
const whenSchemeChanges = [];

const loading = new Map();
function load(name) {
  if (!loading.has(name)) {
    loading.set(name, new Promise((done, failed) => {
      const script = document.createElement("script");
      script.src = `data/${name}.js`;
      script.onload = done;
      script.onerror = () => failed(new Error(`data/${name}.js: cannot be loaded`));
      document.head.append(script);
    }));
  }
  return loading.get(name);
}

// What the files in data/ call.
const roundworks = {
  whenPlaced: [],
  site(found) { this.found = found; },
  tables(source) { this.source = source; },
  place(name, content) {
    for (const place of document.querySelectorAll(`[data-deferred="${CSS.escape(name)}"]`)) {
      const made = document.createElement("template");
      made.innerHTML = content;
      const around = place.parentElement;
      place.replaceWith(made.content);
      for (const placed of this.whenPlaced) placed(around);
    }
  },
};

const toggle = document.getElementById("theme");
function nameToggle() { toggle.textContent = isDark() ? "Light page" : "Dark page"; }
function keep(theme) { try { localStorage.setItem("theme", theme); } catch { /* a file may have no storage */ } }
try { root.dataset.theme = localStorage.getItem("theme") ?? root.dataset.theme; } catch { /* likewise */ }
if (root.dataset.theme === "undefined") delete root.dataset.theme;
toggle.addEventListener("click", () => {
  root.dataset.theme = isDark() ? "light" : "dark";
  keep(root.dataset.theme);
  nameToggle();
  for (const change of whenSchemeChanges) change();
});
system.addEventListener("change", () => { nameToggle(); for (const change of whenSchemeChanges) change(); });
nameToggle();

// Call `seen` for each element when it comes near the window, once.
function whenNear(elements, seen) {
  const watch = new IntersectionObserver((entries) => {
    for (const entry of entries) {
      if (!entry.isIntersecting) continue;
      watch.unobserve(entry.target);
      seen(entry.target);
    }
  }, { rootMargin: "500px 0px" });
  for (const element of elements) watch.observe(element);
}
whenNear(document.querySelectorAll(".deferred"), (place) => load(place.dataset.deferred));

function save(name, content, type) {
  const link = document.createElement("a");
  link.href = content instanceof Blob || typeof content === "string" && !content.startsWith("data:")
    ? URL.createObjectURL(content instanceof Blob ? content : new Blob([content], { type }))
    : content;
  link.download = name;
  link.click();
}

// A drawing without the page: its size, its font, and the colours that the style sheet gave it, as numbers
// that every program reads.
function alone(svg) {
  const copy = svg.cloneNode(true);
  const [, , width, height] = svg.getAttribute("viewBox").split(/\s+/);
  copy.removeAttribute("style");
  for (const [name, value] of Object.entries({ width, height, "font-family": "sans-serif", color: "#000" })) {
    copy.setAttribute(name, value);
  }
  const pixel = Object.assign(document.createElement("canvas"), { width: 1, height: 1 }).getContext("2d", { willReadFrequently: true });
  const plain = (colour) => {
    pixel.clearRect(0, 0, 1, 1);
    pixel.fillStyle = colour;
    pixel.fillRect(0, 0, 1, 1);
    const [r, g, b, a] = pixel.getImageData(0, 0, 1, 1).data;
    return a ? `rgb(${r}, ${g}, ${b})` : "none";
  };
  const shapes = "path, polygon, ellipse, text";
  const copies = [...copy.querySelectorAll(shapes)];
  for (const [i, shape] of [...svg.querySelectorAll(shapes)].entries()) {
    const style = getComputedStyle(shape);
    for (const name of ["fill", "stroke"]) {
      copies[i].setAttribute(name, style[name] === "none" ? "none" : plain(style[name]));
    }
  }
  return copy.outerHTML;
}

// Drawings: buttons for those who cannot pinch.
for (const box of document.querySelectorAll(".drawing")) {
  const drawn = () => box.querySelector(".stage svg, .stage .deferred");
  const natural = () => parseFloat(drawn().style.getPropertyValue("--natural"));
  let zoom = 0.6;
  // Squeezed below half its size nobody can read it: start larger, and let its box scroll.
  const start = () => {
    if (drawn().clientWidth >= natural() / 2) return;
    box.style.setProperty("--zoom", zoom);
    box.classList.remove("fit");
  };
  // Folded away it has no width yet.
  const folded = box.closest("details:not([open])");
  if (folded) folded.addEventListener("toggle", start, { once: true });
  else start();
  box.addEventListener("click", (event) => {
    if (event.target.dataset.save) save(`${box.id}.svg`, alone(drawn()), "image/svg+xml");
    const step = { in: 1.3, out: 1 / 1.3 }[event.target.dataset.zoom];
    if (event.target.dataset.zoom === undefined) return;
    if (step) {
      if (box.classList.contains("fit")) zoom = drawn().clientWidth / natural();
      zoom = Math.min(6, Math.max(0.2, zoom * step));
      box.style.setProperty("--zoom", zoom);
    }
    box.classList.toggle("fit", !step);
  });
}

// A link into a folded table opens it; one to the single page that the report once was finds its page.
async function follow() {
  const anchor = decodeURIComponent(location.hash.slice(1));
  if (!anchor) return;
  const target = document.getElementById(anchor);
  if (!target) {
    await load("site");
    const file = roundworks.found.anchors[anchor];
    if (file) location.replace(`${file}#${anchor}`);
    return;
  }
  const folded = target.closest("details:not([open])") ?? target.querySelector(":scope > details:not([open])");
  if (!folded) return;
  folded.open = true;
  target.scrollIntoView();
}
addEventListener("hashchange", follow);
follow();

// Paper is as wide as it is: a table that is too wide is made smaller, and much too wide goes across the page.
const PAPER = [700, 1030]; // pixels of A4 between its margins, upright and across
addEventListener("beforeprint", () => {
  root.classList.add("printing");
  root.classList.toggle("was-dark", isDark());
  for (const box of document.querySelectorAll(".scroll")) {
    const table = box.querySelector("table");
    if (!table?.scrollWidth) continue;
    const across = table.scrollWidth > PAPER[0] * 1.4;
    box.classList.toggle("across", across);
    table.style.zoom = Math.min(1, PAPER[Number(across)] / table.scrollWidth);
  }
});
addEventListener("afterprint", () => {
  root.classList.remove("printing");
  for (const table of document.querySelectorAll(".scroll table")) table.style.zoom = "";
});

// The pages: open next to the text on wide screens, folded above it on narrow ones.
const contents = document.querySelector("nav.contents details");
const wide = matchMedia("(min-width: 68rem)");
const fold = () => { contents.open = wide.matches; };
wide.addEventListener("change", fold);
fold();

// The search: every word has to be in the heading or in the name of its page; then come the places that
// have the words in their text.
const find = document.getElementById("find");
const hits = document.getElementById("hits");
async function search() {
  const words = find.value.toLowerCase().split(/\s+/).filter(Boolean);
  hits.replaceChildren();
  if (words.length) {
    await load("site");
    const among = (...fields) => {
      const where = fields.join(" ").toLowerCase();
      return words.every((word) => where.includes(word));
    };
    const begins = ([text]) => Number(text.toLowerCase().startsWith(words[0]));
    const named = roundworks.found.entries.filter(([text, , page]) => among(text, page))
      .sort((a, b) => begins(b) - begins(a));
    const found = [...named, ...roundworks.found.entries.filter(([text, , page, below]) =>
      !among(text, page) && among(text, page, below))];
    for (const [text, target, page] of found.slice(0, 12)) {
      const line = document.createElement("li");
      line.role = "option";
      const link = document.createElement("a");
      link.href = target;
      link.append(text, Object.assign(document.createElement("small"), { textContent: ` ${page}` }));
      line.append(link);
      hits.append(line);
    }
    if (!found.length) hits.append(Object.assign(document.createElement("li"), { textContent: "nothing found" }));
  }
  hits.hidden = !words.length;
  find.setAttribute("aria-expanded", String(!hits.hidden));
}
find.addEventListener("input", search);
find.addEventListener("focus", () => load("site"), { once: true });
addEventListener("keydown", (event) => {
  const typing = event.target.closest?.("input, textarea, select");
  if (event.key === "/" && !typing) {
    event.preventDefault();
    find.focus();
  } else if (event.key === "Escape" && !hits.hidden) {
    find.value = "";
    search();
  } else if ((event.key === "ArrowDown" || event.key === "ArrowUp") && event.target.closest?.(".find")) {
    const links = [...hits.querySelectorAll("a")];
    const at = links.indexOf(document.activeElement) + (event.key === "ArrowDown" ? 1 : -1);
    event.preventDefault();
    (links[at] ?? find).focus();
  }
});

"use strict";
// Tables: sorted and filtered by a library that is loaded when a reader first wants it, and copied in
// the formats that papers take.
const started = new Map();

// The library is a module without a global, so it comes in through a blob.
let library;
function tablesLibrary() {
  library ??= load("datatables").then(async () => {
    const url = URL.createObjectURL(new Blob([roundworks.source], { type: "text/javascript" }));
    const { default: DataTable } = await import(url);
    URL.revokeObjectURL(url);
    return DataTable;
  });
  return library;
}

function start(table) {
  if (!started.has(table)) {
    started.set(table, tablesLibrary().then((DataTable) => {
      const made = new DataTable(table, {
        paging: false, info: false, searching: true, autoWidth: false, order: [],
        layout: { topStart: null, topEnd: null, bottomStart: null, bottomEnd: null },
        language: { zeroRecords: "no row matches the filter" },
      });
      table.dataset.ready = "sortable";
      return made;
    }));
  }
  return started.get(table);
}

const cellText = (cell) => {
  const raised = cell.cloneNode(true);
  // A verdict in words says what its mark does.
  const said = raised.querySelector("small") !== null;
  for (const mark of raised.querySelectorAll("svg.mark")) {
    mark.replaceWith(said ? "" : mark.getAttribute("aria-label") ?? "");
  }
  for (const note of raised.querySelectorAll("details")) note.remove();
  for (const power of raised.querySelectorAll("sup")) power.replaceWith(`^${power.textContent}`);
  return raised.textContent.replace(/\s+/g, " ").trim();
};
const linesOf = (table) => [...table.rows]
  .filter((row) => !row.hidden)
  .map((row) => [...row.cells].filter((cell) => !cell.hidden).map(cellText));

// One pass, so that what one rule writes no other rule escapes again.
const LATEX = {
  "\\": "\\textbackslash{}", "^": "\\textasciicircum{}", "~": "\\textasciitilde{}", "&": "\\&", "%": "\\%",
  $: "\\$", "#": "\\#", _: "\\_", "{": "\\{", "}": "\\}", "−": "$-$", "×": "$\\times$", "µ": "$\\mu$", "²": "$^2$",
  "≤": "$\\le$", "≥": "$\\ge$", "⊕": "$\\oplus$", "–": "--",
};
const latex = (text) => text.replace(/[\\^~&%$#_{}−×µ²≤≥⊕–]/g, (c) => LATEX[c]);

const formats = {
  CSV(table) {
    const quoted = (text) => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
    return linesOf(table).map((line) => line.map(quoted).join(",")).join("\n") + "\n";
  },
  Markdown(table) {
    const [head, ...lines] = linesOf(table).map((line) => line.map((text) => text.replaceAll("|", "\\|")));
    return [head, head.map(() => "---"), ...lines].map((line) => `| ${line.join(" | ")} |`).join("\n") + "\n";
  },
  LaTeX(table) {
    const [head, ...lines] = linesOf(table);
    const columns = [...table.tHead.rows[0].cells].filter((cell) => !cell.hidden).map((cell) => (cell.classList.contains("num") ? "r" : "l")).join("");
    const line = (texts) => `${texts.map(latex).join(" & ")} \\\\`;
    return `\\begin{tabular}{${columns}}\n\\toprule\n${line(head)}\n\\midrule\n${lines.map(line).join("\n")}\n\\bottomrule\n\\end{tabular}\n`;
  },
};

function equip(tools) {
  const table = tools.nextElementSibling;
  const input = tools.querySelector("input");
  input?.addEventListener("input", async () => (await start(table)).search(input.value).draw());
  tools.addEventListener("click", async (event) => {
    const format = formats[event.target.textContent];
    if (event.target.tagName !== "BUTTON" || !format) return;
    const text = format(table);
    tools.dataset.copied = text;
    try {
      await navigator.clipboard.writeText(text);
    } catch { // without the right to the clipboard it is saved
      save(`${table.dataset.table.replaceAll("/", "-")}.${{ CSV: "csv", Markdown: "md", LaTeX: "tex" }[event.target.textContent]}`, text, "text/plain");
    }
    const name = event.target.textContent;
    event.target.textContent = "copied";
    setTimeout(() => { event.target.textContent = name; }, 1200);
  });
  // The first click on a heading loads the library, and is then done again for it.
  for (const heading of table.tHead.querySelectorAll("th")) {
    heading.tabIndex = 0;
    const first = async (event) => {
      if (table.dataset.ready || (event.type === "keydown" && event.key !== "Enter")) return;
      await start(table);
      table.querySelectorAll("thead th")[heading.cellIndex].click();
    };
    heading.addEventListener("click", first);
    heading.addEventListener("keydown", first);
  }
}
const equipAll = (part) => part.querySelectorAll(".table-tools").forEach(equip);
equipAll(document);
roundworks.whenPlaced.push(equipAll);

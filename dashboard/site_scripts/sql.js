/* The page of SQL: nothing is fetched before a statement is run; then DuckDB, and of the tables those that it names.
   What comes back is shown as text. */
const form = document.getElementById("ask"), editor = document.getElementById("statement");
const told = document.getElementById("answered"), wrong = document.getElementById("wrong"), shown = document.getElementById("rows");
const save = document.getElementById("save"), stop = document.getElementById("stop"), run = document.getElementById("run");
const FILES = new URL("../files/latest/", import.meta.url), MOST = 10_000, SHOWN = 500;
const tables = new Set(JSON.parse(document.getElementById("tables").dataset.names));
const loaded = new Set();
let engine = null, answer = null, turn = 0;

/* Tables that a statement names, comments and quotes aside; one too many costs a download and nothing else. */
function named(sql) {
  const found = sql.toLowerCase().replaceAll('"', "").matchAll(/([a-z_][a-z0-9_]*)\s*\.\s*([a-z_][a-z0-9_]*)/g);
  return [...new Set([...found].map((each) => `${each[1]}.${each[2]}`))].filter((name) => tables.has(name));
}

async function load(name) {
  told.textContent = `Fetching ${name} …`;
  const response = await fetch(new URL(`${name}.parquet`, FILES));
  if (!response.ok) throw new Error(`The file of ${name} could not be fetched (${response.status}).`);
  await engine.load(...name.split("."), new Uint8Array(await response.arrayBuffer()));
  loaded.add(name);
}

async function ask() {
  const sql = editor.value.trim().replace(/;\s*$/, ""), mine = ++turn, started = performance.now();
  if (!sql) { told.textContent = "Write a statement, or choose an example."; return; }
  history.replaceState(null, "", `#${encodeURIComponent(sql)}`);
  clear();
  busy(true);
  try {
    if (!engine) {
      const { open } = await import("./duckdb/engine.js");
      const opened = await open((text) => { if (mine === turn) told.textContent = text; });
      if (mine !== turn) return opened.close();
      engine = opened;
    }
    for (const name of named(sql)) {
      if (!loaded.has(name)) await load(name);
      if (mine !== turn) return;
    }
    told.textContent = "Running …";
    const found = await engine.run(sql, MOST);
    if (mine !== turn) return;
    answer = found;
    show((performance.now() - started) / 1000);
  } catch (error) {
    if (mine !== turn) return;
    told.textContent = "DuckDB cannot run this:";
    wrong.textContent = String(error?.message ?? error);
    wrong.hidden = false;
  } finally {
    if (mine === turn) busy(false);
  }
}

function busy(is_so) { run.disabled = is_so; stop.hidden = !is_so; }

function clear() { wrong.hidden = save.hidden = true; shown.replaceChildren(); answer = null; }

/* What runs ends with its worker; the next statement begins anew. */
function end() {
  turn += 1;
  engine?.close();
  engine = null;
  loaded.clear();
  busy(false);
  told.textContent = "Stopped.";
}

function cell(tag, value, isNumber) {
  const made = document.createElement(tag);
  made.textContent = value === null ? "" : typeof value === "number" ? String(value) : value;
  if (isNumber) made.style.textAlign = "right";
  if (tag === "th") made.scope = "col";
  return made;
}

function show(seconds) {
  const { names, numeric, rows, isCut } = answer, count = rows.length.toLocaleString("en-US");
  const more = isCut ? `, the first ${MOST.toLocaleString("en-US")} only` : "";
  const part = rows.length > SHOWN ? ` The first ${SHOWN} are shown; the file holds all ${count}.` : "";
  told.textContent = rows.length ? `${count} ${rows.length === 1 ? "row" : "rows"} in ${seconds.toFixed(1)} s${more}.${part}` : "The statement gives no rows.";
  if (!rows.length) return;
  const table = document.createElement("table"), head = table.createTHead().insertRow(), body = table.createTBody();
  names.forEach((name, place) => head.append(cell("th", name, numeric[place])));
  for (const row of rows.slice(0, SHOWN)) body.insertRow().append(...row.map((value, place) => cell("td", value, numeric[place])));
  shown.replaceChildren(table);
  save.hidden = false;
}

/* As in all our files: a text that a spreadsheet would run as a formula gets a quote first. */
function field(value) {
  let text = value === null ? "" : String(value);
  if (typeof value === "string" && /^ *[=+\-@\t\r\n＝＋－＠]/.test(text)) text = `'${text}`;
  return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function download() {
  const lines = [answer.names, ...answer.rows].map((row) => row.map(field).join(","));
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([`${lines.join("\n")}\n`], { type: "text/csv" }));
  link.download = "rackledger.csv";
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

form.addEventListener("submit", (event) => { event.preventDefault(); ask(); });
stop.addEventListener("click", end);
save.addEventListener("click", download);
editor.addEventListener("keydown", (event) => { if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) { event.preventDefault(); if (!run.disabled) ask(); } });
for (const button of document.querySelectorAll("[data-sql]")) {
  button.addEventListener("click", () => { editor.value = button.dataset.sql; editor.focus(); });
}
if (location.hash.length > 1) { try { editor.value = decodeURIComponent(location.hash.slice(1)); } catch { /* no text of ours */ } }

/* The search box of the plain pages: any name that a thing bears or bore, found without a server. The index is cut by the
   first letter of its words and fetched when the box is used; what is found is shown as text. */
"use strict";
(() => {
  const place = document.querySelector(".find"), box = document.getElementById("find");
  const list = document.getElementById("found"), told = document.getElementById("told");
  const root = new URL(place.dataset.root || "./", location.href), MOST = 10, held = new Map();
  place.style.visibility = "visible";

  const wordsOf = (text) => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) || [];
  const squeezed = (text) => wordsOf(text).join("");
  const shelfOf = (word) => (/^[a-z0-9]/.test(word) ? word[0] : "other");

  function shelf(name) {
    if (!held.has(name)) {
      held.set(name, fetch(new URL(`search/${name}.json`, root)).then((answer) => (answer.ok ? answer.json() : [])).catch(() => {
        held.delete(name); // asked again at the next key
        return null;
      }));
    }
    return held.get(name);
  }

  /* As the dashboard's box: own name before other names, a whole word before its beginning, and how much is known. */
  function score(entry, asked) {
    const question = asked.join(""), own = squeezed(entry.name), others = entry.names.map(squeezed);
    const exact = own === question || others.includes(question) ? 40 : 0;
    const near = own.startsWith(question) ? 12 : others.some((name) => name.startsWith(question)) ? 8 : 0;
    const words = wordsOf(entry.name);
    const whole = asked.reduce((sum, word) => sum + (words.includes(word) ? 3 : words.some((each) => each.startsWith(word)) ? 1 : 0), 0);
    return exact + near + whole + 4 * Math.log1p(entry.weight);
  }

  async function find(text) {
    const asked = wordsOf(text).slice(0, 8);
    if (!asked.length) return [];
    const longest = asked.reduce((a, b) => (b.length > a.length ? b : a));
    const entries = await shelf(shelfOf(longest));
    if (entries === null) return null;
    const fits = (entry) => {
      const words = [entry.name, entry.kind, ...entry.names].flatMap((name) => [...wordsOf(name), squeezed(name)]);
      return asked.every((word) => words.some((each) => each.startsWith(word)));
    };
    const found = entries.filter(fits).map((entry) => [score(entry, asked), entry]);
    found.sort((a, b) => b[0] - a[0] || (a[1].name < b[1].name ? -1 : 1));
    return found.slice(0, MOST).map((each) => each[1]);
  }

  let chosen = -1, turn = 0;

  function close() {
    list.hidden = true;
    chosen = -1;
    box.setAttribute("aria-expanded", "false");
    box.removeAttribute("aria-activedescendant");
  }

  function choose(number) {
    chosen = number;
    list.querySelectorAll("[role=option]").forEach((row, n) => {
      row.setAttribute("aria-selected", String(n === number));
      if (n === number) { box.setAttribute("aria-activedescendant", row.id); row.scrollIntoView({ block: "nearest" }); }
    });
  }

  function open(row) { if (row) location.href = row.dataset.href; }

  function show(found) {
    list.replaceChildren(...found.map((entry, n) => {
      const row = document.createElement("div"), kind = document.createElement("small");
      row.id = `found-${n}`;
      row.setAttribute("role", "option");
      row.dataset.href = new URL(entry.href, root).href;
      kind.textContent = entry.kind;
      row.append(entry.name, kind);
      row.addEventListener("click", () => open(row));
      return row;
    }));
    told.textContent = found.length ? `${found.length} found` : "Nothing bears that name";
    if (!found.length) list.textContent = "Nothing bears that name.";
    list.hidden = false;
    box.setAttribute("aria-expanded", "true");
    choose(found.length ? 0 : -1);
  }

  async function ask() {
    const now = ++turn, words = box.value.trim();
    if (!words) { told.textContent = ""; return close(); }
    const found = await find(words);
    if (now !== turn) return;
    if (found) return show(found);
    list.textContent = told.textContent = "The search index could not be fetched; the lists of all pages are on the first page.";
    list.hidden = false;
  }

  box.addEventListener("focus", () => { if (box.value.trim()) ask(); });
  box.addEventListener("input", ask);
  box.addEventListener("keydown", async (event) => {
    const rows = list.querySelectorAll("[role=option]"), step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step && rows.length && !list.hidden) { event.preventDefault(); choose((chosen + step + rows.length) % rows.length); }
    else if (event.key === "Escape") { if (list.hidden) box.value = ""; close(); }
    else if (event.key === "Enter") {
      event.preventDefault();
      if (list.hidden) await ask();
      open(list.querySelectorAll("[role=option]")[chosen]);
    }
  });
  box.addEventListener("blur", () => setTimeout(() => { if (document.activeElement !== box) close(); }, 150));
  list.addEventListener("pointerdown", (event) => event.preventDefault()); // the box keeps the focus
  document.addEventListener("keydown", (event) => {
    if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target.closest?.("input, textarea, select, [contenteditable=true]")) return;
    event.preventDefault();
    box.focus();
  });
})();

/* The frame's behaviour: links between pages become steps of the history that Streamlit follows, the menu marks where
   the reader is, and the search box asks the server and shows its offers as text. */
"use strict";
(() => {
  const frame = document.getElementById("frame"), box = document.getElementById("find");
  const list = document.getElementById("found"), root = new URL("./", location.href);
  const pages = new Set(frame.dataset.pages.split(" ")), first = frame.dataset.pages.split(" ")[0];
  const plain = new Set(frame.dataset.plain.split(" ")), AS_OF = "as_of", MOST_COMPARED = 6;

  const pathOf = (url) => (url.pathname.startsWith(root.pathname) ? url.pathname.slice(root.pathname.length) : null);
  const isPage = (url) => url.origin === location.origin && (pathOf(url) === "" || pages.has(pathOf(url)));

  function mark() {
    const path = pathOf(location), tabs = [...frame.querySelectorAll(".tabs a")], rooms = [...frame.querySelectorAll(".rooms a")];
    const leads = (link) => pathOf(new URL(link.getAttribute("href"), root)) === path;
    const tab = tabs.find(leads), room = rooms.find(leads);
    const name = tab ? tab.parentNode.dataset.room : room ? room.dataset.room : "";
    for (const link of tabs) link === tab ? link.setAttribute("aria-current", "page") : link.removeAttribute("aria-current");
    for (const link of rooms)
      link.dataset.room === name ? link.setAttribute("aria-current", "true") : link.removeAttribute("aria-current");
    for (const group of frame.querySelectorAll(".tabs")) group.hidden = group.dataset.room !== name;
  }

  /* State is named after its page; what is not named yet is named here, as the server does for whole addresses. */
  function named(url) {
    const path = pathOf(url) || first;
    const pairs = [...url.searchParams].map(([key, value]) => [key.includes(".") || plain.has(key) || /^q\d$/.test(key) ? key : `${path}.${key}`, value]);
    url.search = String(new URLSearchParams(pairs));
    return url;
  }

  /* The as-of day goes along from page to page. Streamlit reads the address at a step of the history. */
  function go(given, is_step_up = true) {
    const url = named(given), day = new URLSearchParams(location.search).get(AS_OF);
    if (day && !url.searchParams.has(AS_OF)) url.searchParams.set(AS_OF, day);
    history.pushState({}, "", url);
    dispatchEvent(new PopStateEvent("popstate", { state: {} }));
    if (is_step_up) document.querySelector('[data-testid="stMain"]')?.scrollTo(0, 0);
    ensure(url);
  }

  /* A link that is only a query chooses a row: the rest of the address stays, and what is chosen comes into sight. */
  function choose_row(link, query) {
    const url = new URL(location.href), rows = link.closest('[class*="_rows"]')?.parentElement;
    for (const [key, value] of new URLSearchParams(query)) url.searchParams.set(key, value);
    url.hash = "";
    go(url, false);
    let looks = 0;
    const coming = setInterval(() => {
      if (++looks < 3 || (isRunning() && looks < MOST_LOOKS)) return; // it takes a moment until the page runs
      clearInterval(coming);
      rows?.nextElementSibling?.scrollIntoView();
    }, LOOKS);
  }

  /* A step that falls into the moment in which Streamlit ends the page before may lose its filters: it is taken once
     more, unless the reader has done something since. On a busy machine that moment comes seconds after the step. */
  const WATCHED = 8000, LOOKS = 100, MOST_LOOKS = 50;
  let watching = 0;
  function ensure(url) {
    clearInterval(watching);
    const until = performance.now() + WATCHED;
    watching = setInterval(() => {
      const now = new URLSearchParams(location.search), is_here = location.pathname === url.pathname;
      const is_lost = is_here && url.search && !location.search && url.searchParams.size > now.size;
      if (is_here && !is_lost && performance.now() < until) return;
      clearInterval(watching);
      if (!is_lost) return;
      history.replaceState({}, "", url);
      dispatchEvent(new PopStateEvent("popstate", { state: {} }));
    }, LOOKS);
  }
  for (const name of ["pointerdown", "keydown", "popstate"]) addEventListener(name, (event) => { if (event.isTrusted) clearInterval(watching); }, true);

  document.addEventListener("click", (event) => {
    const link = event.target.closest?.("a[href]");
    if (!link || event.defaultPrevented || event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    if (link.hasAttribute("download")) return;
    const given = link.getAttribute("href"), url = new URL(given, frame.contains(link) ? root : location.href);
    if (!isPage(url) || url.hash) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    given.startsWith("?") ? choose_row(link, given) : go(url);
  }, true);

  for (const name of ["pushState", "replaceState"]) {
    const before = history[name];
    history[name] = function (...given) { const made = before.apply(this, given); mark(); return made; };
  }
  addEventListener("popstate", mark);

  let offers = [], chosen = -1, asked = 0, waiting = 0;

  function close() { list.hidden = true; box.setAttribute("aria-expanded", "false"); box.removeAttribute("aria-activedescendant"); }

  function choose(place) {
    chosen = place;
    list.querySelectorAll(".offer").forEach((row, n) => {
      row.setAttribute("aria-selected", String(n === place));
      if (n === place) { box.setAttribute("aria-activedescendant", row.id); row.scrollIntoView({ block: "nearest" }); }
    });
  }

  function open(offer) {
    close();
    box.value = "";
    box.blur();
    go(new URL(offer.href, root));
  }

  /* Side by side with what is shown: with the things of a comparison, or with the thing whose page is open. */
  function compare(offer) {
    const now = new URLSearchParams(location.search), path = pathOf(location);
    const things = path === "compare" ? now.getAll("thing") : path === "thing" ? now.getAll("id") : [];
    const all = [...new Set([...things, offer.thing])].slice(0, MOST_COMPARED);
    open({ href: `compare?${new URLSearchParams(all.map((id) => ["thing", id]))}` });
  }

  function element(tag, name, text) {
    const made = document.createElement(tag);
    if (name) made.className = name;
    if (text) made.textContent = text;
    return made;
  }

  function show(found, words) {
    offers = found;
    list.dataset.words = words;
    list.replaceChildren(...found.map((offer, n) => {
      const row = element("div", "offer"), name = element("span", "name", offer.name);
      row.id = `offer-${n}`;
      row.setAttribute("role", "option");
      if (offer.says) name.append(element("span", "says", offer.says));
      row.append(name, element("span", "kind", offer.kind));
      if (offer.thing) {
        const beside = element("span", "beside", "compare");
        beside.title = "Put side by side (Shift+Enter)";
        beside.addEventListener("click", (event) => { event.stopPropagation(); compare(offer); });
        row.append(beside);
      }
      row.addEventListener("click", () => open(offer));
      return row;
    }));
    if (!found.length) list.append(element("div", "none", "Nothing bears that name."));
    list.hidden = false;
    box.setAttribute("aria-expanded", "true");
    choose(found.length ? 0 : -1);
  }

  async function ask() {
    const words = box.value.trim(), turn = ++asked;
    if (!words) return close();
    const answer = await fetch(new URL(`search.json?${new URLSearchParams({ q: words })}`, root));
    if (turn !== asked || !answer.ok) return;
    show((await answer.json()).offers, words);
  }

  box.addEventListener("input", () => { clearTimeout(waiting); waiting = setTimeout(ask, 60); });
  box.addEventListener("focus", () => { if (box.value.trim()) ask(); });
  box.addEventListener("keydown", async (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step && offers.length && !list.hidden) { event.preventDefault(); choose((chosen + step + offers.length) % offers.length); }
    else if (event.key === "Escape") { if (list.hidden) { box.value = ""; box.blur(); } else close(); }
    else if (event.key === "Enter") {
      event.preventDefault();
      clearTimeout(waiting);
      if (list.hidden || list.dataset.words !== box.value.trim()) await ask();
      const offer = list.hidden ? null : offers[chosen];
      if (offer) event.shiftKey && offer.thing ? compare(offer) : open(offer);
    }
  });
  document.addEventListener("pointerdown", (event) => { if (!event.target.closest?.(".find")) close(); });
  list.addEventListener("mousedown", (event) => event.preventDefault()); // the box keeps the focus however slow the click
  box.addEventListener("blur", () => setTimeout(() => { if (!frame.querySelector(".find").contains(document.activeElement)) close(); }, 150));
  document.addEventListener("keydown", (event) => {
    if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target.closest?.("input, textarea, select, [contenteditable=true], [role=combobox], [role=spinbutton]")) return;
    event.preventDefault();
    box.focus();
    box.select();
  });
  /* The place of a chart or a table says in its name how high it will be, wide and narrow: it is so before anything is
     drawn. It is drawn when the reader comes near it, and the others one after the other when the page has come to rest. */
  const PLACES = '[class*="_space_"]', LATER = `${PLACES}:not([data-near])`, HEIGHTS = /_space_(\d+)_(\d+)(?:\s|$)/;
  const DRAWN = '[data-testid="stVegaLiteChart"], [data-testid="stDataFrame"]', NEAR = { rootMargin: "0px" }, PAUSE = 100;
  const REST = ".st-key-rest_of_page button", ONCE = 1000, FIRST = 150; // the lower part, asked for when the upper stands
  const isDrawn = (part) => part.querySelector("canvas, svg");
  /* A place whose chart has a picture needs no chart to be seen: the chart is drawn when the page has been. */
  const STILL = '[class*="_still_"]', CHART = "svg.marks", NARROW = 640, covered = [];
  const isSettling = () => "settling" in document.documentElement.dataset;
  function fill(still) {
    const place = still.closest(PLACES);
    if (!place?.clientWidth) return;
    still.innerHTML = place.clientWidth > NARROW ? still.dataset.wide : still.dataset.narrow;
    still.style.setProperty("--u", still.firstChild.viewBox.baseVal.width / place.clientWidth);
  }
  const isIn = (place) => place.offsetParent && place.getBoundingClientRect().top <= innerHeight;
  const isRunning = () => document.querySelector(".stApp")?.dataset.testScriptState !== "notRunning";
  const draw = (place) => { coming.unobserve(place); place.dataset.near = ""; };
  const coming = new IntersectionObserver((seen) => seen.filter((one) => one.isIntersecting).forEach((one) => draw(one.target)), NEAR);
  let turn = 0, pressed = -ONCE, shown = Infinity;
  function press(button) { // as far as the page's own root: what the reader has opened closes by a click that the document hears
    document.body.addEventListener("click", (event) => event.stopPropagation(), { once: true });
    button.click();
  }
  function next() {
    if (performance.now() - shown < FIRST) return; // what was just shown is painted, and can be used, before more is made
    const rest = document.querySelector(REST), place = document.querySelector(LATER);
    if (rest && !isRunning() && performance.now() - pressed > ONCE) { pressed = performance.now(); press(rest); }
    else if (place) draw(place);
  }
  function inTurn() {
    clearTimeout(turn);
    if (!document.querySelector(`${LATER}, ${REST}`)) return;
    const isBusy = isSettling() ||
      [...document.querySelectorAll(DRAWN)].some((part) => part.offsetParent && !isDrawn(part));
    if (!isBusy) requestIdleCallback(next);
    turn = setTimeout(inTurn, PAUSE);
  }
  function reserve() {
    for (const place of document.querySelectorAll(PLACES)) {
      const found = HEIGHTS.exec(place.className);
      if (!found || place.dataset.high === found[0]) continue;
      place.dataset.high = found[0];
      place.style.setProperty("--wide", `${found[1]}px`);
      place.style.setProperty("--narrow", `${found[2]}px`);
      if ("near" in place.dataset) continue;
      if (!isIn(place)) coming.observe(place);
      else if (isSettling() && place.matches(STILL)) covered.push(place);
      else draw(place);
    }
    document.querySelectorAll(".still:empty:not([data-done])").forEach(fill);
    for (const still of document.querySelectorAll(".still:not(:empty)")) {
      if (!still.closest(PLACES)?.querySelector(CHART)) continue;
      still.dataset.done = ""; // the chart's own words stand alone from now on
      still.replaceChildren();
    }
    inTurn();
  }
  addEventListener("beforeprint", () => document.querySelectorAll(LATER).forEach(draw));
  let is_asked = false;
  new MutationObserver(() => {
    if (isSettling()) return reserve();
    if (is_asked) return;
    is_asked = true;
    requestAnimationFrame(() => { is_asked = false; reserve(); }); // once a picture, before it is laid out
  }).observe(document.getElementById("root"), {
    subtree: true, childList: true, attributes: true, attributeFilter: ["class"],
  });

  /* The first time, a page is shown when all that is seen of it is drawn; what lies below has its place already. */
  const STEP = 10, CALM = 1, LONGEST = 8000, started = performance.now();
  let height = 0, calm = 0;
  const settling = setInterval(() => {
    const main = document.querySelector('[data-testid="stMainBlockContainer"]');
    const isSeen = (part) => isIn(part.closest(PLACES) || part);
    const isMissing = (part) => !part.closest(STILL) && isSeen(part);
    const is_whole = main && !isRunning() && main.querySelector("h1") &&
      ![...main.querySelectorAll('[data-testid="stSkeleton"]')].some((part) => !part.closest(STILL)) &&
      [...main.querySelectorAll(DRAWN)].every((part) => isDrawn(part) || !isMissing(part)) &&
      [...main.querySelectorAll(STILL)].every((place) => place.querySelector(`.still svg, ${CHART}`) || !isIn(place));
    calm = is_whole && main.scrollHeight === height ? calm + 1 : 0;
    height = is_whole ? main.scrollHeight : 0;
    if (calm < CALM && performance.now() - started < LONGEST) return;
    clearInterval(settling);
    delete document.documentElement.dataset.settling;
    shown = performance.now();
    requestAnimationFrame(() => setTimeout(() => covered.forEach(draw)));
  }, STEP);
  document.documentElement.dataset.settling = "";
  mark();
})();

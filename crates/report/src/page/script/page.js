// The page: what happened, the stack, the chosen frame, and what lies around it.

const facts = JSON.parse(document.getElementById("facts").textContent);
const section = (id) => document.getElementById(id);
const atFailure = new Heap(objectLines(section("objects").textContent), facts.shapes);
const captured = facts.frames.map((frame, index) => index).filter((index) => facts.frames[index].captured);

/** What the reader looks at. */
const state = { frame: undefined, onEntry: true, trees: {}, index: undefined };

// ---- light and dark

function setUpTheme() {
  const root = document.documentElement;
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const remembered = () => {
    try {
      return localStorage.getItem("recrash-theme");
    } catch {
      return null;
    }
  };
  const show = () => {
    const theme = root.dataset.theme ?? (dark.matches ? "dark" : "light");
    section("theme").textContent = theme === "dark" ? "☀ Light" : "☾ Dark";
  };
  if (remembered()) root.dataset.theme = remembered();
  section("theme").addEventListener("click", () => {
    const theme = root.dataset.theme ?? (dark.matches ? "dark" : "light");
    root.dataset.theme = theme === "dark" ? "light" : "dark";
    try {
      localStorage.setItem("recrash-theme", root.dataset.theme);
    } catch {
      // A page from a file may not remember; it still switches.
    }
    show();
  });
  dark.addEventListener("change", show);
  show();
}

// ---- what happened

function className(name) {
  const [before, simple] = splitClass(name);
  return [before && make("span", { class: "package" }, before), simple];
}

function showHappened() {
  const hero = section("happened");
  facts.throwables.forEach((throwable, index) => {
    const message = throwable.message === null ? null : make("p", { class: "message" }, visibleLines(throwable.message));
    if (index === 0) {
      hero.append(make("h1", null, ...className(throwable.class)));
      if (message) hero.append(message);
    } else {
      hero.append(make("div", { class: "cause" }, make("h2", null, make("small", null, "Caused by "), ...className(throwable.class)), message));
    }
  });
  const chips = [
    ["On", facts.thread],
    ["When", facts.when],
    ["Label", facts.label],
    ["Fingerprint", facts.fingerprint],
    ["Captured", counted(captured.length, "frame", "frames") + " of " + facts.frames_total + ", " + counted(facts.objects, "object", "objects")],
    ["Java", facts.environment.find(([name]) => name === "Java")?.[1]],
  ].filter(([, value]) => value);
  hero.append(make("dl", { class: "chips" }, ...chips.map(([name, value]) => make("div", null, make("dt", null, name), make("dd", null, value)))));
  hero.append(outcome());
}

function outcome() {
  const judged = facts.frames.filter((frame) => frame.verdict);
  if (judged.length === 0) {
    return make("p", { class: "outcome none" }, "No tests were made of this snapshot yet: ", make("code", null, "recrash tests FILE"));
  }
  const good = judged.filter((frame) => frame.verdict.standing === "reproduced").length;
  const text = good === 0
    ? "No frame reproduces the crash"
    : good + " of " + counted(judged.length, "frame reproduces", "frames reproduce") + " the crash";
  const pills = judged.map((frame) => make("i", { class: "dot " + frame.verdict.standing, "aria-hidden": "true" }));
  return make("p", { class: "outcome " + (good > 0 ? "reproduced" : "failed") }, make("span", { class: "dots" }, ...pills), text);
}

// ---- the stack

/** So many lines in a row that nobody captured are folded. */
const FOLDED = 4;

function showStack() {
  const card = section("stack");
  facts.throwables.forEach((throwable, index) => {
    if (facts.throwables.length > 1) {
      card.append(make("h3", null, index === 0 ? "" : "Caused by ", splitClass(throwable.class)[1]));
    }
    const list = make("ol", { class: "trace" });
    let plain = [];
    const flush = () => {
      if (plain.length > FOLDED) {
        const inside = make("ol", { class: "trace" }, ...plain);
        list.append(make("li", null, make("details", null, make("summary", null, counted(plain.length, "line", "lines") + " not captured"), inside)));
      } else {
        list.append(...plain);
      }
      plain = [];
    };
    for (const line of throwable.trace) {
      if (line.frame === null) {
        plain.push(make("li", { class: "plain" }, traceLine(line)));
      } else {
        flush();
        list.append(make("li", null, frameButton(line)));
      }
    }
    if (throwable.more > 0) plain.push(make("li", { class: "plain" }, counted(throwable.more, "line", "lines") + " more"));
    flush();
    card.append(list);
  });
  card.addEventListener("keydown", (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!step || !event.target.matches(".frame")) return;
    const buttons = [...card.querySelectorAll(".frame")];
    const next = buttons[buttons.indexOf(event.target) + step];
    if (next) {
      next.focus();
      event.preventDefault();
    }
  });
}

function traceLine(line) {
  const [, simple] = splitClass(line.class);
  const where = make("span", { class: "place" }, line.place);
  return make("span", { class: "at", title: line.class + "." + line.method }, make("span", { class: "method" }, simple + "." + line.method), " ", where);
}

function frameButton(line) {
  const verdict = facts.frames[line.frame].verdict;
  const button = make(
    "button",
    { type: "button", class: "frame", "data-frame": line.frame, onclick: () => chooseFrame(line.frame, true) },
    make("i", { class: "dot " + (verdict?.standing ?? "untried"), title: verdict?.name ?? "not tried", "aria-hidden": "true" }),
    traceLine(line),
    make("span", { class: "number" }, String(line.frame)),
  );
  if (verdict) button.append(make("span", { class: "unseen" }, ", " + verdict.name));
  return button;
}

// ---- the chosen frame

function heapOf(frame) {
  return state.onEntry ? atFailure.withOverlay(facts.frames[frame]?.overlay) : atFailure;
}

function rootsOf(frame) {
  return facts.frames[frame].values.map(({ name, type, value, now }) => {
    if (now === undefined) return { name, type, value };
    // A static field that has changed: no path leads there, only its number.
    return state.onEntry ? { name, type, value, later: atFailure.inner(now), outside: true } : { name, type, value: now, outside: true };
  });
}

/** Whether anything was otherwise on entry than at the failure. */
function hasChanged(frame) {
  return frame.overlay !== "" || frame.values.some((value) => value.now !== undefined);
}

function chooseFrame(frame, byHand) {
  state.frame = frame;
  state.onEntry = true;
  document.querySelectorAll(".frame").forEach((button) => {
    if (Number(button.dataset.frame) === frame) button.setAttribute("aria-current", "true");
    else button.removeAttribute("aria-current");
  });
  showFrame();
  if (byHand) {
    history.replaceState(null, "", "#frame-" + frame);
    say("frame " + frame + ", " + facts.frames[frame].method);
    const card = section("frame");
    if (card.getBoundingClientRect().top > innerHeight * 0.6 || card.getBoundingClientRect().top < 0) card.scrollIntoView({ block: "start" });
  }
}

function showFrame() {
  const card = section("frame");
  const frame = facts.frames[state.frame];
  card.replaceChildren();
  if (!frame) {
    card.append(make("h2", null, "Frame"), make("p", null, "No frame was captured, so there are no values to show."));
    return;
  }
  const [before, simple] = splitClass(frame.class);
  card.append(
    make("p", { class: "eyebrow" }, "Frame " + state.frame, make("span", { class: "place" }, frame.place)),
    make("h2", { class: "signature" }, before && make("span", { class: "package" }, before), simple + "." + frame.method, make("span", { class: "types" }, "(" + frame.types + ")")),
  );
  if (frame.note) card.append(make("p", { class: "hint" }, frame.note));
  if (frame.verdict) card.append(verdictLine(frame.verdict));
  if (frame.source) card.append(sourceFigure(frame.source));
  card.append(explorer(frame));
}

function verdictLine(verdict) {
  const line = make("p", { class: "verdict " + verdict.standing }, make("b", null, verdict.name), verdict.reason && make("span", null, verdict.reason));
  const at = verdict.test ? testLine(verdict.test) : undefined;
  if (at) line.append(make("button", { type: "button", class: "link", onclick: () => showTest(at) }, "Show the test"));
  return line;
}

function sourceFigure(source) {
  return make("figure", { class: "source" }, make("figcaption", null, source.path + ":" + source.line), code(source.lines.join("\n") + "\n", source.first, source.line));
}

function explorer(frame) {
  const box = make("div", { class: "explorer", id: "values" });
  const heading = make("h3", null, "Values");
  const tools = make("div", { class: "tools" }, heading);
  if (hasChanged(frame)) tools.append(momentSwitch());
  const results = make("div", { class: "results", hidden: true });
  tools.append(searchField(results));
  const inspector = make("div", { class: "inspector" });
  const tree = new Tree(heapOf(state.frame), rootsOf(state.frame), "Values of the frame", (node) => inspect(inspector, node));
  state.trees.frame = tree;
  state.index = undefined;
  box.append(tools, results);
  if (frame.values.length === 0) box.append(make("p", { class: "hint" }, "A static method without parameters: nothing goes in."));
  box.append(tree.element, inspector);
  for (const root of tree.roots.slice(0, 3)) if (tree.roots.length < 4) tree.open(root);
  return box;
}

/** As on entry, or as at the failure. */
function momentSwitch() {
  const option = (text, onEntry) =>
    make("button", { type: "button", "aria-pressed": String(state.onEntry === onEntry), onclick: () => {
      state.onEntry = onEntry;
      showFrame();
      document.querySelector(".moment [aria-pressed=true]").focus();
    } }, text);
  return make("div", { class: "moment", role: "group", "aria-label": "Moment" }, option("On entry", true), option("At the failure", false));
}

// ---- search

function index() {
  if (!state.index) {
    const others = captured.filter((frame) => frame !== state.frame);
    const frames = state.frame === undefined ? others : [state.frame, ...others];
    const roots = frames.flatMap((frame) =>
      rootsOf(frame).map((root, at) => ({
        ...root,
        name: frame === state.frame ? root.name : "frame " + frame + ": " + root.name,
        frame,
        at,
      })));
    elsewhere().forEach((root, at) => roots.push({ ...root, at }));
    state.index = new Index(heapOf(state.frame), roots);
  }
  return state.index;
}

/** Puts the focus on a place `[from, index]`, in whichever tree it is. */
function goTo(place) {
  const { root, indices } = index().way(place);
  if (root.frame !== undefined && root.frame !== state.frame) chooseFrame(root.frame, true);
  const tree = root.frame === undefined ? state.trees.elsewhere : state.trees.frame;
  tree.element.closest("details")?.setAttribute("open", "");
  return tree.reveal([root.at, ...indices]);
}

/** Results that are listed. */
const LISTED = 60;

function searchField(results) {
  const input = make("input", {
    type: "search", id: "search", placeholder: "Search all objects", "aria-label": "Search all objects: class, text, field=value",
    autocomplete: "off", spellcheck: "false", "aria-keyshortcuts": "/",
  });
  let round = 0;
  const search = async () => {
    const mine = ++round;
    const query = input.value.trim();
    results.hidden = query === "";
    if (query === "") {
      results.replaceChildren();
      return;
    }
    const found = [];
    let total = 0;
    await index().search(query, () => mine === round, (id) => {
      total += 1;
      if (found.length < LISTED) found.push(id);
      return true;
    });
    if (mine === round) listResults(results, found, total);
  };
  let timer;
  input.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(search, 120);
  });
  input.addEventListener("keydown", (event) => {
    if (event.key === "Escape") {
      input.value = "";
      search();
    } else if (event.key === "ArrowDown" || event.key === "Enter") {
      const first = results.querySelector("button");
      if (first) event.key === "Enter" ? first.click() : first.focus();
      event.preventDefault();
    }
  });
  const chip = (text, word) => make("button", { type: "button", class: "chip", onclick: () => {
    input.value = word;
    search();
    input.focus();
  } }, text);
  const chips = make("span", { class: "filters" });
  if (hasChanged(facts.frames[state.frame]) && state.onEntry) chips.append(chip("changed", "is:changed"));
  chips.append(chip("stand-ins", "is:standin"), chip("cut", "is:cut"));
  return make("div", { class: "search", role: "search" }, input, chips);
}

function listResults(results, found, total) {
  const heap = index().heap;
  const head = total === 0 ? "Nothing found" : counted(total, "object", "objects") + (total > found.length ? ", the nearest " + found.length : "");
  const list = make("ul", null, ...found.map((id) => {
    const place = index().ways.get(id);
    return make("li", null, make(
      "button",
      { type: "button", onclick: () => goTo(place) },
      make("span", { class: "path" }, index().path(place)),
      make("span", { class: "value t-" + kindOf(heap, id) }, heap.describe(id, 90)),
    ));
  }));
  list.addEventListener("keydown", (event) => {
    const item = event.target.closest("li");
    const next = event.key === "ArrowDown" ? item?.nextElementSibling : event.key === "ArrowUp" ? item?.previousElementSibling : undefined;
    if (event.key === "Escape" || next === null && event.key === "ArrowUp") section("search").focus();
    else if (next) next.firstElementChild.focus();
    else return;
    event.preventDefault();
  });
  results.replaceChildren(make("p", null, head), list);
  say(head);
}

// ---- the chosen value

async function inspect(inspector, node) {
  const mine = (inspector.round = (inspector.round ?? 0) + 1);
  // A path begins at a frame; what lies elsewhere has its number.
  let root = node;
  while (root.parent) root = root.parent;
  const path = root.outside && node.object ? "#" + node.value : node.path;
  const parts = [make("div", { class: "way" }, make("code", null, node.path), copyButton(() => path, "path"))];
  if (node.object) {
    parts.push(make("div", { class: "facts" }, make("span", null, atFailure.shape(node.object).class), make("span", { class: "id" }, "#" + node.value)));
    if (node.object[1] === STRING) {
      parts.push(make("div", { class: "whole" }, make("pre", null, visibleLines(node.object[2])), copyButton(() => node.object[2], "text")));
    }
  }
  const referrers = make("div", { class: "referrers" });
  inspector.replaceChildren(...parts, referrers);
  if (!node.object) return;
  await index().ready;
  if (mine !== inspector.round) return;
  const places = index().places(node.value);
  if (places.length < 2) return;
  const shown = places.slice(0, 8);
  referrers.append(make("span", null, counted(places.length, "place refers", "places refer") + " to it: "));
  for (const place of shown) {
    referrers.append(make("button", { type: "button", class: "link", onclick: () => goTo(place) }, shortened(index().path(place), 60)));
  }
  if (places.length > shown.length) referrers.append(make("span", null, "and " + (places.length - shown.length) + " more"));
}

// ---- tests

function testLine(method) {
  for (const [file, test] of facts.tests.entries()) {
    const lines = test.text.split("\n");
    const at = lines.findIndex((line) => line.includes(" void " + method + "("));
    if (at >= 0) return { file, line: at + 1 };
  }
  return undefined;
}

function showTest({ file, line }) {
  const target = section("tests").querySelectorAll("pre")[file]?.querySelectorAll(".line")[line - 1];
  section("tests").querySelectorAll(".marked").forEach((marked) => marked.classList.remove("marked"));
  target?.classList.add("marked");
  target?.scrollIntoView({ block: "center" });
}

function showTests() {
  if (facts.tests.length === 0) return;
  const card = section("tests");
  card.hidden = false;
  card.append(make("h2", null, "Tests"));
  for (const test of facts.tests) {
    const name = test.path.slice(test.path.lastIndexOf("/") + 1);
    card.append(make("figure", null, make("figcaption", null, make("span", { title: test.path }, name), copyButton(() => test.text, name)), code(test.text, 1)));
  }
  for (const note of facts.notes) card.append(make("p", { class: "hint" }, note));
}

// ---- static fields, thread locals, the exceptions themselves

function elsewhere() {
  const exceptions = facts.throwables.map((throwable, at) => ({ name: at === 0 ? "exception" : "cause " + at, value: throwable.object }));
  const statics = facts.statics.map((field) => ({ name: splitClass(field.class)[1] + "." + field.name, value: field.value }));
  const locals = facts.thread_locals.map(([key, value]) => ({ name: "thread local " + atFailure.inner(key), value }));
  return [...exceptions, ...statics, ...locals].map((root) => ({ ...root, outside: true }));
}

function showElsewhere() {
  const card = section("statics");
  const roots = elsewhere();
  card.hidden = false;
  const read = facts.statics.filter((field) => field.read).length;
  const parts = [
    counted(facts.statics.length, "static field", "static fields") + (read ? " (" + read + " read by captured frames, first)" : ""),
    facts.thread_locals.length ? counted(facts.thread_locals.length, "thread local", "thread locals") : "",
    "the exception objects",
  ].filter(Boolean);
  const inspector = make("div", { class: "inspector" });
  const tree = new Tree(atFailure, roots, "Static fields and exceptions", (node) => inspect(inspector, node));
  state.trees.elsewhere = tree;
  card.append(
    make("h2", null, "Around it"),
    make("details", null, make("summary", null, parts.join(", ") + ", as of the failure"), tree.element, inspector),
  );
}

// ---- what is missing

function showMissing() {
  const card = section("missing");
  const lines = [...facts.limits];
  if (facts.left_out > 0) lines.push(counted(facts.left_out, "object is", "objects are") + " not in this page, to keep it readable; recrash show --json has all");
  if (lines.length === 0 && facts.unwoven.length === 0) return;
  card.hidden = false;
  card.append(make("h2", null, "Left out"));
  if (lines.length > 0) card.append(make("ul", { class: "plainlist" }, ...lines.map((line) => make("li", null, line))));
  if (facts.unwoven.length > 0) {
    card.append(make(
      "details",
      null,
      make("summary", null, counted(facts.unwoven.length, "class was", "classes were") + " not watched"),
      table(facts.unwoven),
    ));
  }
}

// ---- environment

function table(rows) {
  return make("table", null, make("tbody", null, ...rows.map(([name, value]) => make("tr", null, make("th", { scope: "row" }, name), make("td", null, value)))));
}

function showEnvironment() {
  const card = section("environment");
  card.append(make("h2", null, "Environment"), table(facts.environment.filter(([, value]) => value)));
  if (facts.class_path.length > 0) {
    const entries = facts.class_path.map((entry) => make("li", null, entry));
    card.append(make("details", null, make("summary", null, "Class path, " + counted(entries.length, "entry", "entries")), make("ol", { class: "plainlist mono" }, ...entries)));
  }
  if (facts.properties.length > 0) {
    card.append(make("details", null, make("summary", null, counted(facts.properties.length, "system property", "system properties")), table(facts.properties)));
  }
}

// ---- all of it

function showNavigation() {
  const links = [["happened", "What happened"], ["frame", "Values"], ["tests", "Tests"], ["statics", "Around it"], ["missing", "Left out"], ["environment", "Environment"]];
  section("nav").append(...links.filter(([id]) => !section(id).hidden).map(([id, text]) => make("a", { href: "#" + id }, text)));
}

function frameOfAddress() {
  const match = /^#frame-(\d+)$/.exec(location.hash);
  const frame = match ? Number(match[1]) : facts.chosen;
  return facts.frames[frame]?.captured ? frame : undefined;
}

/** The frame to begin with: the one asked for, else the innermost that reproduces, else the innermost. */
function firstFrame() {
  const reproduced = captured.find((frame) => facts.frames[frame].verdict?.standing === "reproduced");
  return frameOfAddress() ?? reproduced ?? captured[0];
}

document.addEventListener("keydown", (event) => {
  if (event.key === "/" && !event.target.matches("input, textarea") && !event.ctrlKey && !event.metaKey) {
    section("search")?.focus();
    event.preventDefault();
  }
});
addEventListener("hashchange", () => {
  const frame = frameOfAddress();
  if (/^#frame-/.test(location.hash) && frame !== undefined) chooseFrame(frame, false);
});

setUpTheme();
showHappened();
showStack();
showTests();
showElsewhere();
showMissing();
showEnvironment();
showNavigation();
chooseFrame(firstFrame(), false);
section("footer").append("Made by recrash " + facts.recrash + ". This page is complete in itself: it loads nothing and sends nothing.");
document.documentElement.dataset.ready = "true";

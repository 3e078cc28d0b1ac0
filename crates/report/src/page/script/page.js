// Everything around the frames, and the order in which the page comes together.

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
  target?.closest("pre").focus({ preventScroll: true });
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

function showMissing() {
  const card = section("missing");
  const lines = [...facts.limits];
  if (facts.left_out > 0) lines.push(counted(facts.left_out, "object is", "objects are") + " not in this page, to keep it readable; recrash show --json has all");
  const redactions = Object.entries(facts.redactions).flatMap(([object, places]) =>
    places.map(([place, rule]) => [object === "0" ? place : "#" + object + (place && " " + place), rule]));
  if (lines.length === 0 && facts.unwoven.length === 0 && redactions.length === 0) return;
  card.hidden = false;
  card.append(make("h2", null, "Left out"));
  if (lines.length > 0) card.append(make("ul", { class: "plainlist" }, ...lines.map((line) => make("li", null, line))));
  if (redactions.length > 0) {
    card.append(make(
      "details",
      null,
      make("summary", null, counted(redactions.length, "place was", "places were") + " redacted"),
      table(redactions.slice(0, 1000)),
    ));
  }
  if (facts.unwoven.length > 0) {
    card.append(make(
      "details",
      null,
      make("summary", null, counted(facts.unwoven.length, "class was", "classes were") + " not watched"),
      table(facts.unwoven),
    ));
  }
}

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

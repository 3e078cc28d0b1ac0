// The chosen frame: its verdict, its source, and its values to walk through and search.

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
  // Few values are opened at once, of many the first.
  const open = tree.roots.filter((root) => root.size > 0);
  for (const root of open.slice(0, tree.roots.length < 4 ? 3 : 1)) tree.open(root);
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
  if (Object.keys(facts.redactions).length > 0) chips.append(chip("redacted", "is:redacted"));
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

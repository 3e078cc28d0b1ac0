// What happened, and the stack with its verdicts.

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
    ["Captured", captured.length + " of " + counted(facts.frames_total, "frame", "frames") + ", " + counted(facts.objects, "object", "objects")],
  ].filter(([, value]) => value);
  const list = chips.map(([name, value]) => make("div", null, make("dt", null, name), make("dd", null, value)));
  hero.append(make("div", { class: "standing" }, make("dl", { class: "chips" }, ...list), outcome()));
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
  const pills = judged.slice(0, 12).map((frame) => make("i", { class: "dot " + frame.verdict.standing, "aria-hidden": "true" }));
  return make("p", { class: "outcome " + (good > 0 ? "reproduced" : "failed") }, make("span", { class: "dots" }, ...pills), text);
}

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

// Text and elements. Nothing here or elsewhere makes markup from text: text goes into text nodes.

/** An element with properties (`class` and `aria-…` are attributes, `on…` listeners) and children. */
function make(tag, properties, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties ?? {})) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined && child !== ""));
  return element;
}

/** Control characters, halves of pairs, and characters that reorder or hide their neighbours. */
const UNSEEN = /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]|[\u{e0000}-\u{e007f}]|\p{Surrogate}/gu;
const SHORT_ESCAPES = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

/** Text in which everything can be seen, as the terminal shows it. */
function visible(text) {
  return text.replace(UNSEEN, (c) => SHORT_ESCAPES[c] ?? "\\u" + c.codePointAt(0).toString(16).padStart(4, "0"));
}

/** The same, with line breaks and tabs left alone. */
function visibleLines(text) {
  return text.replace(UNSEEN, (c) => (c === "\n" || c === "\t" ? c : visible(c)));
}

function shortened(text, most) {
  return text.length > most ? text.slice(0, most - 1) + "…" : text;
}

function counted(number, one, many) {
  return number.toLocaleString("en") + " " + (number === 1 ? one : many);
}

/** `java.lang.` and `String`. */
function splitClass(name) {
  const at = name.lastIndexOf(".") + 1;
  return [name.slice(0, at), name.slice(at)];
}

/** Says something to those who listen instead of look. */
function say(text) {
  document.getElementById("said").textContent = text;
}

/** A button that copies what `text` gives. */
function copyButton(text, what) {
  const button = make("button", { type: "button", class: "copy", "aria-label": "Copy " + what }, "Copy");
  button.addEventListener("click", async (event) => {
    event.stopPropagation();
    const done = await copy(text());
    button.textContent = done ? "Copied" : "Press Ctrl+C";
    say(done ? what + " copied" : "could not copy " + what);
    setTimeout(() => (button.textContent = "Copy"), 1600);
  });
  return button;
}

async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // A page from a file may lack the permission; the old way needs none.
    const area = make("textarea", { class: "unseen", "aria-hidden": "true" });
    area.value = text;
    document.body.append(area);
    const focused = document.activeElement;
    area.select();
    const done = document.execCommand("copy");
    area.remove();
    focused?.focus();
    return done;
  }
}

const JAVA_TOKEN = new RegExp(
  [
    "(?<comment>//[^\\n]*|/\\*[\\s\\S]*?\\*/)",
    '(?<string>"""[\\s\\S]*?"""|"(?:\\\\.|[^"\\\\\\n])*"|\'(?:\\\\.|[^\'\\\\\\n])+\')',
    "(?<note>@\\w+)",
    "(?<word>\\b(?:abstract|assert|boolean|break|byte|case|catch|char|class|continue|default|do|double|else|enum|extends|final|finally|float|for|fun|if|implements|import|instanceof|int|interface|long|native|new|null|package|private|protected|public|record|return|short|static|super|switch|synchronized|this|throw|throws|true|false|try|val|var|void|volatile|while|yield)\\b)",
    "(?<number>\\b\\d[\\w.]*)",
  ].join("|"),
  "g",
);

/** Source with line numbers; `marked` is the number of the line that is meant. */
function code(text, first, marked) {
  const lines = [[]];
  const put = (piece, kind) => {
    visibleLines(piece).split("\n").forEach((part, index) => {
      if (index > 0) lines.push([]);
      if (part) lines[lines.length - 1].push(kind ? make("span", { class: "t-" + kind }, part) : part);
    });
  };
  let end = 0;
  for (const match of text.matchAll(JAVA_TOKEN)) {
    put(text.slice(end, match.index));
    put(match[0], Object.keys(match.groups).find((kind) => match.groups[kind] !== undefined));
    end = match.index + match[0].length;
  }
  put(text.slice(end));
  if (lines.length > 1 && lines[lines.length - 1].length === 0) lines.pop();
  const body = lines.map((parts, index) => {
    const number = first + index;
    return make("span", { class: "line" + (number === marked ? " marked" : ""), "data-n": String(number) }, ...parts, "\n");
  });
  return make("pre", { class: "code", tabindex: "0" }, make("code", null, ...body));
}

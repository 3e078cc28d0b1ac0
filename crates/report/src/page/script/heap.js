// The objects, parsed when somebody looks at them. The form of a line is described where it is written (objects.rs).

const FIELDS = 0, STRING = 1, SCALAR = 2, SEQUENCE = 3, TABLE = 4, STAND_IN = 5, CUT = 6;

/** Characters of a string inside another value, as in the terminal. */
const SHORT_STRING = 40;

/** Lines by id; a line becomes its array when it is first asked for. */
function objectLines(text) {
  const lines = new Map();
  let start = 0;
  while (start < text.length) {
    let end = text.indexOf("\n", start);
    if (end < 0) end = text.length;
    const bracket = text.indexOf("[", start);
    lines.set(Number(text.slice(start, bracket)), text.slice(bracket, end));
    start = end + 1;
  }
  return lines;
}

/** The objects as of the failure, or with an overlay as a frame saw them on entry. */
class Heap {
  constructor(lines, shapes, below) {
    this.lines = lines;
    this.shapes = shapes;
    this.below = below;
  }

  withOverlay(text) {
    return text ? new Heap(objectLines(text), this.shapes, this) : this;
  }

  get(id) {
    const found = this.lines.get(id);
    if (found === undefined) return this.below?.get(id);
    if (typeof found !== "string") return found;
    const parsed = JSON.parse(found);
    this.lines.set(id, parsed);
    return parsed;
  }

  /** Whether the frame saw the object otherwise than it was at the failure. */
  changed(id) {
    return this.below !== undefined && this.lines.has(id);
  }

  shape(object) {
    return this.shapes[object[0]];
  }

  title(object) {
    const [before, behind] = this.shape(object).title;
    const sized = object[1] === SEQUENCE || object[1] === TABLE;
    return sized ? before + object[2] + behind : before;
  }

  /** What is directly inside an object: the name it has there, the step of a path that leads to it, the value. */
  children(object) {
    switch (object[1]) {
      case FIELDS:
        return this.shape(object).names.map((name, index) => ({ name, step: "." + name, value: object[2][index] }));
      case SEQUENCE:
        return object[3].map((value, index) => ({ name: String(index), step: "[" + index + "]", value, element: true }));
      case TABLE:
        return this.entries(object);
      default:
        return [];
    }
  }

  /** The entries of a map, by their keys; a key that has something inside of it stands on a line of its own. */
  entries(object) {
    const entries = [];
    for (let at = 0; at + 1 < object[3].length; at += 2) {
      const [key, value] = [object[3][at], object[3][at + 1]];
      const text = this.inner(key);
      if (this.hasInside(key)) {
        const number = at / 2;
        entries.push({ name: "key " + number, step: "[key " + number + "]", value: key, element: true });
        entries.push({ name: "value " + number, step: "[value " + number + "]", value, element: true });
      } else {
        entries.push({ name: text, step: "[" + text + "]", value, key, element: true });
      }
    }
    return entries;
  }

  hasInside(value) {
    const object = typeof value === "number" && value !== 0 ? this.get(value) : undefined;
    return object !== undefined && this.values(object).length > 0;
  }

  /** Elements and entries that the page does not hold. */
  missing(object) {
    if (object[1] === SEQUENCE) return object[2] - object[3].length;
    return object[1] === TABLE ? object[2] - object[3].length / 2 : 0;
  }

  /** The values that an object refers to, keys of a map included. */
  values(object) {
    switch (object[1]) {
      case FIELDS:
        return object[2];
      case SEQUENCE:
      case TABLE:
        return object[3];
      default:
        return [];
    }
  }

  /** A value inside another one: its contents only where they are short. */
  inner(value) {
    if (value === 0) return "null";
    if (typeof value === "string") return value;
    const object = this.get(value);
    if (!object) return "#" + value;
    switch (object[1]) {
      case STRING:
        return quoted(object, SHORT_STRING);
      case SCALAR:
        return object[2];
      case STAND_IN:
      case CUT:
        return this.title(object) + " <" + object[2] + ">";
      default:
        return this.title(object);
    }
  }

  /** One of the contents of an object: `tea`, `id=7`, `"tea"=250`. */
  part(object, values, at) {
    if (object[1] === FIELDS) return this.shape(object).names[at] + "=" + this.inner(values[at]);
    if (object[1] === TABLE) return this.inner(values[at]) + "=" + this.inner(values[at + 1]);
    return this.inner(values[at]);
  }

  /** An object with its contents, one level deep, in about `most` characters. */
  describe(value, most) {
    const object = typeof value === "number" && value !== 0 ? this.get(value) : undefined;
    if (!object) return this.inner(value);
    if (object[1] === STRING) return quoted(object, most);
    const values = this.values(object);
    const step = object[1] === TABLE ? 2 : 1;
    const parts = [];
    let length = 0;
    for (let at = 0; at < values.length; at += step) {
      const text = this.part(object, values, at);
      parts.push(text);
      length += text.length + 2;
      if (length > most) break;
    }
    if (parts.length === 0) return this.inner(value);
    return this.title(object) + " " + shortened("{" + parts.join(", ") + "}", most);
  }
}

/** A string in quotes, its end replaced by its length when it is long. */
function quoted(object, most) {
  const text = '"' + visible(object[2].slice(0, most).replace(/["\\]/g, "\\$&")) + '"';
  return object[3] > most ? text + "… (" + object[3] + " characters)" : text;
}

/** How a value is coloured. */
function kindOf(heap, value) {
  if (value === 0) return "word";
  if (typeof value === "string") {
    if (value === "true" || value === "false") return "word";
    return value.startsWith("'") ? "string" : "number";
  }
  const object = heap.get(value);
  if (!object) return "absent";
  return ["object", "string", "number", "object", "object", "absent", "absent"][object[1]];
}

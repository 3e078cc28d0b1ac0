// Which object is where: found by text, by what happened to it, and by who refers to it.

/** Milliseconds of work before the page may answer its reader again. */
const SLICE = 12;

const pause = () => new Promise((go) => setTimeout(go));

/** Does `step` for each item, a slice at a time; `going` tells whether the answer is still wanted. */
async function inSlices(items, going, step) {
  let until = performance.now() + SLICE;
  for (const item of items) {
    if (step(item) === false) return;
    if (performance.now() > until) {
      await pause();
      if (!going()) return;
      until = performance.now() + SLICE;
    }
  }
}

/** The shortest way to each object, and who refers to it. */
class Index {
  /** `roots` are `{name, value, …}`, nearest first. */
  constructor(heap, roots) {
    this.heap = heap;
    this.roots = roots;
    this.ways = new Map();
    this.referrers = new Map();
    this.ready = this.build();
  }

  async build() {
    const waiting = [];
    const reach = (value, from, index) => {
      if (typeof value !== "number" || value === 0) return;
      const referrers = this.referrers.get(value);
      if (referrers) referrers.push(from, index);
      else this.referrers.set(value, [from, index]);
      if (!this.ways.has(value)) {
        this.ways.set(value, [from, index]);
        waiting.push(value);
      }
    };
    const inside = (id) => {
      const object = this.heap.get(id);
      if (!object) return;
      if (object[1] !== TABLE) {
        this.heap.values(object).forEach((value, index) => reach(value, id, index));
        return;
      }
      this.heap.entries(object).forEach((entry, index) => {
        reach(entry.value, id, index);
        if (entry.key !== undefined) reach(entry.key, id, index);
      });
    };
    // All that the chosen frame has, before what only others have.
    const groups = Map.groupBy(this.roots.keys(), (index) => this.roots[index].frame);
    for (const group of groups.values()) {
      // A root is told from an object by its sign.
      for (const index of group) reach(this.roots[index].value, -1 - index, 0);
      while (waiting.length > 0) await inSlices(waiting.splice(0), () => true, inside);
    }
  }

  /** The root and the indices of children that lead to the place `[from, index]`. */
  way([from, index]) {
    const indices = [];
    while (from > 0) {
      indices.push(index);
      [from, index] = this.ways.get(from);
    }
    return { root: this.roots[-1 - from], indices: indices.reverse() };
  }

  /** The same as text. */
  path(place) {
    const { root, indices } = this.way(place);
    let text = root.name;
    let value = root.value;
    for (const index of indices) {
      const object = this.heap.get(value);
      const child = this.heap.children(object)[index];
      text += child.step;
      value = child.value;
    }
    return text;
  }

  /** Where an object is referred to, nearest first: `[from, index]` each. */
  places(id) {
    const flat = this.referrers.get(id) ?? [];
    const places = [];
    for (let at = 0; at < flat.length; at += 2) places.push([flat[at], flat[at + 1]]);
    return places;
  }

  /** Hands every object that fits the query to `found`, nearest first, until that says false. */
  async search(query, going, found) {
    await this.ready;
    const fits = matcher(this.heap, query);
    await inSlices(this.ways.keys(), going, (id) => {
      const object = this.heap.get(id);
      return object && fits(id, object) ? found(id) : true;
    });
  }
}

const STATES = {
  "is:cut": (heap, id, object) => object[1] === CUT,
  "is:standin": (heap, id, object) => object[1] === STAND_IN,
  "is:changed": (heap, id) => heap.changed(id),
  "is:redacted": (heap, id) => id in facts.redactions,
};

/** `is:…` words and text; all of them have to fit. */
function matcher(heap, query) {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const states = words.filter((word) => word in STATES).map((word) => STATES[word]);
  const text = words.filter((word) => !(word in STATES)).join(" ");
  const classes = heap.shapes.map((shape) => (shape.class + " " + shape.title.join("")).toLowerCase().includes(text));
  return (id, object) => states.every((state) => state(heap, id, object))
    && (text === "" || text === "#" + id || classes[object[0]] || contentsFit(heap, object, text));
}

function contentsFit(heap, object, text) {
  switch (object[1]) {
    case FIELDS: {
      const names = heap.shape(object).names;
      return object[2].some((value, index) =>
        (typeof value === "string" ? names[index] + "=" + value : names[index]).toLowerCase().includes(text));
    }
    // Their contents are objects of their own.
    case SEQUENCE:
    case TABLE:
      return false;
    default:
      return object[2].toLowerCase().includes(text);
  }
}

// A tree of values that grows as it is opened. Keys and roles follow the ARIA pattern for trees.

/** The rule by which a value, or what is in it, was redacted. */
function redactedBy(node) {
  const at = (object, place) => facts.redactions[object]?.find((redaction) => redaction[0] === place)?.[1];
  const above = node.parent;
  return (node.object && at(node.value, ""))
    ?? (above ? at(above.value, node.element ? node.step : node.name) : at(0, "frames[" + state.frame + "]." + node.name));
}

/** Children that are shown at once; more on request. */
const PORTION = 100;

class Tree {
  /** `roots` are `{name, type, value}`; `chosen` hears of the node that was chosen. */
  constructor(heap, roots, label, chosen) {
    this.heap = heap;
    this.chosen = chosen;
    /** Where each object was shown first, to tell that another place has the same one. */
    this.first = new Map();
    this.element = make("ul", { role: "tree", class: "tree", "aria-label": label });
    this.roots = roots.map((root, index) =>
      this.node({ ...root, step: root.name }, null, index, roots.length),
    );
    this.element.append(...this.roots.map((node) => node.item));
    this.element.addEventListener("keydown", (event) => this.key(event));
    this.element.addEventListener("click", (event) => this.click(event));
    this.tabStop = this.roots[0]?.item;
    this.tabStop?.setAttribute("tabindex", "0");
  }

  node(place, parent, index, of) {
    const node = { ...place, parent, index, path: parent ? parent.path + place.step : place.step };
    node.level = parent ? parent.level + 1 : 1;
    const object = typeof node.value === "number" && node.value !== 0 ? this.heap.get(node.value) : undefined;
    node.object = object;
    node.size = object ? this.heap.values(object).length : 0;
    node.item = make(
      "li",
      {
        role: "treeitem",
        tabindex: "-1",
        "aria-level": node.level,
        "aria-posinset": index + 1,
        "aria-setsize": of,
        "aria-selected": "false",
        "aria-expanded": node.size > 0 ? "false" : undefined,
      },
      this.row(node),
    );
    node.item.node = node;
    if (object && node.size > 0 && !this.first.has(node.value)) this.first.set(node.value, node);
    return node;
  }

  row(node) {
    const { heap } = this;
    const { object } = node;
    const row = make("div", { class: "row" });
    row.style.setProperty("--level", node.level - 1);
    row.append(make("span", { class: "twisty", "aria-hidden": "true" }));
    row.append(make("span", { class: node.element ? "name element" : "name" }, node.element ? node.step : node.name));
    if (node.type) row.append(make("span", { class: "type" }, node.type));
    row.append(make("span", { class: "equals" }, "="));
    const kind = kindOf(heap, node.value);
    const value = make("span", { class: "value t-" + kind });
    if (object && node.size > 0) {
      value.append(make("b", null, heap.title(object)));
      const text = heap.describe(node.value, 120);
      const rest = text.slice(heap.title(object).length);
      value.append(make("span", { class: "preview" }, rest));
    } else if (object && object[1] > TABLE) {
      value.append(make("b", null, heap.title(object)), " ");
      const cut = object[1] === CUT;
      value.append(make("span", { class: "tag " + (cut ? "cut" : "standin") }, object[2]));
    } else if (typeof node.value === "number" && node.value !== 0 && !object) {
      value.append(make("span", { class: "tag cut" }, "left out of this page"));
    } else {
      value.append(heap.describe(node.value, 300));
    }
    row.append(value);
    if (node.later !== undefined) {
      row.append(make("span", { class: "tag changed", title: "at the failure" }, "then " + node.later));
    }
    const rule = redactedBy(node);
    if (rule) row.append(make("span", { class: "tag redacted", title: rule }, "redacted"));
    if (object && node.size > 0) {
      const same = this.first.get(node.value);
      if (same) row.append(this.alias(node, same));
      row.append(make("span", { class: "id" }, "#" + node.value));
    }
    return row;
  }

  /** The mark of an object that is shown elsewhere in this tree. */
  alias(node, same) {
    let above = node.parent;
    while (above && above !== same) above = above.parent;
    const text = (above ? "↑ " : "= ") + shortened(same.path, 40);
    const button = make(
      "button",
      { type: "button", class: "alias", tabindex: "-1", title: "The same object as " + same.path },
      text,
    );
    button.setAttribute("aria-label", "The same object as " + same.path + "; go there");
    button.addEventListener("click", (event) => {
      event.stopPropagation();
      this.focus(same);
    });
    node.same = same;
    return button;
  }

  open(node) {
    if (!node.size || node.item.getAttribute("aria-expanded") === "true") return;
    node.item.setAttribute("aria-expanded", "true");
    if (node.group) {
      node.group.hidden = false;
      return;
    }
    node.group = make("ul", { role: "group" });
    node.children = [];
    node.item.append(node.group);
    this.portion(node);
  }

  /** Shows the next children of a node. */
  portion(node) {
    const all = (node.places ??= this.placesOf(node));
    const from = node.children.length;
    for (const place of all.slice(from, from + PORTION)) {
      const child = this.node(place, node, node.children.length, all.length);
      node.children.push(child);
      node.group.append(child.item);
    }
    const here = all.length - node.children.length;
    const missing = this.heap.missing(node.object);
    if (here + missing > 0) this.rest(node, here, missing);
  }

  /** The line below a portion: there is more, or more than the page holds. */
  rest(node, here, missing) {
    const text = here > 0
      ? "Show " + Math.min(PORTION, here) + " of " + counted(here + missing, "more", "more")
      : counted(missing, "more is", "more are") + " not in this page; recrash show --json has them";
    const row = make("div", { class: "row more" }, make("span", { class: "twisty" }), make("span", { class: "value" }, text));
    row.style.setProperty("--level", node.level);
    const item = make("li", { role: "treeitem", tabindex: "-1", "aria-level": node.level + 1, "aria-selected": "false" }, row);
    item.node = { item, parent: node, path: node.path, more: here > 0 ? node : undefined, level: node.level + 1, size: 0 };
    node.rest = item;
    node.group.append(item);
  }

  more(node) {
    const at = node.children.length;
    const focused = node.rest === document.activeElement;
    node.rest.remove();
    this.portion(node);
    if (focused) this.focus(node.children[at]);
  }

  placesOf(node) {
    const places = this.heap.children(node.object);
    if (!this.heap.changed(node.value)) return places;
    // What the frame saw, and beside it what became of it.
    const now = this.heap.below;
    const after = now.get(node.value);
    if (!after) return places;
    const later = new Map(now.children(after).map((place) => [place.step, place.value]));
    for (const place of places) {
      const value = later.get(place.step);
      if (value === undefined) place.later = "gone";
      else if (value !== place.value) place.later = now.inner(value) + (typeof value === "number" && value ? " #" + value : "");
    }
    return places;
  }

  close(node) {
    if (node.item.getAttribute("aria-expanded") !== "true") return;
    node.item.setAttribute("aria-expanded", "false");
    node.group.hidden = true;
    if (node.group.contains(document.activeElement)) this.focus(node);
  }

  toggle(node) {
    if (node.item.getAttribute("aria-expanded") === "true") this.close(node);
    else this.open(node);
  }

  /** Makes a node visible and puts the focus on it. */
  focus(node) {
    for (let above = node.parent; above; above = above.parent) this.open(above);
    this.choose(node);
    node.item.focus({ preventScroll: true });
    node.item.firstElementChild.scrollIntoView({ block: "nearest" });
  }

  choose(node) {
    this.tabStop?.setAttribute("tabindex", "-1");
    this.tabStop?.setAttribute("aria-selected", "false");
    this.tabStop = node.item;
    node.item.setAttribute("tabindex", "0");
    node.item.setAttribute("aria-selected", "true");
    if (node.value !== undefined) this.chosen(node);
  }

  /** Opens the way `[root, child, child, …]`, indices of children, and gives the node at its end. */
  reveal(way) {
    let node = this.roots[way[0]];
    for (const index of way.slice(1)) {
      this.open(node);
      while (node.children && index >= node.children.length && node.rest?.isConnected && node.rest.node.more) this.more(node);
      const next = node.children?.[index];
      if (!next) break;
      node = next;
    }
    this.focus(node);
    return node;
  }

  click(event) {
    const item = event.target.closest("[role=treeitem]");
    if (!item) return;
    if (item.node.more) {
      this.more(item.node.more);
      return;
    }
    this.choose(item.node);
    item.focus({ preventScroll: true });
    this.toggle(item.node);
  }

  key(event) {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const item = event.target.closest("[role=treeitem]");
    const node = item?.node;
    if (!node || event.target.closest("button")) return;
    const expanded = item.getAttribute("aria-expanded");
    const go = (target) => target && this.focus(target.node);
    switch (event.key) {
      case "ArrowDown":
        go(this.below(item));
        break;
      case "ArrowUp":
        go(this.above(item));
        break;
      case "ArrowRight":
        if (expanded === "false") this.open(node);
        else if (expanded === "true") go(node.group.firstElementChild);
        break;
      case "ArrowLeft":
        if (expanded === "true") this.close(node);
        else if (node.parent) go(node.parent.item);
        break;
      case "Home":
        go(this.element.firstElementChild);
        break;
      case "End": {
        let last = this.element.lastElementChild;
        while (last.getAttribute("aria-expanded") === "true") last = last.node.group.lastElementChild;
        go(last);
        break;
      }
      case "Enter":
      case " ":
        if (node.more) this.more(node.more);
        else this.toggle(node);
        break;
      // The same object elsewhere.
      case "=":
        if (node.same) this.focus(node.same);
        break;
      default:
        return;
    }
    event.preventDefault();
    event.stopPropagation();
  }

  below(item) {
    if (item.getAttribute("aria-expanded") === "true") return item.node.group.firstElementChild;
    for (let at = item; at; at = at.parentElement.closest("[role=treeitem]")) {
      if (at.nextElementSibling) return at.nextElementSibling;
    }
    return null;
  }

  above(item) {
    let at = item.previousElementSibling;
    if (!at) return item.parentElement.closest("[role=treeitem]");
    while (at.getAttribute("aria-expanded") === "true") at = at.node.group.lastElementChild;
    return at;
  }
}

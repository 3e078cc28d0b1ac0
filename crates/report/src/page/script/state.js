// What the page knows, and what its reader looks at.

const facts = JSON.parse(document.getElementById("facts").textContent);
const section = (id) => document.getElementById(id);
const atFailure = new Heap(objectLines(section("objects").textContent), facts.shapes);
const captured = facts.frames.map((frame, index) => index).filter((index) => facts.frames[index].captured);

/** What the reader looks at. */
const state = { frame: undefined, onEntry: true, trees: {}, index: undefined };

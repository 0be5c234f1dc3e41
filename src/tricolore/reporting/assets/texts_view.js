// A text with its differences from a reference marked: words, characters, TER's shifts, n-grams, errors.
import { editScript, matchedOrders, operations, terAlignment } from "./alignment.js";
import { h, shown } from "./dom.js";
import { characterSpans, spacedSpans, wordSpans } from "./tokens.js";

export const MODES = [["words", "words"], ["characters", "characters"], ["ter", "TER, with shifts"], ["grams", "matched n-grams"], ["plain", "plain"]];

/** Texts longer than this are shown plain: their alignment would take longer than anyone wants to wait. */
const MOST_CELLS = 4_000_000;

const TITLES = { S: "substituted", I: "not in the reference", D: "missing: only the reference has it" };
const CLASSES = { S: "sub", I: "ins", D: "del" };

function slices(text, spans) {
  return spans.map(([start, end]) => text.slice(start, end));
}

/** The references to compare with, the closest first found by the fewest edits. */
function closest(output, references) {
  if (references.length < 2) return 0;
  const own = slices(output, wordSpans(output));
  let [best, least] = [0, Infinity];
  references.forEach((reference, k) => {
    const words = slices(reference, wordSpans(reference));
    if (own.length * words.length > MOST_CELLS) return;
    const edits = [...editScript(own, words)].filter((step) => step !== "=").length;
    if (edits < least) [best, least] = [k, edits];
  });
  return best;
}

/** An output with marks, and what was counted: { nodes, about }. */
export function marked(output, references, mode) {
  if (!references.length || mode === "plain") return { nodes: shown(output), about: "" };
  if (mode === "grams") return withGrams(output, references);
  const reference = references[closest(output, references)];
  if (mode === "ter") return withShifts(output, reference);
  return withEdits(output, reference, mode === "characters" ? characterSpans : wordSpans);
}

function tooLong(a, b, output) {
  return a.length * b.length > MOST_CELLS ? { nodes: shown(output), about: "too long to be aligned here" } : null;
}

function withEdits(output, reference, cut) {
  const [own, other] = [cut(output), cut(reference)];
  const long = tooLong(own, other, output);
  if (long) return long;
  const script = editScript(slices(output, own), slices(reference, other));
  const nodes = [];
  let at = 0;
  for (const [step, h1, h2, r1, r2] of operations(script)) {
    if (step === "D") {
      if (cut === wordSpans && at > 0 && !/\s$/.test(output.slice(0, at))) nodes.push(" ");
      nodes.push(h("del", { class: "del", title: TITLES.D }, shown(reference.slice(other[r1][0], other[r2 - 1][1]))));
      if (cut === wordSpans) nodes.push(" ");
      continue;
    }
    const [start, end] = [own[h1][0], own[h2 - 1][1]];
    nodes.push(...shown(output.slice(at, start)));
    const part = shown(output.slice(start, end));
    const instead = step === "S" ? `substituted; the reference has: ${reference.slice(other[r1][0], other[r2 - 1][1])}` : TITLES[step];
    nodes.push(step === "=" ? part : h(step === "I" ? "ins" : "mark", { class: CLASSES[step], title: instead }, part));
    at = end;
  }
  nodes.push(...shown(output.slice(at)));
  return { nodes, about: editCounts(script) };
}

function editCounts(script) {
  const number = (step) => script.split(step).length - 1;
  const parts = [[number("S"), "substituted"], [number("I"), "inserted"], [number("D"), "missing"]].filter(([n]) => n);
  return parts.length ? parts.map(([n, word]) => `${n} ${word}`).join(", ") : "identical";
}

function withShifts(output, reference) {
  const [own, other] = [spacedSpans(output), spacedSpans(reference)];
  const long = tooLong(own, other, output);
  if (long || own.length > 400) return long || { nodes: shown(output), about: "too long to be aligned here" };
  const low = (text, spans) => slices(text, spans).map((word) => word.toLowerCase());
  const found = terAlignment(low(output, own), low(reference, other));
  const moved = new Map();
  found.shifts.forEach(({ words }, k) => words.forEach((i) => moved.set(i, k + 1)));
  const steps = new Map();
  const missing = [];
  let [place, r] = [0, 0];
  for (const step of found.script) {
    if (step === "D") missing.push([place ? found.order[place - 1] : -1, r]);
    else { steps.set(found.order[place], [step, r]); place++; }
    if (step !== "I") r++;
  }
  const nodes = [];
  const lost = (after) => missing.filter(([i]) => i === after).flatMap(([, k]) =>
    [" ", h("del", { class: "del", title: TITLES.D }, shown(reference.slice(...other[k])))]);
  nodes.push(...lost(-1), missing.some(([i]) => i === -1) ? " " : null);
  own.forEach(([start, end], i) => {
    if (i) nodes.push(" ");
    const [step] = steps.get(i);
    const part = shown(output.slice(start, end));
    const shift = moved.get(i);
    const inside = step === "=" ? part : h(step === "I" ? "ins" : "mark", { class: CLASSES[step], title: TITLES[step] }, part);
    nodes.push(shift ? h("span", { class: "shift", title: `shift ${shift}: this block was moved to match the reference` }, inside) : inside);
    nodes.push(...lost(i));
  });
  const rest = editCounts(found.script);
  const shifts = found.shifts.length ? `${found.shifts.length} shifted, ` : "";
  return { nodes: nodes.filter((node) => node !== null), about: `${shifts}${rest}; ${found.edits} edits per ${other.length} words` };
}

function withGrams(output, references) {
  const spans = wordSpans(output);
  const own = slices(output, spans);
  const orders = matchedOrders(own, references.map((text) => slices(text, wordSpans(text))));
  const nodes = [];
  let at = 0;
  spans.forEach(([start, end], i) => {
    nodes.push(...shown(output.slice(at, start)));
    const part = shown(output.slice(start, end));
    nodes.push(orders[i] ? h("span", { class: `gram g${orders[i]}`, title: `in a matching ${orders[i]}-gram` }, part) : part);
    at = end;
  });
  nodes.push(...shown(output.slice(at)));
  const matched = orders.filter(Boolean).length;
  return { nodes, about: `${matched} of ${own.length} words are in a reference; the thicker the line, the longer the n-gram` };
}

/** An output with the errors that annotators marked. */
export function withErrors(output, errors) {
  const spans = errors.map((error) => [charIndex(output, error[5]), charIndex(output, error[6]), error]).filter(([start]) => start >= 0);
  const edges = [...new Set([0, output.length, ...spans.flatMap(([start, end]) => [start, end])])].sort((x, y) => x - y);
  return edges.slice(0, -1).map((start, k) => {
    const end = edges[k + 1];
    const over = spans.filter(([first, last]) => first <= start && last >= end);
    const part = shown(output.slice(start, end));
    if (!over.length) return part;
    const about = over.map(([, , error]) => `${error[4]}: ${error[3]}`).join("; ");
    return h("mark", { class: over.some(([, , error]) => /major|critical/i.test(error[4])) ? "err major" : "err", title: about }, part);
  });
}

/** Places are counted in characters by the library, and in UTF-16 units here. */
function charIndex(text, place) {
  if (place < 0) return -1;
  let [units, seen] = [0, 0];
  for (const c of text) {
    if (seen === place) break;
    units += c.length;
    seen++;
  }
  return units;
}

export function legend(mode) {
  if (mode === "plain") return null;
  if (mode === "grams") return h("p", { class: "legend" }, h("span", null, h("span", { class: "gram g1" }, "1"), " ", h("span", { class: "gram g2" }, "2"), " ", h("span", { class: "gram g4" }, "3+"), " words in a row that a reference has"));
  return h("p", { class: "legend" },
    h("span", null, h("mark", { class: "sub" }, "substituted")), h("span", null, h("ins", { class: "ins" }, "inserted")), h("span", null, h("del", { class: "del" }, "missing")),
    mode === "ter" ? h("span", null, h("span", { class: "shift" }, "shifted")) : null);
}

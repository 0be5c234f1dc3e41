// What needs no oracle: addresses, filters, sorting, tokens at the edges, numbers as text.
import assert from "node:assert/strict";
import { test } from "node:test";
import { addressOf, stateOf } from "../../src/tricolore/reporting/assets/address.js";
import { matchedOrders, operations } from "../../src/tricolore/reporting/assets/alignment.js";
import { NOTHING, filtered, isEmpty, matcher } from "../../src/tricolore/reporting/assets/filter.js";
import { Model } from "../../src/tricolore/reporting/assets/model.js";
import { count, decimal, fixed } from "../../src/tricolore/reporting/assets/numbers.js";
import { sorted } from "../../src/tricolore/reporting/assets/segments_view.js";
import { characterSpans, spacedSpans, words } from "../../src/tricolore/reporting/assets/tokens.js";

const MEAN = [["column", 0], ["column", 1], ["/", 0, 1]];

function model() {
  const numbers = new Float64Array([1, 2, 3, 4, 1, 1, 1, 1, 4, 3, 2, 1, 5, 15, 25, 35, 0, 0, 1, 1]);
  const made = new Model({
    systems: ["x", "y"], segments: 4, names: null, texts: 4, settings: {}, groups: [{ name: "document", values: ["d1", "d2"], codes: 4 }],
    lengths: { words: 3, references: 1 },
    metrics: [{ name: "m", title: "M", higher: true, scale: 1, digits: 1, formula: MEAN, alone: MEAN, rows: [[0, 1], [2, 1]], ranked: [[0, 2.5], [1, 2.5]], pairs: [] },
      { name: "n", title: "N", higher: false, scale: 1, digits: 1, formula: MEAN, alone: MEAN, rows: [[0, 1], [2, 1]], ranked: [[1, 2.5], [0, 2.5]], pairs: [] }],
    arrays: [["Float64", 0, 4], ["Float64", 32, 4], ["Float64", 64, 4], ["Float64", 96, 4], ["Float64", 128, 4]],
  }, numbers.buffer);
  made.addTexts({ source: null, references: [["a cat"], ["a dog"], ["the Bird"], ["(x)"]], outputs: [["a cat", "cats"], ["dog", "a dog"], ["bird", "the bird"], ["x", "[x]"]], errors: [] });
  return made;
}

const chosen = (given) => ({ metric: given.metrics[0], a: 0, b: 1 });
const found = (filter) => { const given = model(); return [...filtered(given, { ...NOTHING, ...filter }, chosen(given))]; };

test("a filter lets through what all its limits allow", () => {
  assert.deepEqual(found({}), [0, 1, 2, 3]);
  assert.deepEqual(found({ q: "BIRD" }), [2]);
  assert.deepEqual(found({ q: "bird", in: "a" }), [2]);
  assert.deepEqual(found({ q: "dog", in: "b" }), [1]);
  assert.deepEqual(found({ q: "^a ", regex: true, in: "reference" }), [0, 1]);
  assert.deepEqual(found({ q: "(", regex: true }), []);
  assert.deepEqual(found({ q: "(" }), [3]);
  assert.deepEqual(found({ minLength: "10", maxLength: "30" }), [1, 2]);
  assert.deepEqual(found({ minScore: "3" }), [2, 3]);
  assert.deepEqual(found({ maxGain: "-1" }), [0, 1]);
  assert.deepEqual(found({ group: "document", value: "d2" }), [2, 3]);
  assert.deepEqual(found({ group: "document", value: "unknown" }), []);
});

test("an invalid regular expression says what is wrong", () => {
  assert.match(matcher("(", true).wrong, /group/);
  assert.equal(isEmpty(NOTHING), true);
  assert.equal(isEmpty({ ...NOTHING, maxGain: "0" }), false);
});

test("an address leads back to its state", () => {
  const given = model();
  const views = ["overview", "segments"];
  const state = { ...stateOf("#/segments", given, views), metric: "n", a: 0, b: 1, sort: "gain", down: true, segment: 2, filter: { ...NOTHING, q: "a & b=#?", regex: true } };
  assert.deepEqual(stateOf(addressOf(state, given), given, views), state);
  assert.equal(addressOf(stateOf("", given, views), given), "#/overview");
  assert.equal(stateOf("#/nowhere?m=none&a=none&seg=99", given, views).segment, null);
});

test("segments are sorted, equal ones by number, undefined ones last", () => {
  const every = Int32Array.from([0, 1, 2, 3]);
  assert.deepEqual([...sorted(every, [2, NaN, 1, 2], false)], [2, 0, 3, 1]);
  assert.deepEqual([...sorted(every, [2, NaN, 1, 2], true)], [0, 3, 2, 1]);
  assert.deepEqual([...sorted(every, null, true)], [3, 2, 1, 0]);
});

test("gains are positive where the first system is better, whichever way a metric goes", () => {
  const given = model();
  assert.deepEqual([...given.gains(given.metrics[0], 0, 1)], [-3, -1, 1, 3]);
  assert.deepEqual([...given.gains(given.metrics[1], 0, 1)], [3, 1, -1, -3]);
  assert.deepEqual([...given.spread(given.metrics[0])], [3, 1, 1, 3]);
  assert.ok(given.disagreement(0, 1)[0] > given.disagreement(0, 1)[1]);
});

test("numbers are written as Python writes them", () => {
  assert.equal(fixed(0.25, 1), "0.2");
  assert.equal(fixed(0.35, 1), "0.3");
  assert.equal(fixed(-2.5, 0), "-2");
  assert.equal(decimal(-0.01, 1), "0.0");
  assert.equal(decimal(0.256, 1, true), "+0.3");
  assert.equal(decimal(NaN, 1), "–");
  assert.equal(count(1234567), "1,234,567");
});

test("tokens keep every character that is not white space", () => {
  const text = "é́ 𝒳y\u202e, 3.5!\u00a0猫。";
  assert.equal(words(text).join(""), text.replace(/[ \u00a0]/g, ""));
  assert.deepEqual(spacedSpans(" a  bc "), [[1, 2], [4, 6]]);
  assert.deepEqual(characterSpans("e\u0301 \t𝒳"), [[0, 2], [2, 4], [4, 6]]);
  assert.deepEqual(words(""), []);
});

test("operations are runs of steps", () => {
  assert.deepEqual(operations("==SID"), [["=", 0, 2, 0, 2], ["S", 2, 3, 2, 3], ["I", 3, 4, 3, 3], ["D", 4, 4, 3, 4]]);
  assert.deepEqual([...matchedOrders(["a", "b", "x", "c"], [["a", "b", "c"], ["c"]])], [2, 2, 0, 1]);
});

// Which segments are shown: those that the search and all limits allow.

export const NOTHING = { q: "", in: "any", regex: false, minLength: "", maxLength: "", minScore: "", maxScore: "",
  minGain: "", maxGain: "", disagree: "", group: "", value: "" };

const TEXTS = {
  any: (model, i) => [model.source(i) ?? "", ...model.references(i), ...(model.texts.outputs[i] || [])],
  source: (model, i) => [model.source(i) ?? ""],
  reference: (model, i) => model.references(i),
  a: (model, i, { a }) => [model.output(a, i) ?? ""],
  b: (model, i, { b }) => [model.output(b, i) ?? ""],
};

/** What a search looks for: a test of texts, or what is wrong with the regular expression. */
export function matcher(query, regex) {
  if (!regex) {
    const wanted = query.toLowerCase();
    return { test: (text) => text.toLowerCase().includes(wanted) };
  }
  try {
    const expression = new RegExp(query, "iu");
    return { test: (text) => expression.test(text) };
  } catch (error) {
    return { wrong: error.message };
  }
}

function limits(low, high) {
  const [least, most] = [low === "" ? -Infinity : Number(low), high === "" ? Infinity : Number(high)];
  return (value) => value >= least && value <= most;
}

/** Whether a filter lets every segment through. */
export function isEmpty(filter) {
  return filter.q === "" && filter.disagree === "" && filter.value === ""
    && ["Length", "Score", "Gain"].every((what) => filter[`min${what}`] === "" && filter[`max${what}`] === "");
}

/** The numbers of the segments that a filter lets through; `chosen` are the metric and the systems a and b. */
export function filtered(model, filter, chosen) {
  const tests = [];
  const { metric, a, b } = chosen;
  if (filter.value !== "") {
    const group = model.group(filter.group);
    const code = group ? group.values.indexOf(filter.value) : -1;
    const codes = group ? model.array(group.codes) : [];
    tests.push((i) => codes[i] === code);
  }
  if ((filter.minLength !== "" || filter.maxLength !== "") && model.lengths) {
    const [words, within] = [model.array(model.lengths.words), limits(filter.minLength, filter.maxLength)];
    tests.push((i) => within(words[i]));
  }
  if (filter.minScore !== "" || filter.maxScore !== "") {
    const [scores, within] = [model.scores(metric, a), limits(filter.minScore, filter.maxScore)];
    if (scores) tests.push((i) => within(scores[i]));
  }
  if (filter.minGain !== "" || filter.maxGain !== "") {
    const [gains, within] = [model.gains(metric, a, b), limits(filter.minGain, filter.maxGain)];
    tests.push((i) => within(gains[i]));
  }
  if (filter.disagree !== "") {
    const [spread, least] = [model.disagreement(a, b), Number(filter.disagree)];
    tests.push((i) => spread[i] >= least);
  }
  if (filter.q !== "") {
    const found = matcher(filter.q, filter.regex);
    const texts = TEXTS[filter.in] || TEXTS.any;
    tests.push(found.wrong ? () => false : (i) => texts(model, i, chosen).some(found.test));
  }
  const segments = new Int32Array(model.segments);
  let number = 0;
  for (let i = 0; i < model.segments; i++) if (tests.every((test) => test(i))) segments[number++] = i;
  return segments.subarray(0, number);
}

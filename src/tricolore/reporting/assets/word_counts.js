// Which words and n-grams systems get right: counts over segments, and how far two systems differ in each.
import { words } from "./tokens.js";

/** The n-grams of a list of words, and how often each occurs. */
export function grams(list, n) {
  const found = new Map();
  for (let i = 0; i + n <= list.length; i++) {
    const gram = n === 1 ? list[i] : list.slice(i, i + n).join(" ");
    found.set(gram, (found.get(gram) || 0) + 1);
  }
  return found;
}

/** The n-grams of several references: of each, the most that one of them has. */
export function mostGrams(lists, n) {
  if (lists.length === 1) return grams(lists[0], n);
  const most = new Map();
  for (const list of lists) for (const [gram, number] of grams(list, n)) most.set(gram, Math.max(number, most.get(gram) || 0));
  return most;
}

/** Smoothed log-odds of getting an n-gram right, of one system against the other, and its z-score. */
function logOdds(right, otherRight, total) {
  const [a, notA, b, notB] = [right + 0.5, total - right + 0.5, otherRight + 0.5, total - otherRight + 0.5];
  const odds = Math.log(a / notA) - Math.log(b / notB);
  return { odds, z: odds / Math.sqrt(1 / a + 1 / notA + 1 / b + 1 / notB) };
}

/** Words as they are compared: in lower case where case does not count. */
export function wordsOf(text, lower) {
  const list = words(text);
  return lower ? list.map((word) => word.toLowerCase()) : list;
}

/**
 * Count n-grams over segments: `texts(i)` gives { references: [...], a, b }.
 * Each n-gram has: how often references have it, how often a and b have it, and how often they have it right.
 */
export async function countGrams(segments, texts, n, lower, pace) {
  const counts = new Map();
  const entry = (gram) => {
    let found = counts.get(gram);
    if (!found) counts.set(gram, found = { gram, reference: 0, a: 0, b: 0, rightA: 0, rightB: 0 });
    return found;
  };
  for (let k = 0; k < segments.length; k++) {
    const { references, a, b } = texts(segments[k]);
    const wanted = mostGrams(references.map((text) => wordsOf(text, lower)), n);
    for (const [gram, number] of wanted) entry(gram).reference += number;
    for (const [which, text] of [["a", a], ["b", b]]) {
      const right = which === "a" ? "rightA" : "rightB";
      for (const [gram, number] of grams(wordsOf(text, lower), n)) {
        const found = entry(gram);
        found[which] += number;
        found[right] += Math.min(number, wanted.get(gram) || 0);
      }
    }
    if (pace) await pace.pause((k + 1) / segments.length);
  }
  return counts;
}

/** The n-grams that one system gets right more often than the other: the `most` clearest of either side. */
export function clearest(counts, most = 20) {
  const found = [];
  for (const one of counts.values()) {
    if (one.rightA === one.rightB) continue;
    found.push({ ...one, ...logOdds(one.rightA, one.rightB, one.reference) });
  }
  const order = (x, y) => y.z - x.z || y.reference - x.reference || (x.gram < y.gram ? -1 : 1);
  const better = found.filter((one) => one.rightA > one.rightB).sort(order).slice(0, most);
  const worse = found.filter((one) => one.rightA < one.rightB).sort((x, y) => -order(x, y)).slice(0, most);
  worse.sort((x, y) => x.z - y.z || y.reference - x.reference || (x.gram < y.gram ? -1 : 1));
  return { better, worse };
}

/** The n-grams that a system has too often, or too seldom, compared with the references. */
export function misused(counts, which, most = 15) {
  const all = [...counts.values()].map((one) => ({ ...one, excess: one[which] - one.reference }));
  const order = (x, y) => y.excess - x.excess || (x.gram < y.gram ? -1 : 1);
  return {
    over: all.filter((one) => one.excess > 0).sort(order).slice(0, most),
    under: all.filter((one) => one.excess < 0).sort((x, y) => x.excess - y.excess || (x.gram < y.gram ? -1 : 1)).slice(0, most),
  };
}

/** Words of a reference that a text has in two or three pieces, and words of the text that are such pieces joined. */
export function compounds(text, references) {
  const own = new Set(text);
  const found = [];
  for (const reference of references) {
    const there = new Set(reference);
    for (const word of there) if (!own.has(word) && word.length > 5 && apart(text, word)) found.push([word, "apart"]);
    for (const word of own) if (!there.has(word) && word.length > 5 && apart(reference, word)) found.push([word, "joined"]);
  }
  return found;
}

/** Whether a list of words has a word in two or three pieces, one after another; a hyphen between them may be lost. */
function apart(list, word) {
  const plain = word.replaceAll("-", "");
  for (let i = 0; i + 1 < list.length; i++) {
    if (!plain.startsWith(list[i]) || !list[i]) continue;
    const two = list[i] + list[i + 1];
    if (two === plain || (i + 2 < list.length && two + list[i + 2] === plain)) return true;
  }
  return false;
}

/** Compounds over segments: how often each word was written apart, or joined, by a and by b. */
export async function countCompounds(segments, texts, lower, pace) {
  const counts = new Map();
  for (let k = 0; k < segments.length; k++) {
    const { references, a, b } = texts(segments[k]);
    const lists = references.map((text) => wordsOf(text, lower));
    for (const [which, text] of [["A", a], ["B", b]]) {
      for (const [word, how] of compounds(wordsOf(text, lower), lists)) {
        const found = counts.get(word) || { gram: word, apartA: 0, joinedA: 0, apartB: 0, joinedB: 0, segments: [] };
        found[`${how}${which}`]++;
        if (found.segments.length < 3 && !found.segments.includes(segments[k])) found.segments.push(segments[k]);
        counts.set(word, found);
      }
    }
    if (pace) await pace.pause((k + 1) / segments.length);
  }
  const times = (one) => one.apartA + one.joinedA + one.apartB + one.joinedB;
  return [...counts.values()].sort((x, y) => times(y) - times(x) || (x.gram < y.gram ? -1 : 1));
}

/** Buckets of words by how often the references have them: the first frequency beyond each. */
const FREQUENCIES = [2, 3, 5, 10, 50, 1000];

/** For each bucket of frequency: rows of (right, in the output, in the reference) per segment, for every system. */
export async function frequencyRows(segments, texts, systems, pace) {
  const frequency = new Map();
  for (const i of segments) {
    for (const [word, number] of mostGrams(texts(i).references.map((text) => wordsOf(text, true)), 1)) {
      frequency.set(word, (frequency.get(word) || 0) + number);
    }
  }
  const edges = [0, ...FREQUENCIES, Infinity];
  const bucket = (word) => edges.findIndex((edge) => (frequency.get(word) || 0) < edge) - 1;
  const rows = Array.from({ length: edges.length }, () =>
    Array.from({ length: systems }, () => [0, 1, 2].map(() => new Float64Array(segments.length))));
  for (let k = 0; k < segments.length; k++) {
    const { references, outputs } = texts(segments[k]);
    const wanted = mostGrams(references.map((text) => wordsOf(text, true)), 1);
    for (let system = 0; system < systems; system++) {
      for (const [word, number] of wanted) rows[bucket(word)][system][2][k] += number;
      for (const [word, number] of grams(wordsOf(outputs[system], true), 1)) {
        const into = rows[bucket(word)][system];
        into[1][k] += number;
        into[0][k] += Math.min(number, wanted.get(word) || 0);
      }
    }
    if (pace) await pace.pause((k + 1) / segments.length);
  }
  const names = edges.slice(0, -1).map((low, k) => bucketName(low, edges[k + 1]));
  return names.map((name, k) => ({ name, rows: rows[k] }));
}

/** The F-score of words, from sums of (right, in the output, in the reference). */
export const F_SCORE = [
  ["column", 0], ["column", 1], ["column", 2], ["const", 2], ["*", 3, 0], ["+", 1, 2], ["/", 4, 5],
];

export function bucketName(low, high) {
  if (high === Infinity) return `${low}+`;
  return high - low === 1 ? `${low}` : `${low}–${high - 1}`;
}

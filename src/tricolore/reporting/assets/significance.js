// Scores, bootstrap intervals and paired tests of some segments, as `tricolore compare` computes them of all.
import { Draws } from "./draws.js";
import { evaluate } from "./formulas.js";

const ENUMERATED = 16; // up to this many segments, all assignments are enumerated instead of drawn
const NOISE = 1e-10;
const PATIENCE = 12; // milliseconds of work between two pauses

/** Thrown where work is no longer wanted. */
export class Stale extends Error {}

/** Lets the page breathe in the middle of long work, tells how far it is, and ends it when it is stale. */
export class Pace {
  constructor(wanted = () => true, tell = () => {}) {
    this.wanted = wanted;
    this.tell = tell;
    this.since = performance.now();
  }

  async pause(done) {
    if (performance.now() - this.since < PATIENCE) return;
    this.tell(done);
    await new Promise((resume) => setTimeout(resume, 0));
    if (!this.wanted()) throw new Stale();
    this.since = performance.now();
  }
}

/** Rows of the chosen segments, all systems side by side: chosen x (systems x statistics). */
export function gathered(columns, chosen) {
  const width = columns.length * columns[0].length;
  const rows = new Float64Array(chosen.length * width);
  let at = 0;
  for (const system of columns) {
    for (const column of system) {
      for (let i = 0; i < chosen.length; i++) rows[i * width + at] = column[chosen[i]];
      at++;
    }
  }
  return { rows, width, size: chosen.length };
}

/** The sums of all rows. */
export function totals({ rows, width, size }) {
  const sums = new Float64Array(width);
  for (let i = 0; i < size; i++) for (let c = 0; c < width; c++) sums[c] += rows[i * width + c];
  return sums;
}

/** Sums over bootstrap resamples, one after another. */
export async function resampledSums({ rows, width, size }, samples, stream, pace) {
  const draws = new Draws(stream);
  const sums = new Float64Array(samples * width);
  const counts = new Uint32Array(size);
  for (let s = 0; s < samples; s++) {
    counts.fill(0);
    for (let i = 0; i < size; i++) counts[draws.below(size)]++;
    const sum = sums.subarray(s * width, (s + 1) * width);
    for (let i = 0; i < size; i++) {
      const times = counts[i];
      if (!times) continue;
      const from = i * width;
      for (let c = 0; c < width; c++) sum[c] += times * rows[from + c];
    }
    if (pace) await pace.pause((s + 1) / samples);
  }
  return sums;
}

/** Sums over random halves of the segments, a coin for each; eight rows at a time, from a table of all their sums. */
async function selectedSums({ rows, width, size }, trials, stream, pace) {
  const draws = new Draws(stream);
  const groups = Math.ceil(size / 8);
  const atOnce = Math.max(256, Math.min(trials, Math.floor(4e7 / groups)));
  const sums = new Float64Array(trials * width);
  const table = new Float64Array(256 * width);
  for (let first = 0; first < trials; first += atOnce) {
    const some = Math.min(atOnce, trials - first);
    const coins = new Uint8Array(groups * some);
    for (let t = 0; t < some; t++) {
      for (let g = 0; g < groups; g++) coins[g * some + t] = draws.bits(Math.min(8, size - g * 8));
    }
    for (let g = 0; g < groups; g++) {
      const here = Math.min(8, size - g * 8);
      for (let bit = 0; bit < here; bit++) {
        const known = 1 << bit;
        const row = (g * 8 + bit) * width;
        for (let k = 0; k < known; k++) {
          for (let c = 0; c < width; c++) table[(known + k) * width + c] = table[k * width + c] + rows[row + c];
        }
      }
      for (let t = 0; t < some; t++) {
        const from = coins[g * some + t] * width;
        const to = (first + t) * width;
        if (from) for (let c = 0; c < width; c++) sums[to + c] += table[from + c];
      }
      if (pace) await pace.pause((first + (some * (g + 1)) / groups) / trials);
    }
  }
  return sums;
}

/** Sums over every half of a few segments. */
function everySum({ rows, width, size }) {
  const sums = new Float64Array(2 ** size * width);
  for (let i = 0; i < size; i++) {
    const known = 2 ** i;
    for (let k = 0; k < known; k++) {
      for (let c = 0; c < width; c++) sums[(known + k) * width + c] = sums[k * width + c] + rows[i * width + c];
    }
  }
  return sums;
}

/** The columns of one system among sums. */
function columnsOf(sums, width, statistics, system) {
  const n = sums.length / width;
  return Array.from({ length: statistics }, (_, k) => {
    const column = new Float64Array(n);
    for (let i = 0; i < n; i++) column[i] = sums[i * width + system * statistics + k];
    return column;
  });
}

/** Percentiles with linear interpolation between order statistics, as np.quantile. */
export function quantiles(values, shares) {
  const sorted = Float64Array.from(values).sort();
  return shares.map((share) => {
    const place = share * (sorted.length - 1);
    const below = Math.floor(place);
    const [a, b] = [sorted[below], sorted[Math.min(below + 1, sorted.length - 1)]];
    const t = place - below;
    return t >= 0.5 ? b - (b - a) * (1 - t) : a + (b - a) * t;
  });
}

/** The percentile interval of resampled scores, and their standard deviation. */
export function intervalOf(values, level) {
  if (values.some(Number.isNaN)) return { low: NaN, high: NaN, deviation: NaN };
  const outside = (1 - level) / 2;
  const [low, high] = quantiles(values, [outside, 1 - outside]);
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return { low, high, deviation: Math.sqrt(squares / (values.length - 1)) };
}

/** Adjust p-values for several tests (Holm 1979). */
export function holm(pValues) {
  const order = pValues.map((p, i) => i).filter((i) => !Number.isNaN(pValues[i]));
  order.sort((i, j) => pValues[i] - pValues[j]);
  const adjusted = pValues.slice();
  let least = 0;
  order.forEach((i, k) => {
    least = Math.max(least, Math.min(1, (order.length - k) * pValues[i]));
    adjusted[i] = least;
  });
  return adjusted;
}

/** Cluster numbers of items from best to worst; one that differs from a member of the last cluster starts a new one. */
function clustersOf(number, differs) {
  const ranks = [];
  let start = 0;
  for (let i = 0; i < number; i++) {
    let fresh = i === 0;
    for (let j = start; j < i && !fresh; j++) fresh = differs(j, i);
    if (fresh) start = i;
    ranks.push(fresh ? (ranks[i - 1] || 0) + 1 : ranks[i - 1]);
  }
  return ranks;
}

function largest(...lists) {
  let most = 0;
  for (const list of lists) for (const value of list) most = Math.max(most, Math.abs(value));
  return most;
}

/**
 * Compare systems by one metric on the chosen segments.
 * `columns` are systems x statistics x segments; the result has scores, intervals, pairs from best to worst, clusters.
 */
export async function compareOn(metric, columns, chosen, settings, pace) {
  const statistics = columns[0].length;
  const systems = columns.length;
  const score = (of) => evaluate(metric.formula, of, of[0].length);
  const all = gathered(columns, chosen);
  const total = totals(all);
  const scores = Array.from({ length: systems }, (_, k) => score(columnsOf(total, all.width, statistics, k))[0]);
  if (chosen.length < 2) return { scores, intervals: scores.map(() => null), pairs: [], clusters: [], order: byScore() };
  const resampled = await resampledSums(all, settings.resamples, settings.stream, pace);
  const means = scores.map((_, k) => score(columnsOf(resampled, all.width, statistics, k)));
  const intervals = means.map((values) => intervalOf(values, settings.level));
  const exact = settings.test === "ar" && chosen.length <= ENUMERATED;
  let halves = null;
  if (systems > 1 && settings.test === "ar") {
    halves = exact ? everySum(all) : await selectedSums(all, settings.trials, settings.stream, pace);
  }
  const order = byScore();
  const pairs = [];
  for (let x = 0; x < systems; x++) {
    for (let y = x + 1; y < systems; y++) {
      const [a, b] = [order[x], order[y]];
      const interval = intervalOf(means[a].map((value, i) => value - means[b][i]), settings.level);
      const difference = scores[a] - scores[b];
      const p = settings.test === "ar" ? shuffleP(a, b) : flipP(a, b);
      pairs.push({ a, b, difference, ...interval, effect: effectOf(difference, interval.deviation), p });
      if (pace) await pace.pause(1);
    }
  }
  const adjusted = holm(pairs.map((pair) => pair.p));
  pairs.forEach((pair, i) => { pair.adjusted = adjusted[i]; });
  const among = (i, j) => pairs.find((pair) => pair.a === order[i] && pair.b === order[j]).adjusted < settings.alpha;
  const numbers = clustersOf(systems, among);
  const clusters = [];
  order.forEach((system, i) => { clusters[system] = numbers[i]; });
  return { scores, intervals, pairs, clusters, order };

  function byScore() {
    const sign = metric.higher ? -1 : 1;
    const value = (i) => (Number.isNaN(scores[i]) ? Infinity : sign * scores[i]);
    return scores.map((_, i) => i).sort((i, j) => value(i) - value(j) || i - j);
  }

  function shuffleP(a, b) {
    const n = halves.length / all.width;
    const [one, other] = [[], []];
    for (let k = 0; k < statistics; k++) {
      const [first, second] = [new Float64Array(n), new Float64Array(n)];
      const [ofA, ofB] = [a * statistics + k, b * statistics + k];
      for (let t = 0; t < n; t++) {
        const moved = halves[t * all.width + ofB] - halves[t * all.width + ofA];
        first[t] = total[ofA] + moved;
        second[t] = total[ofB] - moved;
      }
      one.push(first);
      other.push(second);
    }
    const [first, second] = [score(one), score(other)];
    const observed = scores[a] - scores[b];
    if (Number.isNaN(observed)) return NaN;
    const scale = largest(first, second, [scores[a], scores[b]]);
    let hits = 0;
    for (let t = 0; t < n; t++) if (Math.abs(first[t] - second[t]) >= Math.abs(observed) - NOISE * scale) hits++;
    return exact ? hits / n : (hits + 1) / (n + 1);
  }

  function flipP(a, b) {
    const least = NOISE * largest(means[a], means[b], [scores[a], scores[b]]);
    const zeroed = (difference) => (Math.abs(difference) <= least ? 0 : difference);
    const observed = zeroed(scores[a] - scores[b]);
    if (Number.isNaN(observed)) return NaN;
    if (observed === 0) return 1;
    const n = means[a].length;
    let flipped = 0;
    for (let s = 0; s < n; s++) if (Math.sign(observed) * zeroed(means[a][s] - means[b][s]) <= 0) flipped++;
    return Math.min(1, (2 * (flipped + 1)) / (n + 1));
  }
}

function effectOf(difference, deviation) {
  if (difference === 0) return 0;
  return deviation > 1e-12 * Math.abs(difference) ? difference / deviation : NaN;
}

// Alignments of an output with a reference: the edits of `tricolore align`, and those of TER with its shifts.

/** The edits that turn a reference into an output, by the rule of `tricolore align`: =, S, I, D. */
export function editScript(hyp, ref) {
  let prefix = 0;
  while (prefix < hyp.length && prefix < ref.length && hyp[prefix] === ref[prefix]) prefix++;
  let suffix = 0;
  const most = Math.min(hyp.length, ref.length) - prefix;
  while (suffix < most && hyp[hyp.length - 1 - suffix] === ref[ref.length - 1 - suffix]) suffix++;
  const h = hyp.slice(prefix, hyp.length - suffix);
  const r = ref.slice(prefix, ref.length - suffix);
  const table = distances(h, r);
  const width = r.length + 1;
  const steps = [];
  let [i, j] = [h.length, r.length];
  while (i > 0 && j > 0) {
    const here = table[i * width + j];
    if (here === table[i * width + j - 1] + 1) {
      steps.push("D");
      j--;
    } else if (table[(i - 1) * width + j] === table[(i - 1) * width + j - 1] - 1) {
      steps.push("I");
      i--;
    } else {
      i--;
      j--;
      steps.push(h[i] === r[j] ? "=" : "S");
    }
  }
  const turned = steps.reverse().join("");
  return "=".repeat(prefix) + "I".repeat(i) + "D".repeat(j) + turned + "=".repeat(suffix);
}

/** Levenshtein distances of all beginnings: (hyp + 1) x (ref + 1). */
function distances(hyp, ref) {
  const width = ref.length + 1;
  const table = new Uint32Array((hyp.length + 1) * width);
  for (let j = 0; j < width; j++) table[j] = j;
  for (let i = 1; i <= hyp.length; i++) {
    table[i * width] = i;
    for (let j = 1; j < width; j++) {
      const equal = hyp[i - 1] === ref[j - 1] ? 0 : 1;
      table[i * width + j] = Math.min(
        table[(i - 1) * width + j - 1] + equal, table[(i - 1) * width + j] + 1, table[i * width + j - 1] + 1);
    }
  }
  return table;
}

const LONGEST_BLOCK = 10;
const FARTHEST_SHIFT = 50;
const MOST_CANDIDATES = 1000;
const BEAM = 25;
const UNREACHABLE = 2 ** 40;

/**
 * TER's edits (Snover et al. 2006), by the greedy search of Tercom as in the library: blocks of the output are shifted,
 * one at a time, as long as that helps. Returns the shifts, where each word of the shifted output stood, and the edits.
 */
export function terAlignment(hyp, ref) {
  let order = hyp.map((_, i) => i);
  const shifts = [];
  const search = { checked: 0 };
  if (ref.length) {
    for (;;) {
      const best = bestShift(order.map((i) => hyp[i]), ref, search);
      if (!best) break;
      shifts.push({ words: order.slice(best.start, best.start + best.length), target: best.target });
      order = shifted(order, best);
    }
  }
  const current = order.map((i) => hyp[i]);
  const { distance, script } = ref.length ? trace(current, ref) : { distance: hyp.length, script: "I".repeat(hyp.length) };
  return { edits: shifts.length + distance, shifts, order, script };
}

function shifted(list, { start, length, target }) {
  const block = list.slice(start, start + length);
  const rest = [...list.slice(0, start), ...list.slice(start + length)];
  let at = target;
  if (target > start + length) at = target - length;
  else if (target >= start) at = Math.min(target, rest.length);
  return [...rest.slice(0, at), ...block, ...rest.slice(at)];
}

function betterShift(a, b) {
  if (a.gain !== b.gain) return a.gain > b.gain;
  if (a.length !== b.length) return a.length > b.length;
  if (a.start !== b.start) return a.start < b.start;
  return a.target < b.target;
}

function bestShift(current, ref, search) {
  const { distance: before, script } = trace(current, ref);
  if (before === 0) return null;
  const { at, hypErrors, refErrors } = errorsOf(script, current.length, ref.length);
  let best = null;
  for (let a = 0; a < current.length; a++) {
    const first = Math.max(0, a - FARTHEST_SHIFT);
    const last = Math.min(ref.length, a + FARTHEST_SHIFT + 1);
    for (let b = first; b < last; b++) {
      const longest = Math.min(LONGEST_BLOCK, current.length - a, ref.length - b);
      for (let length = 1; length <= longest && current[a + length - 1] === ref[b + length - 1]; length++) {
        if (hypErrors[a + length] === hypErrors[a] || refErrors[b + length] === refErrors[b]) continue;
        if (at[b] >= a && at[b] < a + length) continue;
        let previous = -2;
        for (let offset = 0; offset <= length && b + offset <= ref.length; offset++) {
          const target = b + offset === 0 ? 0 : at[b + offset - 1] + 1;
          if (target === previous) continue;
          previous = target;
          search.checked++;
          const shift = { length, start: a, target };
          shift.gain = before - beamDistance(shifted(current, shift), ref);
          if (!best || betterShift(shift, best)) best = shift;
        }
        if (search.checked >= MOST_CANDIDATES) return null;
      }
    }
  }
  return best && best.gain > 0 ? best : null;
}

/** Where each word of the reference is in the output, and how many errors come before each place. */
function errorsOf(script, n, m) {
  const at = new Array(m).fill(-1);
  const hypErrors = new Uint32Array(n + 1);
  const refErrors = new Uint32Array(m + 1);
  let [i, j] = [0, 0];
  for (const step of script) {
    const error = step === "=" ? 0 : 1;
    if (step !== "D") { i++; hypErrors[i] = error; }
    if (step !== "I") { j++; at[j - 1] = i - 1; refErrors[j] = error; }
  }
  for (let k = 0; k < n; k++) hypErrors[k + 1] += hypErrors[k];
  for (let k = 0; k < m; k++) refErrors[k + 1] += refErrors[k];
  return { at, hypErrors, refErrors };
}

function beamRange(i, n, m) {
  const ratio = m / n;
  const width = BEAM < ratio / 2 ? Math.ceil(ratio / 2 + BEAM) : BEAM;
  const diagonal = Math.floor(i * ratio);
  return [Math.max(0, diagonal - width), i === n ? m + 1 : Math.min(m + 1, diagonal + width)];
}

/** Fill the table of distances within the beam; `onCell(i, j, step)` is told how each cell was reached. */
function beamRows(hyp, ref, onCell) {
  const m = ref.length;
  let row = new Float64Array(m + 2);
  let next = new Float64Array(m + 2);
  for (let j = 0; j <= m; j++) row[j] = j;
  let before = [0, m + 1];
  for (let i = 1; i <= hyp.length; i++) {
    const [first, last] = beamRange(i, hyp.length, m);
    for (let j = before[1]; j < last; j++) row[j] = UNREACHABLE;
    if (first > 0) {
      if (first - 1 < before[0]) row[first - 1] = UNREACHABLE;
      next[first - 1] = UNREACHABLE;
    }
    for (let j = first; j < last; j++) {
      if (j === 0) {
        next[0] = row[0] + 1;
        if (onCell) onCell(i, 0, "I");
        continue;
      }
      const equal = hyp[i - 1] === ref[j - 1];
      let least = row[j - 1] + (equal ? 0 : 1);
      let step = equal ? "=" : "S";
      if (row[j] + 1 < least) { least = row[j] + 1; step = "I"; }
      if (next[j - 1] + 1 < least) { least = next[j - 1] + 1; step = "D"; }
      next[j] = least;
      if (onCell) onCell(i, j, step);
    }
    [row, next] = [next, row];
    before = [first, last];
  }
  return row[m];
}

function beamDistance(hyp, ref) {
  return beamRows(hyp, ref, null);
}

/** The edits of the current order of words, as Tercom finds them. */
function trace(hyp, ref) {
  const width = ref.length + 1;
  const table = new Uint8Array((hyp.length + 1) * width);
  const distance = beamRows(hyp, ref, (i, j, step) => { table[i * width + j] = step.charCodeAt(0); });
  let [i, j] = [hyp.length, ref.length];
  const steps = [];
  while (i > 0 || j > 0) {
    const step = i === 0 ? "D" : String.fromCharCode(table[i * width + j]);
    steps.push(step);
    if (step !== "D") i--;
    if (step !== "I") j--;
  }
  return { distance, script: steps.reverse().join("") };
}

/** Runs of equal steps: [step, start in hyp, end, start in ref, end]. */
export function operations(script) {
  const found = [];
  let [h, r] = [0, 0];
  for (const step of script) {
    const last = found[found.length - 1];
    const [dh, dr] = [step === "D" ? 0 : 1, step === "I" ? 0 : 1];
    if (last && last[0] === step) {
      last[2] += dh;
      last[4] += dr;
    } else {
      found.push([step, h, h + dh, r, r + dr]);
    }
    h += dh;
    r += dr;
  }
  return found;
}

/** For each word of the output, the longest n-gram (up to 4 words) around it that a reference has, too. */
export function matchedOrders(hyp, refs, most = 4) {
  const orders = new Uint8Array(hyp.length);
  for (let n = 1; n <= most; n++) {
    const there = new Set();
    for (const ref of refs) for (let i = 0; i + n <= ref.length; i++) there.add(ref.slice(i, i + n).join("\u0000"));
    for (let i = 0; i + n <= hyp.length; i++) {
      if (there.has(hyp.slice(i, i + n).join("\u0000"))) orders.fill(n, i, i + n);
    }
  }
  return orders;
}

// Pictures that change with the filter: scatter plots, histograms, lines with intervals.
import { s } from "./dom.js";
import { counted, decimal } from "./numbers.js";

export const COLOURS = ["#1f5fa8", "#c8553d", "#2a8a6e", "#8a5aa8", "#b8860b", "#4a90a4", "#a83f6f", "#6b7a2f", "#7a5c48", "#596273"];

/** From values to places along an axis. */
export function scale(values, start, end, { margin = 0.05, zero = false } = {}) {
  let [low, high] = [Infinity, -Infinity];
  for (const value of values) if (Number.isFinite(value)) { low = Math.min(low, value); high = Math.max(high, value); }
  if (low > high) [low, high] = [0, 1];
  if (zero) low = Math.min(low, 0);
  const room = (high - low) * margin || Math.abs(high) * margin || 1;
  if (!(zero && low === 0)) low -= room;
  high += room;
  const place = (value) => start + ((value - low) / (high - low)) * (end - start);
  place.low = low;
  place.high = high;
  place.ticks = ticks(low, high);
  return place;
}

/** Round numbers between two. */
function ticks(low, high, number = 5) {
  const rough = (high - low) / number;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 2.5, 5, 10].map((unit) => power * unit).find((size) => size >= rough * 0.999);
  const found = [];
  for (let k = Math.ceil(low / step - 1e-9); k <= Math.floor(high / step + 1e-9); k++) found.push(Number((k * step).toPrecision(10)));
  return found;
}

function text(content, x, y, look, more) {
  return s("text", { x, y, class: look, ...more }, content);
}

function below(across, top, bottom, title) {
  return [
    ...across.ticks.map((tick) => [
      s("line", { x1: across(tick), x2: across(tick), y1: top, y2: bottom, class: "grid" }),
      text(String(tick), across(tick), bottom + 16, "small quiet middle"),
    ]),
    text(title, (across(across.low) + across(across.high)) / 2, bottom + 34, "small middle"),
  ];
}

function leftOf(up, left, right, title) {
  const middle = (up(up.low) + up(up.high)) / 2;
  return [
    ...up.ticks.map((tick) => [
      s("line", { x1: left, x2: right, y1: up(tick), y2: up(tick), class: "grid" }),
      text(String(tick), left - 6, up(tick) + 4, "small quiet end"),
    ]),
    text(title, 12, middle, "small middle", { transform: `rotate(-90 12 ${middle})` }),
  ];
}

function picture(width, height, label, ...inside) {
  return s("svg", { viewBox: `0 0 ${width} ${height}`, width, height, role: "img", "aria-label": label }, ...inside);
}

const MOST_POINTS = 4000;

/** Scores of segments by two systems; points can be opened. */
export function segmentScatter(segments, x, y, names, open, label) {
  const [size, left] = [400, 58];
  const values = [];
  for (const i of segments) values.push(x[i], y[i]);
  const [across, up] = [scale(values, left, size - 14), scale(values, size - 46, 14)];
  const step = Math.max(1, Math.ceil(segments.length / MOST_POINTS));
  const points = [];
  for (let k = 0; k < segments.length; k += step) {
    const i = segments[k];
    if (Number.isNaN(x[i]) || Number.isNaN(y[i])) continue;
    const look = x[i] > y[i] ? "a" : x[i] < y[i] ? "b" : "t";
    points.push(s("circle", { cx: across(x[i]).toFixed(1), cy: up(y[i]).toFixed(1), r: 3, class: `${look} pick`, "fill-opacity": 0.5,
      onclick: () => open(i) }, s("title", null, label(i))));
  }
  const note = step > 1 ? text(`every ${step}th of ${counted(segments.length, "segment")}`, size - 14, 12, "small quiet end") : null;
  return picture(size, size, `Scores of segments: ${names[0]} across, ${names[1]} up`,
    ...below(across, 14, size - 46, names[0]), ...leftOf(up, left, size - 14, names[1]),
    s("line", { x1: across(across.low), y1: up(across.low), x2: across(across.high), y2: up(across.high), class: "zero" }), ...points, note);
}

/** How often differences are how large. */
export function histogram(differences, label) {
  const [width, height, left, bins] = [470, 250, 52, 31];
  let most = 0;
  for (const value of differences) if (!Number.isNaN(value)) most = Math.max(most, Math.abs(value));
  most = most || 1;
  const counts = new Array(bins).fill(0);
  for (const value of differences) {
    if (!Number.isNaN(value)) counts[Math.min(bins - 1, Math.floor(((value / most + 1) / 2) * bins))]++;
  }
  const across = scale([-most, most], left, width - 12, { margin: 0 });
  const up = scale(counts, height - 46, 14, { zero: true });
  const step = (width - 12 - left) / bins;
  const bars = counts.map((number, k) => s("rect", {
    x: left + step * k + 1, y: up(number), width: step - 2, height: up(0) - up(number), "fill-opacity": 0.75,
    class: k > (bins - 1) / 2 ? "a" : k < (bins - 1) / 2 ? "b" : "t",
  }, s("title", null, `${counted(number, "segment")} from ${decimal((2 * k / bins - 1) * most, 1, true)} to ${decimal((2 * (k + 1) / bins - 1) * most, 1, true)}`)));
  return picture(width, height, `Differences of segment scores: ${label}`,
    ...below(across, 14, height - 46, label), ...leftOf(up, left, width - 12, "segments"), ...bars,
    s("line", { x1: across(0), x2: across(0), y1: 14, y2: height - 46, class: "zero" }));
}

/** Lines over buckets, a line per system, with intervals. */
export function bucketChart(buckets, systems, title, across = "") {
  const [left, height, gap] = [58, 320, Math.max(64, Math.min(120, 640 / Math.max(buckets.length, 1)))];
  const plot = left + gap * buckets.length;
  const values = buckets.flatMap((bucket) => systems.flatMap(({ index }) => {
    const { score, low, high } = bucket.cells[index];
    return [score, low, high];
  }));
  const up = scale(values, height - 62, 14);
  const place = (k, n) => left + gap * k + gap / 2 + (n - (systems.length - 1) / 2) * Math.min(6, (gap - 20) / systems.length);
  const marks = systems.flatMap(({ index, colour, name }, n) => {
    const points = buckets.map((bucket, k) => [place(k, n), bucket.cells[index]]).filter(([, cell]) => Number.isFinite(cell.score));
    return [
      s("polyline", { points: points.map(([x, cell]) => `${x.toFixed(1)},${up(cell.score).toFixed(1)}`).join(" "), class: "line", stroke: colour,
        "stroke-opacity": 0.55 }),
      ...points.flatMap(([x, cell]) => [
        Number.isFinite(cell.low) ? s("line", { x1: x, x2: x, y1: up(cell.low), y2: up(cell.high), class: "axis", stroke: colour }) : null,
        s("circle", { cx: x, cy: up(cell.score), r: 3.4, fill: colour }, s("title", null, `${name}: ${decimal(cell.score, 2)}`)),
      ]),
    ];
  });
  const legend = systems.map(({ name, colour }, n) => [
    s("circle", { cx: plot + 14, cy: 20 + 18 * n, r: 4, fill: colour }), text(name, plot + 24, 24 + 18 * n, "small"),
  ]);
  const wide = 40 + Math.max(...systems.map(({ name }) => name.length)) * 6.4;
  return picture(plot + wide, Math.max(height, 30 + 18 * systems.length), title,
    ...leftOf(up, left, plot, title),
    ...buckets.flatMap(({ name, size }, k) => [
      text(name.length > 14 ? `${name.slice(0, 13)}…` : name, left + gap * k + gap / 2, height - 44, "small middle"),
      text(`n = ${size}`, left + gap * k + gap / 2, height - 30, "small quiet middle"),
    ]),
    text(across, (left + plot) / 2, height - 10, "small middle"), ...marks, ...legend);
}

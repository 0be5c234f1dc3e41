// Scores by length, document, any column, number of references or frequency of words, with intervals.
import { COLOURS, bucketChart } from "./charts.js";
import { fill, h, select } from "./dom.js";
import { evaluate } from "./formulas.js";
import { counted, decimal } from "./numbers.js";
import { Pace, Stale, gathered, intervalOf, resampledSums, totals } from "./significance.js";
import { F_SCORE, bucketName, frequencyRows } from "./word_counts.js";

const LENGTHS = [10, 20, 30, 40, 50, 60];
const MOST_LINES = 6;
const MOST_BUCKETS = 40;
const MOST_DRAWN = 14;

/** What segments can be grouped by. */
function groupings(model) {
  const found = [];
  if (model.lengths) found.push(["length", "length of the reference"]);
  for (const group of model.groups) found.push([`group ${group.name}`, group.name]);
  if (model.lengths && new Set(model.array(model.lengths.references)).size > 1) found.push(["references", "number of references"]);
  if (model.texts.count) found.push(["frequency", "frequency of words"]);
  return found;
}

/** The buckets of the chosen segments: name and segments of each. */
function bucketsOf(model, segments, by) {
  const buckets = new Map();
  const put = (name, i) => {
    if (!buckets.has(name)) buckets.set(name, []);
    buckets.get(name).push(i);
  };
  if (by === "length") {
    const edges = [0, ...LENGTHS, Infinity];
    const words = model.array(model.lengths.words);
    for (let k = 0; k + 1 < edges.length; k++) buckets.set(bucketName(edges[k], edges[k + 1]), []);
    for (const i of segments) {
      const k = edges.findIndex((edge) => words[i] < edge) - 1;
      put(bucketName(edges[k], edges[k + 1]), i);
    }
  } else if (by === "references") {
    const numbers = model.array(model.lengths.references);
    for (const i of [...segments].sort((x, y) => numbers[x] - numbers[y] || x - y)) put(String(numbers[i]), i);
  } else {
    const group = model.group(by.replace(/^group /, ""));
    const codes = model.array(group.codes);
    for (const i of segments) put(group.values[codes[i]], i);
  }
  return [...buckets].filter(([, some]) => some.length).map(([name, some]) => ({ name, segments: some }));
}

/** Scores of every system on some rows, with intervals, scaled as printed. */
async function scoredRows(formula, columns, chosen, settings, scale, pace) {
  const rows = gathered(columns, chosen);
  const statistics = columns[0].length;
  const own = (sums, system) => Array.from({ length: statistics }, (_, k) => {
    const column = new Float64Array(sums.length / rows.width);
    for (let i = 0; i < column.length; i++) column[i] = sums[i * rows.width + system * statistics + k];
    return column;
  });
  const total = totals(rows);
  const sums = chosen.length > 1 ? await resampledSums(rows, settings.resamples, settings.stream, pace) : null;
  return columns.map((_, system) => {
    const score = evaluate(formula, own(total, system), 1)[0] * scale;
    if (!sums) return { score, low: NaN, high: NaN };
    const { low, high } = intervalOf(evaluate(formula, own(sums, system), settings.resamples).filter((x) => !Number.isNaN(x)), settings.level);
    return { score, low: low * scale, high: high * scale };
  });
}

export async function renderBuckets(app, place) {
  const { model, state } = app;
  const metric = app.metric();
  const able = groupings(model);
  const by = able.some(([key]) => key === state.by) ? state.by : able[0]?.[0];
  if (!by) {
    fill(place, h("p", { class: "note" }, "There is nothing to group segments by: no texts, documents or other columns."));
    return;
  }
  const busy = h("p", { class: "busy", role: "status" });
  const chart = h("div", { class: "scroll chart", role: "region", "aria-label": "Picture of scores by bucket", tabindex: "0" });
  const table = h("div", { class: "scroll", role: "region", "aria-label": "Scores by bucket", tabindex: "0" });
  fill(place, h("div", { class: "tools" }, select({ label: "score by", id: "by", value: by, options: able, change: (next) => app.go({ by: next }) })), busy, chart, table);
  if (by !== "frequency" && !metric.rows) {
    fill(busy, "Statistics of segments are not in this file, so that scores of parts cannot be computed.");
    return;
  }
  const turn = app.turn;
  const pace = new Pace(() => app.turn === turn, (share) => fill(busy, `Computing … ${Math.round(100 * share)} %`));
  try {
    const systems = by === "frequency" ? model.systems.map((_, i) => i) : metric.systems;
    const found = by === "frequency" ? await byFrequency(app, pace) : await bySegments(app, metric, by, pace);
    fill(busy);
    draw(app, metric, by, found, systems, chart, table);
  } catch (error) {
    if (!(error instanceof Stale)) throw error;
  }
}

async function bySegments(app, metric, by, pace) {
  const { model } = app;
  const columns = model.columns(metric);
  const buckets = bucketsOf(model, app.segments(), by);
  const shown = buckets.length > MOST_BUCKETS ? [...buckets].sort((x, y) => y.segments.length - x.segments.length).slice(0, MOST_BUCKETS) : buckets;
  const found = [];
  for (const { name, segments } of shown) {
    const cells = await scoredRows(metric.formula, columns, segments, model.settings, metric.scale, pace);
    found.push({ name, size: segments.length, segments, cells });
  }
  found.left = buckets.length - shown.length;
  return found;
}

async function byFrequency(app, pace) {
  const { model } = app;
  await app.textsThere;
  const segments = [...app.segments()].filter((i) => i < model.texts.count);
  const texts = (i) => ({ references: model.references(i), outputs: model.texts.outputs[i] });
  const buckets = await frequencyRows(segments, texts, model.systems.length, pace);
  const found = [];
  for (const { name, rows } of buckets) {
    const size = rows[0][2].reduce((sum, value) => sum + value, 0);
    const written = rows.reduce((sum, own) => sum + own[1].reduce((all, value) => all + value, 0), 0);
    if (!size || !written) continue;
    const cells = await scoredRows(F_SCORE, rows, segments.map((_, k) => k), model.settings, 100, pace);
    found.push({ name, size, cells });
  }
  found.left = 0;
  return found;
}

const ACROSS = { length: "words of the reference", references: "references", frequency: "how often the references have the word" };

function draw(app, metric, by, found, systems, chart, table) {
  const { model, state } = app;
  const ranked = metric.ranked.map(([system]) => system).filter((system) => systems.includes(system));
  const order = [...new Set([state.a, state.b, ...ranked])].filter((system) => systems.includes(system));
  const index = new Map(systems.map((system, k) => [system, k]));
  const lines = order.slice(0, MOST_LINES).map((system, k) => ({ index: index.get(system), name: model.systems[system], colour: COLOURS[k] }));
  const title = by === "frequency" ? "F-score of words" : metric.title;
  const digits = by === "frequency" ? 1 : metric.digits;
  const notes = [by === "frequency" ? "F = 2 · right / (in the output + in the reference), of words in lower case, by how often the references of this report have them. n is the number of words." : `${title}${metric.higher ? "" : " (lower is better)"} of each part, with ${100 * model.settings.level} % bootstrap intervals. n is the number of segments.`];
  if (found.length > MOST_DRAWN) notes.push(`The picture shows the first ${MOST_DRAWN} parts.`);
  if (found.left) notes.push(`${counted(found.left, "smaller part")} not shown.`);
  if (order.length > MOST_LINES) notes.push(`The picture shows A, B and the best others, ${MOST_LINES} systems in all; the table has all.`);
  fill(chart, bucketChart(found.slice(0, MOST_DRAWN), lines, title, ACROSS[by] || by.replace(/^group /, "")), h("p", { class: "note" }, notes.join(" ")));
  fill(table, h("table", { class: "plain-table", id: "buckets" },
    h("thead", null, h("tr", null, h("th", { class: "left", scope: "col" }, ACROSS[by] || by.replace(/^group /, "")), h("th", { scope: "col" }, "n"), order.map((system) => h("th", { scope: "col", dir: "auto" }, model.systems[system])))),
    h("tbody", null, found.map(({ name, size, cells }) => {
      const values = cells.map((cell) => cell.score);
      const best = metric.higher || by === "frequency" ? Math.max(...values) : Math.min(...values);
      return h("tr", { "data-bucket": name }, h("th", { scope: "row", class: "left", dir: "auto" }, by.startsWith("group ") ? h("button", { type: "button", class: "link", title: "show only these segments",
        onclick: () => app.go({ filter: { ...state.filter, group: by.slice(6), value: name } }) }, name) : name),
        h("td", null, decimal(size, 0)), order.map((system) => {
          const cell = cells[index.get(system)];
          const span = Number.isNaN(cell.low) ? "" : `${decimal(cell.low, digits)} to ${decimal(cell.high, digits)}`;
          return h("td", { class: cell.score === best ? "number best" : "number", title: span }, decimal(cell.score, digits));
        }));
    }))));
}

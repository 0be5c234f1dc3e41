// All pairs of systems by one metric: p-values and effects, recomputed under the filter; and one pair in detail.
import { histogram, segmentScatter } from "./charts.js";
import { brief, fill, h } from "./dom.js";
import { count, counted, decimal, pValue } from "./numbers.js";

export async function renderPairs(app, place) {
  const { model, state } = app;
  const metric = app.metric();
  const table = h("div", { class: "scroll", role: "region", "aria-label": "Pairs of systems", tabindex: "0" });
  const detail = h("div", { id: "pair" });
  const about = h("p", { class: "note", id: "pairs-about" });
  const busy = h("p", { class: "busy", role: "status" });
  fill(place, about, busy, table, detail);
  const segments = app.segments();
  if (segments.length < model.segments && segments.length < 2) {
    fill(busy, `${counted(segments.length, "segment")} left: too few to compare systems.`);
    return;
  }
  if (segments.length < model.segments && !metric.rows) {
    fill(busy, `${metric.title}: statistics of segments are not in this file, so pairs cannot be recomputed under a filter.`);
    return;
  }
  const found = await app.comparison(metric, (share) => fill(busy, `Testing ${counted(segments.length, "segment")} … ${Math.round(100 * share)} %`));
  if (!found) return;
  fill(busy);
  const { settings } = model;
  const all = segments.length === model.segments;
  fill(about, `${metric.title}${metric.higher ? "" : " (lower is better)"} on ${all ? "all " : ""}${counted(segments.length, "segment")}${all ? "" : ` of ${count(model.segments)}, tested anew`}. `,
    `Each cell: p (Holm, ${counted(found.pairs.length, "pair")}), and below it the difference, the row minus the column. Blue: the row is significantly better at ${settings.alpha}; red: worse; grey: not certain.`);
  fill(table, matrix(app, metric, found));
  drawPair(app, metric, found, detail, segments);
  app.announce(`${metric.title}: ${found.pairs.filter((pair) => pair.adjusted < settings.alpha).length} of ${found.pairs.length} pairs differ significantly`);
  if (state.b === state.a) fill(detail);
}

function lookUp(found, a, b) {
  for (const pair of found.pairs) {
    if (pair.a === a && pair.b === b) return pair;
    if (pair.a === b && pair.b === a) {
      return { ...pair, a, b, difference: -pair.difference, low: -pair.high, high: -pair.low, effect: -pair.effect };
    }
  }
  return null;
}

function matrix(app, metric, found) {
  const { model, state } = app;
  const sign = metric.higher ? 1 : -1;
  const cell = (a, b) => {
    if (a === b) return h("td", { class: "self" }, "·");
    const pair = lookUp(found, a, b);
    const certain = pair.adjusted < model.settings.alpha;
    const better = sign * pair.difference > 0;
    const difference = decimal(pair.difference * metric.scale, metric.digits, true);
    const label = `${model.systems[a]} minus ${model.systems[b]}: ${difference}, p ${pValue(pair.adjusted)}, effect ${decimal(pair.effect, 1, true)}`;
    return h("td", null, h("button", { type: "button", class: certain ? (better ? "won" : "lost") : null, title: label, "aria-label": label,
      "aria-pressed": state.a === a && state.b === b ? "true" : "false", "data-pair": `${a} ${b}`, onclick: () => app.go({ a, b }) },
      decimal(pair.adjusted, 3), h("small", null, difference)));
  };
  const corner = h("th", { class: "left" });
  const longest = Math.max(...found.order.map((system) => Math.min(24, model.systems[system].length)), metric.title.length);
  corner.style.height = `${(1.6 + 0.36 * longest).toFixed(1)}rem`; // names go up at an angle
  return h("table", { class: "matrix" },
    h("thead", null, h("tr", null, corner, h("th", null, h("span", null, metric.title)),
      found.order.map((system) => h("th", { scope: "col" }, h("span", { dir: "auto" }, brief(model.systems[system], 24)))))),
    h("tbody", null, found.order.map((a) => h("tr", null,
      h("th", { scope: "row", class: found.clusters[a] === 1 ? "left best" : "left", dir: "auto" }, model.systems[a]),
      h("td", { class: "number" }, scoreCell(app, metric, found, a)), found.order.map((b) => cell(a, b))))));
}

function scoreCell(app, metric, found, system) {
  const interval = found.intervals[system];
  const span = interval ? `${decimal(interval.low * metric.scale, metric.digits)} to ${decimal(interval.high * metric.scale, metric.digits)}` : "";
  return h("span", { class: "best-score", "data-score": system, title: span ? `${100 * app.model.settings.level} % interval: ${span}` : null },
    decimal(found.scores[system] * metric.scale, metric.digits), " ", h("sup", null, String(found.clusters[system] ?? "")), " ");
}

function drawPair(app, metric, found, place, segments) {
  const { model, state } = app;
  const [a, b] = [state.a, state.b];
  const pair = a === b ? null : lookUp(found, a, b);
  if (!pair) return;
  const names = [model.systems[a], model.systems[b]];
  const digits = metric.digits;
  const level = 100 * model.settings.level;
  const verdict = pair.adjusted < model.settings.alpha
    ? `${(metric.higher ? 1 : -1) * pair.difference > 0 ? names[0] : names[1]} is significantly better.` : "The difference is not certain.";
  const fact = (title, ...value) => h("div", null, h("dt", null, title), h("dd", null, value));
  fill(place,
    h("h3", { dir: "auto" }, `${names[0]} and ${names[1]}`),
    h("p", null, verdict),
    h("dl", { class: "facts" },
      fact("Difference", h("span", { id: "pair-difference" }, decimal(pair.difference * metric.scale, digits, true)), h("span", { class: "small" }, ` ${level} %: ${decimal(pair.low * metric.scale, digits)} to ${decimal(pair.high * metric.scale, digits)}`)),
      fact("Effect", h("span", { id: "pair-effect" }, decimal(pair.effect, 1, true)), h("span", { class: "small" }, " standard errors")),
      fact("p", h("span", { id: "pair-p" }, pValue(pair.p))), fact("p (Holm)", h("span", { id: "pair-holm" }, pValue(pair.adjusted)))),
    model.scores(metric, a) ? segmentFacts(app, metric, segments, names) : null);
}

function segmentFacts(app, metric, segments, names) {
  const { model, state } = app;
  const gains = model.gains(metric, state.a, state.b);
  const chosen = Float64Array.from(segments, (i) => gains[i]);
  const [won, tied, lost] = [chosen.filter((x) => x > 0).length, chosen.filter((x) => x === 0).length, chosen.filter((x) => x < 0).length];
  const share = (number, look, title) => {
    const made = h("span", { class: look, title }, number > 0 ? count(number) : "");
    made.style.flexGrow = String(number);
    return made;
  };
  const [x, y] = [model.scores(metric, state.a), model.scores(metric, state.b)];
  const label = (i) => `segment ${model.name(i)}: ${decimal(x[i], metric.digits)} and ${decimal(y[i], metric.digits)}`;
  return [
    h("p", { class: "label" }, `Segments by ${metric.title}: `, h("span", { id: "wins" }, `${count(won)} better, ${count(tied)} tied, ${count(lost)} worse`)),
    h("div", { class: "wtl", role: "img", "aria-label": `${won} better, ${tied} tied, ${lost} worse` }, share(won, "a", `${names[0]} better`), share(tied, "t", "tied"), share(lost, "b", `${names[1]} better`)),
    h("div", { class: "tools" },
      h("button", { type: "button", class: "link", id: "worst", onclick: () => app.go({ view: "segments", sort: "gain", down: false }) }, `Where ${names[0]} loses most`), " · ",
      h("button", { type: "button", class: "link", onclick: () => app.go({ view: "segments", sort: "gain", down: true }) }, "wins most"), " · ",
      h("button", { type: "button", class: "link", onclick: () => app.go({ view: "segments", sort: "disagreement", down: true }) }, "where metrics disagree")),
    h("div", { class: "pair" },
      h("figure", null, segmentScatter(segments, x, y, names, (i) => app.go({ segment: i }), label)),
      h("figure", null, histogram(chosen, `${names[0]} against ${names[1]}, better to the right`), disagreements(app, segments))),
  ];
}

/** How often the metrics, two at a time, see different winners of a segment. */
function disagreements(app, segments) {
  const { model, state } = app;
  const able = model.metrics.filter((metric) => model.scores(metric, state.a) && metric.systems.includes(state.a) && metric.systems.includes(state.b));
  if (able.length < 2) return null;
  const gains = able.map((metric) => model.gains(metric, state.a, state.b));
  const share = (k, l) => {
    let [both, apart] = [0, 0];
    for (const i of segments) {
      const product = gains[k][i] * gains[l][i];
      if (product !== 0 && !Number.isNaN(product)) { both++; if (product < 0) apart++; }
    }
    return both ? apart / both : NaN;
  };
  return [
    h("p", { class: "label" }, "Where metrics disagree: segments on which they prefer different systems"),
    h("div", { class: "scroll" }, h("table", { class: "words" },
      h("thead", null, h("tr", null, h("th"), able.slice(1).map((metric) => h("th", { scope: "col" }, metric.title)))),
      h("tbody", null, able.slice(0, -1).map((metric, k) => h("tr", null, h("th", { scope: "row", class: "left" }, metric.title),
        able.slice(1).map((_, l) => h("td", null, l + 1 > k ? `${decimal(100 * share(k, l + 1), 0)} %` : "")))))))];
}

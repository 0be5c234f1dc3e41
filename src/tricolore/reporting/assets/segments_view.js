// The table of all segments: sorted, filtered, scrolled; only the rows in sight are in the page.
import { brief, fill, h, select, shown } from "./dom.js";
import { count, counted, decimal } from "./numbers.js";

const HEIGHT = 34;
const SPARE = 8; // rows beyond those in sight, so that scrolling shows no gaps
const TALLEST = 8_000_000; // pixels; browsers cut taller elements off

/** What the table can be sorted by: the values of all segments. */
export function sortValues(app, key) {
  const { model, state } = app;
  const metric = app.metric();
  if (key === "gain") return model.gains(metric, state.a, state.b);
  if (key === "size") return model.gains(metric, state.a, state.b).map(Math.abs);
  if (key === "spread") return model.spread(metric);
  if (key === "disagreement") return model.disagreement(state.a, state.b);
  if (key === "length") return model.lengths ? model.array(model.lengths.words) : null;
  if (key.startsWith("system ")) {
    const system = model.systems.indexOf(key.slice(7));
    return system >= 0 ? model.scores(metric, system) : null;
  }
  if (key.startsWith("group ")) {
    const group = model.group(key.slice(6));
    return group ? model.array(group.codes) : null;
  }
  return null;
}

/** Segments in the order of some values; where these are equal or undefined, by number, undefined ones last. */
export function sorted(segments, values, down) {
  if (!values) return down ? Int32Array.from(segments).reverse() : segments;
  const sign = down ? -1 : 1;
  return Int32Array.from(segments).sort((i, j) => {
    const [x, y] = [values[i], values[j]];
    if (x === y) return i - j;
    if (Number.isNaN(x) || Number.isNaN(y)) return Number.isNaN(x) - Number.isNaN(y) || i - j;
    return sign * (x - y) || i - j;
  });
}

export async function renderSegments(app, place) {
  if (!app.textsReady) await app.textsThere;
  const wide = innerWidth > 700; // asking the page for its layout in between would take longer than all else
  const metric = app.metric();
  const columns = columnsOf(app, wide);
  const list = app.shownSegments();
  const template = columns.map((column) => column.width).join(" ");
  const head = h("div", { class: "grid-head", role: "row" }, columns.map((column) => headCell(app, column)));
  head.style.gridTemplateColumns = template;
  const body = h("div", { class: "grid-body", role: "rowgroup", tabindex: "0", "aria-label": "Segments; arrow keys move, Enter opens" });
  const room = h("div", null);
  const tall = list.length * HEIGHT;
  const height = Math.min(tall, TALLEST);
  room.style.height = `${height}px`;
  body.append(room);
  const grid = h("div", { class: "grid-box", role: "table", "aria-rowcount": list.length, "aria-label": `Scores of segments by ${metric.title}` }, head, body);
  fill(place, tools(app, list), grid);
  let active = Math.max(0, list.indexOf(app.lastSegment ?? -1));
  // Beyond the tallest element, a step of the scroll bar is more than one row.
  const firstRow = () => (tall <= TALLEST ? body.scrollTop / HEIGHT : (body.scrollTop / (height - body.clientHeight)) * (list.length - body.clientHeight / HEIGHT));
  const draw = (top = firstRow(), rowsInSight = body.clientHeight / HEIGHT) => {
    const first = Math.max(0, Math.floor(top) - SPARE);
    const last = Math.min(list.length, Math.ceil(top + rowsInSight) + SPARE);
    const offset = tall <= TALLEST ? 0 : body.scrollTop - top * HEIGHT;
    const rows = [];
    for (let k = first; k < last; k++) rows.push(row(app, columns, list[k], k, k * HEIGHT + offset, k === active, template));
    room.replaceChildren(...rows);
  };
  const move = (to) => {
    active = Math.max(0, Math.min(list.length - 1, to));
    const [top, bottom] = [active * HEIGHT, (active + 1) * HEIGHT];
    if (tall <= TALLEST) {
      if (top < body.scrollTop) body.scrollTop = top;
      if (bottom > body.scrollTop + body.clientHeight) body.scrollTop = bottom - body.clientHeight;
    } else if (active < firstRow() || active + 1 > firstRow() + body.clientHeight / HEIGHT) {
      body.scrollTop = (active / list.length) * (height - body.clientHeight);
    }
    draw();
  };
  body.addEventListener("scroll", () => requestAnimationFrame(() => draw()), { passive: true });
  body.addEventListener("keydown", (event) => {
    const page = Math.floor(body.clientHeight / HEIGHT) - 1;
    const moves = { ArrowDown: active + 1, ArrowUp: active - 1, PageDown: active + page, PageUp: active - page, Home: 0, End: list.length - 1, j: active + 1, k: active - 1 };
    if (event.key in moves) {
      event.preventDefault();
      move(moves[event.key]);
    } else if (event.key === "Enter" && list.length) {
      event.preventDefault();
      app.go({ segment: list[active] });
    }
  });
  if (active && tall <= TALLEST) {
    body.scrollTop = Math.max(0, active * HEIGHT - 3 * HEIGHT);
    draw();
  } else {
    draw(0, Math.min(0.62 * innerHeight, 704) / HEIGHT);
  }
}

function tools(app, list) {
  const { model } = app;
  return h("div", { class: "tools" },
    h("span", null, `${counted(list.length, "segment")}${list.length < model.segments ? ` of ${count(model.segments)}` : ""}`),
    select({ label: "sort by", id: "sort", value: app.state.sort, options: sortKeys(app), change: (sort) => app.go({ sort, down: DOWN.has(sort) }) }),
    h("button", { type: "button", class: "plain", id: "turn", title: "turn the order round", "aria-pressed": String(app.state.down), onclick: () => app.go({ down: !app.state.down }) }, app.state.down ? "↓" : "↑"),
    h("button", { type: "button", class: "plain", id: "download", onclick: () => download(app, list) }, "Download as TSV"));
}

// What is best looked at from its highest values down.
const DOWN = new Set(["size", "spread", "disagreement"]);

/** What the table can be sorted by, in words. */
function sortKeys(app) {
  const { model } = app;
  const metric = app.metric();
  const keys = [["number", "number"]];
  if (model.scores(metric, metric.systems[0])) {
    if (model.systems.length > 1) {
      keys.push(["gain", "A better than B"], ["size", "difference of A and B"], ["spread", "difference of all systems"], ["disagreement", "disagreement of metrics"]);
    }
    keys.push(...metric.systems.map((system) => [`system ${model.systems[system]}`, `${metric.title} of ${model.systems[system]}`]));
  }
  if (model.lengths) keys.push(["length", "length of the reference"]);
  return [...keys, ...model.groups.map((group) => [`group ${group.name}`, group.name])];
}

function columnsOf(app, wide) {
  const { model, state } = app;
  const metric = app.metric();
  const scored = model.scores(metric, metric.systems[0]) !== null;
  const found = [{ key: "number", title: "#", width: "3.4rem", num: true, cell: (i) => model.name(i) }];
  if (model.texts.count) {
    const title = model.texts.source || !model.texts.references.length ? "Source" : "Reference";
    found.push({ key: "", title, width: "minmax(8rem, 1fr)", cell: (i) => (i < model.texts.count ? shown(brief(model.line(i))) : "text not in the file"), look: "text", text: true });
  }
  if (!scored) return found;
  if (model.systems.length > 1) {
    found.push({ key: "gain", title: wide ? "A − B" : "A−B", width: "4.2rem", num: true, about: `${metric.title}: ${model.systems[state.a]} against ${model.systems[state.b]}; positive where the first is better`,
      cell: (i) => decimal(model.gains(metric, state.a, state.b)[i], metric.digits, true), heat: (i) => model.gains(metric, state.a, state.b)[i] });
  }
  const shownSystems = wide ? order(app) : [...new Set([state.a, state.b])];
  for (const system of shownSystems) {
    const which = model.systems.length === 1 ? "" : system === state.a ? "A " : system === state.b ? "B " : "";
    found.push({ key: `system ${model.systems[system]}`, title: `${which}${model.systems[system]}`, width: shownSystems.length > 6 ? "2.75rem" : wide ? "minmax(2.75rem, 6rem)" : "3.2rem", num: true, upright: shownSystems.length > 6,
      look: shownSystems.length > 6 ? "tight" : "", cell: (i) => decimal(model.scores(metric, system)[i], metric.digits), score: (i) => model.scores(metric, system)[i] });
  }
  if (wide && model.lengths) found.push({ key: "length", title: "Words", width: "3.2rem", num: true, look: "quiet", cell: (i) => decimal(model.array(model.lengths.words)[i], 0) });
  if (wide && model.groups.length) {
    const group = model.groups[0];
    found.push({ key: `group ${group.name}`, title: group.name, width: "minmax(3rem, 6rem)", look: "quiet", cell: (i) => group.values[model.array(group.codes)[i]] });
  }
  return found;
}

/** The chosen systems first, then the others from best to worst. */
function order(app) {
  const { state } = app;
  const ranked = app.metric().ranked.map(([system]) => system);
  return [...new Set([state.a, state.b, ...ranked])].filter((system) => ranked.includes(system));
}

function headCell(app, column) {
  const { state } = app;
  const sortedBy = state.sort === column.key;
  const attributes = { role: "columnheader", class: column.upright ? "upright" : column.num ? "num" : null, "aria-sort": sortedBy ? (state.down ? "descending" : "ascending") : null };
  if (!column.key) return h("div", attributes, h("span", null, column.title));
  const arrow = sortedBy ? (state.down ? " ↓" : " ↑") : "";
  return h("div", attributes, h("button", { type: "button", title: column.about || column.title, "data-sort": column.key,
    onclick: () => app.go({ sort: column.key, down: sortedBy ? !state.down : false }) }, column.title + arrow));
}

function row(app, columns, segment, number, top, active, template) {
  const metric = app.metric();
  const made = h("div", { class: active ? "grid-row active" : "grid-row", role: "row", "aria-rowindex": number + 1, "data-segment": app.model.name(segment), onclick: () => app.go({ segment }) },
    columns.map((column) => {
      const cell = h("div", { class: [column.num ? "num" : "", column.look || ""].join(" ").trim() || null, role: "cell", dir: column.text ? "auto" : null }, column.cell(segment));
      if (column.heat) paint(cell, column.heat(segment) / app.heatUnit(metric));
      if (column.score) shade(cell, app.shareOf(metric, column.score(segment)));
      return cell;
    }));
  made.style.top = `${top}px`;
  made.style.gridTemplateColumns = template;
  return made;
}

/** Blue where the first system is better, red where it is worse. */
function paint(cell, share) {
  if (!Number.isFinite(share) || share === 0) return;
  cell.style.backgroundColor = `rgb(var(--heat${share < 0 ? "-low" : ""}) / ${Math.min(0.5, 0.08 + 0.4 * Math.abs(share)).toFixed(2)})`;
}

function shade(cell, share) {
  if (Number.isFinite(share)) cell.style.backgroundColor = `rgb(var(--heat) / ${(0.02 + 0.26 * share).toFixed(2)})`;
}

/** The current selection as a table: scores by every metric, and the texts. */
function download(app, list) {
  const { model } = app;
  const cell = (text) => String(text ?? "").replace(/[\t\r\n]+/g, " ");
  const scored = model.metrics.filter((metric) => model.scores(metric, metric.systems[0]));
  const header = ["segment", "system", ...model.groups.map((group) => group.name), ...scored.map((metric) => metric.name)];
  const texts = model.texts.outputs.length > 0;
  if (texts) header.push(...(model.texts.source ? ["source"] : []), "output", "references");
  const lines = [header.map(cell).join("\t")];
  for (const i of list) {
    model.systems.forEach((name, system) => {
      const line = [model.name(i), name, ...model.groups.map((group) => group.values[model.array(group.codes)[i]])];
      line.push(...scored.map((metric) => (metric.systems.includes(system) && !Number.isNaN(model.scores(metric, system)[i]) ? model.scores(metric, system)[i] : "")));
      if (texts) line.push(...(model.texts.source ? [model.source(i)] : []), model.output(system, i), model.references(i).join(" ||| "));
      lines.push(line.map(cell).join("\t"));
    });
  }
  const link = h("a", { href: URL.createObjectURL(new Blob([`${lines.join("\n")}\n`], { type: "text/tab-separated-values" })), download: "segments.tsv" });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

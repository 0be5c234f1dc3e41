// The page: what is shown where, and what follows from a click, a key or an address.
import { addressOf, stateOf } from "./address.js";
import { renderBuckets } from "./buckets_view.js";
import { fill, h } from "./dom.js";
import { renderControls } from "./controls.js";
import { filtered, isEmpty } from "./filter.js";
import { Model, unpacked, unpackedJson } from "./model.js";
import { renderLosses, setUpOverview } from "./overview_view.js";
import { renderPairs } from "./pairs_view.js";
import { showSegment } from "./segment_panel.js";
import { renderSegments, sorted, sortValues } from "./segments_view.js";
import { Pace, Stale, compareOn } from "./significance.js";
import { renderWords } from "./words_view.js";

const RENDER = { pairs: renderPairs, segments: renderSegments, buckets: renderBuckets, words: renderWords };

class App {
  constructor(model) {
    this.model = model;
    this.views = [...document.querySelectorAll("nav [data-view]")].map((link) => link.dataset.view);
    this.turn = 0; // counts changes of the state, so that work for an old one can end
    this.lastSegment = null;
    this.drawn = null; // the view that is shown
    this.known = {};
    this.state = stateOf(location.hash, model, this.views);
  }

  metric() {
    return this.model.byName.get(this.state.metric);
  }

  /** What changes only with some parts of the state. */
  once(name, key, compute) {
    if (!this.known[name] || this.known[name].key !== key) this.known[name] = { key, value: compute() };
    return this.known[name].value;
  }

  filterKey() {
    const { filter, metric, a, b } = this.state;
    return JSON.stringify([filter, isEmpty(filter) ? 0 : [metric, a, b], this.model.texts.outputs.length]);
  }

  /** The segments that the filter lets through. */
  segments() {
    const { metric, a, b } = this.state;
    return this.once("segments", this.filterKey(), () => filtered(this.model, this.state.filter, { metric: this.model.byName.get(metric), a, b }));
  }

  /** The same in the order of the table. */
  shownSegments() {
    const { sort, down, metric, a, b } = this.state;
    return this.once("shown", JSON.stringify([this.filterKey(), sort, down, metric, a, b]), () => sorted(this.segments(), sortValues(this, sort), down));
  }

  /** Differences of this size are coloured fully. */
  heatUnit(metric) {
    const { a, b } = this.state;
    return this.once("heat", `${metric.name} ${a} ${b}`, () => this.model.gains(metric, a, b).reduce((most, gain) => (Math.abs(gain) > most ? Math.abs(gain) : most), 0) || 1);
  }

  /** Where a score stands between the lowest and the highest of a metric, from worst to best. */
  shareOf(metric, score) {
    const [low, high] = this.once("range", metric.name, () => {
      let [least, most] = [Infinity, -Infinity];
      for (const system of metric.systems) for (const value of this.model.scores(metric, system)) { if (value < least) least = value; if (value > most) most = value; }
      return [least, Math.min(most, metric.higher ? most : 100)];
    });
    const share = Math.max(0, Math.min(1, (score - low) / (high - low || 1)));
    return metric.higher ? share : 1 - share;
  }

  /** The comparison of all systems: the library's on all segments, computed here on some; null where it is stale. */
  async comparison(metric, tell) {
    const { model } = this;
    const segments = this.segments();
    if (segments.length === model.segments) return given(model, metric);
    const key = `${metric.name} ${this.filterKey()}`;
    if (this.known.comparison && this.known.comparison.key === key) return this.known.comparison.value;
    const turn = this.turn;
    try {
      const found = await compareOn(metric, model.columns(metric), segments, model.settings, new Pace(() => this.turn === turn, tell));
      const value = named(found, metric.systems);
      this.known.comparison = { key, value };
      return value;
    } catch (error) {
      if (error instanceof Stale) return null;
      throw error;
    }
  }

  /** Change the state, and with it the address and what is shown. */
  go(changes, { replace = false } = {}) {
    const next = { ...this.state, ...changes };
    if (changes.view && changes.view !== this.state.view) next.segment = changes.segment ?? null;
    if (changes.metric && !this.model.byName.get(changes.metric).systems.includes(next.a)) next.a = this.model.byName.get(changes.metric).ranked[0][0];
    this.state = next;
    const address = addressOf(next, this.model);
    if (address !== location.hash) history[replace ? "replaceState" : "pushState"](null, "", address);
    this.render(Object.keys(changes).every((name) => name === "segment" || name === "align") ? "segment" : "all");
  }

  render(what = "all") {
    this.turn++;
    const { state } = this;
    if (state.segment !== null) this.lastSegment = state.segment;
    if (what === "all") {
      for (const link of document.querySelectorAll("nav [data-view]")) {
        if (link.dataset.view === state.view) {
          link.setAttribute("aria-current", "page");
          if (this.drawn !== state.view) link.parentElement.scrollLeft = link.offsetLeft - 40; // asks for the layout, which takes time
        } else link.removeAttribute("aria-current");
        link.setAttribute("href", addressOf({ ...state, view: link.dataset.view, segment: null }, this.model));
      }
      for (const section of document.querySelectorAll("[data-section]")) section.hidden = section.dataset.section !== state.view;
      this.drawn = state.view;
      const drawn = RENDER[state.view];
      const controls = document.getElementById("controls");
      controls.hidden = !drawn;
      if (drawn) {
        const chosen = JSON.stringify([state.metric, state.a, state.b, this.filterKey()]);
        if (controls.dataset.chosen !== chosen) renderControls(this, controls);
        controls.dataset.chosen = chosen;
        const place = document.querySelector(`[data-section="${state.view}"] .body`);
        Promise.resolve(drawn(this, place)).catch((error) => this.failed(place, error));
      }
    }
    this.textsReady ? showSegment(this) : this.whenTexts(() => showSegment(this));
  }

  failed(place, error) {
    fill(place, h("p", { class: "note" }, `Something went wrong: ${error.message}`));
    throw error;
  }

  whenTexts(then) {
    this.textsThere.then(then);
  }

  announce(text) {
    document.getElementById("live").textContent = text;
  }
}

/** The library's comparison on all segments. */
function given(model, metric) {
  const [scores, intervals, clusters] = [[], [], []];
  for (const [system, score, low, high, cluster] of metric.ranked) {
    scores[system] = score;
    intervals[system] = low === null ? null : { low, high };
    clusters[system] = cluster;
  }
  const nan = (value) => (value === null ? NaN : value);
  const pairs = metric.pairs.map(([a, b, difference, low, high, effect, p, adjusted]) => ({ a, b, difference, low: nan(low), high: nan(high), effect: nan(effect), p: nan(p), adjusted: nan(adjusted) }));
  return { scores, intervals, clusters, pairs, order: metric.ranked.map(([system]) => system) };
}

/** A comparison of some systems with their numbers among all. */
function named(found, systems) {
  const [scores, intervals, clusters] = [[], [], []];
  systems.forEach((system, k) => {
    scores[system] = found.scores[k];
    intervals[system] = found.intervals[k];
    clusters[system] = found.clusters[k];
  });
  const pairs = found.pairs.map((pair) => ({ ...pair, a: systems[pair.a], b: systems[pair.b] }));
  return { scores, intervals, clusters, pairs, order: found.order.map((k) => systems[k]) };
}

function setUpKeys(app) {
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName)) return;
    const open = app.state.segment !== null;
    if (open && (event.key === "j" || event.key === "ArrowRight")) document.getElementById("next").click();
    else if (open && (event.key === "k" || event.key === "ArrowLeft")) document.getElementById("previous").click();
    else if (!open && event.key === "/") {
      event.preventDefault();
      if (!RENDER[app.state.view]) app.go({ view: "segments" });
      document.getElementById("search")?.focus();
    } else if (!open && /^[1-9]$/.test(event.key) && app.views[Number(event.key) - 1]) app.go({ view: app.views[Number(event.key) - 1] });
    else return;
    if (open) event.preventDefault();
  });
  const dialog = document.getElementById("segment");
  dialog.addEventListener("cancel", (event) => { event.preventDefault(); app.go({ segment: null }); });
  dialog.addEventListener("click", (event) => { if (event.target === dialog) app.go({ segment: null }); });
}

function setUpTheme() {
  const button = document.getElementById("theme");
  const dark = () => (document.documentElement.dataset.theme || (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light")) === "dark";
  const show = () => button.setAttribute("aria-pressed", String(dark()));
  button.addEventListener("click", () => { document.documentElement.dataset.theme = dark() ? "light" : "dark"; show(); });
  show();
}

async function start() {
  setUpTheme();
  const [data, numbers] = await Promise.all([unpackedJson("data"), unpacked("numbers")]);
  const app = new App(new Model(data, numbers));
  app.textsThere = unpackedJson("texts").then((texts) => {
    app.model.addTexts(texts);
    app.textsReady = true;
  });
  setUpKeys(app);
  setUpOverview(app);
  addEventListener("hashchange", () => { app.state = stateOf(location.hash, app.model, app.views); app.render(); });
  addEventListener("popstate", () => { app.state = stateOf(location.hash, app.model, app.views); app.render(); });
  let width = innerWidth;
  addEventListener("resize", () => { if (innerWidth !== width) { width = innerWidth; if (app.state.view === "segments") app.render(); } });
  if (app.state.view === "segments" || app.state.filter.q !== "") await app.textsThere; // what they show is made of texts
  app.render();
  await app.textsThere;
  renderLosses(app);
  document.documentElement.dataset.ready = "true";
}

start();

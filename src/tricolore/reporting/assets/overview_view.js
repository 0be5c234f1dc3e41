// The overview: signatures to copy, and the five segments where the best system loses most. The table is in the page.
import { fill, h } from "./dom.js";
import { decimal } from "./numbers.js";
import { sorted } from "./segments_view.js";
import { legend, marked } from "./texts_view.js";

const SHOWN = 5;

export function setUpOverview(app) {
  const button = document.getElementById("copy-signatures");
  button.addEventListener("click", async () => {
    const text = document.getElementById("signatures").textContent;
    try {
      await navigator.clipboard.writeText(text);
      app.announce("copied");
      button.textContent = "Copied";
    } catch {
      getSelection().selectAllChildren(document.getElementById("signatures"));
      button.textContent = "Selected: press Ctrl-C";
    }
  });
  choosePictures();
}

/** Of pictures of one kind, one is shown, and buttons choose it. */
function choosePictures() {
  const groups = new Map();
  for (const figure of document.querySelectorAll("figure[data-choice]")) {
    const title = figure.dataset.choice.startsWith("human: ") ? "human" : "agreement";
    if (!groups.has(title)) groups.set(title, []);
    groups.get(title).push(figure);
  }
  for (const figures of groups.values()) {
    const buttons = figures.map((figure) => h("button", { type: "button", class: "plain", onclick: () => show(figure) }, figure.dataset.choice.replace(/^human: /, "")));
    const show = (chosen) => figures.forEach((figure, k) => {
      figure.hidden = figure !== chosen;
      buttons[k].setAttribute("aria-pressed", String(figure === chosen));
    });
    if (figures.length > 1) figures[0].before(h("div", { class: "tools", role: "group", "aria-label": "choose a picture" }, buttons));
    show(figures[0]);
  }
}

/** The segments where the best system by the first metric loses most against the runner-up. */
export function renderLosses(app) {
  const { model } = app;
  const place = document.getElementById("losses");
  const metric = model.metrics.find((one) => model.scores(one, one.systems[0]));
  if (!metric || metric.ranked.length < 2) return;
  const [best, second] = metric.ranked.map(([system]) => system);
  const gains = model.gains(metric, best, second);
  const every = Int32Array.from({ length: model.segments }, (_, i) => i);
  const list = [...sorted(every, gains, false)].filter((i) => gains[i] < 0).slice(0, SHOWN);
  if (!list.length) return;
  const names = [model.systems[best], model.systems[second]];
  const [x, y] = [model.scores(metric, best), model.scores(metric, second)];
  fill(place,
    h("h3", { dir: "auto" }, `Where ${names[0]}, the best by ${metric.title}, loses most against ${names[1]}`),
    model.texts.count ? legend("words") : null,
    h("ol", { class: "losses" }, list.map((i) => h("li", null,
      h("button", { type: "button", class: "link", "data-loss": model.name(i), onclick: () => app.go({ view: "segments", metric: metric.name, a: best, b: second, sort: "gain", down: false, segment: i }) }, `Segment ${model.name(i)}`),
      ` ${decimal(x[i], metric.digits)} against ${decimal(y[i], metric.digits)} (${decimal(gains[i], metric.digits, true)})`,
      i < model.texts.count ? [best, second].map((system, k) => output(model, system, names[k], i)) : null))),
    h("p", null, h("button", { type: "button", class: "link", id: "all-losses", onclick: () => app.go({ view: "segments", metric: metric.name, a: best, b: second, sort: "gain", down: false }) }, "All segments, the worst first")));
}

function output(model, system, name, segment) {
  const { nodes, about } = marked(model.output(system, segment), model.references(segment), "words");
  return h("p", { class: "said", dir: "auto" }, h("span", { class: "who" }, `${name} · ${about}`), h("br"), nodes);
}

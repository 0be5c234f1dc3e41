// The bar above a view: which metric, which systems, which segments.
import { fill, h, select } from "./dom.js";
import { NOTHING, isEmpty, matcher } from "./filter.js";
import { count } from "./numbers.js";

export function renderControls(app, place) {
  const focus = place.contains(document.activeElement) ? document.activeElement : null;
  const [id, at] = focus ? [focus.id, focus.selectionStart] : ["", 0];
  const wasOpen = place.querySelector("details")?.open ?? false;
  fill(place, chooser(app), search(app), more(app, wasOpen), status(app));
  const again = id && document.getElementById(id);
  if (again) {
    again.focus();
    if (again.type === "search") again.setSelectionRange(at, at);
  }
}

function chooser(app) {
  const { model, state } = app;
  const systems = app.metric().systems.map((system) => [String(system), model.systems[system]]);
  const found = [select({ label: "metric", id: "metric", value: state.metric, options: model.metrics.filter((metric) => model.scores(metric, metric.systems[0])).map((metric) => [metric.name, metric.title + (metric.higher ? "" : " ↓")]), change: (metric) => app.go({ metric }) })];
  if (model.systems.length > 1) {
    found.push(select({ label: "A", id: "a", value: String(state.a), options: systems, change: (value) => app.go({ a: Number(value) }) }),
      h("button", { type: "button", class: "plain", id: "swap", title: "swap A and B", onclick: () => app.go({ a: state.b, b: state.a }) }, "⇄"),
      select({ label: "B", id: "b", value: String(state.b), options: systems, change: (value) => app.go({ b: Number(value) }) }));
  }
  return found;
}

function change(app, values) {
  app.go({ filter: { ...app.state.filter, ...values } }, { replace: true });
}

function search(app) {
  const { model, state } = app;
  if (!model.texts.count) return [];
  const { filter } = state;
  const wrong = filter.regex && filter.q !== "" ? matcher(filter.q, true).wrong : null;
  const input = h("input", { type: "search", id: "search", class: wrong ? "wrong" : null, value: filter.q, placeholder: "text  ( / )", title: wrong || null, "aria-invalid": wrong ? "true" : null,
    oninput: () => change(app, { q: input.value }) });
  return [
    h("label", { class: "wide" }, h("span", null, wrong ? "not a regular expression" : "segments with"), input),
    h("label", { class: "check" }, h("input", { type: "checkbox", id: "regex", checked: filter.regex ? "checked" : null, onchange: (event) => change(app, { regex: event.target.checked }) }), "regular expression"),
  ];
}

function range(app, title, id, names) {
  const { filter } = app.state;
  const box = (name, label) => h("input", { type: "number", step: "any", id: name, value: filter[name], placeholder: label, "aria-label": `${title}, ${label}`, onchange: (event) => change(app, { [name]: event.target.value }) });
  return h("label", null, h("span", null, title), h("span", { class: "range" }, box(names[0], "least"), "–", box(names[1], "most")));
}

function more(app, wasOpen) {
  const { model, state } = app;
  const { filter } = state;
  const metric = app.metric();
  const several = model.systems.length > 1;
  const inside = [];
  if (model.texts.count) {
    inside.push(select({ label: "search in", id: "in", value: filter.in, options: [["any", "all texts"], ["source", "source"], ["reference", "references"], ["a", "output of A"], ["b", "output of B"]], change: (value) => change(app, { in: value }) }));
  }
  for (const group of model.groups) {
    if (group.values.length > 5000) continue;
    const value = filter.group === group.name ? filter.value : "";
    inside.push(select({ label: group.name, id: `group-${group.name}`, value, options: [["", "all"], ...group.values.map((one) => [one, one])], change: (next) => change(app, { group: next === "" ? "" : group.name, value: next }) }));
  }
  if (model.lengths) inside.push(range(app, "words of the reference", "length", ["minLength", "maxLength"]));
  inside.push(range(app, several ? `${metric.title} of A` : metric.title, "score", ["minScore", "maxScore"]));
  if (several) {
    inside.push(range(app, "A better than B by", "gain", ["minGain", "maxGain"]));
    inside.push(h("label", null, h("span", null, "metrics disagree by"), h("input", { type: "number", min: 0, step: "any", id: "disagree", value: filter.disagree, placeholder: "least", title: "in units of the mean difference of each metric", onchange: (event) => change(app, { disagree: event.target.value }) })));
  }
  return h("details", { open: wasOpen || hasLimits(filter) }, h("summary", null, "More filters"), h("div", null, inside));
}

function hasLimits(filter) {
  return !isEmpty({ ...filter, q: "" }) || filter.in !== "any";
}

function status(app) {
  const { model, state } = app;
  const number = app.segments().length;
  if (isEmpty(state.filter)) return null;
  return h("p", { class: "state", role: "status" }, h("span", { id: "filtered" }, `${count(number)} of ${count(model.segments)} segments`),
    h("button", { type: "button", class: "link", id: "clear", onclick: () => app.go({ filter: { ...NOTHING } }) }, "Show all"));
}

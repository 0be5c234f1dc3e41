// One segment: source, references, all outputs aligned, scores, ratings and errors.
import { fill, h, select, shown } from "./dom.js";
import { decimal } from "./numbers.js";
import { MODES, legend, marked, withErrors } from "./texts_view.js";

/** Open, change or close the dialogue, as the state says. */
export function showSegment(app) {
  const dialog = document.getElementById("segment");
  const { segment } = app.state;
  if (segment === null) {
    if (dialog.open) dialog.close();
    return;
  }
  fill(dialog, panel(app, segment));
  if (!dialog.open) {
    dialog.showModal();
    dialog.querySelector("h2").focus();
  }
  dialog.scrollTop = 0;
}

function panel(app, segment) {
  const { model, state } = app;
  const list = app.shownSegments();
  const at = list.indexOf(segment);
  const step = (by) => () => { if (at >= 0 && list[at + by] !== undefined) app.go({ segment: list[at + by] }); };
  const here = segment < model.texts.count;
  const facts = [];
  if (model.lengths) facts.push(`${decimal(model.array(model.lengths.words)[segment], Number.isInteger(model.array(model.lengths.words)[segment]) ? 0 : 1)} words in the reference`);
  for (const group of model.groups) facts.push(`${group.name}: ${group.values[model.array(group.codes)[segment]]}`);
  return h("div", { class: "panel" },
    h("div", { class: "panel-tools" },
      h("button", { type: "button", class: "plain", id: "previous", onclick: step(-1), disabled: at <= 0, title: "previous (k)" }, "←"),
      h("button", { type: "button", class: "plain", id: "next", onclick: step(1), disabled: at < 0 || at + 1 >= list.length, title: "next (j)" }, "→"),
      h("span", { class: "note" }, at >= 0 ? `${at + 1} of ${list.length}` : "not in the current selection"),
      select({ label: "compare with the reference by", id: "align", value: state.align, options: MODES, change: (align) => app.go({ align }) }),
      h("button", { type: "button", class: "plain push", id: "close", onclick: () => app.go({ segment: null }) }, "Close")),
    h("h2", { id: "segment-title", tabindex: "-1" }, `Segment ${model.name(segment)}`),
    facts.length ? h("p", { class: "note", dir: "auto" }, facts.join(" · ")) : null,
    here ? texts(app, segment) : h("p", { class: "note" }, model.texts.count ? "The texts of this segment are not in the file, as asked for when it was made." : "There are no texts in this report."),
    outputs(app, segment, here));
}

function texts(app, segment) {
  const { model } = app;
  const references = model.references(segment);
  const source = model.source(segment);
  return [
    source === null ? null : [h("p", { class: "label" }, "Source"), h("p", { class: "said", dir: "auto" }, shown(source))],
    references.map((reference, k) => [
      h("p", { class: "label" }, references.length > 1 ? `Reference ${k + 1}` : "Reference"),
      h("p", { class: "said", dir: "auto" }, shown(reference)),
    ]),
    legend(app.state.align),
  ];
}

function outputs(app, segment, here) {
  const { model, state } = app;
  const metric = app.metric();
  const score = (system) => (model.scores(metric, system) ? model.scores(metric, system)[segment] : NaN);
  const sign = metric.higher ? -1 : 1;
  const order = model.systems.map((_, i) => i).sort((x, y) =>
    (y === state.a) - (x === state.a) || (y === state.b) - (x === state.b) || sign * (score(x) - score(y)) || x - y);
  return order.map((system) => {
    const output = here ? model.output(system, segment) : null;
    const errors = (model.errorsOf && model.errorsOf.get(`${system} ${segment}`)) || [];
    const found = output === null ? null : marked(output, model.references(segment), state.align);
    const look = system === state.a ? "out chosen" : system === state.b && model.systems.length > 1 ? "out other" : "out";
    return h("article", { class: look },
      h("header", null, h("b", { dir: "auto" }, model.systems[system]), found && found.about ? h("span", { class: "edits" }, found.about) : null),
      found ? h("p", { class: "said", dir: "auto" }, output === "" ? h("i", { class: "note" }, "empty output") : null, found.nodes) : null,
      h("p", { class: "scores-line" }, scoresOf(model, system, segment)),
      errors.length ? errorList(output, errors) : null);
  });
}

/** The scores of an output by every metric; the best among the systems stand out. */
function scoresOf(model, system, segment) {
  return model.metrics.filter((metric) => metric.systems.includes(system) && model.scores(metric, system)).map((metric) => {
    const values = metric.systems.map((other) => model.scores(metric, other)[segment]);
    const own = model.scores(metric, system)[segment];
    const best = metric.higher ? Math.max(...values) : Math.min(...values);
    return h("span", { class: own === best && metric.systems.length > 1 ? "leads" : null }, `${metric.title} ${decimal(own, metric.digits)}`);
  });
}

function errorList(output, errors) {
  return [
    output === null ? null : [h("p", { class: "label" }, "Errors marked by annotators"), h("p", { class: "said", dir: "auto" }, withErrors(output, errors))],
    h("ul", { class: "errors" }, errors.map((error) =>
      h("li", null, h("span", { class: /major|critical/i.test(error[4]) ? "major" : null }, error[4]), ` · ${error[3]}`, error[2] ? ` · ${error[2]}` : ""))),
  ];
}

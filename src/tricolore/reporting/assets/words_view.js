// Words and n-grams: what one system gets right more often than the other, what each has too often or too seldom.
import { fill, h, select, shown } from "./dom.js";
import { count, decimal } from "./numbers.js";
import { Pace, Stale } from "./significance.js";
import { clearest, countCompounds, countGrams, grams, misused, mostGrams, wordsOf } from "./word_counts.js";
import { wordSpans } from "./tokens.js";

const ORDERS = [["1", "words"], ["2", "2-grams"], ["3", "3-grams"], ["4", "4-grams"], ["compounds", "compounds"]];

export async function renderWords(app, place) {
  const { model, state } = app;
  const busy = h("p", { class: "busy", role: "status" });
  const body = h("div", { id: "words" });
  fill(place, h("div", { class: "tools" },
    select({ label: "count", id: "order", value: state.order, options: ORDERS, change: (order) => app.go({ order }) })), busy, body);
  const turn = app.turn;
  const pace = new Pace(() => app.turn === turn, (share) => fill(busy, `Counting … ${Math.round(100 * share)} %`));
  try {
    await app.textsThere;
    const segments = app.segments().filter((i) => i < model.texts.count);
    const texts = (i) => ({ references: model.references(i), a: model.output(state.a, i), b: model.output(state.b, i) });
    if (state.order === "compounds") fill(body, await compoundTable(app, segments, texts, pace));
    else fill(body, await gramTables(app, segments, texts, Number(state.order), pace));
    fill(busy);
  } catch (error) {
    if (!(error instanceof Stale)) throw error;
  }
}

async function gramTables(app, segments, texts, n, pace) {
  const { model, state } = app;
  const names = [model.systems[state.a], model.systems[state.b]];
  const counts = await countGrams(segments, texts, n, false, pace);
  const { better, worse } = clearest(counts);
  const examples = examplesOf(segments, texts, n, [...better, ...worse]);
  const what = n === 1 ? "words" : `${n}-grams`;
  const single = state.a === state.b;
  return [
    n === 1 ? lengthLine(app, segments) : null,
    single ? null : [
      h("p", { class: "note" }, `Right: in the output and in a reference, no more often than there. Log-odds: ln((a + ½) / (n − a + ½)) − ln((b + ½) / (n − b + ½)), where a and b of the n ${what} of the references are right; the clearest differences first (by the z-score of the log-odds).`),
      h("div", { class: "cols" },
        oneSide(app, `${names[0]} gets right more often`, better, names, examples, "better"),
        oneSide(app, `${names[1]} gets right more often`, worse, names, examples, "worse"))],
    h("div", { class: "cols" }, [["a", names[0]], ...(single ? [] : [["b", names[1]]])].map(([which, name]) => {
      const { over, under } = misused(counts, which);
      return h("div", null, h("h3", { dir: "auto" }, `${name}: too often, too seldom`), h("div", { class: "cols" }, misusedTable(over, which, "too often"), misusedTable(under, which, "too seldom")));
    })),
  ];
}

function oneSide(app, title, list, names, examples, id) {
  return h("div", null, h("h3", { dir: "auto" }, title), list.length ? h("div", { class: "scroll" }, h("table", { class: "words", id },
    h("thead", null, h("tr", null, h("th", { class: "left" }, ""), h("th", { title: "how often the references have it" }, "n"), h("th", { title: `right in ${names[0]}` }, "A right"), h("th", { title: `right in ${names[1]}` }, "B right"),
      h("th", null, "log-odds"), h("th", { class: "left" }, "examples"))),
    h("tbody", null, list.map((one) => h("tr", { "data-gram": one.gram },
      h("td", { class: "left", dir: "auto", title: one.gram }, shown(one.gram)), h("td", null, count(one.reference)), h("td", null, count(one.rightA)), h("td", null, count(one.rightB)),
      h("td", null, decimal(one.odds, 2, true)), h("td", { class: "left examples" }, links(app, examples.get(one.gram) || []))))))) : h("p", { class: "note" }, "none"));
}

function links(app, segments) {
  return segments.flatMap((i, k) => [k ? " " : null, h("button", { type: "button", class: "link", onclick: () => app.go({ segment: i }) }, app.model.name(i))]);
}

/** Up to three segments for each n-gram in which one system has it right more often. */
function examplesOf(segments, texts, n, list) {
  const wanted = new Map(list.map((one) => [one.gram, { sign: Math.sign(one.rightA - one.rightB), found: [] }]));
  for (const i of segments) {
    const { references, a, b } = texts(i);
    const lists = references.map((text) => wordsOf(text, false));
    const there = mostGrams(lists, n);
    let own = null;
    for (const gram of there.keys()) {
      const entry = wanted.get(gram);
      if (!entry || entry.found.length >= 3) continue;
      own = own || [grams(wordsOf(a, false), n), grams(wordsOf(b, false), n)];
      const [inA, inB] = own.map((counts) => Math.min(counts.get(gram) || 0, there.get(gram)));
      if (Math.sign(inA - inB) === entry.sign) entry.found.push(i);
    }
  }
  return new Map([...wanted].map(([gram, { found }]) => [gram, found]));
}

function misusedTable(list, which, title) {
  return h("table", { class: "words" }, h("thead", null, h("tr", null, h("th", { class: "left" }, title), h("th", null, "output"), h("th", null, "reference"))),
    h("tbody", null, list.map((one) => h("tr", null, h("td", { class: "left", dir: "auto", title: one.gram }, shown(one.gram)), h("td", null, count(one[which])), h("td", null, count(one.reference))))));
}

/** Words of the outputs per word of the references. */
function lengthLine(app, segments) {
  const { model, state } = app;
  let reference = 0;
  const lengths = new Map([...new Set([state.a, state.b])].map((system) => [system, 0]));
  for (const i of segments) {
    const refs = model.references(i);
    reference += refs.reduce((sum, text) => sum + wordSpans(text).length, 0) / refs.length;
    for (const system of lengths.keys()) lengths.set(system, lengths.get(system) + wordSpans(model.output(system, i)).length);
  }
  const parts = [...lengths].map(([system, length]) => `${model.systems[system]} ${decimal(length / reference, 3)}`);
  return h("p", { id: "length-ratio" }, `Length ratio (words of the output per word of the reference): ${parts.join(", ")}.`);
}

async function compoundTable(app, segments, texts, pace) {
  const { model, state } = app;
  const list = (await countCompounds(segments, texts, true, pace)).slice(0, 40);
  const names = [model.systems[state.a], model.systems[state.b]];
  return [
    h("p", { class: "note" }, "Words of a reference that an output has in two or three pieces (apart), and words of an output that are pieces of the reference joined; in lower case, without hyphens."),
    list.length ? h("div", { class: "scroll" }, h("table", { class: "words", id: "compounds" },
      h("thead", null, h("tr", null, h("th", { class: "left" }, "word"), h("th", { title: names[0] }, "A apart"), h("th", { title: names[1] }, "B apart"), h("th", { title: names[0] }, "A joined"), h("th", { title: names[1] }, "B joined"), h("th", { class: "left" }, "examples"))),
      h("tbody", null, list.map((one) => h("tr", null, h("td", { class: "left", dir: "auto" }, shown(one.gram)), h("td", null, count(one.apartA)), h("td", null, count(one.apartB)), h("td", null, count(one.joinedA)), h("td", null, count(one.joinedB)),
        h("td", { class: "left examples" }, links(app, one.segments))))))) : h("p", { class: "note" }, "none found"),
  ];
}


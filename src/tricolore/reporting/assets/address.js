// The place in the report, in the fragment of the address, so that it can be sent to a colleague.
import { NOTHING } from "./filter.js";

/** The state that an address stands for; names that the report does not have are left at their defaults. */
export function stateOf(fragment, model, views) {
  const [path, query = ""] = fragment.replace(/^#\/?/, "").split("?");
  const given = new URLSearchParams(query);
  const metric = model.byName.get(given.get("m")) || model.metrics[0];
  const best = metric.ranked.map(([system]) => system);
  const system = (name, otherwise) => {
    const found = model.systems.indexOf(given.get(name));
    return found >= 0 ? found : otherwise;
  };
  const filter = { ...NOTHING };
  for (const name of Object.keys(NOTHING)) {
    if (given.has(name)) filter[name] = typeof NOTHING[name] === "boolean" ? given.get(name) === "1" : given.get(name);
  }
  const segment = given.has("seg") ? model.segmentOf(given.get("seg")) : -1;
  const a = system("a", best[0]);
  return {
    view: views.includes(path) ? path : "overview",
    metric: metric.name,
    a,
    b: system("b", best.find((one) => one !== a) ?? a),
    filter,
    sort: given.get("sort") || "number",
    down: given.get("down") === "1",
    segment: segment >= 0 ? segment : null,
    by: given.get("by") || "length",
    order: given.get("order") || "1",
    align: given.get("align") || "words",
  };
}

/** The address of a state; what is as it is by default is left out. */
export function addressOf(state, model) {
  const query = new URLSearchParams();
  if (state.metric !== model.metrics[0].name) query.set("m", state.metric);
  const best = model.byName.get(state.metric).ranked.map(([system]) => system);
  if (state.a !== best[0]) query.set("a", model.systems[state.a]);
  if (state.b !== (best.find((one) => one !== state.a) ?? state.a)) query.set("b", model.systems[state.b]);
  for (const [name, value] of Object.entries(state.filter)) {
    if (value !== NOTHING[name]) query.set(name, value === true ? "1" : value);
  }
  if (state.sort !== "number") query.set("sort", state.sort);
  if (state.down) query.set("down", "1");
  if (state.by !== "length") query.set("by", state.by);
  if (state.order !== "1") query.set("order", state.order);
  if (state.align !== "words") query.set("align", state.align);
  if (state.segment !== null) query.set("seg", model.name(state.segment));
  const text = query.toString();
  return `#/${state.view}${text ? `?${text}` : ""}`;
}

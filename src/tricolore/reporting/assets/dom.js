// Elements of the page. Text is only ever set as text: nothing that comes from data is read as markup.

const SVG = "http://www.w3.org/2000/svg";

function filled(made, attributes, inside) {
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else if (name === "value") made.value = value;
    else made.setAttribute(name, value === true ? "" : String(value));
  }
  made.append(...inside.flat(Infinity).filter((one) => one !== null && one !== undefined && one !== false));
  return made;
}

/** An element: h("p", { class: "note" }, "text", other). */
export function h(name, attributes, ...inside) {
  return filled(document.createElement(name), attributes, inside);
}

/** An element of a picture. */
export function s(name, attributes, ...inside) {
  return filled(document.createElementNS(SVG, name), attributes, inside);
}

// What no screen shows, or what would turn the text around it: shown by its number instead.
const HIDDEN = /[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]|[\u{e0000}-\u{e0fff}]/gu;
// Joiners that scripts such as Persian and Hindi, and emoji, need between letters; they harm nothing.
const JOINERS = "\u200c\u200d";

/** A text as nodes: faithful, harmless, and with what is invisible made visible. */
export function shown(text) {
  const nodes = [];
  let at = 0;
  for (const found of text.matchAll(HIDDEN)) {
    if (JOINERS.includes(found[0])) continue;
    if (found.index > at) nodes.push(text.slice(at, found.index));
    const number = found[0].codePointAt(0).toString(16).toUpperCase().padStart(4, "0");
    nodes.push(h("span", { class: "ctl", title: `invisible character U+${number}` }, number));
    at = found.index + found[0].length;
  }
  if (at < text.length) nodes.push(text.slice(at));
  return nodes;
}

/** A short text for one line. */
export function brief(text, most = 160) {
  return text.length > most ? `${text.slice(0, most)}…` : text;
}

/** A choice of names: select({ label, value, options: [[value, text]], change }). */
export function select({ label, value, options, change, id }) {
  const made = h("select", { id, onchange: () => change(made.value) },
    options.map(([key, text]) => h("option", { value: key, selected: key === value ? "selected" : null }, text)));
  made.value = value;
  return h("label", null, h("span", null, label), made);
}

/** Put new content into a place. */
export function fill(place, ...inside) {
  place.replaceChildren(...inside.flat(Infinity).filter((one) => one !== null && one !== undefined && one !== false));
}

// Words of a text for display: as the library's tokenizer `universal` cuts them, but nothing is replaced, so that every
// word is a stretch of the text as it is.

const SPACE = /[\t-\r\x1c-\x20\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]/;
const ASCII_SYMBOL = /[{-~[-` -&(-+:-@/]/;
const UNSPACED = new RegExp(
  "[\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Bopomofo}\\p{Script=Thai}\\p{Script=Lao}"
  + "\\p{Script=Khmer}\\p{Script=Myanmar}\\p{Script=Tai_Le}\\p{Script=New_Tai_Lue}\\p{Script=Tai_Tham}"
  + "\\p{Script=Tai_Viet}\\p{Script=Yi}\\p{Script=Tibetan}]", "u");
const MARK = /\p{M}/u;
const ALONE = /[\p{P}\p{S}]/u;

const known = new Map();

function role(character) {
  let found = known.get(character);
  if (found === undefined) {
    found = roleOf(character);
    known.set(character, found);
  }
  return found;
}

function roleOf(c) {
  if (SPACE.test(c)) return "space";
  if (c < "\x80") {
    if (ASCII_SYMBOL.test(c)) return "alone";
    if (c === "." || c === ",") return "point";
    if (c === "-") return "dash";
    return c >= "0" && c <= "9" ? "digit" : "plain";
  }
  if (MARK.test(c)) return "mark";
  return ALONE.test(c) || UNSPACED.test(c) ? "alone" : "plain";
}

/** The words of a text: [start, end] of each, in UTF-16 units. */
export function wordSpans(text) {
  const characters = Array.from(text);
  const roles = characters.map(role);
  const at = [0];
  for (const c of characters) at.push(at[at.length - 1] + c.length);
  const spans = [];
  let start = -1;
  const flush = (end) => {
    if (start >= 0) spans.push([at[start], at[end]]);
    start = -1;
  };
  for (let i = 0; i < characters.length;) {
    const what = roles[i];
    if (what === "plain" || what === "digit" || what === "mark") {
      if (start < 0) start = i;
      i++;
    } else if (what === "space") {
      flush(i);
      i++;
    } else if (what === "alone") {
      flush(i);
      let end = i + 1;
      while (roles[end] === "mark") end++;
      spans.push([at[i], at[end]]);
      i = end;
    } else if (what === "dash") {
      if (i > 0 && roles[i - 1] === "digit") {
        flush(i);
        spans.push([at[i], at[i + 1]]);
      } else if (start < 0) {
        start = i;
      }
      i++;
    } else {
      i = points(i);
    }
  }
  flush(characters.length);
  return spans;

  /** A run of points and commas: each stands alone, but one between digits, or before one, may belong to a number. */
  function points(i) {
    let last = i + 1;
    while (roles[last] === "point") last++;
    const length = last - i;
    const afterOther = i === 0 || roles[i - 1] !== "digit";
    const beforeDigit = roles[last] === "digit";
    const joins = afterOther !== (length % 2 === 1) && beforeDigit;
    if (length > 1 || !joins) flush(i);
    for (; i + 1 < last; i++) spans.push([at[i], at[i + 1]]);
    if (!joins) spans.push([at[i], at[i + 1]]);
    else if (start < 0) start = i;
    return last;
  }
}

/** The words of a text. */
export function words(text) {
  return wordSpans(text).map(([start, end]) => text.slice(start, end));
}

/** Stretches between white space: [start, end] of each. */
export function spacedSpans(text) {
  const spans = [];
  let start = -1;
  for (let i = 0; i <= text.length; i++) {
    const inside = i < text.length && !SPACE.test(text[i]);
    if (inside && start < 0) start = i;
    if (!inside && start >= 0) {
      spans.push([start, i]);
      start = -1;
    }
  }
  return spans;
}

/** The characters of a text, marks with the letter before them; a run of white space is one. */
export function characterSpans(text) {
  const spans = [];
  let at = 0;
  for (const c of text) {
    const last = spans[spans.length - 1];
    const space = SPACE.test(c);
    if (last && ((MARK.test(c) && !space) || (space && last[2]))) last[1] += c.length;
    else spans.push([at, at + c.length, space]);
    at += c.length;
  }
  return spans.map(([start, end]) => [start, end]);
}

// Numbers as text, exactly as the library writes them.

/** A number with so many digits after the point, halves to even as Python has them. */
export function fixed(value, digits) {
  const text = value.toFixed(digits);
  const shifted = Math.abs(value) * 10 ** digits;
  const halfway = Number.isInteger(value * 2 ** (digits + 1)) && shifted - Math.floor(shifted) === 0.5;
  if (!halfway) return text;
  const floor = Math.floor(shifted);
  const even = floor % 2 === 0 ? floor : floor + 1;
  return (Math.sign(value) * (even / 10 ** digits)).toFixed(digits);
}

/** A number for people: a dash where it is undefined, and no minus sign before zero. */
export function decimal(value, digits, signed = false) {
  if (value === null || value === undefined || Number.isNaN(value)) return "–";
  if (!Number.isFinite(value)) return value > 0 ? "inf" : "-inf";
  const text = fixed(value, digits);
  if (Number(text) === 0) return text.replace(/^[+-]/, "");
  return signed && value > 0 ? `+${text}` : text;
}

/** A p-value. */
export function pValue(p) {
  return p === null || p === undefined || Number.isNaN(p) ? "–" : fixed(p, 4);
}

/** A whole number, with commas. */
export function count(value) {
  return String(value).replace(/\B(?=(\d{3})+$)/g, ",");
}

/** A word in the number that goes with a count. */
export function counted(value, word) {
  return `${count(value)} ${word}${value === 1 ? "" : "s"}`;
}

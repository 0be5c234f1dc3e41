// Formulas of metrics: steps that the library wrote down, run over columns of numbers.

const CHUNK = 4096;

const BINARY = {
  "+": (a, b, out, n) => { for (let i = 0; i < n; i++) out[i] = a[i] + b[i]; },
  "-": (a, b, out, n) => { for (let i = 0; i < n; i++) out[i] = a[i] - b[i]; },
  "*": (a, b, out, n) => { for (let i = 0; i < n; i++) out[i] = a[i] * b[i]; },
  "/": (a, b, out, n) => { for (let i = 0; i < n; i++) out[i] = a[i] / b[i]; },
  "**": (a, b, out, n) => { for (let i = 0; i < n; i++) out[i] = a[i] ** b[i]; },
  min: (a, b, out, n) => { for (let i = 0; i < n; i++) out[i] = Math.min(a[i], b[i]); },
  max: (a, b, out, n) => { for (let i = 0; i < n; i++) out[i] = Math.max(a[i], b[i]); },
  "<": (a, b, out, n) => { for (let i = 0; i < n; i++) out[i] = a[i] < b[i] ? 1 : 0; },
  "<=": (a, b, out, n) => { for (let i = 0; i < n; i++) out[i] = a[i] <= b[i] ? 1 : 0; },
  ">": (a, b, out, n) => { for (let i = 0; i < n; i++) out[i] = a[i] > b[i] ? 1 : 0; },
  ">=": (a, b, out, n) => { for (let i = 0; i < n; i++) out[i] = a[i] >= b[i] ? 1 : 0; },
  "==": (a, b, out, n) => { for (let i = 0; i < n; i++) out[i] = a[i] === b[i] ? 1 : 0; },
  "!=": (a, b, out, n) => { for (let i = 0; i < n; i++) out[i] = a[i] !== b[i] ? 1 : 0; },
  "&": (a, b, out, n) => { for (let i = 0; i < n; i++) out[i] = a[i] && b[i] ? 1 : 0; },
  "|": (a, b, out, n) => { for (let i = 0; i < n; i++) out[i] = a[i] || b[i] ? 1 : 0; },
};

const UNARY = {
  neg: (a, out, n) => { for (let i = 0; i < n; i++) out[i] = -a[i]; },
  log: (a, out, n) => { for (let i = 0; i < n; i++) out[i] = Math.log(a[i]); },
  exp: (a, out, n) => { for (let i = 0; i < n; i++) out[i] = Math.exp(a[i]); },
  sqrt: (a, out, n) => { for (let i = 0; i < n; i++) out[i] = Math.sqrt(a[i]); },
  abs: (a, out, n) => { for (let i = 0; i < n; i++) out[i] = Math.abs(a[i]); },
  "!": (a, out, n) => { for (let i = 0; i < n; i++) out[i] = a[i] ? 0 : 1; },
  same: (a, out, n) => { for (let i = 0; i < n; i++) out[i] = a[i]; },
};

const CONSTANTS = { inf: Infinity, "-inf": -Infinity, nan: NaN };

/** Score rows: `column(k, i)` is statistic k of row i; returns a number for each of n rows. */
export function evaluate(steps, columns, n) {
  const scores = new Float64Array(n);
  const size = Math.min(CHUNK, n);
  const values = steps.map(([name, argument]) => {
    const out = new Float64Array(size);
    if (name === "const") out.fill(typeof argument === "string" ? CONSTANTS[argument] : argument);
    return out;
  });
  for (let first = 0; first < n; first += size) {
    const some = Math.min(size, n - first);
    steps.forEach(([name, a, b, c], k) => {
      const out = values[k];
      if (name === "column") {
        const column = columns[a];
        for (let i = 0; i < some; i++) out[i] = column[first + i];
      } else if (name === "where") {
        const [test, yes, no] = [values[a], values[b], values[c]];
        for (let i = 0; i < some; i++) out[i] = test[i] ? yes[i] : no[i];
      } else if (name in BINARY) {
        BINARY[name](values[a], values[b], out, some);
      } else if (name in UNARY) {
        UNARY[name](values[a], out, some);
      } else if (name !== "const") {
        throw new Error(`unknown step ${name}`);
      }
    });
    scores.set(values[values.length - 1].subarray(0, some), first);
  }
  return scores;
}

// Call functions of the report's scripts: a list of [file, function, arguments] on standard input, results on standard output.
import { readFileSync } from "node:fs";

const ASSETS = new URL("../../src/tricolore/reporting/assets/", import.meta.url);

/** NaN and infinities, which JSON lacks, are written as texts; maps as lists of pairs. */
function plain(value) {
  if (typeof value === "number" && !Number.isFinite(value)) return `#${value}`;
  if (value instanceof Map) return [...value].map(plain);
  if (ArrayBuffer.isView(value)) return Array.from(value, plain);
  if (Array.isArray(value)) return value.map(plain);
  if (value && typeof value === "object") return Object.fromEntries(Object.entries(value).map(([key, inside]) => [key, plain(inside)]));
  return value;
}

const results = [];
for (const [file, name, given] of JSON.parse(readFileSync(0, "utf-8"))) {
  const module = await import(new URL(file, ASSETS));
  results.push(plain(await module[name](...given)));
}
process.stdout.write(JSON.stringify(results));

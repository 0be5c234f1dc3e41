// Counts of n-grams by the report's scripts: [texts of segments, n] on standard input.
import { readFileSync } from "node:fs";
import { clearest, countGrams, misused } from "../../src/tricolore/reporting/assets/word_counts.js";

const [texts, n] = JSON.parse(readFileSync(0, "utf-8"));
const counts = await countGrams(texts.map((_, i) => i), (i) => texts[i], n, false);
process.stdout.write(JSON.stringify([[...counts.values()], clearest(counts, 1e9), misused(counts, "b", 1e9)]));

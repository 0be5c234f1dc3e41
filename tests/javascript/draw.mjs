// Random draws of the report's scripts: [state, what, number, times] on standard input.
import { readFileSync } from "node:fs";
import { Draws } from "../../src/tricolore/reporting/assets/draws.js";

const [stream, what, number, times] = JSON.parse(readFileSync(0, "utf-8"));
const draws = new Draws(stream);
process.stdout.write(JSON.stringify(Array.from({ length: times }, () => draws[what](number))));

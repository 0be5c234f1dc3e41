// The data of the report: unpacked, with scores of segments computed where they are first asked for.
import { evaluate } from "./formulas.js";

const ARRAYS = {
  Uint8: Uint8Array, Uint16: Uint16Array, Int32: Int32Array, Float32: Float32Array, Float64: Float64Array,
};

/** The bytes of a data block of the page. */
export async function unpacked(id) {
  const block = document.getElementById(id);
  const packed = atob(block.textContent);
  const bytes = new Uint8Array(packed.length);
  for (let i = 0; i < packed.length; i++) bytes[i] = packed.charCodeAt(i);
  block.remove();
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).arrayBuffer();
}

export async function unpackedJson(id) {
  return JSON.parse(new TextDecoder().decode(await unpacked(id)));
}

export class Model {
  constructor(data, numbers) {
    Object.assign(this, data);
    this.numbers = numbers;
    this.texts = { count: data.texts, source: null, references: [], outputs: [], errors: [] };
    this.cache = new Map();
    this.byName = new Map(this.metrics.map((metric) => [metric.name, metric]));
    for (const metric of this.metrics) metric.systems = metric.ranked.map(([system]) => system).sort((a, b) => a - b);
  }

  /** Take the texts, which come later. */
  addTexts(texts) {
    this.texts = { ...texts, count: this.texts.count };
    this.errorsOf = new Map();
    for (const error of texts.errors) {
      const key = `${error[0]} ${error[1]}`;
      if (!this.errorsOf.has(key)) this.errorsOf.set(key, []);
      this.errorsOf.get(key).push(error);
    }
  }

  array(number) {
    const [type, first, length] = this.arrays[number];
    return new ARRAYS[type](this.numbers, first, length);
  }

  remembered(key, compute) {
    if (!this.cache.has(key)) this.cache.set(key, compute());
    return this.cache.get(key);
  }

  /** Statistics of a metric: systems x statistics x segments; null where they are not in the file. */
  columns(metric, systems = metric.systems) {
    return metric.rows && systems.map((system) => metric.rows[system].map((number) => this.array(number)));
  }

  /** The scores of all segments of a system, on the scale that is printed. */
  scores(metric, system) {
    return this.remembered(`scores ${metric.name} ${system}`, () => {
      if (!metric.rows && !metric.scores) return null;
      const values = metric.rows
        ? evaluate(metric.alone, metric.rows[system].map((number) => this.array(number)), this.segments)
        : Float64Array.from(this.array(metric.scores[system]));
      for (let i = 0; i < values.length; i++) values[i] *= metric.scale;
      return values;
    });
  }

  /** Differences of two systems on every segment, positive where the first is better. */
  gains(metric, a, b) {
    return this.remembered(`gains ${metric.name} ${a} ${b}`, () => {
      const [one, other] = [this.scores(metric, a), this.scores(metric, b)];
      const sign = metric.higher ? 1 : -1;
      return one.map((value, i) => sign * (value - other[i]));
    });
  }

  /** How much metrics disagree about two systems on a segment: the spread of their standardised differences. */
  disagreement(a, b) {
    return this.remembered(`disagreement ${a} ${b}`, () => {
      const spread = new Float64Array(this.segments);
      const low = new Float64Array(this.segments).fill(Infinity);
      const high = new Float64Array(this.segments).fill(-Infinity);
      for (const metric of this.metrics) {
        if (!metric.systems.includes(a) || !metric.systems.includes(b) || !this.scores(metric, a)) continue;
        const gains = this.gains(metric, a, b);
        let [squares, number] = [0, 0];
        for (const gain of gains) if (!Number.isNaN(gain)) { squares += gain * gain; number++; }
        const unit = Math.sqrt(squares / Math.max(number, 1)) || 1;
        for (let i = 0; i < gains.length; i++) {
          if (Number.isNaN(gains[i])) continue;
          low[i] = Math.min(low[i], gains[i] / unit);
          high[i] = Math.max(high[i], gains[i] / unit);
        }
      }
      for (let i = 0; i < spread.length; i++) spread[i] = high[i] >= low[i] ? high[i] - low[i] : 0;
      return spread;
    });
  }

  /** The largest difference between two systems of a segment. */
  spread(metric) {
    return this.remembered(`spread ${metric.name}`, () => {
      const low = new Float64Array(this.segments).fill(Infinity);
      const high = new Float64Array(this.segments).fill(-Infinity);
      for (const system of metric.systems) {
        this.scores(metric, system).forEach((score, i) => {
          if (score < low[i]) low[i] = score;
          if (score > high[i]) high[i] = score;
        });
      }
      return high.map((value, i) => (value >= low[i] ? value - low[i] : 0));
    });
  }

  name(segment) {
    return this.names ? this.names[segment] : String(segment + 1);
  }

  /** The segment of a name, or -1. */
  segmentOf(name) {
    if (this.names) return this.names.indexOf(name);
    return /^\d+$/.test(name) && Number(name) >= 1 && Number(name) <= this.segments ? Number(name) - 1 : -1;
  }

  references(segment) {
    return this.texts.references[segment] || [];
  }

  output(system, segment) {
    const outputs = this.texts.outputs[segment];
    return outputs ? outputs[system] : null;
  }

  source(segment) {
    return this.texts.source ? this.texts.source[segment] : null;
  }

  /** The text that stands for a segment in lists: its source, or its first reference. */
  line(segment) {
    return this.source(segment) ?? this.references(segment)[0] ?? "";
  }

  group(name) {
    return this.groups.find((group) => group.name === name);
  }
}

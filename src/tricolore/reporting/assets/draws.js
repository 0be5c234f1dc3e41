// Random draws: NumPy's default_rng (PCG64, O'Neill 2014), taken as NumPy takes them, so that a page that recomputes a
// test under a filter gets the library's numbers to the digit.

const FACTOR = [0xf645, 0x9fcc, 0xdf64, 0x4385, 0x5da4, 0x1fc6, 0xed05, 0x2360]; // 16 bits each, the lowest first

function pieces(hexadecimal) {
  const found = [];
  for (let end = 32; end > 0; end -= 4) found.push(parseInt(hexadecimal.slice(end - 4, end), 16));
  return found;
}

export class Draws {
  /** `state` and `inc` of np.random.PCG64(seed).state, 32 hexadecimal digits each. */
  constructor([state, inc]) {
    this.state = pieces(state);
    this.inc = pieces(inc);
    this.half = 0;
    this.hasHalf = false;
    this.buffer = 0;
    this.left = 0;
    this.low = 0;
    this.high = 0;
  }

  /** One step: 64 bits, in `low` and `high`. */
  step() {
    const s = this.state;
    const next = [0, 0, 0, 0, 0, 0, 0, 0];
    let carry = 0;
    for (let k = 0; k < 8; k++) {
      let sum = carry + this.inc[k];
      for (let i = 0; i <= k; i++) sum += s[i] * FACTOR[k - i];
      carry = Math.floor(sum / 65536);
      next[k] = sum - carry * 65536;
    }
    this.state = next;
    const lowest = (next[0] | (next[1] << 16)) ^ (next[4] | (next[5] << 16));
    const highest = (next[2] | (next[3] << 16)) ^ (next[6] | (next[7] << 16));
    const turn = next[7] >>> 10; // by the highest six bits
    const [a, b] = turn & 32 ? [highest, lowest] : [lowest, highest];
    const by = turn & 31;
    this.low = (by ? (a >>> by) | (b << (32 - by)) : a) >>> 0;
    this.high = (by ? (b >>> by) | (a << (32 - by)) : b) >>> 0;
  }

  /** 32 bits: the lower half of 64, then the higher one. */
  next32() {
    if (this.hasHalf) {
      this.hasHalf = false;
      return this.half;
    }
    this.step();
    this.half = this.high;
    this.hasHalf = true;
    return this.low;
  }

  /** As Generator.integers(0, number), by Lemire's method; exact below 2**21. */
  below(number) {
    if (number === 1) return 0;
    let product = this.next32() * number;
    let high = Math.floor(product / 4294967296);
    let low = product - high * 4294967296;
    if (low < number) {
      const threshold = (4294967296 - number) % number;
      while (low < threshold) {
        product = this.next32() * number;
        high = Math.floor(product / 4294967296);
        low = product - high * 4294967296;
      }
    }
    return high;
  }

  /** As Generator.integers(2, dtype=bool): the next `number` bits (at most 8), the first in the lowest place. */
  bits(number) {
    if (this.left >= number) {
      const taken = this.buffer & ((1 << number) - 1);
      this.buffer >>>= number;
      this.left -= number;
      return taken;
    }
    const had = this.left;
    const fresh = this.next32();
    const taken = (this.buffer | (fresh << had)) & ((1 << number) - 1);
    this.buffer = fresh >>> (number - had);
    this.left = 32 - (number - had);
    return taken;
  }
}

import type { Vector, Weights } from './weights.ts';

/** The layers that the network is made of. */

export type Layer = (input: Vector) => Vector;

/** A matrix with a bias, if it has one. */
export function linear({ matrix }: Weights, name: string, bias?: string): Layer {
  const { times } = matrix(name);
  if (bias === undefined) return times;
  const start = matrix(bias).row(0);
  return (input) => add(times(input), start);
}

/** `to`, with `values` times `factor` added in place. */
export function add(to: Vector, values: Vector, factor = 1): Vector {
  for (let at = 0; at < to.length; at += 1) to[at] = (to[at] as number) + (values[at] as number) * factor;
  return to;
}

export function joined(one: Vector, other: Vector): Vector {
  const both = new Float32Array(one.length + other.length);
  both.set(one);
  both.set(other, one.length);
  return both;
}

/** With two sums, which do not wait for each other; sizes are even. */
export function dot(one: Vector, other: Vector): number {
  let [even, odd] = [0, 0];
  for (let at = 0; at < one.length; at += 2) {
    even += (one[at] as number) * (other[at] as number);
    odd += (one[at + 1] as number) * (other[at + 1] as number);
  }
  return even + odd;
}

const sigmoid = (value: number): number => 1 / (1 + Math.exp(-value));

export type Unit = (input: Vector, before: Vector) => Vector;

/** A gated recurrent unit, with its gates in PyTorch's order: reset, update, new. */
export function recurrentUnit(weights: Weights, name: string, suffix: string): Unit {
  const input = linear(weights, `${name}.weight_ih_${suffix}`, `${name}.bias_ih_${suffix}`);
  const hidden = linear(weights, `${name}.weight_hh_${suffix}`, `${name}.bias_hh_${suffix}`);
  return (value, before) => {
    const a = input(value);
    const b = hidden(before);
    const size = before.length;
    const after = new Float32Array(size);
    for (let at = 0; at < size; at += 1) {
      const reset = sigmoid((a[at] as number) + (b[at] as number));
      const update = sigmoid((a[size + at] as number) + (b[size + at] as number));
      const fresh = Math.tanh((a[2 * size + at] as number) + reset * (b[2 * size + at] as number));
      after[at] = (1 - update) * fresh + update * (before[at] as number);
    }
    return after;
  };
}

/** Reads a line in both directions. */
export function bothWays(
  weights: Weights,
  name: string,
  size: number,
): (line: readonly Vector[]) => Vector[] {
  const forward = recurrentUnit(weights, name, 'l0');
  const backward = recurrentUnit(weights, name, 'l0_reverse');
  const run = (unit: Unit, line: readonly Vector[]): Vector[] => {
    let state: Vector = new Float32Array(size);
    return line.map((value) => {
      state = unit(value, state);
      return state;
    });
  };
  return (line) => {
    const back = run(backward, line.toReversed()).reverse();
    return run(forward, line).map((one, at) => joined(one, back[at] as Vector));
  };
}

/** Shares that add up to one, in place. */
export function softmax(values: Vector): Vector {
  let top = Number.NEGATIVE_INFINITY;
  for (const value of values) if (value > top) top = value;
  let sum = 0;
  for (let at = 0; at < values.length; at += 1) {
    const share = Math.exp((values[at] as number) - top);
    values[at] = share;
    sum += share;
  }
  for (let at = 0; at < values.length; at += 1) values[at] = (values[at] as number) / sum;
  return values;
}

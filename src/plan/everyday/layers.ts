import type { Matrix, Vector, Weights } from './weights.ts';

/** The layers that the network is made of. */

export type Layer = (input: Vector) => Vector;

/** A matrix with a bias, if it has one. */
export function linear({ matrix }: Weights, name: string, bias?: string): Layer {
  const { rows, times } = matrix(name);
  const start = bias === undefined ? new Float32Array(rows) : rowOf(matrix(bias), 0);
  return (input) => times(input, start);
}

export function rowOf({ columns, addRow }: Matrix, at: number): Vector {
  return addRow(new Float32Array(columns), at);
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

/** The sigmoid at this many places for each 1, up to `reach` on both sides; beyond, it is 0 or 1. */
const [places, reach] = [128, 16];
const curve = Float64Array.from(
  { length: 2 * reach * places + 2 },
  (_, at) => 1 / (1 + Math.exp(reach - at / places)),
);

/** By straight lines between these places, less than a millionth off: a request takes 40,000 of them, and Math.exp is slow. */
function sigmoid(value: number): number {
  const place = (Math.min(Math.max(value, -reach), reach) + reach) * places;
  const at = Math.trunc(place);
  const before = curve[at] as number;
  return before + ((curve[at + 1] as number) - before) * (place - at);
}

export const tanh = (value: number): number => 2 * sigmoid(2 * value) - 1;

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
      const fresh = tanh((a[2 * size + at] as number) + reset * (b[2 * size + at] as number));
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

import { fileURLToPath } from 'node:url';
import { capitalsOf, kindOf, lettersOf, namesOf, wordOf } from './features.ts';
import type { Action } from './grammar.ts';
import type { Token } from './tokens.ts';
import { type Matrix, readWeights, type Weights, WeightsError } from './weights.ts';

type Vector = Float64Array;

/** The encoded request. */
export interface Memory {
  readonly states: readonly Vector[];
  readonly first: Vector;
}
/** Decoder state after part of a line of actions. */
export interface Turn {
  readonly lower: Vector;
  readonly upper: Vector;
}

/** An encoder that reads a request, and a decoder that writes a plan, action by action. */
export interface Network {
  readonly actions: readonly string[];
  /** Whether the examples contain the word without a value of its own: any other word has to appear in the plan. */
  readonly isPlain: (word: string) => boolean;
  readonly listen: (tokens: readonly Token[]) => Memory;
  readonly begin: (memory: Memory) => Turn;
  /** Probabilities of the next action: each action, then a pointer to each token. */
  readonly next: (memory: Memory, turn: Turn, last: Action | null) => Next;
}

interface Next {
  readonly turn: Turn;
  readonly odds: Vector;
}

/** `matrix` times `input`, plus `bias`. Four independent sums let the processor work in parallel. */
function times({ values, rows, columns }: Matrix, input: Vector, bias?: Matrix): Vector {
  const output = new Float64Array(rows);
  for (let row = 0; row < rows; row += 1) {
    let at = row * columns;
    let a = bias === undefined ? 0 : (bias.values[row] as number);
    let b = 0;
    let c = 0;
    let d = 0;
    let column = 0;
    for (; column + 3 < columns; column += 4, at += 4) {
      a += (values[at] as number) * (input[column] as number);
      b += (values[at + 1] as number) * (input[column + 1] as number);
      c += (values[at + 2] as number) * (input[column + 2] as number);
      d += (values[at + 3] as number) * (input[column + 3] as number);
    }
    for (; column < columns; column += 1, at += 1) a += (values[at] as number) * (input[column] as number);
    output[row] = a + b + c + d;
  }
  return output;
}

function add(to: Vector, values: Vector, offset = 0, factor = 1): void {
  for (let at = 0; at < to.length; at += 1)
    to[at] = (to[at] as number) + (values[offset + at] as number) * factor;
}

function joined(one: Vector, other: Vector): Vector {
  const both = new Float64Array(one.length + other.length);
  both.set(one);
  both.set(other, one.length);
  return both;
}

const sigmoid = (value: number): number => 1 / (1 + Math.exp(-value));

type Unit = (input: Vector, before: Vector) => Vector;

/** A gated recurrent unit, with its gates in PyTorch's order: reset, update, new. */
function recurrentUnit({ matrix }: Weights, name: string, suffix: string): Unit {
  const [input, hidden, inputBias, hiddenBias] = ['weight_ih', 'weight_hh', 'bias_ih', 'bias_hh'].map(
    (part) => matrix(`${name}.${part}_${suffix}`),
  ) as [Matrix, Matrix, Matrix, Matrix];
  const size = hidden.columns;
  return (value, before) => {
    const a = times(input, value, inputBias);
    const b = times(hidden, before, hiddenBias);
    const after = new Float64Array(size);
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
function bothWays(weights: Weights, name: string, size: number): (line: readonly Vector[]) => Vector[] {
  const forward = recurrentUnit(weights, name, 'l0');
  const backward = recurrentUnit(weights, name, 'l0_reverse');
  return (line) => {
    const ahead: Vector[] = [];
    const back: Vector[] = [];
    let state: Vector = new Float64Array(size);
    for (const value of line) {
      state = forward(value, state);
      ahead.push(state);
    }
    state = new Float64Array(size);
    for (let at = line.length - 1; at >= 0; at -= 1) {
      state = backward(line[at] as Vector, state);
      back[at] = state;
    }
    return ahead.map((one, at) => joined(one, back[at] as Vector));
  };
}

function softmax(values: Vector): Vector {
  let top = Number.NEGATIVE_INFINITY;
  for (const value of values) if (value > top) top = value;
  let sum = 0;
  for (let at = 0; at < values.length; at += 1) {
    values[at] = Math.exp((values[at] as number) - top);
    sum += values[at] as number;
  }
  for (let at = 0; at < values.length; at += 1) values[at] = (values[at] as number) / sum;
  return values;
}

/** The encoder: token features, then two layers that read the request in both directions. */
function encoder(weights: Weights): {
  listen: (tokens: readonly Token[]) => Memory;
  isPlain: (word: string) => boolean;
} {
  const { header, matrix } = weights;
  const { embedding, hidden } = header.size;
  const words = new Map(header.words.map((word, at) => [word, at]));
  const plain = new Set(header.plain);
  const vectors = new Map(header.vectors.map((word, at) => [word, at + 1]));
  const [word, kind, capital, names, section, letters] = ['word', 'kind', 'cap', 'names', 'sec', 'gram'].map(
    (name) => matrix(`${name}.weight`),
  ) as [Matrix, Matrix, Matrix, Matrix, Matrix, Matrix];
  const [vector, projection] = [matrix('vec'), matrix('pre.weight')];
  const lower = bothWays(weights, 'e1', hidden);
  const upper = bothWays(weights, 'e2', hidden);
  const [toFirst, firstBias] = [matrix('init.weight'), matrix('init.bias')];

  function look(token: Token): Vector {
    const seen = new Float64Array(embedding);
    const put = ({ values }: Matrix, row: number, factor = 1): void =>
      add(seen, values, row * embedding, factor);
    const spelled = wordOf(token);
    put(word, spelled === null ? 2 : (words.get(spelled) ?? 1));
    put(kind, kindOf(token));
    put(capital, capitalsOf(token));
    put(names, namesOf(token));
    put(section, token.section);
    const found = token.kind === 'word' ? vectors.get(token.low) : undefined;
    if (found !== undefined)
      add(
        seen,
        times(projection, vector.values.subarray(found * vector.columns, (found + 1) * vector.columns)),
      );
    const runs = lettersOf(token);
    for (const run of runs) put(letters, run, 1 / runs.length);
    return seen;
  }

  return {
    isPlain: (said) => plain.has(said),
    listen(tokens) {
      const one = lower(tokens.map(look));
      const states = upper(one);
      const mean = new Float64Array(2 * hidden);
      states.forEach((state, at) => {
        add(state, one[at] as Vector);
        add(mean, state, 0, 1 / states.length);
      });
      return { states, first: times(toFirst, mean, firstBias).map(Math.tanh) };
    },
  };
}

export function createNetwork(weights: Weights): Network {
  const { header, matrix } = weights;
  const { embedding, hidden } = header.size;
  const size = 2 * hidden;
  const { actions } = header;
  const places = new Map(actions.map((action, at) => [action, at]));
  const { listen, isPlain } = encoder(weights);
  const action = matrix('act.weight');
  const [pointer, pointerBias] = [matrix('ptr.weight'), matrix('ptr.bias')];
  const [lower, upper] = [recurrentUnit(weights, 'd1', 'l0'), recurrentUnit(weights, 'd2', 'l0')];
  const [lowerLook, upperLook, pointLook] = ['a1', 'a2', 'ap'].map((name) => matrix(`${name}.weight`)) as [
    Matrix,
    Matrix,
    Matrix,
  ];
  const [mix, mixBias, out, outBias] = ['mix.weight', 'mix.bias', 'out.weight', 'out.bias'].map((name) =>
    matrix(name),
  ) as [Matrix, Matrix, Matrix, Matrix];
  const scale = 1 / Math.sqrt(size);

  function likeness(query: Vector, states: readonly Vector[]): Vector {
    const found = new Float64Array(states.length);
    states.forEach((state, nth) => {
      let sum = 0;
      for (let at = 0; at < size; at += 1) sum += (query[at] as number) * (state[at] as number);
      found[nth] = sum * scale;
    });
    return found;
  }

  function attend(query: Vector, look: Matrix, states: readonly Vector[]): Vector {
    const shares = softmax(likeness(times(look, query), states));
    const seen = new Float64Array(size);
    for (const [nth, state] of states.entries()) add(seen, state, 0, shares[nth]);
    return seen;
  }

  function written(last: Action | null, states: readonly Vector[]): Vector {
    const row = last === null ? 0 : typeof last === 'number' ? 1 : (places.get(last) ?? 0);
    const value = action.values.slice(row * embedding, (row + 1) * embedding);
    if (typeof last === 'number') add(value, times(pointer, states[last] as Vector, pointerBias));
    return value;
  }

  function following({ states }: Memory, before: Turn, last: Action | null): Next {
    const one = lower(written(last, states), before.lower);
    const two = upper(joined(one, attend(one, lowerLook, states)), before.upper);
    const query = Float64Array.from(two);
    add(query, one);
    const thought = times(mix, joined(query, attend(query, upperLook, states)), mixBias).map(Math.tanh);
    const odds = new Float64Array(actions.length + states.length);
    odds.set(times(out, thought, outBias));
    odds.set(
      likeness(times(pointLook, thought), states).map((value) => value * 4),
      actions.length,
    );
    return { turn: { lower: one, upper: two }, odds: softmax(odds) };
  }

  // The searches for one request begin alike.
  const begun = new WeakMap<Memory, Turn>();
  const kept = new WeakMap<Turn, Map<Action | null, Next>>();

  return {
    actions,
    isPlain,
    listen,
    begin(memory) {
      const turn = begun.get(memory) ?? { lower: memory.first, upper: memory.first };
      begun.set(memory, turn);
      return turn;
    },
    next(memory, before, last) {
      const known = kept.get(before) ?? new Map<Action | null, Next>();
      kept.set(before, known);
      const found = known.get(last) ?? following(memory, before, last);
      known.set(last, found);
      return found;
    },
  };
}

let loaded: Network | WeightsError | undefined;

/** The network shipped with this version, loaded once for all callers; or the error if it cannot be used. */
export function everydayNetwork(): Network | WeightsError {
  loaded ??= load();
  return loaded;
}

function load(): Network | WeightsError {
  try {
    return createNetwork(readWeights(fileURLToPath(new URL('weights.bin', import.meta.url))));
  } catch (error) {
    if (error instanceof WeightsError) return error;
    throw error;
  }
}

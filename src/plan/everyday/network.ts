import { fileURLToPath } from 'node:url';
import { createEncoder, type Memory } from './encoder.ts';
import type { Action } from './grammar.ts';
import { add, dot, joined, type Layer, linear, recurrentUnit, rowOf, softmax, tanh } from './layers.ts';
import type { Token } from './tokens.ts';
import { readWeights, type Vector, type Weights, WeightsError } from './weights.ts';

/** Decoder state after part of a line of actions. */
export interface Turn {
  readonly lower: Vector;
  readonly upper: Vector;
}

interface Next {
  readonly turn: Turn;
  readonly odds: Vector;
}

/** An encoder that reads a request, and a decoder that writes a plan, action by action. */
export interface Network {
  readonly actions: readonly string[];
  /** Whether the examples contain the word without a value of its own: any other word has to appear in the plan. */
  readonly isPlain: (word: string) => boolean;
  /** The same words. */
  readonly plain: readonly string[];
  /** All words of the examples. */
  readonly words: readonly string[];
  /** Whether the network has a vector of its own for the word. */
  readonly isKnown: (word: string) => boolean;
  readonly listen: (tokens: readonly Token[]) => Memory;
  readonly begin: (memory: Memory) => Turn;
  /** Probabilities of the next action: each action, then a pointer to each token. */
  readonly next: (memory: Memory, turn: Turn, last: Action | null) => Next;
}

export function createNetwork(weights: Weights): Network {
  const { actions, plain, words, vectors } = weights.header;
  const plainWords = new Set(plain);
  const known = new Set([...words, ...vectors]);
  const following = createDecoder(weights);
  // The searches for one request begin alike.
  const begun = new WeakMap<Memory, Turn>();
  const kept = new WeakMap<Turn, Map<Action | null, Next>>();
  return {
    actions,
    isPlain: (word) => plainWords.has(word),
    plain,
    words,
    isKnown: (word) => known.has(word),
    listen: createEncoder(weights),
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

/** How much surer a pointer at a token is than its likeness says; as in training. */
const pointing = 4;

function createDecoder(weights: Weights): Network['next'] {
  const { actions } = weights.header;
  const places = new Map(actions.map((action, at) => [action, at]));
  const action = weights.matrix('act.weight');
  const pointer = linear(weights, 'ptr.weight', 'ptr.bias');
  const [lower, upper] = [recurrentUnit(weights, 'd1', 'l0'), recurrentUnit(weights, 'd2', 'l0')];
  const [lowerLook, upperLook, pointLook] = ['a1', 'a2', 'ap'].map((name) =>
    linear(weights, `${name}.weight`),
  ) as [Layer, Layer, Layer];
  const mix = linear(weights, 'mix.weight', 'mix.bias');
  const out = linear(weights, 'out.weight', 'out.bias');

  function written(last: Action | null, states: readonly Vector[]): Vector {
    if (typeof last === 'number') return action.addRow(pointer(states[last] as Vector), 1);
    return rowOf(action, last === null ? 0 : (places.get(last) ?? 0));
  }

  return ({ states }, before, last) => {
    const one = lower(written(last, states), before.lower);
    const two = upper(joined(one, attend(lowerLook(one), states)), before.upper);
    const query = add(two.slice(), one);
    const thought = mix(joined(query, attend(upperLook(query), states))).map(tanh);
    const said = out(thought);
    const odds = joined(said, likeness(pointLook(thought), states, pointing));
    return { turn: { lower: one, upper: two }, odds: softmax(odds) };
  };
}

function likeness(query: Vector, states: readonly Vector[], factor = 1): Vector {
  const scale = factor / Math.sqrt(query.length);
  const alike = new Float32Array(states.length);
  for (let at = 0; at < alike.length; at += 1) alike[at] = dot(query, states[at] as Vector) * scale;
  return alike;
}

/** A token with less of the attention changes nothing that counts. */
const negligible = 1e-5;

function attend(query: Vector, states: readonly Vector[]): Vector {
  const seen = new Float32Array(query.length);
  softmax(likeness(query, states)).forEach((share, nth) => {
    if (share > negligible) add(seen, states[nth] as Vector, share);
  });
  return seen;
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

import { capitalsOf, kindOf, lettersOf, namesOf, wordOf } from './features.ts';
import { add, bothWays, linear, rowOf, tanh } from './layers.ts';
import type { Token } from './tokens.ts';
import type { Matrix, Vector, Weights } from './weights.ts';

/** The encoded request: a vector for each token, and one to begin with. */
export interface Memory {
  readonly states: readonly Vector[];
  readonly first: Vector;
}

/** Token features, then two layers that read the request in both directions. */
export function createEncoder(weights: Weights): (tokens: readonly Token[]) => Memory {
  const { embedding, hidden } = weights.header.size;
  const look = looking(weights, embedding);
  const lower = bothWays(weights, 'e1', hidden);
  const upper = bothWays(weights, 'e2', hidden);
  const toFirst = linear(weights, 'init.weight', 'init.bias');
  return (tokens) => {
    const one = lower(tokens.map(look));
    const states = upper(one).map((state, at) => add(state, one[at] as Vector));
    const mean = new Float32Array(2 * hidden);
    for (const state of states) add(mean, state, 1 / states.length);
    return { states, first: toFirst(mean).map(tanh) };
  };
}

function looking(weights: Weights, size: number): (token: Token) => Vector {
  const { header, matrix } = weights;
  const words = new Map(header.words.map((word, at) => [word, at]));
  const vectors = new Map(header.vectors.map((word, at) => [word, at + 1]));
  const [word, kind, capital, names, section, letters] = ['word', 'kind', 'cap', 'names', 'sec', 'gram'].map(
    (name) => matrix(`${name}.weight`),
  ) as [Matrix, Matrix, Matrix, Matrix, Matrix, Matrix];
  const [vector, projection] = [matrix('vec'), linear(weights, 'pre.weight')];
  return (token) => {
    const seen = new Float32Array(size);
    const spelled = wordOf(token);
    word.addRow(seen, spelled === null ? 2 : (words.get(spelled) ?? 1));
    kind.addRow(seen, kindOf(token));
    capital.addRow(seen, capitalsOf(token));
    names.addRow(seen, namesOf(token));
    section.addRow(seen, token.section);
    const found = token.kind === 'word' ? vectors.get(token.low) : undefined;
    if (found !== undefined) add(seen, projection(rowOf(vector, found)));
    const runs = lettersOf(token);
    for (const run of runs) letters.addRow(seen, run, 1 / runs.length);
    return seen;
  };
}

import { capitalsOf, kindOf, lettersOf, namesOf, wordOf } from './features.ts';
import { add, bothWays, linear } from './layers.ts';
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
    return { states, first: toFirst(mean).map(Math.tanh) };
  };
}

function looking({ header, matrix }: Weights, size: number): (token: Token) => Vector {
  const words = new Map(header.words.map((word, at) => [word, at]));
  const vectors = new Map(header.vectors.map((word, at) => [word, at + 1]));
  const [word, kind, capital, names, section, letters] = ['word', 'kind', 'cap', 'names', 'sec', 'gram'].map(
    (name) => matrix(`${name}.weight`),
  ) as [Matrix, Matrix, Matrix, Matrix, Matrix, Matrix];
  const [vector, projection] = [matrix('vec'), matrix('pre.weight')];
  return (token) => {
    const seen = new Float32Array(size);
    const spelled = wordOf(token);
    add(seen, word.row(spelled === null ? 2 : (words.get(spelled) ?? 1)));
    add(seen, kind.row(kindOf(token)));
    add(seen, capital.row(capitalsOf(token)));
    add(seen, names.row(namesOf(token)));
    add(seen, section.row(token.section));
    const found = token.kind === 'word' ? vectors.get(token.low) : undefined;
    if (found !== undefined) add(seen, projection.times(vector.row(found)));
    const runs = lettersOf(token);
    for (const run of runs) add(seen, letters.row(run), 1 / runs.length);
    return seen;
  };
}

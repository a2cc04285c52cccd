import type { PlanInput } from '../core/plan.ts';
import type { PlanKey, Said } from './clauses.ts';
import { type Cursor, type Line, take } from './cursor.ts';
import { inCode, type Problems } from './problems.ts';
import { closeOf, opensQuote, plainOf } from './quoting.ts';

const sources: Partial<Record<PlanKey, PlanInput['source']>> = {
  input: 'text',
  default: 'default',
  asked: 'asked',
};

/** `input: project=OPS "wait time"=5`, `default: …` and `asked: …`: the values the plan was made from. */
export function readInputs(said: readonly Said<PlanKey>[], problems: Problems): PlanInput[] {
  return said.flatMap(({ key, line }) => {
    const source = sources[key];
    return source === undefined ? [] : readPairs(line, problems).map((pair) => ({ ...pair, source }));
  });
}

function readPairs({ text, at }: Line, problems: Problems): { name: string; value: string }[] {
  const cursor: Cursor = { text, at: 0 };
  const pairs: { name: string; value: string }[] = [];
  for (;;) {
    take(cursor, /[\s,]*/y);
    if (cursor.at >= text.length) return pairs;
    const start = cursor.at;
    const name = takeWord(cursor, /[^\s=]+/y);
    const value = name !== null && take(cursor, /\s*=\s*/y) ? takeWord(cursor, /[^\s]*[^\s,]/y) : null;
    if (name === null || value === null) {
      const word = text.slice(start).trim();
      problems.add('syntax', { text: word, at: at + start }, `${inCode(word)} must be name=value.`);
      return pairs;
    }
    pairs.push({ name, value });
  }
}

function takeWord(cursor: Cursor, bare: RegExp): string | null {
  const { text, at } = cursor;
  if (!opensQuote(text[at])) return take(cursor, bare)?.[0] ?? null;
  const close = closeOf(text, at);
  if (close < 0) return null;
  cursor.at = close + 1;
  return plainOf(text.slice(at + 1, close));
}

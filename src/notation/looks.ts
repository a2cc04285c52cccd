import { closest, distance } from 'fastest-levenshtein';
import type { Catalogue } from '../core/catalogue.ts';
import { planKeys, readClauses, skipBetween, stepKeys } from './clauses.ts';
import { takeCondition } from './conditions.ts';
import { type Cursor, isClauseEnd, skipBlanks, skipClause, take, takeRaw } from './cursor.ts';
import { problemsOf } from './problems.ts';

const key = new RegExp(`(?:${[...planKeys, ...stepKeys].join('|')})[^\\S\\n]*:`, 'iy');

type Tools = Pick<Catalogue, 'manifests' | 'unconfigured'>;

/** At most two letters off: `jira.com` is an address. */
function isNearly(word: string, names: readonly string[]): boolean {
  return names.length > 0 && distance(word, closest(word, names)) <= 2;
}

/** Position of the first step, after comments and lines such as `goal:`. */
function toFirstStep(text: string): Cursor {
  const cursor = { text, at: /^\s*`{0,3}/.exec(text)?.[0].length ?? 0 };
  for (skipBetween(cursor); take(cursor, key); skipBetween(cursor)) skipClause(cursor);
  return cursor;
}

/** Distinct tools named by the steps of a text; code needs none. */
export function toolsIn(text: string): string[] {
  const steps = readClauses(text, problemsOf(text)).steps.filter(({ code }) => code === null);
  return [...new Set(steps.map(({ tool }) => tool.text))];
}

/**
 * True for text meant as plan notation: its first step names a tool, or nearly one, and continues like a step. A goal
 * in plain words does not count, even if it names a tool.
 */
export function looksLikeNotation(text: string, { manifests, unconfigured }: Tools): boolean {
  const cursor = toFirstStep(text);
  const isConditional = take(cursor, /(?:when|if)\b(?!\s*=(?!=))/iy) !== null;
  if (isConditional && takeCondition(cursor) === null) return false;
  skipBlanks(cursor);
  const hasId = take(cursor, /[A-Za-z]\w{0,31}[^\S\n]*=(?!=)[^\S\n]*/y) !== null;
  const word = take(cursor, /(?:https?:\/\/)?([A-Za-z]+\.[A-Za-z_]+)\/?(?![\w./])/y)?.[1]?.toLowerCase();
  if (word === undefined) return false;
  const known = [...manifests.keys(), ...unconfigured.keys()];
  const isKnown = known.includes(word);
  if (!isKnown && !isNearly(word, known)) return false;
  skipBlanks(cursor);
  if ((hasId && isKnown) || isClauseEnd(cursor)) return true;
  const names = Object.keys(manifests.get(word)?.args.shape ?? {});
  const [first, ...others] = takeRaw(cursor).text.matchAll(/(?<!\S)([A-Za-z_]+)[^\S\n]*=(?!=)/g);
  if (first?.index === 0) return true;
  return [first, ...others].some((match) => names.includes(match?.[1]?.toLowerCase() ?? ''));
}

import type { Catalogue } from '../../../core/catalogue.ts';
import type { Found, Here } from './times.ts';

const usual = new Map(Object.entries({ highest: 'P1', critical: 'P1', lowest: 'P5' }));
const levels = /^(?:[1-5]s?|one|two|three|four|five)$/u;

/** The level that Jira here calls so. */
const levelOf = ({ priorities = {} }: Catalogue, called: string): string | undefined =>
  Object.entries(priorities).findLast(([, name]) => name.toLowerCase() === called)?.[0] ?? usual.get(called);

/** "high prio", "priority highest", "criticals": priorities by their names in Jira. */
function namedSeverity({ tokens, at, token, catalogue }: Here, isWord: (index: number) => boolean): Found[] {
  const low = (index: number): string => tokens[index]?.low ?? '';
  const raw = token.raw.toLowerCase();
  const several = /.{5}s$/u.test(raw) ? levelOf(catalogue, raw.slice(0, -1)) : undefined;
  if (several) return [{ kind: 'severity', value: several }];
  const [name, length] = isWord(at) ? [low(at + 1), 2] : [low(at), isWord(at + 1) ? 2 : 1];
  const value = length === 2 || isWord(at - 1) ? levelOf(catalogue, name) : undefined;
  return value ? [{ kind: 'severity', length, value }] : [];
}

/** "priority 2", "sev 1", "P 1": from the word on, and behind "with priority" from the number on. */
export function spelledSeverity(here: Here): Found[] {
  const { tokens, at, token } = here;
  const isWord = (index: number): boolean =>
    /^(?:priority|prio|sev|severity|p)$/u.test(tokens[index]?.low ?? '');
  const named = namedSeverity(here, isWord);
  if (named.length > 0) return named;
  const length = isWord(at) ? 2 : 1;
  const level = isWord(at) ? (tokens[at + 1]?.low ?? '') : token.low;
  if (!levels.test(level) || !(isWord(at) || isWord(at - 1))) return [];
  const spelled = ['one', 'two', 'three', 'four', 'five'].indexOf(level) + 1;
  return [{ kind: 'severity', length, value: `P${spelled || level[0]}` }];
}

import type { Catalogue } from '../../../core/catalogue.ts';
import type { Found, Here } from './times.ts';

const usual = new Map(Object.entries({ highest: 'P1', critical: 'P1', lowest: 'P5' }));
/** Names that mean another level in every Jira. */
const alone = /^(?:urgent|blocker|major|minor|trivial)$/u;
const vague = /^(?:high|medium|low|major|minor|normal|urgent|trivial|blocker)$/u;
const levels = /^(?:[1-5]s?|one|two|three|four|five)$/u;

/** The level that Jira here calls so. */
const levelOf = ({ priorities = {} }: Catalogue, called: string): string | undefined =>
  Object.entries(priorities).findLast(([, name]) => name.toLowerCase() === called)?.[0] ?? usual.get(called);

/** "high prio", "priority highest", "critical bugs": priorities by their names in Jira. One that it does not have is asked about. */
function namedSeverity(here: Here, isWord: (index: number) => boolean): Found[] {
  const { tokens, at, token, catalogue, lexicon } = here;
  const low = (index: number): string => tokens[index]?.low ?? '';
  const raw = token.raw.toLowerCase();
  const several = /.{5}s$/u.test(raw) ? levelOf(catalogue, raw.slice(0, -1)) : undefined;
  if (several) return [{ kind: 'severity', value: several }];
  const [name, length] = isWord(at) ? [low(at + 1), 2] : [low(at), isWord(at + 1) ? 2 : 1];
  const isSaid = length === 2 || isWord(at - 1);
  // "urgent WEB tickets"
  const next = catalogue.projects.some(({ key }) => key === tokens[at + 1]?.raw) ? at + 2 : at + 1;
  const isOfTickets = (): boolean =>
    lexicon.phrasesAt(tokens, next).some(({ tags }) => tags.has('noun list') || tags.has('value list type'));
  const value = levelOf(catalogue, name);
  if (value && (isSaid || isOfTickets())) return [{ kind: 'severity', length, value }];
  const isNamed = isSaid ? vague.test(name) : alone.test(name) && isOfTickets();
  return isNamed ? [{ kind: 'severity', length, value: name }] : [];
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

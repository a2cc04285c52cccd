import MiniSearch from 'minisearch';
import { type Doable, doableIn, type NamesSaid } from '../core/askable.ts';
import type { Catalogue } from '../core/catalogue.ts';
import { emptyWords } from './everyday/empty-words.ts';
import { nameIndex, withNames } from './everyday/names.ts';
import { type Token, tokenize } from './everyday/tokens.ts';
import type { Playbook } from './playbooks/playbook.ts';
import { withoutQuotes } from './quotations.ts';

/** A command of the bot, with the words people use for it; `<incident>` stands for one that the request names. */
export interface CommandWords {
  readonly goal: string;
  readonly words: string;
  /** Words that may stand beside those in a question for it. */
  readonly beside: string;
  /** Answers its person alone, and does nothing. */
  readonly isAnswer: boolean;
}

export interface NearestDeps {
  readonly catalogue: Catalogue;
  /** False for a write that nobody may approve. */
  mayBeApproved(tool: string): boolean;
  playbooks(): Promise<readonly Playbook[]>;
  readonly commands: readonly CommandWords[];
}

/** More buttons would be a menu. */
const maxNearest = 3;
/** Slack's limit for the text of a button. */
const maxGoal = 75;

/** Requests that work here, and share words or a name with one that does not; nearest first. */
export async function nearestTo(goal: string, deps: NearestDeps): Promise<string[]> {
  const tokens = withNames(goal, tokenize(withoutQuotes(goal)), nameIndex(deps.catalogue));
  const asked = tokens.filter(isTelling).map(({ low }) => low);
  const said = namesIn(tokens, deps.catalogue);
  const shown = doableIn(deps.catalogue, deps.mayBeApproved, said);
  const all = [
    ...deps.commands.flatMap((command) => commandFor(command, said)),
    ...(await deps.playbooks()).map(({ name, summary }) => ({
      ...{
        goal: `run ${name}`,
        words: `${name.replaceAll('-', ' ')} ${summary}`,
        of: name,
        own: null,
        isPlaybook: true,
      },
    })),
    ...shown.filter((one) => saysNoMore(one, asked)),
  ].filter((one) => one.goal.length <= maxGoal);
  const name = said.issue ?? said.incident;
  const isOnlyName = (said: readonly Token[]): boolean =>
    said.some(({ raw }) => raw === name) && said.every(({ raw, low }) => raw === name || emptyWords.has(low));
  const named = all.filter(({ goal: near }) => isOnlyName(tokenize(near)));
  const shared = ranked(all, asked);
  const about = shared.length + named.length > 0 ? [] : readsAbout(said.service, shown, asked);
  const best = new Map<string, string>();
  for (const { of, goal: near } of [...shared, ...about, ...named])
    if (!best.has(of) && ![...best.values()].includes(near)) best.set(of, near);
  return [...best.values()].slice(0, maxNearest);
}

/**
 * The command that a question about the bot is: one whose words are all that the question says, besides times and filler.
 * Null for any other request.
 */
export function commandMeant(
  goal: string,
  { catalogue, commands }: Pick<NearestDeps, 'catalogue' | 'commands'>,
): string | null {
  const tokens = withNames(goal, tokenize(goal), nameIndex(catalogue)).filter(
    ({ kind }, at, all) =>
      !/^(?:mark|time|duration)$/u.test(kind) &&
      !(isLast.test(all[at]?.low ?? '') && all[at + 1]?.kind === 'duration'),
  );
  const found = commands
    .filter(({ isAnswer }) => isAnswer)
    .map(({ goal: typed, words, beside }) => {
      const besides = new Set(wordsOf(beside));
      const known = new Set(wordsOf(words));
      const isKnown = ({ low, kind }: Token): boolean =>
        known.has(low) || (kind === 'incident' && typed.includes('<incident>'));
      const isWhole = tokens.every(
        (token) => isKnown(token) || besides.has(token.low) || emptyWords.has(token.low),
      );
      return { typed, count: isWhole ? tokens.filter(isKnown).length : 0 };
    })
    .toSorted((one, other) => other.count - one.count)[0];
  const incident = tokens.find(({ kind }) => kind === 'incident')?.raw.replace('#', '');
  return found === undefined || found.count === 0
    ? null
    : found.typed.replace('<incident>', incident ?? 'last');
}

/** Look-ups about a service, whatever was to be done with it: first by words of the request, then one of each tool. */
function readsAbout(
  service: string | undefined,
  shown: readonly Doable[],
  asked: readonly string[],
): Doable[] {
  if (service === undefined || asked.length === 0) return [];
  const reads = shown.filter(({ goal, reads }) => reads !== undefined && goal.endsWith(` ${service}`));
  const said = new Set(asked.map(stem));
  const isNear = ({ words }: Doable): boolean => wordsOf(words).some((word) => said.has(stem(word)));
  const nth = (one: Doable): number => reads.filter(({ reads }) => reads === one.reads).indexOf(one);
  const place = (one: Doable): number => (isNear(one) ? 0 : 100) + (one.own === null ? 0 : 50) + nth(one);
  const best = Map.groupBy(reads, ({ goal }) => goal);
  return [...best.values()].flatMap(([one]) => one ?? []).toSorted((one, other) => place(one) - place(other));
}

const isLast = /^(?:last|past)$/u;

/** Those that share at least half of the words of the request; most words first, then the rarest. */
function ranked(all: readonly Doable[], asked: readonly string[]): Doable[] {
  const index = new MiniSearch({ fields: ['words'], processTerm: stem, tokenize: wordsOf });
  index.addAll(all.map(({ words }, id) => ({ id, words })));
  return index
    .search(asked.join(' '))
    .toSorted((one, other) => other.queryTerms.length - one.queryTerms.length || other.score - one.score)
    .flatMap(({ id, queryTerms }) => {
      const one = all[Number(id)];
      // A playbook does several things: one word of several is no likeness.
      const least = Math.max(asked.length / 2, one?.isPlaybook === true && asked.length > 1 ? 2 : 1);
      return one === undefined || queryTerms.length < least ? [] : [one];
    });
}

const wordsOf = (text: string): string[] => text.match(/[\p{L}\p{N}]+/gu) ?? [];

function stem(word: string): string | null {
  const low = word.toLowerCase();
  return emptyWords.has(low) ? null : low.replace(/(?:ies|ed|es|s)$/u, '');
}

/** A word that tells requests apart: no name, number, time or filler. */
const isTelling = ({ kind, low, names }: Token): boolean =>
  (kind === 'word' || kind === 'hyphened' || kind === 'capitals') &&
  Object.keys(names).length === 0 &&
  !emptyWords.has(low);

function namesIn(tokens: readonly Token[], { projects }: Catalogue): NamesSaid {
  const project = tokens.find(({ names }) => names.project !== undefined)?.names.project;
  const service = tokens.find(({ names }) => names.service !== undefined)?.names.service;
  return {
    project,
    service: service ?? projects.find(({ key }) => key === project)?.service,
    issue: tokens.find(({ kind }) => kind === 'issue')?.raw,
    incident: tokens.find(({ kind }) => kind === 'incident')?.raw,
  };
}

function commandFor({ goal, words }: CommandWords, { incident }: NamesSaid): Doable[] {
  if (goal.includes('<incident>') && incident === undefined) return [];
  const typed = goal.replace('<incident>', incident?.replace('#', '') ?? '');
  return /[<[]/u.test(typed) ? [] : [{ goal: typed, words, of: goal, own: null }];
}

/** An example may be offered if it says nothing besides the request, the names of the workspace and its own tool. */
function saysNoMore({ goal, own }: Doable, asked: readonly string[]): boolean {
  if (own === null) return true;
  const known = new Set([...own, ...asked].flatMap((words) => wordsOf(words).map(stem)));
  const isKnown = ({ kind, low, raw }: Token): boolean =>
    kind === 'hyphened' || /^[A-Z]{2,5}$/u.test(raw) || wordsOf(low).every((word) => known.has(stem(word)));
  return tokenize(goal).every(
    (token) => !/^(?:code|quotation|quoted word)$/u.test(token.kind) && (!isTelling(token) || isKnown(token)),
  );
}

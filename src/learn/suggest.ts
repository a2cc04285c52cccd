import type { Catalogue } from '../core/catalogue.ts';
import type { Plan } from '../core/plan.ts';
import { slotChanges } from '../core/slot-change.ts';
import { type Asked, cameRight, correctionOf } from './asked.ts';

/** A change of the operator's files that would have made plans as people made them. */
export type Suggestion =
  /** One more word at a place of `countersign.yml`, such as `projects.PAY.aliases`. */
  | {
      readonly kind: 'word';
      readonly path: readonly string[];
      readonly word: string;
      readonly helps: readonly string[];
    }
  /** A playbook of the plan that a phrase was edited to. */
  | {
      readonly kind: 'playbook';
      readonly plan: Plan;
      readonly goal: string;
      readonly helps: readonly string[];
    };

/** A change that is tried. */
export type Trial =
  | { readonly kind: 'word'; readonly path: readonly string[]; readonly word: string }
  | { readonly kind: 'playbook'; readonly plan: Plan; readonly goal: string };

export interface SuggestPort {
  /** The operator's names; queries in the order in which `countersign.yml` has them. */
  readonly names: Pick<Catalogue, 'services' | 'projects'> & {
    readonly queries: readonly { readonly name: string }[];
  };
  /** Goals that are planned right as things are: examples of tools and playbooks. */
  readonly examples: readonly string[];
  /** What the planner would make of goals if the change were made, or as things are; null for what is no plan. */
  tryOut(trial: Trial | null, goals: readonly string[]): Promise<readonly (Plan | null)[]>;
}

/** Requests that have to show the same before anything is suggested. */
const enough = 3;
/** Words that are tried for one correction, those of most requests first; each costs a plan of every goal. */
const maxWords = 12;
/** Goals that came right and have to go on doing so, the newest. */
const maxKept = 300;

/**
 * Words and playbooks that would have saved answers and edits which were made three times or more. Each is tried: it has
 * to make the planner plan those requests as people corrected them, and everything else as before. A word comes before a
 * playbook, since it helps with other phrases as well.
 */
export async function suggestions(all: readonly Asked[], port: SuggestPort): Promise<Suggestion[]> {
  const right = all.filter((asked) => asked.wasTaken && cameRight(asked)).map(({ goal }) => goal);
  const kept = [...new Set([...port.examples, ...right.slice(-maxKept)])];
  let before: readonly (Plan | null)[] | null = null;
  const isHarmless = async (trial: Trial): Promise<boolean> => {
    before ??= await port.tryOut(null, kept);
    const after = await port.tryOut(trial, kept);
    return before.every((plan, index) => isSame(plan, after[index] ?? null));
  };
  const corrected = all.filter((asked) => asked.wasTaken && !cameRight(asked));
  const found: Suggestion[] = [];
  const tryAll = async (trials: readonly Trial[], same: readonly Asked[]): Promise<void> => {
    for (const trial of trials) {
      const helps = await helpedBy(trial, same, port);
      if (helps.length < enough || !(await isHarmless(trial))) continue;
      found.push({ ...trial, helps });
      return;
    }
  };
  for (const same of often(corrected, correctionOf)) await tryAll(wordTrials(same, port.names), same);
  const helped = new Set(found.flatMap(({ helps }) => helps));
  const rest = corrected.filter(({ goal }) => !helped.has(goal));
  for (const same of often(rest, (asked) => `${asked.phrase} ${correctionOf(asked)}`)) {
    const newest = same.at(-1);
    if (newest !== undefined)
      await tryAll([{ kind: 'playbook', plan: newest.last, goal: newest.goal }], same);
  }
  return found;
}

function often(all: readonly Asked[], key: (asked: Asked) => string): Asked[][] {
  return [...Map.groupBy(all, key).values()].filter((same) => same.length >= enough);
}

/** Words that stand in enough of these requests, for where their correction has its words. */
function wordTrials(same: readonly Asked[], names: SuggestPort['names']): Trial[] {
  const [path] = (same[0] ? correctedTo(same[0]) : []).flatMap((value) => placesFor(value, names));
  if (path === undefined) return [];
  const words = same.flatMap(({ goal }) => [...new Set(wordsIn(goal))]);
  return [...Map.groupBy(words, (word) => word)]
    .filter(([, times]) => times.length >= enough)
    .sort(([a, x], [b, y]) => y.length - x.length || a.split(' ').length - b.split(' ').length)
    .slice(0, maxWords)
    .map(([word]) => ({ kind: 'word', path, word }));
}

/** Goals that would be planned as people corrected them, and are not as things are. */
async function helpedBy(trial: Trial, same: readonly Asked[], port: SuggestPort): Promise<string[]> {
  const goals = same.map(({ goal }) => goal);
  const [now, then] = await Promise.all([port.tryOut(null, goals), port.tryOut(trial, goals)]);
  const fits = (plan: Plan | null | undefined, last: Plan): boolean => isSame(plan ?? null, last);
  return same.flatMap(({ goal, last }, index) =>
    fits(then[index], last) && !fits(now[index], last) ? [goal] : [],
  );
}

function isSame(one: Plan | null, other: Plan | null): boolean {
  return one === null || other === null ? one === other : slotChanges(one, other).length === 0;
}

/** Every value that people gave. */
function correctedTo({ answers, edits }: Asked): string[] {
  return [...answers.map(({ answer }) => answer), ...edits.map(({ to }) => to)];
}

/** Where words for a value are kept: those of a service with the project that it belongs to. */
function placesFor(value: string, { services, projects, queries }: SuggestPort['names']): string[][] {
  const service = services.find(({ name }) => name === value);
  const project = projects.find(
    ({ key, service: name }) => key === value || (service && name === service.name),
  );
  if (project !== undefined) return [['projects', project.key, 'aliases']];
  const query = queries.findIndex(({ name }) => name === value);
  return query < 0 ? [] : [['queries', String(query), 'says']];
}

/** Words of a goal, and pairs of neighbours. */
function wordsIn(goal: string): string[] {
  const words = goal.toLowerCase().match(/[\p{L}\p{N}][\p{L}\p{N}_-]*/gu) ?? [];
  const pairs = words.slice(1).map((word, index) => `${words[index]} ${word}`);
  return [...words, ...pairs].filter((word) => word.length >= 3 && word.length <= 60);
}

import type { Catalogue } from '../core/catalogue.ts';
import type { Plan } from '../core/plan.ts';
import { cameRight, correctionOf, type PlannedRequest } from '../core/planned-request.ts';
import { slotChanges } from '../core/slot-change.ts';

/** A change to the operator's files that would have produced the plans people ended up with. */
export type Suggestion =
  /** One more word in `countersign.yml`, at a place such as `projects.PAY.aliases`. */
  | {
      readonly kind: 'word';
      readonly path: readonly string[];
      readonly word: string;
      readonly helps: readonly string[];
    }
  /** A playbook with the plan that a phrase was edited to. */
  | {
      readonly kind: 'playbook';
      readonly plan: Plan;
      readonly goal: string;
      readonly helps: readonly string[];
    };

/** A change to try. */
export type Trial =
  | { readonly kind: 'word'; readonly path: readonly string[]; readonly word: string }
  | { readonly kind: 'playbook'; readonly plan: Plan; readonly goal: string };

export interface SuggestPort {
  /** The operator's names; queries in the order of `countersign.yml`. */
  readonly names: Pick<Catalogue, 'services' | 'projects'> & {
    readonly queries: readonly { readonly name: string }[];
  };
  /** Goals planned correctly today: examples of tools and playbooks. */
  readonly examples: readonly string[];
  /** The planner's plans for goals with the change, or without any; null for goals that get no plan. */
  tryOut(trial: Trial | null, goals: readonly string[]): Promise<readonly (Plan | null)[]>;
}

/** Requests that must show the same before anything is suggested. */
const enough = 3;
/** Maximum words tried for one correction, most frequent first; each costs planning every goal. */
const maxWords = 12;
/** Maximum goals that must stay right, the newest ones. */
const maxKept = 300;

/**
 * Words and playbooks that would have avoided answers and edits made three times or more. Each is tested: the planner
 * must plan those requests as people corrected them, and everything else as before. Words come before playbooks, since
 * they help with other phrases, too.
 */
export async function suggestions(all: readonly PlannedRequest[], port: SuggestPort): Promise<Suggestion[]> {
  // A plan whose run failed is no example of a right one.
  const isRight = (asked: PlannedRequest) =>
    asked.wasTaken && cameRight(asked) && asked.failures.length === 0;
  const right = all.filter(isRight).map(({ goal }) => goal);
  const kept = [...new Set([...port.examples, ...right.slice(-maxKept)])];
  let before: readonly (Plan | null)[] | null = null;
  const isHarmless = async (trial: Trial): Promise<boolean> => {
    before ??= await port.tryOut(null, kept);
    const after = await port.tryOut(trial, kept);
    return before.every((plan, index) => isSame(plan, after[index] ?? null));
  };
  const corrected = all.filter((asked) => asked.wasTaken && !cameRight(asked));
  const found: Suggestion[] = [];
  const tryAll = async (trials: readonly Trial[], same: readonly PlannedRequest[]): Promise<void> => {
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

function often(all: readonly PlannedRequest[], key: (asked: PlannedRequest) => string): PlannedRequest[][] {
  return [...Map.groupBy(all, key).values()].filter((same) => same.length >= enough);
}

/** Words that occur in enough of these requests, for the place where the corrected value has its words. */
function wordTrials(same: readonly PlannedRequest[], names: SuggestPort['names']): Trial[] {
  const [path] = (same[0] ? correctedTo(same[0]) : []).flatMap((value) => placesFor(value, names));
  if (path === undefined) return [];
  const words = same.flatMap(({ goal }) => [...new Set(wordsIn(goal))]);
  return [...Map.groupBy(words, (word) => word)]
    .filter(([, times]) => times.length >= enough)
    .sort(([a, x], [b, y]) => y.length - x.length || a.split(' ').length - b.split(' ').length)
    .slice(0, maxWords)
    .map(([word]) => ({ kind: 'word', path, word }));
}

/** Goals that the change would plan as people corrected them, and that are not planned so today. */
async function helpedBy(trial: Trial, same: readonly PlannedRequest[], port: SuggestPort): Promise<string[]> {
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
function correctedTo({ answers, edits }: PlannedRequest): string[] {
  return [...answers.map(({ answer }) => answer), ...edits.map(({ to }) => to)];
}

/** The places for words of a value: a service's words belong to its project. */
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

import { readsWait } from '../core/agent.ts';
import { canonicalJson } from '../core/canonical.ts';
import { isOptional } from '../core/fields.ts';
import { type Finding, finding } from '../core/finding.ts';
import { collapsed, expanded, listsIn, maxTargets } from '../core/for-each.ts';
import { ancestors, graphOf } from '../core/graph.ts';
import type { Manifest } from '../core/manifest.ts';
import type { Plan } from '../core/plan.ts';
import type { PlannerReply } from '../core/planning.ts';
import type { Turn } from '../core/planning-turn.ts';
import type { Policy } from '../core/policy.ts';
import type { ReadPlan } from '../core/read-results.ts';
import { lookUp, splitRef } from '../core/refs.ts';
import type { Request } from '../core/request.ts';
import type { StepResult } from '../core/run.ts';
import { nounFor, vocabularyOf } from '../core/step-words.ts';

/** Needed to read the lists that a plan's writes go through. */
export interface ListContext {
  readonly manifests: ReadonlyMap<string, Manifest>;
  readonly policy: Policy;
  /** Runs reads only, and keeps nothing. */
  readonly read: ReadPlan;
  sleep(ms: number): Promise<unknown>;
  /** The rules hold for what is shown and approved as well. */
  review(plan: Plan, channel: string): { readonly plan: Plan | null; readonly findings: readonly Finding[] };
}

/** A proposal as far as this needs it. */
interface Asking {
  readonly request: Request;
  readonly plan: Plan;
  readonly turn: Pick<Turn, 'basedOn'>;
  readonly reply: PlannerReply | null;
}

/** The proposal with its targets listed; null where that cannot be done, and the findings say why. */
export interface Listed<P> {
  readonly proposal: P | null;
  readonly findings: readonly Finding[];
}

/** Milliseconds for all lists of a plan: a person waits for its card. */
const maxMs = 30_000;

/**
 * Reads the lists that writes of a plan go through, and puts a write for each entry in their place: the card shows every
 * target, and nothing that is read later adds one. A plan that changes what another listed has its targets listed anew.
 */
export async function listTargets<P extends Asking>(given: P, context: ListContext): Promise<Listed<P>> {
  const { request, turn, reply } = given;
  const plan = turn.basedOn === null ? given.plan : relisted(given.plan, turn.basedOn.sealed.plan);
  const lists = listsIn(plan);
  if (lists.length === 0) return { proposal: { ...given, plan }, findings: [] };
  const found = await entriesIn(plan, lists, request, context);
  const wrong = lists.flatMap((list) => problemOf(list, found, { plan, context }));
  if (wrong.length > 0) return { proposal: null, findings: wrong };
  const entries = new Map([...found].map(([list, { entries }]) => [list, entries ?? []]));
  const empty = lists.filter((list) => entries.get(list)?.length === 0);
  const reviewed = context.review(expanded(without(plan, empty), entries), request.channel);
  if (reviewed.plan === null) return { proposal: null, findings: reviewed.findings };
  const notes = empty.map(
    (list) => `Nothing is written: there is nothing in ${nounOf(list, plan, context)}.`,
  );
  const said = reply && { ...reply, notes: [...reply.notes, ...notes] };
  return { proposal: { ...given, plan: reviewed.plan, reply: said }, findings: [] };
}

interface Found {
  /** Null where it could not be read. */
  readonly entries: readonly string[] | null;
  readonly why: string;
  /** How many there are, also of those that are not in the list. */
  readonly total: number;
}

async function entriesIn(
  plan: Plan,
  lists: readonly string[],
  { id, requester, agent }: Request,
  { policy, manifests, read, sleep }: ListContext,
): Promise<ReadonlyMap<string, Found>> {
  const none = (why: string) => new Map(lists.map((list) => [list, { entries: null, why, total: 0 }]));
  if (readsWait(plan, agent, { policy, manifests }))
    return none('here reads wait for approval, too, so there is no list to approve');
  const graph = graphOf(plan.steps);
  const needed = new Set(
    lists.flatMap((list) => [splitRef(list).step, ...ancestors(graph, splitRef(list).step)]),
  );
  const { situation: _about, watch: _times, ...rest } = plan;
  const reads = { ...rest, steps: plan.steps.filter((step) => needed.has(step.id)), success: [] };
  const seen = await Promise.race([
    read({ requestId: `list-${id}`, requester, plan: reads }),
    sleep(maxMs).then(() => null),
  ]);
  if (seen === null) return none(`no answer within ${maxMs / 1_000} seconds`);
  return new Map(lists.map((list) => [list, entriesOf(list, plan, seen.results, manifests)]));
}

function entriesOf(
  list: string,
  { steps }: Plan,
  results: readonly StepResult[],
  manifests: ListContext['manifests'],
): Found {
  const { step: from, path } = splitRef(list);
  const result = results.find(({ stepId }) => stepId === from);
  // Its own condition says that there is nothing to list.
  if (result?.reason?.code === 'condition_false' || result?.reason?.code === 'need_skipped')
    return { entries: [], why: '', total: 0 };
  const value = lookUp(result?.result ?? undefined, path);
  const { main, queries } = manifests.get(steps.find(({ id }) => id === from)?.tool ?? '') ?? {};
  const undeclared = result?.result ? `the query has no ${path[0]} under targets` : 'it was not read';
  if (!Array.isArray(value)) return { entries: null, why: result?.reason?.message ?? undeclared, total: 0 };
  const entries = [...new Set(value.filter((one) => typeof one === 'string'))];
  // That of a query counts its rows.
  const total = main === undefined || queries !== undefined ? undefined : result?.result?.[main];
  return { entries, why: '', total: Math.max(entries.length, typeof total === 'number' ? total : 0) };
}

interface Around {
  readonly plan: Plan;
  readonly context: ListContext;
}

function problemOf(list: string, found: ReadonlyMap<string, Found>, { plan, context }: Around): Finding[] {
  const { entries = null, why = '', total = 0 } = found.get(list) ?? {};
  const writer = plan.steps.find(({ each }) => each === list)?.id ?? null;
  const noun = nounOf(list, plan, context);
  const about = (message: string) => [finding('for_each', writer, 'each', message)];
  if (entries === null)
    return about(`${noun} could not be listed: ${why.replace(/\.$/, '')}. Nothing was done`);
  if (entries.length <= maxTargets) return [];
  return about(
    `${total} is too many: one plan writes to at most ${maxTargets} of ${noun}. ${narrowing(list, { plan, context })}`,
  );
}

const maxNamed = 4;

/** "Narrow the list with priority, type, assignee or label; limit=10 takes the first 10." */
function narrowing(list: string, { plan, context }: Around): string {
  const step = plan.steps.find(({ id }) => id === splitRef(list).step);
  const shape = context.manifests.get(step?.tool ?? '')?.args.shape ?? {};
  const free = Object.keys(shape).filter(
    (name) => step?.args[name] === undefined && shape[name] !== undefined && isOptional(shape[name]),
  );
  const names = free
    .filter((name) => !['limit', 'order'].includes(name) && !name.endsWith('_not'))
    .slice(0, maxNamed);
  const by = names.length === 0 ? 'Narrow the list' : `Narrow the list, for example by ${names.join(', ')}`;
  return 'limit' in shape ? `${by}; limit=${maxTargets} takes the first ${maxTargets}` : by;
}

function nounOf(list: string, { steps }: Plan, { manifests }: ListContext): string {
  return nounFor(list, vocabularyOf(steps, manifests));
}

/** The plan without the writes for these lists, and without what waits for them. */
function without(plan: Plan, empty: readonly string[]): Plan {
  const graph = graphOf(plan.steps);
  const writers = new Set(plan.steps.flatMap(({ id, each }) => (each && empty.includes(each) ? [id] : [])));
  const isGone = (id: string) => writers.has(id) || [...ancestors(graph, id)].some((one) => writers.has(one));
  return { ...plan, steps: plan.steps.filter(({ id }) => !isGone(id)) };
}

function relisted(plan: Plan, before: Plan): Plan {
  const call = ({ steps }: Plan, id: string): string => {
    const graph = graphOf(steps);
    const reads = steps.filter((step) => step.id === id || ancestors(graph, id).has(step.id));
    return canonicalJson(reads.map(({ id: name, tool, args, when = null }) => ({ name, tool, args, when })));
  };
  return collapsed(plan, (list) => {
    const { step } = splitRef(list);
    return call(plan, step) !== call(before, step);
  });
}

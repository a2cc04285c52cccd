import type { RichTextBlockElement } from '@slack/types';
import { writeCardRef } from '../blocks/card-ref.ts';
import { bold, bullets, line, type Span } from '../blocks/rich.ts';
import { shortDigest } from '../core/canonical.ts';
import { effectOf } from '../core/code-step.ts';
import type { Manifest } from '../core/manifest.ts';
import { runIdOf } from '../core/run.ts';
import type { LastTime } from '../core/settle.ts';
import { isRepeatable, targetName } from '../core/targets.ts';
import { checkTitles } from '../report/checked-words.ts';
import * as alerts from '../store/alerts.ts';
import * as checks from '../store/checks.ts';
import * as followed from '../store/followed-incidents.ts';
import * as history from '../store/history.ts';
import { type Listed, linesOf, planLine } from './list.ts';
import { ofRequests, type PlanDeps } from './plans.ts';
import {
  type ElsewhereDeps,
  haveMuchInCommon,
  mostSimilar,
  type SimilarThing,
  similarElsewhere,
} from './similar-elsewhere.ts';

/** Earlier plans about something like this. */

/** A button that repeats a past plan. */
export interface Again {
  readonly text: string;
  readonly value: string;
}

export interface SimilarDeps extends PlanDeps, ElsewhereDeps {
  readonly manifests: ReadonlyMap<string, Manifest>;
}

/** A plan that ran to its end, with the words that it is found by. */
interface Past {
  readonly plan: Listed;
  readonly words: string;
}

const lookedAt = 50;
const maxShown = 2;

interface Similar {
  readonly service: string;
  readonly words: string;
  /** The request or problem that it is shown under. */
  readonly own: string;
  /** The incident that was paged about; only what has much in common with it, and is more than another page, is like it. */
  readonly paged?: string;
}

/** Earlier plans, incidents, tickets and reviews; `seen` leaves out the plans that are not shown here. */
export async function similarBefore(
  of: Similar,
  seen: (all: readonly Listed[]) => Promise<Listed[]>,
  deps: SimilarDeps,
): Promise<{ isAny: boolean; elements: RichTextBlockElement[]; again: Again[]; last: LastTime }> {
  const mayShow = async (incident: string) => incident !== of.paged && isKnownHere(incident, seen, deps);
  const [own, elsewhere] = await Promise.all([ownPlans(of, seen, deps), similarElsewhere(of, mayShow, deps)]);
  const items = [...own.items, ...elsewhere.items];
  const list = items.length === 0 ? [] : [line(bold('Like this before:')), bullets(items)];
  const elements = [...list, ...elsewhere.missing];
  return { isAny: items.length > 0, elements, again: own.again, last: own.last };
}

/** Whether everybody here may read who opened an incident; one that no plan opened is known to all. */
async function isKnownHere(
  id: string,
  seen: (all: readonly Listed[]) => Promise<Listed[]>,
  deps: SimilarDeps,
): Promise<boolean> {
  const { db, teamId, manifests } = deps;
  const pages = await followed.pagesOf(db, { teamId, id, tools: followed.openingTools(manifests) });
  if (pages.length === 0) return true;
  const plans = await ofRequests(deps, [...new Set(pages.map(({ requestId }) => requestId))]);
  return (await seen(plans)).length > 0;
}

/** Plans about the service that were done, those with the most in common first. */
async function ownPlans(
  { service, words, own, paged }: Similar,
  seen: (all: readonly Listed[]) => Promise<Listed[]>,
  deps: SimilarDeps,
): Promise<{ items: ReturnType<typeof line>[]; again: Again[]; last: LastTime }> {
  const { db, teamId, manifests } = deps;
  const target = targetName('service', service);
  const ids = (await history.doneAbout(db, { teamId, target, limit: lookedAt })).filter((id) => id !== own);
  const ran = await seen((await ofRequests(deps, ids)).filter((one) => isDone(one, manifests)));
  const rules = await alerts.rulesOf(db, { teamId, requests: ran.map(({ requestId }) => requestId) });
  const all = ran.map((plan) => ({ plan, words: wordsOf(plan, rules.get(plan.requestId) ?? '') }));
  const isAlike = (one: SimilarThing<Past>) =>
    paged === undefined || (haveMuchInCommon(one) && isMoreThanPage(one.past.plan, manifests));
  const found = mostSimilar<Past>(all, words, service).filter(isAlike).slice(0, maxShown);
  const last = await lastHelped(ran, deps);
  if (found.length === 0) return { items: [], again: [], last };
  const like = found.map(({ past }) => past.plan);
  const lines = await linesOf(like);
  const helped = await Promise.all(like.map((plan) => helpedWords(plan, deps)));
  const items = lines.map((one, nth) => {
    const row = planLine(one, { asked: true });
    const code = found[nth]?.sameCode ? [' · same code'] : [];
    return { ...row, elements: [...row.elements, ...line(...code, ...(helped[nth] ?? [])).elements] };
  });
  const same = like.filter(({ revision }) => revision && isRepeatable(revision.sealed.plan, manifests));
  const again = same.map((plan) => {
    const text = same.length === 1 ? 'Do the same' : `Do the same: ${shortDigest(plan.digest)}`;
    return { text, value: writeCardRef(plan) };
  });
  return { items, again, last };
}

const isDone = ({ state, revision }: Listed, manifests: SimilarDeps['manifests']): boolean =>
  state.kind === 'ended' &&
  state.outcome === 'done' &&
  revision?.sealed.plan.steps.some(({ tool }) => effectOf(tool, manifests) === 'write') === true;

/** Another page did nothing about it. */
function isMoreThanPage({ revision }: Listed, manifests: SimilarDeps['manifests']): boolean {
  const writes =
    revision?.sealed.plan.steps.filter(({ tool }) => effectOf(tool, manifests) === 'write') ?? [];
  return writes.some(({ tool }) => manifests.get(tool)?.livesOn === undefined);
}

function wordsOf({ revision }: Listed, rule: string): string {
  const plan = revision?.sealed.plan;
  const texts = plan?.steps.flatMap(({ args }) => Object.values(args).flat()) ?? [];
  return [plan?.goal, plan?.summary, rule, ...texts.filter((one) => typeof one === 'string')].join(' ');
}

/** The newest run of each cause's fix that was found to help. */
async function lastHelped(ran: readonly Listed[], { db, teamId }: PlanDeps): Promise<LastTime> {
  const fixes = ran.filter(({ revision }) => revision?.sealed.plan.situation !== undefined);
  const ended = await Promise.all(
    fixes.map(async ({ requestId, number, revision }) => {
      const checked = await checks.ofRun(db, { teamId, runId: runIdOf(requestId, number) });
      const at = checked.flatMap(({ outcome, endedAt }) => (outcome === 'helped' ? (endedAt ?? []) : []));
      return { at: at.at(-1), causes: revision?.sealed.plan.situation?.causes ?? [] };
    }),
  );
  const found = ended.flatMap(({ at, causes }) =>
    at === undefined ? [] : causes.map(({ id }): [string, string] => [id, at.toISOString()]),
  );
  return new Map(found.toSorted(([, a], [, b]) => a.localeCompare(b)));
}

/** Whether it helped, where that was checked afterwards. */
async function helpedWords({ requestId, number }: Listed, { db, teamId }: PlanDeps): Promise<Span[]> {
  const ended = await checks.ofRun(db, { teamId, runId: runIdOf(requestId, number) });
  const outcomes = [...new Set(ended.flatMap(({ outcome }) => outcome ?? []))];
  return outcomes.map((outcome) => ` · ${checkTitles[outcome].toLowerCase()}`);
}

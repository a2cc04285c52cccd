import type { RichTextBlockElement } from '@slack/types';
import MiniSearch from 'minisearch';
import { writeCardRef } from '../blocks/card-ref.ts';
import { bold, bullets, line, type Span } from '../blocks/rich.ts';
import { shortDigest } from '../core/canonical.ts';
import { effectOf } from '../core/code-step.ts';
import type { Manifest } from '../core/manifest.ts';
import { runIdOf } from '../core/run.ts';
import { isRepeatable, targetName } from '../core/targets.ts';
import { checkTitles } from '../report/checked-words.ts';
import * as alerts from '../store/alerts.ts';
import * as checks from '../store/checks.ts';
import * as history from '../store/history.ts';
import { type Listed, linesOf, planLine } from './list.ts';
import { ofRequests, type PlanDeps } from './plans.ts';

/** Earlier plans about something like this. */

/** A button that makes a past plan anew. */
export interface Again {
  readonly text: string;
  readonly value: string;
}

export interface LikeDeps extends PlanDeps {
  readonly manifests: ReadonlyMap<string, Manifest>;
}

/** A plan that ran to its end, with the words that it is found by. */
interface Past {
  readonly plan: Listed;
  readonly words: string;
}

const lookedAt = 50;
const maxShown = 2;

/** Plans about the service that were done, those with the most in common first; `seen` leaves out what is not shown here. */
export async function likeBefore(
  { service, words, own }: { readonly service: string; readonly words: string; readonly own: string },
  seen: (all: readonly Listed[]) => Promise<Listed[]>,
  deps: LikeDeps,
): Promise<{ elements: RichTextBlockElement[]; again: Again[] }> {
  const { db, teamId, manifests } = deps;
  const target = targetName('service', service);
  const ids = (await history.doneAbout(db, { teamId, target, limit: lookedAt })).filter((id) => id !== own);
  const ran = await seen((await ofRequests(deps, ids)).filter((one) => isDone(one, manifests)));
  const rules = await alerts.rulesOf(db, { teamId, requests: ran.map(({ requestId }) => requestId) });
  const past = ran.map((plan) => ({ plan, words: wordsOf(plan, rules.get(plan.requestId) ?? '') }));
  const like = mostAlike(past, words, service).slice(0, maxShown);
  if (like.length === 0) return { elements: [], again: [] };
  const lines = await linesOf(like);
  const helped = await Promise.all(like.map((plan) => helpedWords(plan, deps)));
  const items = lines.map((one, nth) => {
    const row = planLine(one, { asked: true });
    return { ...row, elements: [...row.elements, ...line(...(helped[nth] ?? [])).elements] };
  });
  const same = like.filter(({ revision }) => revision && isRepeatable(revision.sealed.plan, manifests));
  const again = same.map((plan) => {
    const text = same.length === 1 ? 'Do the same' : `Do the same: ${shortDigest(plan.digest)}`;
    return { text, value: writeCardRef(plan) };
  });
  return { elements: [line(bold('Like this before:')), bullets(items)], again };
}

const isDone = ({ standing, revision }: Listed, manifests: LikeDeps['manifests']): boolean =>
  standing.kind === 'ended' &&
  standing.outcome === 'done' &&
  revision?.sealed.plan.steps.some(({ tool }) => effectOf(tool, manifests) === 'write') === true;

function wordsOf({ revision }: Listed, rule: string): string {
  const plan = revision?.sealed.plan;
  const texts = plan?.steps.flatMap(({ args }) => Object.values(args).flat()) ?? [];
  return [plan?.goal, plan?.summary, rule, ...texts.filter((one) => typeof one === 'string')].join(' ');
}

/** Words that every question has. */
const common = new Set(
  'the and for with why what how investigate status going about alert rule fix'.split(' '),
);

function mostAlike(past: readonly Past[], words: string, service: string): Listed[] {
  const name = new Set(service.toLowerCase().split(/[^\p{L}\p{N}]+/u));
  const processTerm = (term: string): string | null => {
    const low = term.toLowerCase();
    return low.length < 3 || common.has(low) || name.has(low) ? null : low;
  };
  const index = new MiniSearch({ fields: ['words'], processTerm });
  index.addAll(past.map(({ words: text }, id) => ({ id, words: text })));
  return index.search(words).flatMap(({ id }) => past[Number(id)]?.plan ?? []);
}

/** Whether it helped, where that was checked afterwards. */
async function helpedWords({ requestId, number }: Listed, { db, teamId }: PlanDeps): Promise<Span[]> {
  const ended = await checks.ofRun(db, { teamId, runId: runIdOf(requestId, number) });
  const outcomes = [...new Set(ended.flatMap(({ outcome }) => outcome ?? []))];
  return outcomes.map((outcome) => ` · ${checkTitles[outcome].toLowerCase()}`);
}

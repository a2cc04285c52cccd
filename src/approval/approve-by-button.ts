import { writeCardRef } from '../blocks/card-ref.ts';
import { type Facts, prospectOf } from '../core/read-results.ts';
import type { Revision } from '../core/revision.ts';
import { isAtOnce } from '../core/suggested-plan.ts';
import type { Asked } from '../core/tool-vocabulary.ts';
import * as requests from '../store/requests.ts';
import { storedRevision } from '../store/stored-revision.ts';
import type { Manifests } from './card/step-view.ts';
import type { StoredRun } from './card-actions.ts';
import type { ApprovalContext } from './context.ts';
import { type ApproveClick, approve, tryApprove } from './decide.ts';
import { refusalMessage } from './refusal-words.ts';
import { moreNeeded } from './words.ts';

/** True for the single write that a button requested, unchanged, if it would be made. */
export function isButtonWrite({ sealed }: Revision, facts: Facts, manifests: Manifests): boolean {
  const { number, plan } = sealed;
  return number === 1 && plan.steps.length === 1 && prospectOf(plan, facts, manifests) === 'writes';
}

/**
 * A click on a button for a step is also its approval if that person may approve: it goes through the usual approval
 * path. If it does not count, or is not enough, the plan becomes a card for people who may.
 */
export async function approveByButton(
  { requestId, number }: { requestId: string; number: number },
  context: ApprovalContext,
): Promise<StoredRun | null> {
  const { db, teamId, manifests, reporting } = context;
  const request = await requests.get(db, teamId, requestId);
  if (request === null) return null;
  const stored = await storedRevision(db, { teamId, requestId, number });
  if (stored === null || stored.state !== 'proposed' || stored.facts === null) return null;
  const { revision, facts } = stored;
  if (!isButtonWrite(revision, facts, manifests)) return null;
  const click = { teamId, userId: request.requester, home: null, value: writeCardRef(revision) };
  if (request.via !== 'button')
    return approveByWords(request.goal, { ...click, from: 'details' }, revision, context);
  const decided = await approve({ ...click, from: 'details' }, context);
  if (decided.ok && decided.runId !== null) return { runId: decided.runId, requestId };
  const say = context.replyTo(requestId);
  if (decided.ok) {
    await reporting.propose(revision);
    if (decided.progress === undefined) return null;
    await reporting.progress(revision, decided.progress);
    await say?.(moreNeeded(decided.progress));
    return null;
  }
  if (decided.refusal.code === 'decided') return null;
  await reporting.propose(revision);
  await say?.(refusalMessage(decided.refusal, ['It waits in the thread, on a card for those who may.']));
  return null;
}

/** The same for words that say nothing but the step. Its card is there already, so nothing is said to who may not. */
async function approveByWords(
  goal: string,
  click: ApproveClick,
  { sealed: { plan, requestId } }: Revision,
  context: ApprovalContext,
): Promise<StoredRun | null> {
  const asked = context.manifests.get(plan.steps[0]?.tool ?? '')?.asked;
  if (!isAtOnce(plan, context.manifests) || asked === undefined || !saysOnly(goal, asked)) return null;
  const decided = await tryApprove(click, context);
  if (!decided.ok) return null;
  if (decided.progress !== undefined) await context.reporting.progress(decided.revision, decided.progress);
  return decided.runId === null ? null : { runId: decided.runId, requestId };
}

const fillers = new Set(['please', 'the', 'it', 'this', 'that', 'now']);

/** "ack #12", "please acknowledge the incident PXY123": a verb, the thing, and nothing that could mean more. */
function saysOnly(goal: string, { verbs, nouns = [] }: Asked): boolean {
  const words = goal
    .toLowerCase()
    .replace(/[.!]$/, '')
    .split(/\s+/)
    .filter((word) => !fillers.has(word));
  const [verb = '', ...rest] = words;
  const named = rest.filter((word) => !nouns.includes(word));
  return (
    verbs.includes(verb) &&
    named.length <= 1 &&
    named.every((word) => /^#?\w+$/.test(word) && /\d/.test(word))
  );
}

import type { Say } from '../../blocks/message.ts';
import { sha256 } from '../../core/canonical.ts';
import { planKeyOf } from '../../core/plan-key.ts';
import { policyDigest } from '../../core/policy.ts';
import type { Revision } from '../../core/revision.ts';
import { noted } from '../audit-refusal.ts';
import { type StoredRun, tellYes } from '../card-actions.ts';
import { type ApproveClick, type Decided, tryApprove } from '../decide.ts';
import { missingYeses } from '../required-approvals.ts';
import { judgedNow, type StandingPort } from './end.ts';
import type { Terms } from './modal.ts';
import { alreadyStanding, noStanding, standingGiven, standingNeedsMore } from './words.ts';

/**
 * Approves a card and future ones like it: first the card by all its rules, and then, once everybody needed has agreed,
 * a standing approval. Returns the run of the card, or null.
 */
export async function giveStanding(
  click: ApproveClick,
  terms: Terms,
  port: StandingPort,
  say: Say,
): Promise<StoredRun | null> {
  const decided = await saidYes(click, port);
  const run = await tellYes(decided, port, say);
  if (decided.ok) await stand(decided.revision, { by: click.userId, ...terms }, port, say);
  return run;
}

/** Approves the card. An approval already stored is this same one: its process died before the rest was done. */
async function saidYes(click: ApproveClick, port: StandingPort): Promise<Decided> {
  const { teamId, userId } = click;
  const decided = await tryApprove(click, port);
  if (!decided.ok && decided.refusal.code === 'decided') {
    const { revision, state, decidedAt } = decided.refusal.current;
    const { requestId, number } = revision.sealed;
    const yeses = await port.revisions.yeses(teamId, requestId, number);
    if (state === 'approved' && decidedAt !== null && yeses.some(({ by }) => by === userId)) {
      return { ok: true, revision, runId: null, at: decidedAt };
    }
  }
  return noted('approve', click, port, decided);
}

/** Counts an approval of future cards like this one, and activates the standing approval with the last one needed. */
async function stand(
  revision: Revision,
  { by, days, perDay }: Terms & { readonly by: string },
  port: StandingPort,
  say: Say,
): Promise<void> {
  const { sealed } = revision;
  const stored = await port.revisions.load(sealed.teamId, sealed.requestId, sealed.number);
  if (stored === null || sealed.source === undefined) return;
  const id = sha256(`${sealed.requestId}/${sealed.number}/${by}`).slice(0, 12);
  const known = await port.standing(id);
  if (known !== null && known.endedAt !== null) return say(noStanding());
  // Given and reported before a process died.
  if (known !== null && known.activeAt !== null) return;
  const { policy, catalogue } = port.rules();
  const until = new Date(port.now().getTime() + days * 86_400_000);
  const digests = { planKey: planKeyOf(sealed.plan), policy: policyDigest(policy), catalogue };
  const given = await port.give({ id, revision, ...digests, by, until, perDay });
  if (given === null) return say(alreadyStanding());
  const missing = await missingYeses(judgedNow(stored, port), given.yeses);
  if (missing.length > 0) await say(standingNeedsMore(given, missing));
  else await port.activate(given, revision, standingGiven(given));
}

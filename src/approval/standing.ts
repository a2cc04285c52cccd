import type { Message, Say } from '../blocks/message.ts';
import { sha256 } from '../core/canonical.ts';
import { isDescribed, prospectOf } from '../core/facts.ts';
import { planKeyOf } from '../core/plan-key.ts';
import { policyDigest } from '../core/policy.ts';
import type { Revision } from '../core/revision.ts';
import type { StandingApproval } from '../core/standing.ts';
import { missingYeses } from './consent.ts';
import {
  type ApproveClick,
  type Click,
  type DecideDeps,
  type Decided,
  standingYes,
  tryApprove,
  withJoiners,
} from './decide.ts';
import { type DecisionsPort, type StoredRun, tellYes } from './decisions.ts';
import { memberPasses } from './members.ts';
import type { StoredRevision } from './ports.ts';
import { noted } from './refused.ts';
import type { Terms } from './standing-modal.ts';
import {
  alreadyStanding,
  noStanding,
  revoked,
  standingGiven,
  standingNeedsMore,
  standingUsed,
  standingUsedUp,
  standingVoid,
} from './standing-words.ts';
import type { Manifests } from './step-view.ts';
import { mayApprove } from './who.ts';

interface Candidate {
  readonly revision: Revision;
  readonly standing: StandingApproval;
}

export interface StandingPort extends DecisionsPort {
  /** Adds a yes; null when one is in force already. */
  give(of: {
    readonly id: string;
    readonly revision: Revision;
    readonly planKey: string;
    readonly policy: string;
    readonly catalogue: string;
    readonly by: string;
    readonly until: Date;
    readonly perDay: number;
  }): Promise<StandingApproval | null>;
  /** Puts it in force, told in the thread of the card that it was given with; false when it is not as it was. */
  activate(standing: StandingApproval, revision: Revision, message: Message): Promise<boolean>;
  /** Cards that wait, each with what may decide it. */
  candidates(): Promise<readonly Candidate[]>;
  standing(id: string): Promise<StandingApproval | null>;
  /** Writes of the last 24 hours. */
  used(standing: StandingApproval): Promise<number>;
  /** Ends it, tells of it where `revision` is discussed or else in its channel, and stops the runs that it granted. */
  end(
    standing: StandingApproval,
    of: { by: string; reason: string; message: Message; revision: Revision | null },
  ): Promise<boolean>;
  /** A word in the thread of a card, once under its key. */
  toThread(revision: Revision, key: string, message: Message): Promise<void>;
}

/**
 * A yes to a card and to what comes like it: the yes to the card by all its rules, and then, once everybody who is needed
 * has said so, a standing approval. The run of the card, or null.
 */
export async function giveStanding(
  click: ApproveClick,
  terms: Terms,
  port: StandingPort,
  say: Say,
): Promise<StoredRun | null> {
  const decided = await saidYes(click, port);
  const run = await tellYes(decided, port, say);
  if (!decided.ok) return null;
  const { revision } = decided;
  const { sealed } = revision;
  const stored = await port.revisions.load(click.teamId, sealed.requestId, sealed.number);
  if (stored === null || sealed.source === undefined) return run;
  const { policy, catalogue } = port.rules();
  const until = new Date(port.now().getTime() + terms.days * 86_400_000);
  const digests = { planKey: planKeyOf(sealed.plan), policy: policyDigest(policy), catalogue };
  const id = sha256(`${sealed.requestId}/${sealed.number}/${click.userId}`).slice(0, 12);
  const known = await port.standing(id);
  if (known !== null && known.endedAt !== null) await say(noStanding());
  // Given, and told, before a process died.
  if (known !== null && (known.activeAt ?? known.endedAt) !== null) return run;
  const given = await port.give({ id, revision, ...digests, by: click.userId, until, perDay: terms.perDay });
  if (given === null) {
    await say(alreadyStanding());
    return run;
  }
  const missing = await missingYeses(judgedNow(stored, port), given.yeses);
  if (missing.length > 0) await say(standingNeedsMore(given, missing));
  else await port.activate(given, revision, standingGiven(given));
  return run;
}

/** The yes to the card. One that is stored already is this one: its process died before the rest was. */
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

/**
 * Decides every card that waits and that a standing approval covers; answers the runs to be started. `tried` is what
 * this process need not look at again, of what still waits.
 */
export async function applyStanding(port: StandingPort, tried: Set<string>): Promise<StoredRun[]> {
  const runs: StoredRun[] = [];
  const waiting = await port.candidates();
  const keys = new Set(waiting.map(keyOf));
  for (const key of tried) if (!keys.has(key)) tried.delete(key);
  for (const one of waiting) {
    const { revision, standing } = one;
    const key = keyOf(one);
    if (tried.has(key)) continue;
    const used = await applyOne(revision, standing, port);
    if (used !== 'later') tried.add(key);
    if (typeof used === 'object' && used !== null) runs.push(used);
  }
  return runs;
}

function keyOf({ revision, standing }: Candidate): string {
  return `${standing.id}:${revision.digest}`;
}

/** `later`: it cannot be told yet, and is looked at again. Null: it is not for this card, or no more. */
async function applyOne(
  revision: Revision,
  standing: StandingApproval,
  port: StandingPort,
): Promise<StoredRun | 'later' | null> {
  const { sealed } = revision;
  const stored = await port.revisions.load(sealed.teamId, sealed.requestId, sealed.number);
  if (stored?.state !== 'proposed') return null;
  // Its card comes with what was read; what is said before would not be in its thread.
  if (stored.facts === null && port.rules().policy.reads === 'run') return 'later';
  const covered = await covers(standing, stored, port);
  if (covered === 'later' || covered === 'other') return covered === 'later' ? 'later' : null;
  if (covered !== null) {
    await end(standing, { by: 'system', reason: covered, revision }, port);
    return null;
  }
  const writes = writesOf(stored, port);
  if (writes === null) return null;
  if ((await port.used(standing)) + writes > standing.perDay) {
    const word = standingUsedUp(standing);
    await port.toThread(revision, `standing-used-up:${sealed.requestId}:${sealed.number}`, word);
    return null;
  }
  const decided = await standingYes(stored, { id: standing.id, writes, by: standing.yeses[0] ?? '' }, port);
  // A service is busy, or somebody was faster: the next look tells.
  if (!decided.ok) return 'later';
  const word = standingUsed(standing, await port.used(standing));
  await port.toThread(revision, `standing-used:${sealed.requestId}:${sealed.number}`, word);
  return decided.runId === null ? null : { runId: decided.runId, requestId: sealed.requestId };
}

/**
 * Why a standing approval is void from now on, null while it holds. `other`: it is for another plan of the same playbook.
 * Everything under which it was given is looked at again at each use.
 */
async function covers(
  standing: StandingApproval,
  stored: StoredRevision,
  port: DecideDeps,
): Promise<string | 'later' | 'other' | null> {
  const { sealed } = stored.revision;
  const { policy, catalogue } = port.rules();
  if (sealed.source?.scope !== standing.scope) return 'other';
  if (standing.until <= port.now()) return 'Its time is over.';
  if (sealed.source.version !== standing.version) return 'The playbook has changed.';
  if (standing.planKey !== planKeyOf(sealed.plan)) {
    return standing.scope.startsWith('watch:') ? 'What the watch does has changed.' : 'other';
  }
  if (standing.policy !== policyDigest(policy)) return 'The rules about who may approve have changed.';
  if (standing.catalogue !== catalogue) return 'The tools or the names that they work with have changed.';
  for (const userId of standing.yeses) {
    const verdict = await mayApprove({ ...judgedNow(stored, port), who: { userId, home: null } });
    if (verdict.allowed) continue;
    return verdict.why === 'cannot_tell' ? 'later' : 'Somebody who gave it may not approve this any more.';
  }
  const missing = await missingYeses(judgedNow(stored, port), standing.yeses);
  return missing.length === 0 ? null : 'later';
}

function judgedNow(stored: StoredRevision, port: DecideDeps) {
  const { policy } = port.rules();
  const now = port.now();
  return { revision: withJoiners(stored), policy, manifests: port.manifests(), people: port.people, now };
}

/** How many writes a yes makes at most; null where it would make none, or that cannot be told. */
function writesOf({ revision, facts }: StoredRevision, port: DecideDeps): number | null {
  const { plan } = revision.sealed;
  const manifests: Manifests = port.manifests();
  if (facts === null) {
    const all = plan.steps.filter(({ tool }) => manifests.get(tool)?.effect !== 'read').length;
    return port.rules().policy.reads === 'ask' && all > 0 ? all : null;
  }
  return prospectOf(plan, facts, manifests) === 'writes' ? facts.filter(isDescribed).length : null;
}

/** Every full member may stop it, as a run: nothing is written by that. */
export async function revokeStanding(click: Click, port: StandingPort, say: Say): Promise<void> {
  const { userId, value: id } = click;
  const standing = await port.standing(id);
  const about = standing === null ? {} : { about: `standing:${id}` };
  if (!(await memberPasses('revoke', { ...click, ...about }, port, say))) return;
  if (standing === null || standing.endedAt !== null) return say(noStanding());
  const isEnded = await end(standing, { by: userId, reason: 'It was revoked.', revision: null }, port);
  await say(isEnded ? revoked() : noStanding());
}

function end(
  standing: StandingApproval,
  of: { by: string; reason: string; revision: Revision | null },
  port: StandingPort,
): Promise<boolean> {
  return port.end(standing, { ...of, message: standingVoid(standing, of.by, of.reason) });
}

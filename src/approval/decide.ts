import { readCardRef } from '../blocks/card-ref.ts';
import type { Who } from '../core/person.ts';
import { policyDigest } from '../core/policy.ts';
import type { Revision } from '../core/revision.ts';
import { fitsCard } from './card.ts';
import type { PeopleDirectory, Revisions, Rules, StoredRevision } from './ports.ts';
import type { Refusal } from './private-words.ts';
import type { Manifests } from './step-view.ts';
import { isFullMember, mayApprove } from './who.ts';

export interface DecideDeps {
  readonly revisions: Revisions;
  readonly people: PeopleDirectory;
  readonly rules: () => Rules;
  readonly manifests: () => Manifests;
  readonly now: () => Date;
}

/** A click on a card, or a submitted modal of it. */
export interface Click extends Who {
  readonly teamId: string;
  /** Value of the button or private metadata of the modal: what we wrote, if it was not tampered with. */
  readonly value: string;
}

export type Decided =
  | { readonly ok: true; readonly revision: Revision; readonly runId: string | null; readonly at: Date }
  | { readonly ok: false; readonly refusal: Refusal };

/**
 * A yes: the value must be ours, the revision the newest and still open, its rules those of now, all of it seen, and
 * the person allowed. Then one compare-and-set decides; of many clicks one wins, and the others are told who it was.
 */
export async function approve(
  click: Click & { readonly from: 'card' | 'details' },
  deps: DecideDeps,
): Promise<Decided> {
  const found = await open(click, deps);
  if (!found.ok) return found;
  const { revision } = found.stored;
  if (Date.parse(revision.sealed.expiresAt) <= deps.now().getTime()) {
    return refuse({ code: 'expired', at: revision.sealed.expiresAt });
  }
  const { policy, catalogue } = deps.rules();
  if (revision.sealed.policy !== policyDigest(policy) || revision.sealed.catalogue !== catalogue) {
    return refuse({ code: 'rules_changed' });
  }
  const manifests = deps.manifests();
  if (click.from === 'card' && !fitsCard(revision, manifests)) return refuse({ code: 'unseen' });
  const verdict = await mayApprove({ revision, who: click, policy, manifests, people: deps.people });
  if (!verdict.allowed) return refuse({ code: 'not_allowed', verdict });
  return settle(click, found.stored, 'approved', null, deps);
}

/** A no, with its reason. Every full member may stop a plan before it starts: nothing is written by it. */
export async function reject(click: Click & { readonly reason: string }, deps: DecideDeps): Promise<Decided> {
  const found = await openForMember(click, deps);
  if (!found.ok) return found;
  return settle(click, found.stored, 'rejected', click.reason, deps);
}

type Found = { ok: true; stored: StoredRevision } | { ok: false; refusal: Refusal };

/** The open revision behind a click, for editing or a dry run, when this person may do that. */
export async function openForMember(click: Click, deps: DecideDeps): Promise<Found> {
  const found = await open(click, deps);
  if (!found.ok) return found;
  const verdict = await isFullMember(click, deps.people);
  return verdict.allowed ? found : refuse({ code: 'not_allowed', verdict });
}

/** The revision that the value names, if it is the one that was shown and still open. */
async function open(click: Click, deps: DecideDeps): Promise<Found> {
  const ref = readCardRef(click.value);
  if (ref === null) return refuse({ code: 'not_ours' });
  const stored = await deps.revisions.load(click.teamId, ref.requestId, ref.number);
  if (stored === null) return refuse({ code: 'not_found' });
  if (stored.revision.digest !== ref.digest) return refuse({ code: 'tampered' });
  if (stored.state === 'proposed') return { ok: true, stored };
  return refuse(await closed(stored, click.teamId, deps));
}

async function closed(stored: StoredRevision, teamId: string, deps: DecideDeps): Promise<Refusal> {
  const { sealed } = stored.revision;
  if (stored.state === 'superseded') {
    return { code: 'superseded', newest: await deps.revisions.newest(teamId, sealed.requestId) };
  }
  if (stored.state === 'expired') return { code: 'expired', at: sealed.expiresAt };
  return { code: 'decided', current: stored };
}

async function settle(
  click: Click,
  stored: StoredRevision,
  to: 'approved' | 'rejected',
  reason: string | null,
  deps: DecideDeps,
): Promise<Decided> {
  const { revision } = stored;
  const { requestId, number } = revision.sealed;
  const at = deps.now();
  const { teamId, userId: by } = click;
  const { digest } = revision;
  const answer = await deps.revisions.decide({ teamId, requestId, number, digest, to, by, reason, now: at });
  if (answer.ok) return { ok: true, revision, runId: answer.runId, at };
  // Someone else was faster between our look and our try.
  const current = await deps.revisions.load(teamId, requestId, number);
  if (answer.why === 'digest_mismatch') return refuse({ code: 'tampered' });
  if (current === null) return refuse({ code: 'not_found' });
  if (answer.why === 'expired') return refuse({ code: 'expired', at: revision.sealed.expiresAt });
  return refuse(await closed(current, teamId, deps));
}

function refuse(refusal: Refusal): { ok: false; refusal: Refusal } {
  return { ok: false, refusal };
}

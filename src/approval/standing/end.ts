import type { Message, Say } from '../../blocks/message.ts';
import type { Revision } from '../../core/revision.ts';
import type { StandingApproval } from '../../core/standing-approval.ts';
import type { DecisionsPort } from '../card-actions.ts';
import { type DecideDeps, withJoiners } from '../decide.ts';
import type { Click } from '../find-revision.ts';
import type { Judged } from '../may-approve.ts';
import type { StoredRevision } from '../ports.ts';
import { memberPasses } from '../require-member.ts';
import { noStanding, revoked, standingVoid } from './words.ts';

/** A waiting card with a standing approval that may decide it. */
export interface Candidate {
  readonly revision: Revision;
  readonly standing: StandingApproval;
}

export interface StandingPort extends DecisionsPort {
  /** Adds an approval; null when one is already in force. */
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
  /** Activates it and reports that in its card's thread; false when its state has changed. */
  activate(standing: StandingApproval, revision: Revision, message: Message): Promise<boolean>;
  /** Waiting cards, each with a standing approval that may decide it. */
  candidates(): Promise<readonly Candidate[]>;
  standing(id: string): Promise<StandingApproval | null>;
  /** True when it matches what people approved, according to the audit log. */
  isAsGiven(standing: StandingApproval): Promise<boolean>;
  /** Writes of the last 24 hours. */
  used(standing: StandingApproval): Promise<number>;
  /** Ends it, reports that in the thread of `revision` or else in its channel, and stops the runs it granted. */
  end(
    standing: StandingApproval,
    of: { by: string; reason: string; message: Message; revision: Revision | null },
  ): Promise<boolean>;
  /** A message in the thread of a card, once per key. */
  toThread(revision: Revision, key: string, message: Message): Promise<void>;
}

/** A card under the current rules. */
export function judgedNow(stored: StoredRevision, port: DecideDeps): Judged {
  const { policy } = port.rules();
  const now = port.now();
  return { revision: withJoiners(stored), policy, manifests: port.manifests(), people: port.people, now };
}

/** Every full member may stop it, like a run: stopping writes nothing. */
export async function revokeStanding(click: Click, port: StandingPort, say: Say): Promise<void> {
  const { userId, value: id } = click;
  const standing = await port.standing(id);
  const about = standing === null ? {} : { about: `standing:${id}` };
  if (!(await memberPasses('revoke', { ...click, ...about }, port, say))) return;
  if (standing === null || standing.endedAt !== null) return say(noStanding());
  const isEnded = await endStanding(
    standing,
    { by: userId, reason: 'It was revoked.', revision: null },
    port,
  );
  await say(isEnded ? revoked() : noStanding());
}

/** Ends it and reports why, in the thread of `revision` or else in its channel. */
export function endStanding(
  standing: StandingApproval,
  of: { by: string; reason: string; revision: Revision | null },
  port: StandingPort,
): Promise<boolean> {
  return port.end(standing, { ...of, message: standingVoid(standing, of.by, of.reason) });
}

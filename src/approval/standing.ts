import type { Message, Say } from '../blocks/message.ts';
import type { Revision } from '../core/revision.ts';
import type { StandingApproval } from '../core/standing.ts';
import type { Click } from './clicked.ts';
import { type DecideDeps, withJoiners } from './decide.ts';
import type { DecisionsPort } from './decisions.ts';
import { memberPasses } from './members.ts';
import type { StoredRevision } from './ports.ts';
import { noStanding, revoked, standingVoid } from './standing-words.ts';
import type { Judged } from './who.ts';

/** A card that waits, and what may decide it. */
export interface Candidate {
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
  /** True when it is the one that people gave by the audit log. */
  isAsGiven(standing: StandingApproval): Promise<boolean>;
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

/** A card under the rules of now. */
export function judgedNow(stored: StoredRevision, port: DecideDeps): Judged {
  const { policy } = port.rules();
  const now = port.now();
  return { revision: withJoiners(stored), policy, manifests: port.manifests(), people: port.people, now };
}

/** Every full member may stop it, as a run: nothing is written by that. */
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

/** Ends it and says why, where `revision` is discussed or else in its channel. */
export function endStanding(
  standing: StandingApproval,
  of: { by: string; reason: string; revision: Revision | null },
  port: StandingPort,
): Promise<boolean> {
  return port.end(standing, { ...of, message: standingVoid(standing, of.by, of.reason) });
}

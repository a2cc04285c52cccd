import type { JsonObject } from '../core/json.ts';
import * as audit from './audit.ts';
import type { Db } from './tables.ts';
import { takeOnce } from './taken.ts';

/** A click that did nothing, or a stored plan that somebody changed. */
export interface Refused {
  readonly teamId: string;
  readonly at: Date;
  /** Slack id of who clicked. */
  readonly userId: string;
  readonly kind: 'refusal' | 'tampering';
  /** `revision:<request>/<number>`, or `button`. */
  readonly subject: string;
  readonly reason: string;
  readonly facts: JsonObject;
}

/**
 * Notes a refused click, at most once a day for each person, subject and reason, so that no storm of clicks floods
 * the log. A tampered plan is noted once a day, whoever came across it.
 */
export function record(db: Db, refused: Refused): Promise<void> {
  const { teamId, at, userId, kind, subject, reason, facts } = refused;
  const isTampering = kind === 'tampering';
  const key = isTampering ? `tampered:${subject}` : `refused:${userId}:${subject}:${reason}`;
  return db.transaction().execute(async (trx) => {
    if (!(await takeOnce(trx, { teamId, key, at }))) return;
    const line = { teamId, at, actor: userId, subject, data: { reason, ...facts } };
    await audit.append(trx, { ...line, kind: isTampering ? 'revision.tampered' : 'click.refused' });
  });
}

import { sql } from 'kysely';
import { audited } from '../audit/ledger.ts';
import type { JsonObject } from '../core/json.ts';
import type { Db } from './tables.ts';

/** Milliseconds before the same refusal is recorded again. */
const keepMs = 24 * 3_600_000;
/** Number of old rows that one refusal deletes: more than it adds, yet few enough after a busy day and a pause. */
const sweep = 20;

/** A click that had no effect, or a stored plan that was tampered with. */
export interface Refused {
  readonly teamId: string;
  readonly at: Date;
  /** Slack id of the person who clicked. */
  readonly userId: string;
  readonly kind: 'refusal' | 'tampering';
  /** `revision:<request>/<number>`, or `button`. */
  readonly subject: string;
  readonly reason: string;
  readonly facts: JsonObject;
}

/**
 * Records a refused click, at most once a day per person, subject and reason, so that a flood of clicks cannot flood
 * the log. A tampered plan is recorded once a day, whoever found it.
 */
export function record(db: Db, refused: Refused): Promise<void> {
  const { teamId, at, userId, kind, subject, reason, facts } = refused;
  const isTampering = kind === 'tampering';
  const key = isTampering ? `tampered:${subject}` : `refused:${userId}:${subject}:${reason}`;
  const about = { teamId, at, actor: userId, subject, data: { reason, ...facts } };
  const line = { ...about, kind: isTampering ? 'revision.tampered' : 'click.refused' };
  return audited(db, teamId, async (trx) => {
    return { value: undefined, lines: (await isNew(trx, teamId, key, at)) ? [line] : [] };
  });
}

async function isNew(trx: Db, teamId: string, key: string, at: Date): Promise<boolean> {
  await sql`
    delete from refusals where ctid = any (array(
      select ctid from refusals where at < ${new Date(at.getTime() - keepMs)}
      order by at limit ${sql.lit(sweep)} for update skip locked))`.execute(trx);
  const inserted = await trx
    .insertInto('refusals')
    .values({ teamId, key, at })
    .onConflict((conflict) => conflict.columns(['teamId', 'key']).doNothing())
    .returning('key')
    .executeTakeFirst();
  return inserted !== undefined;
}

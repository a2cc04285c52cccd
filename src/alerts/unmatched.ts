import type { AlertsEvent } from '../core/alert.ts';
import * as alerts from '../store/alerts.ts';
import * as outbox from '../store/outbox.ts';
import { messageTo, queued } from '../store/outbox-messages.ts';
import type { AlertProblemRow, AlertRow } from '../store/tables.ts';
import type { AlertContext } from './context.ts';
import { unmatchedLine } from './words.ts';

/** The row that stands for all alerts that no rule fits. */
export const unmatchedId = 'unmatched';
const hourMs = 3_600_000;
/** Alerts kept for the line of an hour. */
const maxKept = 1_000;

/** Keeps alerts that no rule fits, and deliveries that could not be read, for the line of the hour. */
export async function keepUnmatched(
  { alerts: given, unread, door, key }: AlertsEvent,
  { db, teamId, rules, now, log }: AlertContext,
): Promise<void> {
  if (given.length === 0 && unread === 0) return;
  log.info({ door, unmatched: given.length, unread }, 'Alerts that no rule fits, or that could not be read');
  if (rules.unmatched === null) return;
  const channel = rules.unmatched;
  const at = now();
  const row = {
    teamId,
    door,
    problem: unmatchedId,
    state: 'firing',
    labels: {},
    text: '',
    link: '',
  } as const;
  const times = { since: at, until: null, heardAt: at };
  const firing = new Map(
    given.filter(({ state }) => state === 'firing').map((one) => [one.fingerprint, one]),
  );
  const rows = [...firing.values()].map(
    ({ fingerprint, title }): AlertRow => ({ ...row, ...times, fingerprint, title }),
  );
  if (unread > 0) rows.push({ ...row, ...times, fingerprint: key, title: '' });
  if (rows.length === 0) return;
  await db.transaction().execute(async (trx) => {
    const known = await alerts.lockGroup(trx, { teamId, rule: '', service: '' });
    if (known === null) await alerts.open(trx, lineOf(teamId, channel, at));
    const room = maxKept - (await alerts.countOf(trx, { teamId, id: unmatchedId }));
    await alerts.put(trx, rows.slice(0, Math.max(0, room)));
    // `firedAt` is when the last line was posted.
    const next = known === null ? at : new Date(Math.max(at.getTime(), known.firedAt.getTime() + hourMs));
    await alerts.lookBy(trx, { teamId, id: unmatchedId, at: next });
  });
}

function lineOf(teamId: string, channel: string, at: Date): AlertProblemRow {
  return {
    ...{
      teamId,
      id: unmatchedId,
      rule: '',
      service: '',
      channel,
      messageTs: null,
      posted: true,
      shown: null,
    },
    ...{ state: 'open', openedAt: at, firedAt: new Date(0), closedAt: null, firings: 1 },
    ...{ evidence: null, evidenceAt: null, proposed: true, lookAt: at },
  };
}

/** Posts the line, and forgets its alerts. */
export async function sayUnmatched({ db, teamId, rules, now }: AlertContext): Promise<void> {
  const named = { teamId, id: unmatchedId };
  await db.transaction().execute(async (trx) => {
    const row = await alerts.lockProblem(trx, named);
    const rows = row === null ? [] : await alerts.alertsOf(trx, named);
    const at = now();
    if (row !== null && rows.length > 0) {
      const place = { kind: 'channel', channel: rules.unmatched ?? row.channel, threadTs: null } as const;
      const key = `alert:${unmatchedId}:${at.toISOString()}`;
      await outbox.enqueue(trx, queued(messageTo(teamId, place, key, unmatchedLine(rows)), at));
      await alerts.forgetAlerts(trx, named);
    }
    await alerts.change(trx, named, { lookAt: null, ...(rows.length > 0 ? { firedAt: at } : {}) });
  });
}

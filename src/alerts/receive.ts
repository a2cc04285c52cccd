import { randomUUID } from 'node:crypto';
import type { Message } from '../blocks/message.ts';
import {
  type Alert,
  type AlertRule,
  type AlertsEvent,
  pagerdutyDoor,
  ruleFor,
  serviceOf,
} from '../core/alert.ts';
import { isWithin } from '../core/policy.ts';
import * as alerts from '../store/alerts.ts';
import * as outbox from '../store/outbox.ts';
import { alertMessage, queued } from '../store/outbox-messages.ts';
import type { AlertProblemRow, AlertRow, Db } from '../store/tables.ts';
import type { AlertContext } from './context.ts';
import { problemMessage } from './message.ts';
import { staleMs } from './state.ts';
import { keepUnmatched } from './unmatched.ts';
import { alsoFiring, firingAgain } from './words.ts';

/** A problem that begins again so soon is still the same. */
const reopenMs = 3_600_000;
/** A late report of the beginning, which arrives so soon after that of the end, is ignored. */
const lateMs = 300_000;
/** Milliseconds in which the reports of a storm are gathered before its message changes. */
const gatherMs = 2_000;
/** New alerts of a problem that people have seen for so long are mentioned in its thread, this often at most. */
const mentionMs = 300_000;

/** Alerts of one rule and service. */
interface Group {
  readonly rule: AlertRule;
  readonly service: string;
  readonly alerts: Alert[];
}

/** Takes in a delivery. Idempotent: the state of each alert decides whether it is news. */
export async function receiveAlerts(event: AlertsEvent, context: AlertContext): Promise<void> {
  const groups = new Map<string, Group>();
  const unmatched: Alert[] = [];
  const isPagerDuty = event.door === pagerdutyDoor;
  for (const alert of event.alerts) {
    if (isPagerDuty && (await context.isOwnPage(alert.labels.incident_key ?? ''))) continue;
    const rule = ruleFor(alert, event.door, context.rules.rules);
    if (rule === null) unmatched.push(alert);
    if (rule?.channel == null) continue;
    const service = serviceOf(rule, alert);
    const key = JSON.stringify([rule.name, service]);
    const group = groups.get(key) ?? { rule, service, alerts: [] };
    group.alerts.push(alert);
    groups.set(key, group);
  }
  for (const group of groups.values()) await receive(group, event.door, context);
  // PagerDuty reports all of its incidents, whatever the rules are.
  if (!isPagerDuty) await keepUnmatched({ ...event, alerts: unmatched }, context);
  context.kick();
}

function receive(
  { rule, service, alerts: given }: Group,
  door: string,
  context: AlertContext,
): Promise<void> {
  const { db, teamId, now } = context;
  return db.transaction().execute(async (trx) => {
    const latest = await alerts.lockGroup(trx, { teamId, rule: rule.name, service });
    const fingerprints = given.map(({ fingerprint }) => fingerprint);
    const before = new Map(
      (await alerts.known(trx, { teamId, door, fingerprints })).map((row) => [row.fingerprint, row]),
    );
    const news = newsIn(given, before, { teamId, door, at: now() });
    if (news.length === 0) return;
    const began = news.filter(
      (row) => row.state === 'firing' && before.get(row.fingerprint)?.state !== 'firing',
    );
    const isFiring = news.some(({ state }) => state === 'firing');
    const problem = isFiring ? await problemFor({ rule, service, latest, began }, trx, context) : null;
    const rows = news.map((row) => ({
      ...row,
      problem:
        row.state === 'firing' ? (problem?.id ?? null) : (before.get(row.fingerprint)?.problem ?? null),
    }));
    await alerts.put(trx, rows);
    // A change of the rules may have moved an alert to another problem.
    const touched = [...rows, ...before.values()].flatMap(({ problem: id }) => id ?? []);
    const at = new Date(now().getTime() + gatherMs);
    for (const id of new Set(touched)) await alerts.lookBy(trx, { teamId, id, at });
    if (problem?.isNew) await show({ ...problem, rows, rule }, trx, context);
  });
}

/** The rows to store: reports that are older than what is known are left out. */
export function newsIn(
  given: readonly Alert[],
  before: ReadonlyMap<string, AlertRow>,
  of: { readonly teamId: string; readonly door: string; readonly at: Date },
): AlertRow[] {
  const rows = new Map<string, AlertRow>();
  for (const alert of given) {
    const last = rows.get(alert.fingerprint) ?? before.get(alert.fingerprint);
    const row = rowOf(alert, last, of);
    if (row !== null) rows.set(alert.fingerprint, row);
  }
  return [...rows.values()];
}

/** Null for a report that is older than the last one. */
function rowOf(
  alert: Alert,
  last: AlertRow | undefined,
  { teamId, door, at }: { readonly teamId: string; readonly door: string; readonly at: Date },
): AlertRow | null {
  const { fingerprint, state, labels, title, text, link } = alert;
  const [since, until] = [timeOf(alert.since, at), timeOf(alert.until, at)];
  const row = { teamId, door, fingerprint, problem: null, state, labels, title, text, link, heardAt: at };
  if (state === 'resolved') {
    const ended = until ?? since;
    if (last !== undefined && ended !== null && ended < last.since) return null;
    return { ...row, since: last?.since ?? since ?? at, until: until ?? at };
  }
  if (last?.state === 'firing')
    return { ...row, since: since !== null && since > last.since ? since : last.since, until: null };
  const isOld = last !== undefined && since !== null && since <= (last.until ?? last.since);
  const isLate = isOld && at.getTime() - last.heardAt.getTime() < lateMs;
  return isLate ? null : { ...row, since: since ?? at, until: null };
}

/** Monitoring may have another clock than we. */
function timeOf(said: string | null, now: Date): Date | null {
  if (said === null) return null;
  const at = new Date(said);
  return at > now ? now : at;
}

interface Found {
  readonly id: string;
  readonly problem: AlertProblemRow;
  readonly isNew: boolean;
}

/** The problem that firing alerts belong to: the open one, one that was over a moment ago, or a new one. */
async function problemFor(
  of: {
    readonly rule: AlertRule;
    readonly service: string;
    readonly latest: AlertProblemRow | null;
    readonly began: readonly AlertRow[];
  },
  trx: Db,
  context: AlertContext,
): Promise<Found> {
  const { latest, began } = of;
  const now = context.now();
  if (latest?.state === 'open' && !(await isForgotten(latest, trx, now))) {
    if (began.length > 0 && now.getTime() - latest.firedAt.getTime() > mentionMs)
      await reply(trx, latest, `more:${Math.floor(now.getTime() / mentionMs)}`, alsoFiring(began), context);
    return { id: latest.id, problem: latest, isNew: false };
  }
  const closedAt = latest?.state === 'closed' ? latest.closedAt : null;
  const isSame = latest !== null && closedAt !== null && now.getTime() - closedAt.getTime() < reopenMs;
  if (!isSame || !latest.posted) return { ...openNew(of, context), isNew: true };
  const firings = latest.firings + 1;
  const fresh = { state: 'open', firedAt: now, closedAt: null, firings, lookAt: now } as const;
  await alerts.change(trx, latest, { ...fresh, proposed: firings > maxTold });
  if (firings <= maxTold)
    await reply(trx, latest, `again:${firings}`, firingAgain(firings, firings === maxTold), context);
  return { id: latest.id, problem: latest, isNew: false };
}

/** A problem that begins more often is updated without a word: it flaps. */
export const maxTold = 3;

/** Nothing was heard of an open problem for so long that its message is out of sight. */
async function isForgotten(problem: AlertProblemRow, trx: Db, now: Date): Promise<boolean> {
  const rows = await alerts.alertsOf(trx, problem);
  const heard = Math.max(problem.firedAt.getTime(), ...rows.map(({ heardAt }) => heardAt.getTime()));
  return now.getTime() - heard > staleMs;
}

function openNew(
  { rule, service }: { readonly rule: AlertRule; readonly service: string },
  { teamId, now }: AlertContext,
): Omit<Found, 'isNew'> {
  const at = now();
  const id = randomUUID();
  const isQuiet = rule.quiet !== null && isWithin(rule.quiet, at);
  const problem: AlertProblemRow = {
    ...{ teamId, id, rule: rule.name, service, channel: rule.channel?.id ?? '', messageTs: null },
    ...{
      posted: !isQuiet,
      shown: null,
      state: 'open',
      openedAt: at,
      firedAt: at,
      closedAt: null,
      firings: 1,
    },
    ...{ evidence: null, evidenceAt: null, proposed: false, lookAt: at },
  };
  return { id, problem };
}

/** Stores a new problem with its first words; evidence follows. */
async function show(
  { problem, rows, rule }: Found & { readonly rows: readonly AlertRow[]; readonly rule: AlertRule },
  trx: Db,
  context: AlertContext,
): Promise<void> {
  await alerts.open(trx, problem);
  if (!problem.posted) return;
  const message = problemMessage({ problem, alerts: rows, rule, evidence: null }, context);
  const key = { teamId: context.teamId, id: problem.id };
  await outbox.enqueue(trx, queued(alertMessage(key, 'message', 'first', message), context.now()));
}

/** A reply in the thread of a problem, once per key; none before its message was queued. */
export async function reply(
  trx: Db,
  { id, posted }: AlertProblemRow,
  key: string,
  message: Message,
  { teamId, now }: AlertContext,
): Promise<void> {
  if (posted) await outbox.enqueue(trx, queued(alertMessage({ teamId, id }, 'reply', key, message), now()));
}

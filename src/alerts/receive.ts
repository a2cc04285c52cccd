import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Message } from '../blocks/message.ts';
import {
  type Alert,
  type AlertRule,
  type AlertsEvent,
  pagerdutyDoor,
  ruleFor,
  serviceOf,
} from '../core/alert.ts';
import { describeError } from '../core/errors.ts';
import { isWithin } from '../core/policy.ts';
import * as alerts from '../store/alerts.ts';
import * as outbox from '../store/outbox.ts';
import { alertMessage, queued } from '../store/outbox-messages.ts';
import type { AlertProblemRow, AlertRow, Db } from '../store/tables.ts';
import type { AlertContext } from './context.ts';
import { problemMessage } from './message.ts';
import { newsIn } from './news.ts';
import { staleMs } from './state.ts';
import { keepUnmatched } from './unmatched.ts';
import { alsoFiring, firingAgain } from './words.ts';

/** A problem that begins again so soon is still the same. */
const reopenMs = 3_600_000;
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
  const hidden: string[] = [];
  const isPagerDuty = event.door === pagerdutyDoor;
  for (const alert of await withFirstLabels(event, context)) {
    if (isPagerDuty && (await context.isOwnPage(alert.labels.incident_key ?? ''))) continue;
    const rule = ruleFor(alert, event.door, context.rules.rules);
    if (rule === null) unmatched.push(alert);
    else if (rule.channel === null) hidden.push(alert.fingerprint);
    if (rule?.channel == null) continue;
    // Unknown names form one group: labels must not be able to make a message each.
    const named = serviceOf(rule, alert);
    const service = context.services.has(named) ? named : '';
    const key = JSON.stringify([rule.name, service]);
    const group = groups.get(key) ?? { rule, service, alerts: [] };
    group.alerts.push(alert);
    groups.set(key, group);
  }
  const { db, teamId, now } = context;
  const left = { teamId, door: event.door, fingerprints: hidden };
  if (hidden.length > 0) await withRetries(() => alerts.forgetHidden(db, left, now()), context);
  for (const group of groups.values()) await withRetries(() => receive(group, event.door, context), context);
  // PagerDuty reports all of its incidents, whatever the rules are.
  if (!isPagerDuty) await withRetries(() => keepUnmatched({ ...event, alerts: unmatched }, context), context);
  context.kick();
}

/** An alert that is over belongs to the rule that it began under, even if its last report has fewer or other labels. */
async function withFirstLabels(
  { alerts: given, door }: AlertsEvent,
  { db, teamId, rules }: AlertContext,
): Promise<readonly Alert[]> {
  const lost = given.filter(
    (alert) => alert.state === 'resolved' && ruleFor(alert, door, rules.rules)?.channel == null,
  );
  if (lost.length === 0) return given;
  const fingerprints = lost.map(({ fingerprint }) => fingerprint);
  const rows = await alerts.known(db, { teamId, door, fingerprints });
  const before = new Map(rows.map(({ fingerprint, labels }) => [fingerprint, labels]));
  return given.map((alert) => {
    const labels = lost.includes(alert) ? before.get(alert.fingerprint) : undefined;
    return labels === undefined ? alert : { ...alert, labels: { ...alert.labels, ...labels } };
  });
}

const maxAttempts = 4;
const firstPauseMs = 250;

/** The delivery was acknowledged: a moment without the database, or a deadlock, must not lose it. */
async function withRetries(work: () => Promise<void>, { log }: AlertContext): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (attempt === maxAttempts) throw error;
      log.warn({ attempt, ...describeError(error) }, 'Alerts could not be stored; trying again');
      await pause(firstPauseMs * 4 ** (attempt - 1));
    }
  }
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
    await alerts.put(trx, await withinBounds(rows, before, trx, context));
    // A change of the rules may have moved an alert to another problem.
    const touched = [...rows, ...before.values()].flatMap(({ problem: id }) => id ?? []);
    const at = new Date(now().getTime() + gatherMs);
    for (const id of new Set(touched)) await alerts.lookBy(trx, { teamId, id, at });
    if (problem?.fresh) await show({ problem: problem.fresh, rows, rule }, trx, context);
  });
}

/** Alerts kept of one problem; a source that names each alert anew would fill the disk. */
const maxOfProblem = 2_000;

/** Leaves out alerts that a problem has no room for: it is firing, and its message names a few of them. */
async function withinBounds(
  rows: readonly AlertRow[],
  before: ReadonlyMap<string, AlertRow>,
  trx: Db,
  { log }: AlertContext,
): Promise<readonly AlertRow[]> {
  const fresh = rows.filter(({ fingerprint }) => !before.has(fingerprint));
  const [first] = fresh.flatMap(({ teamId, problem: id }) => (id === null ? [] : [{ teamId, id }]));
  const room = first === undefined ? fresh.length : maxOfProblem - (await alerts.countOf(trx, first));
  if (fresh.length <= room) return rows;
  const dropped = new Set(fresh.slice(Math.max(0, room)));
  log.warn({ dropped: dropped.size }, 'A problem has too many alerts; further ones are left out');
  return rows.filter((row) => !dropped.has(row));
}

interface Found {
  readonly id: string;
  /** The row to store; null for a problem that is stored already. */
  readonly fresh: AlertProblemRow | null;
}

/** The problem that firing alerts belong to: the open one, one that was over a moment ago, or a new one. */
async function problemFor(
  of: {
    readonly rule: AlertRule;
    readonly service: string;
    readonly latest: alerts.ProblemLife | null;
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
    return { id: latest.id, fresh: null };
  }
  const closedAt = latest?.state === 'closed' ? latest.closedAt : null;
  const isSame = latest !== null && closedAt !== null && now.getTime() - closedAt.getTime() < reopenMs;
  if (!isSame || !latest.posted) return openNew(of, context);
  const firings = latest.firings + 1;
  const again = { state: 'open', firedAt: now, closedAt: null, firings, lookAt: now } as const;
  await alerts.change(trx, latest, { ...again, proposed: firings > maxTold });
  if (firings <= maxTold)
    await reply(trx, latest, `again:${firings}`, firingAgain(firings, firings === maxTold), context);
  return { id: latest.id, fresh: null };
}

/** A problem that begins more often is updated without a word: it flaps. */
export const maxTold = 3;

/** True for an open problem whose last report is so old that people no longer see its message. */
async function isForgotten(problem: alerts.ProblemLife, trx: Db, now: Date): Promise<boolean> {
  const before = new Date(now.getTime() - staleMs);
  return problem.firedAt < before && !(await alerts.isHeardSince(trx, problem, before));
}

function openNew(
  { rule, service }: { readonly rule: AlertRule; readonly service: string },
  { teamId, now }: AlertContext,
): Found {
  const at = now();
  const id = randomUUID();
  const isQuiet = rule.quiet !== null && isWithin(rule.quiet, at);
  const fresh: AlertProblemRow = {
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
  return { id, fresh };
}

/** Stores a new problem with its first words; evidence follows. */
async function show(
  of: { readonly problem: AlertProblemRow; readonly rows: readonly AlertRow[]; readonly rule: AlertRule },
  trx: Db,
  context: AlertContext,
): Promise<void> {
  const { problem, rows, rule } = of;
  await alerts.open(trx, problem);
  if (!problem.posted) return;
  const message = problemMessage({ problem, alerts: rows, rule, evidence: null }, context);
  const key = { teamId: context.teamId, id: problem.id };
  await outbox.enqueue(trx, queued(alertMessage(key, 'message', 'first', message), context.now()));
}

/** A reply in the thread of a problem, once per key; none before its message was queued. */
export async function reply(
  trx: Db,
  { id, posted }: Pick<AlertProblemRow, 'id' | 'posted'>,
  key: string,
  message: Message,
  { teamId, now }: AlertContext,
): Promise<void> {
  if (posted) await outbox.enqueue(trx, queued(alertMessage({ teamId, id }, 'reply', key, message), now()));
}

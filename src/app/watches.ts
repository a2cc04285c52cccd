import { setTimeout as pause } from 'node:timers/promises';
import type { CardState } from '../approval/card-state.ts';
import { type GatePort, ownerPasses } from '../approval/members.ts';
import { readApprover } from '../config/build.ts';
import type { OperatorConfig } from '../config/schema.ts';
import { describeError, VendorError } from '../core/errors.ts';
import { jsonOf } from '../core/json.ts';
import type { Log } from '../core/log.ts';
import type { Manifest } from '../core/manifest.ts';
import { type Revision, unseal } from '../core/revision.ts';
import { scheduleName, type Watch } from '../core/watch.ts';
import type { Pipeline } from '../pipeline.ts';
import { readSubcommand } from '../request/subcommand.ts';
import type { ClockPort } from '../request/watches/clock.ts';
import type { EndPort } from '../request/watches/end.ts';
import type { KeepPort } from '../request/watches/keep.ts';
import type { ProblemState, WatchWord } from '../request/watches/tick.ts';
import { watchFailed, watchSaid } from '../request/watches/words.ts';
import { readUnattended } from '../run/unattended.ts';
import type { Stages } from '../stages.ts';
import { decide } from '../store/decide.ts';
import { incidentsOfThread } from '../store/incidents.ts';
import * as outbox from '../store/outbox.ts';
import * as requests from '../store/requests.ts';
import * as revisions from '../store/revisions.ts';
import * as runs from '../store/runs.ts';
import type { RequestRow, RevisionRow } from '../store/tables.ts';
import * as watches from '../store/watches.ts';
import type { PagerDutyReader } from '../vendors/pagerduty/port.ts';
import { runIdOf } from './approval-stage.ts';
import { type Books, requestBook } from './books.ts';
import type { HandOver } from './handover.ts';
import type { TickEvent } from './inbox.ts';
import type { Reporting } from './reporting.ts';
import { fileWatches, limitsOf, newRow, watchOf } from './watch-rows.ts';
import { noWriters, type ReadingWorkspace } from './workspace.ts';

export interface WatchDeps extends Books {
  readonly config: Pick<OperatorConfig, 'watches' | 'operators'>;
  readonly reporting: Pick<Reporting, 'toWatch' | 'toThread' | 'toChannel' | 'kick' | 'card'>;
  readonly review: Stages['review'];
  readonly pagerduty: Pick<PagerDutyReader, 'incident'>;
  readonly gate: GatePort;
  readonly workspace: Pick<ReadingWorkspace, 'tools' | 'readers' | 'catalogue' | 'policy'>;
  readonly manifests: ReadonlyMap<string, Manifest>;
  readonly now: () => Date;
  readonly log: Log;
}

const incidentMs = 5_000;

export function endPort({ db, teamId, reporting, config, gate, now }: WatchDeps): EndPort {
  const operators = config.operators.map(readApprover);
  return {
    async load(id) {
      const row = await watches.get(db, { teamId, id });
      return row && watchOf(row);
    },
    async end({ id }, { by, reason, message }) {
      const messages = [
        reporting.toWatch(teamId, id, 'update', { key: `watch:${id}:state`, message }),
        reporting.toWatch(teamId, id, 'reply', { key: `watch:${id}:ended`, message }),
      ];
      const isEnded = await watches.end(db, { teamId, id, by, reason, at: now(), messages });
      if (isEnded) reporting.kick();
      return isEnded;
    },
    mayEnd({ id, owner }, who, say) {
      const click = { ...who, teamId, value: id, about: `watch:${id}` };
      return ownerPasses('end_watch', click, owner, { ...gate, operators }, say);
    },
  };
}

export function keepPort(deps: WatchDeps): KeepPort {
  const { db, teamId, reporting, config, review, workspace, manifests, now, log } = deps;
  return {
    ...endPort(deps),
    limits: limitsOf(config),
    requests: requestBook(deps),
    async insert(watch, { threadTs, message }) {
      const { perPerson, inAll } = limitsOf(config);
      const row = newRow(teamId, watch, { entry: null, threadTs, createdAt: now() });
      const made = reporting.toWatch(teamId, watch.id, 'message', { key: `watch:${watch.id}`, message });
      const stored = await watches.insert(db, row, { perPerson, inAll, messages: [made] });
      if (stored === 'new') reporting.kick();
      return stored;
    },
    review: (plan, channel) => review(plan, channel).findings,
    look: (watch, plan) => {
      const of = { teamId, requestId: `watch-${watch.id}`, requester: watch.owner, plan };
      return readUnattended(
        { ...workspace, writers: noWriters, now, sleep: pause, random: Math.random, log },
        of,
      );
    },
    async store(watch, { key, alarm, found, problem, asked, words }) {
      const told = await Promise.all(words.map((word) => messageOf(watch, word, deps)));
      const look = { teamId, id: watch.id, key, alarm: jsonOf(alarm), found, problem, asked, at: now() };
      const isStored = await watches.look(db, { ...look, messages: told });
      if (isStored && told.length > 0) reporting.kick();
      return isStored;
    },
    problem: (requestId) => problemState(requestId, deps),
    async threadOf(requestId) {
      const found = await headOf(requestId, deps);
      return found?.request.threadTs ?? found?.row?.cardTs ?? null;
    },
    closeCard: (requestId, reason) => closeCard(requestId, reason, deps),
    setPlan: (id, plan, planner) => watches.setPlan(db, { teamId, id, plan: jsonOf(plan), planner }),
    manifests: () => manifests,
    now,
  };
}

/** The request of a problem, or the one that it joined, with its newest revision. */
async function headOf(
  requestId: string,
  { db, teamId }: Books,
): Promise<{ request: RequestRow; row: RevisionRow | null; isJoined: boolean } | null> {
  const own = await requests.get(db, teamId, requestId);
  const isJoined = own !== null && own.joined !== null;
  const request = isJoined ? await requests.get(db, teamId, own.joined ?? '') : own;
  if (request === null) return null;
  return { request, row: await revisions.latest(db, teamId, request.id), isJoined };
}

/** Where a word goes: the thread of the problem's card or answer, else to where the watch is known. */
async function messageOf(
  { id, problem, channel }: Watch,
  { to, key, message }: WatchWord,
  deps: WatchDeps,
): Promise<outbox.OutboxMessage> {
  const { teamId, reporting } = deps;
  const row = to === 'problem' && problem !== null ? (await headOf(problem, deps))?.row : null;
  if (row) return reporting.toThread({ teamId, requestId: row.requestId, number: row.number }, key, message);
  if (to === 'watch') return reporting.toWatch(teamId, id, 'reply', { key, message });
  return reporting.toChannel(teamId, channel, key, message);
}

async function problemState(requestId: string, deps: WatchDeps): Promise<ProblemState> {
  const { db, teamId, now } = deps;
  const head = await headOf(requestId, deps);
  if (head === null) return { kind: 'settled' };
  const { request, row } = head;
  if (request.state === 'planning' || request.state === 'asking') return { kind: 'under_way' };
  if (row === null) return { kind: 'settled' };
  if (row.state === 'proposed') return { kind: row.expiresAt > now() ? 'waits' : 'expired' };
  if (row.state === 'expired') return { kind: 'expired' };
  if (row.state !== 'approved') return { kind: 'settled' };
  const run = await runs.get(db, { teamId, runId: runIdOf(row.requestId, row.number) });
  if (run?.state === 'running') return { kind: 'under_way' };
  return { kind: 'acted', incident: await incidentState(request, deps) };
}

/** Of several incidents one that is open counts; what cannot be asked counts as open, so that nobody is asked twice. */
async function incidentState(
  request: Parameters<typeof incidentsOfThread>[1],
  { db, pagerduty }: WatchDeps,
): Promise<'none' | 'open' | 'resolved'> {
  const ids = await incidentsOfThread(db, request);
  if (ids.length === 0) return 'none';
  try {
    const signal = AbortSignal.timeout(incidentMs);
    const found = await Promise.all(ids.map((id) => pagerduty.incident(id, signal)));
    return found.some((one) => one !== null && one.state !== 'resolved') ? 'open' : 'resolved';
  } catch (error) {
    if (error instanceof VendorError) return 'open';
    throw error;
  }
}

/** A card that somebody else asked for as well stays. */
async function closeCard(requestId: string, reason: string, deps: WatchDeps): Promise<void> {
  const { db, teamId, reporting, now } = deps;
  const head = await headOf(requestId, deps);
  if (head?.row?.state !== 'proposed' || head.isJoined) return;
  const others = await requests.joinersOf(db, teamId, requestId);
  if (others.requesters.some((one) => one !== head.request.requester)) return;
  const { row } = head;
  const by = 'system';
  const { number, digest } = row;
  const at = now();
  const closed = await decide(db, {
    teamId,
    requestId,
    number,
    digest,
    to: 'cancelled',
    by,
    reason,
    now: at,
  });
  if (!closed.ok) return;
  await requests.setState(db, { teamId, id: requestId, to: 'closed' });
  const revision: Revision = unseal(row.bytes, row.digest);
  const state: CardState = { kind: 'cancelled', by, at: at.toISOString(), reason };
  await reporting.card(revision, state);
}

export function tickKey(id: string, tick: Date): string {
  return `watch:${id}:${tick.toISOString()}`;
}

/** `look`: works on a tick that this process took. */
export function clockPort(
  deps: WatchDeps & { readonly executor: string },
  look: (event: TickEvent) => Promise<void>,
): ClockPort {
  const { db, teamId, reporting, executor, manifests, now, log } = deps;
  const eventOf = (id: string, tick: Date): TickEvent => ({
    type: 'tick',
    key: tickKey(id, tick),
    watch: id,
  });
  return {
    due: async (at) => (await watches.due(db, teamId, at)).map(watchOf),
    async claim({ watch: { id, nextAt }, next, missed, tick, message }) {
      const last = missed.at(-1);
      const key = last === undefined ? '' : `${tickKey(id, last)}:missed`;
      const messages = message === null ? [] : [reporting.toWatch(teamId, id, 'reply', { key, message })];
      const event = tick === null ? null : eventOf(id, tick);
      const taken =
        event === null || tick === null ? null : { at: tick, key: event.key, event: jsonOf(event) };
      const watch = { teamId, id, nextAt };
      const isTaken = await watches.claim(db, {
        watch,
        next,
        missed,
        tick: taken,
        messages,
        executor,
        now: now(),
      });
      if (isTaken && messages.length > 0) reporting.kick();
      return isTaken;
    },
    look: ({ id }, tick) => look(eventOf(id, tick)),
    end: endPort(deps).end,
    manifests: () => manifests,
    now,
    log,
  };
}

/** Makes the schedules of the operator's file what they are in it now. */
export function keepFile(
  of: Books & { config: OperatorConfig; standsOn: string; now: () => Date },
): Promise<void> {
  const { db, teamId, config, standsOn } = of;
  const now = of.now();
  return watches.syncFile(db, teamId, fileWatches(config, { teamId, standsOn, now }), now);
}

/** A look; what would be said to a person who asked is said where the watch speaks. */
export async function onTick(
  event: TickEvent,
  pipeline: Pipeline,
  deps: WatchDeps,
  handOver: HandOver,
): Promise<void> {
  const { db, teamId, reporting } = deps;
  const { key, watch: id } = event;
  const due = await watches.get(db, { teamId, id });
  const said = due === null || scheduleName(due.owner) === null ? null : readSubcommand(due.goal);
  if (due !== null && said?.kind === 'handover') return handOver(due.channel, said.hours, key);
  await pipeline.ticked({ id, key }, async (message) => {
    const row = await watches.get(db, { teamId, id });
    if (row === null) return;
    const words = { key: `${key}:word`, message: watchSaid(watchOf(row), message) };
    await tell(db, reporting, reporting.toWatch(teamId, id, 'reply', words));
  });
}

/** Says that a look failed. */
export async function tickFailed(event: TickEvent, error: unknown, deps: WatchDeps): Promise<void> {
  const { db, teamId, reporting, log } = deps;
  const { key, watch: id } = event;
  log.error({ watch: id, ...describeError(error) }, 'A watch failed');
  const row = await watches.get(db, { teamId, id });
  if (row === null) return;
  const message = watchFailed(watchOf(row), describeError(error).message);
  await tell(db, reporting, reporting.toWatch(teamId, id, 'reply', { key: `${key}:failed`, message }));
}

async function tell(
  db: Books['db'],
  reporting: Pick<Reporting, 'kick'>,
  message: outbox.OutboxMessage,
): Promise<void> {
  await outbox.enqueue(db, message);
  reporting.kick();
}

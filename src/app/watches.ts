import { setTimeout as pause } from 'node:timers/promises';
import { type GatePort, ownerPasses } from '../approval/require-member.ts';
import { readApprover } from '../config/build-catalogue.ts';
import type { OperatorConfig } from '../config/schema.ts';
import { sortRows } from '../core/damaged-row.ts';
import { describeError } from '../core/errors.ts';
import { jsonOf } from '../core/json.ts';
import type { Log } from '../core/log.ts';
import type { Manifest } from '../core/manifest.ts';
import type { Watch } from '../core/watch.ts';
import type { Pipeline } from '../pipeline.ts';
import { readUnattended } from '../run/run-reads.ts';
import type { Stages } from '../stages.ts';
import { setPlan, syncFile } from '../store/file-watches.ts';
import * as outbox from '../store/outbox.ts';
import type { WatchRow } from '../store/tables.ts';
import * as watches from '../store/watches.ts';
import type { ClockPort } from '../watches/clock.ts';
import type { EndPort } from '../watches/end.ts';
import type { KeepPort } from '../watches/keep.ts';
import { closeCard } from '../watches/problem.ts';
import type { WatchWord } from '../watches/tick.ts';
import { watchChanged, watchFailed, watchSaid } from '../watches/words.ts';
import { noWriters } from './build-workspace.ts';
import type { TickEvent } from './inbox.ts';
import type { ReadingWorkspace } from './process-context.ts';
import type { Reporting } from './reporting.ts';
import { type Books, requestBook } from './stored-requests.ts';
import { type ProblemDeps, problemPort } from './watch-problem.ts';
import { fileWatches, limitsOf, newRow, watchOf, watchReader } from './watch-rows.ts';

export interface WatchDeps extends ProblemDeps {
  readonly config: Pick<OperatorConfig, 'watches' | 'operators'>;
  readonly reporting: Pick<
    Reporting,
    'toWatch' | 'toThread' | 'toChannel' | 'kick' | 'cardMessage' | 'damagedCard'
  >;
  readonly review: Stages['review'];
  readonly gate: GatePort;
  readonly workspace: Pick<ReadingWorkspace, 'tools' | 'readers' | 'catalogue' | 'policy'>;
  readonly manifests: ReadonlyMap<string, Manifest>;
  /** Posts the handover for the next shift to a channel, once per key. */
  readonly handOver: (channel: string, hours: number, key: string) => Promise<void>;
  readonly log: Log;
}

export function endPort(deps: WatchDeps): EndPort {
  const { db, teamId, reporting, config, gate, now } = deps;
  const operators = config.operators.map(readApprover);
  return {
    async load(id) {
      const row = await watches.get(db, { teamId, id });
      return row && watchOf(row);
    },
    async end({ id, problem }, { by, reason, message }) {
      await closeItsCard(problem, 'The watch that asked for it has ended.', deps);
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

/** The watch's old card is cancelled before the watch changes, so that a process dying in between leaves no open card. */
async function closeItsCard(problem: string | null, reason: string, deps: WatchDeps): Promise<void> {
  if (problem !== null) await closeCard(problem, reason, problemPort(deps));
}

export function keepPort(deps: WatchDeps): KeepPort & EndPort {
  const { db, teamId, reporting, config, review, workspace, manifests, now, log } = deps;
  return {
    ...endPort(deps),
    ...problemPort(deps),
    teamId,
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
    async change(watch, { by, cause, message }) {
      const { id } = watch;
      const row = newRow(teamId, watch, { entry: null, threadTs: null, createdAt: now() });
      const messages = [
        reporting.toWatch(teamId, id, 'update', { key: `watch:${id}:state`, message }),
        reporting.toWatch(teamId, id, 'reply', {
          key: `watch:${id}:changed:${cause}`,
          message: watchChanged(watch, by),
        }),
      ];
      const before = await watches.get(db, { teamId, id });
      await closeItsCard(before?.problem ?? null, 'The watch that asked for it was changed.', deps);
      const isChanged = await watches.change(db, { ...row, by, at: now(), messages });
      if (isChanged) reporting.kick();
      return isChanged;
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
      const told = words.map((word) => messageOf(watch, word, deps));
      const look = { teamId, id: watch.id, key, alarm: jsonOf(alarm), found, problem, asked, at: now() };
      const isStored = await watches.look(db, { ...look, messages: told });
      if (isStored && told.length > 0) reporting.kick();
      return isStored;
    },
    handOver: deps.handOver,
    setPlan: (id, plan, planner) => setPlan(db, { teamId, id, plan: jsonOf(plan), planner }),
    manifests: () => manifests,
  };
}

function messageOf(
  { id, channel }: Watch,
  { to, key, message }: WatchWord,
  { teamId, reporting }: WatchDeps,
): outbox.OutboxMessage {
  if (to === 'watch') return reporting.toWatch(teamId, id, 'reply', { key, message });
  if (to === 'channel') return reporting.toChannel(teamId, channel, key, message);
  const { requestId, number } = to;
  return reporting.toThread({ teamId, requestId, number }, key, message);
}

export function tickKey(id: string, tick: Date): string {
  return `watch:${id}:${tick.toISOString()}`;
}

/** Milliseconds before a damaged watch is read again. */
const putOffMs = 3_600_000;

/** A damaged watch must not take the place of others; it still ends on time. */
async function putAside({ id, until }: WatchRow, at: Date, { db, teamId }: WatchDeps): Promise<void> {
  if (until === null || until > at)
    return watches.putOff(db, { teamId, id, until: new Date(at.getTime() + putOffMs) });
  const ended = { by: 'system', reason: 'It reached its end date.', messages: [] };
  await watches.end(db, { teamId, id, at, ...ended });
}

/** `look`: processes a tick claimed by this process. */
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
    async due(at) {
      const rows = sortRows(await watches.due(db, teamId, at), watchReader, deps.damaged);
      for (const row of rows.damaged) await putAside(row, at, deps);
      return rows.sound;
    },
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

/** Synchronises the watches with the schedules of the operator's file. */
export function keepFile(
  of: Books & { config: OperatorConfig; standsOn: string; now: () => Date },
): Promise<void> {
  const { db, teamId, config, standsOn } = of;
  const now = of.now();
  return syncFile(db, teamId, fileWatches(config, { teamId, standsOn, now }), now);
}

/** Runs a check; private messages to a requester go to the watch's channel instead. */
export async function onTick(event: TickEvent, pipeline: Pipeline, deps: WatchDeps): Promise<void> {
  const { db, teamId, reporting } = deps;
  const { key, watch: id } = event;
  await pipeline.ticked({ id, key }, async (message) => {
    const row = await watches.get(db, { teamId, id });
    if (row === null) return;
    const words = { key: `${key}:word`, message: watchSaid(watchOf(row), message) };
    await tell(db, reporting, reporting.toWatch(teamId, id, 'reply', words));
  });
}

/** Reports that a check failed. */
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

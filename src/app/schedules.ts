import type { Message } from '../blocks/message.ts';
import type { OperatorConfig, ScheduleConfig } from '../config/schema.ts';
import { describeError } from '../core/errors.ts';
import type { Log } from '../core/log.ts';
import { own } from '../core/own.ts';
import type { Pipeline } from '../pipeline.ts';
import { requestIdOf } from '../request/intake.ts';
import { scheduleFailed, scheduleNotPlanned, scheduleSkipped } from '../request/schedule-words.ts';
import { type SchedulePorts, startSchedules } from '../request/schedules.ts';
import * as inbox from '../store/inbox.ts';
import { isOpen } from '../store/threads.ts';
import * as ticks from '../store/ticks.ts';
import type { Books } from './books.ts';
import type { Arrivals, TickEvent } from './inbox.ts';
import type { Reporting } from './reporting.ts';

export interface ScheduleDeps extends Books {
  readonly config: Pick<OperatorConfig, 'schedules' | 'channels'>;
  readonly reporting: Reporting;
  readonly expiresMinutes: number;
  readonly now: () => Date;
  readonly log: Log;
}

/** Milliseconds after which a tick that was taken has been stored as a request, unless its process died in between. */
const graceMs = 5_000;

const keyOf = (schedule: { name: string }, tick: Date) => `schedule:${schedule.name}:${tick.toISOString()}`;

/** What a schedule asks for, as if a person had typed it after `/plan`. */
function goalOf(schedule: ScheduleConfig): string {
  if (schedule.goal !== undefined) return schedule.goal;
  const inputs = Object.entries(schedule.inputs).map(([name, value]) => `${name}=${JSON.stringify(value)}`);
  return ['run', schedule.playbook, ...inputs].join(' ');
}

function channelOf({ config }: Pick<ScheduleDeps, 'config'>, { channel }: ScheduleConfig): string {
  return own(config.channels, channel)?.id ?? '';
}

function tell(deps: ScheduleDeps, schedule: ScheduleConfig, key: string, message: Message): Promise<void> {
  const place = { kind: 'channel', channel: channelOf(deps, schedule), threadTs: null } as const;
  return deps.reporting.send(deps.teamId, place, key, message);
}

function scheduleNamed({ config }: ScheduleDeps, name: string): ScheduleConfig | undefined {
  return config.schedules.find((one) => one.name === name);
}

/** A tick asks as a person would; what would be said to a person is said to the channel. */
export async function onTick(event: TickEvent, pipeline: Pipeline, deps: ScheduleDeps): Promise<void> {
  const { key, schedule: name } = event;
  const schedule = scheduleNamed(deps, name);
  if (schedule === undefined) return;
  const text = goalOf(schedule);
  const arrival = { key, text, via: 'schedule', requester: `schedule:${name}`, home: null } as const;
  await pipeline.submitted(
    { ...arrival, channel: channelOf(deps, schedule), threadTs: null, quoted: null },
    (message) => tell(deps, schedule, `${key}:word`, scheduleNotPlanned(name, text, message)),
  );
}

/** Says in the schedule's channel that a tick failed. */
export async function tickFailed(event: TickEvent, error: unknown, deps: ScheduleDeps): Promise<void> {
  const { key, schedule: name } = event;
  const schedule = scheduleNamed(deps, name);
  deps.log.error({ schedule: name, ...describeError(error) }, 'A schedule failed');
  if (schedule === undefined) return;
  await tell(deps, schedule, `${key}:failed`, scheduleFailed(name, describeError(error).message));
}

/** Starts the operator's schedules; resolves with a function that stops them. */
export function runSchedules(
  deps: ScheduleDeps,
  arrivals: Arrivals,
  onStored: (event: TickEvent) => Promise<void>,
): Promise<() => Promise<void>> {
  return startSchedules(deps.config.schedules, schedulePorts(deps, arrivals, onStored));
}

export function schedulePorts(
  deps: ScheduleDeps,
  arrivals: Pick<Arrivals, 'accept'>,
  onStored: (event: TickEvent) => Promise<void>,
): SchedulePorts<ScheduleConfig> {
  const { db, teamId, expiresMinutes, now } = deps;
  const eventOf = (schedule: ScheduleConfig, tick: Date): TickEvent => ({
    type: 'tick',
    key: keyOf(schedule, tick),
    schedule: schedule.name,
  });
  return {
    claim: (schedule, tick, state) =>
      ticks.claim(db, { teamId, schedule: schedule.name, tick, state, at: now() }),
    async lastTick(schedule) {
      return (await ticks.last(db, teamId, schedule.name))?.tick ?? null;
    },
    async isBusy(schedule) {
      const row = await ticks.last(db, teamId, schedule.name, 'fired');
      if (row === null) return false;
      // A tick asks a moment after its minute began, so the minute in which a question gets too old counts as past.
      const since = new Date(now().getTime() - (expiresMinutes - 1) * 60_000);
      return isOpen(db, { teamId, id: requestIdOf(keyOf(schedule, row.tick)), since, now: now() });
    },
    async lostTick(schedule) {
      const row = await ticks.last(db, teamId, schedule.name, 'fired');
      if (row === null || now().getTime() - row.at.getTime() < graceMs) return null;
      return (await inbox.has(db, { teamId, key: keyOf(schedule, row.tick) })) ? null : row.tick;
    },
    async fire(schedule, tick) {
      const event = eventOf(schedule, tick);
      if (await arrivals.accept(event)) await onStored(event);
    },
    announce: (schedule, missed, why) =>
      tell(
        deps,
        schedule,
        `${keyOf(schedule, missed.at(-1) ?? now())}:${why}`,
        scheduleSkipped(schedule.name, missed, why),
      ),
    failed: (schedule, tick, error) => tickFailed(eventOf(schedule, tick), error, deps),
    now,
  };
}

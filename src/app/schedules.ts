import type { Message } from '../blocks/message.ts';
import type { OperatorConfig, ScheduleConfig } from '../config/schema.ts';
import { describeError } from '../core/errors.ts';
import { own } from '../core/own.ts';
import { scheduleFailed, scheduleNotPlanned, scheduleSkipped } from '../report/schedule-words.ts';
import { type SchedulePorts, startSchedules } from '../request/schedules.ts';
import * as requests from '../store/requests.ts';
import { isOpen } from '../store/threads.ts';
import * as ticks from '../store/ticks.ts';
import { type Intake, requestIdOf } from './intake.ts';
import type { World } from './world.ts';

/** Milliseconds after which a tick that was taken has made its request, unless its process died in between. */
const surelyTakenMs = 5_000;

/** What a schedule asks for, as if somebody had typed it after `/plan`. */
function goalOf(schedule: ScheduleConfig): string {
  if (schedule.goal !== undefined) return schedule.goal;
  const inputs = Object.entries(schedule.inputs).map(([name, value]) => `${name}=${JSON.stringify(value)}`);
  return ['run', schedule.playbook, ...inputs].join(' ');
}

/** Starts the operator's schedules; resolves with a function that stops them. */
export function runSchedules(
  world: World,
  config: OperatorConfig,
  intake: Intake,
): Promise<() => Promise<void>> {
  return startSchedules(config.schedules, schedulePorts(world, config, intake));
}

type ScheduleWorld = Pick<World, 'db' | 'teamId' | 'policy' | 'now' | 'log'> & {
  readonly reporting: Pick<World['reporting'], 'send'>;
};

export function schedulePorts(
  world: ScheduleWorld,
  config: Pick<OperatorConfig, 'channels'>,
  intake: Pick<Intake, 'take'>,
): SchedulePorts<ScheduleConfig> {
  const { db, teamId, reporting, policy, now, log } = world;
  const channelOf = ({ channel }: ScheduleConfig): string => own(config.channels, channel)?.id ?? '';
  const tell = (schedule: ScheduleConfig, key: string, message: Message) =>
    reporting.send(teamId, { kind: 'channel', channel: channelOf(schedule), threadTs: null }, key, message);
  const keyOf = (schedule: ScheduleConfig, tick: Date) => `schedule:${schedule.name}:${tick.toISOString()}`;

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
      const since = new Date(now().getTime() - (policy.expiresMinutes - 1) * 60_000);
      return isOpen(db, { teamId, id: requestIdOf(keyOf(schedule, row.tick)), since, now: now() });
    },
    async lostTick(schedule) {
      const row = await ticks.last(db, teamId, schedule.name, 'fired');
      if (row === null || row.requestId !== null) return null;
      if (now().getTime() - row.at.getTime() < surelyTakenMs) return null;
      const request = await requests.get(db, teamId, requestIdOf(keyOf(schedule, row.tick)));
      return request === null ? row.tick : null;
    },
    async fire(schedule, tick) {
      const key = keyOf(schedule, tick);
      const request = await intake.take(
        {
          key,
          text: goalOf(schedule),
          via: 'schedule',
          requester: `schedule:${schedule.name}`,
          home: null,
          channel: channelOf(schedule),
          threadTs: null,
          quoted: null,
        },
        (message) =>
          tell(schedule, `${key}:word`, scheduleNotPlanned(schedule.name, goalOf(schedule), message)),
      );
      if (request)
        await ticks.setRequest(db, { teamId, schedule: schedule.name, tick, requestId: request.id });
    },
    announce: (schedule, missed, why) =>
      tell(
        schedule,
        `${keyOf(schedule, missed.at(-1) ?? now())}:${why}`,
        scheduleSkipped(schedule.name, missed, why),
      ),
    async failed(schedule, tick, error) {
      log.error({ schedule: schedule.name, ...describeError(error) }, 'A schedule failed');
      await tell(
        schedule,
        `${keyOf(schedule, tick)}:failed`,
        scheduleFailed(schedule.name, describeError(error).message),
      );
    },
    now,
  };
}

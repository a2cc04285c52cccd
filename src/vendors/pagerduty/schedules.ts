import { z } from 'zod';
import { VendorError } from '../../core/errors.ts';
import { badAnswer } from '../http/no-answer.ts';
import type { IncidentAccess } from './incidents.ts';
import type { OnCallPerson, PagerDutyReader, Rota, Shift } from './port.ts';
import { restGet } from './rest.ts';
import { serviceOf } from './services.ts';

const serviceSchema = z.object({ service: z.object({ escalation_policy: z.object({ id: z.string() }) }) });
const stateSchema = z.object({ service: z.object({ status: z.string().nullish() }) });
const oncallSchema = z.object({
  escalation_level: z.int().min(1),
  start: z.string().nullish(),
  end: z.string().nullish(),
  user: z.object({
    id: z.string(),
    name: z.string().nullish(),
    summary: z.string().nullish(),
    email: z.string().nullish(),
    time_zone: z.string().nullish(),
  }),
  schedule: z.object({ time_zone: z.string().nullish() }).nullish(),
});
const oncallsSchema = z.object({ oncalls: z.array(oncallSchema), more: z.boolean().nullish() });
const schedulesSchema = z.object({
  schedules: z.array(z.object({ id: z.string(), name: z.string(), time_zone: z.string().nullish() })),
});

type OnCall = z.infer<typeof oncallSchema>;
type Query = Record<string, string | string[]>;

/** 100 is PagerDuty's maximum page; a period with more shifts than this is refused. */
const pageSize = 100;
const maxPages = 10;

/** Reads who is on call. Every failure is a VendorError; empty means nobody. */
export function createRotaReader(
  access: IncidentAccess,
): Pick<PagerDutyReader, 'oncall' | 'shifts' | 'silence'> {
  return {
    async oncall(service, signal) {
      const { query } = await rotaOf(access, { service }, signal);
      return eachOnce(shiftsOf(await oncalls(access, query, signal)));
    },
    async silence(service, signal) {
      const path = `services/${encodeURIComponent(serviceOf(access.services, service).id)}`;
      const { status } = (await restGet(access, stateSchema, { path, query: {}, signal })).service;
      return status === 'maintenance' || status === 'disabled' ? status : null;
    },
    async shifts(of, { since, until }, signal) {
      const { query, timeZone } = await rotaOf(access, of, signal);
      const time = { since: since.toISOString(), until: until.toISOString() };
      const found = await oncalls(access, { ...query, ...time }, signal);
      const zone = timeZone ?? found.map(({ schedule }) => schedule?.time_zone).find(Boolean) ?? null;
      return { shifts: shiftsOf(found), timeZone: zone };
    },
  };
}

async function rotaOf(
  access: IncidentAccess,
  of: Rota,
  signal: AbortSignal,
): Promise<{ query: Query; timeZone: string | null }> {
  if ('service' in of) {
    const path = `services/${encodeURIComponent(serviceOf(access.services, of.service).id)}`;
    const { service } = await restGet(access, serviceSchema, { path, query: {}, signal });
    return { query: { 'escalation_policy_ids[]': [service.escalation_policy.id] }, timeZone: null };
  }
  const { schedules } = await restGet(access, schedulesSchema, {
    path: 'schedules',
    query: { query: of.schedule, limit: String(pageSize) },
    signal,
  });
  const wanted = of.schedule.toLowerCase();
  const exact = schedules.filter(({ name }) => name.toLowerCase() === wanted);
  const [found, ...others] = exact.length > 0 ? exact : schedules;
  if (found === undefined || others.length > 0) throw notOne(of.schedule, schedules);
  return { query: { 'schedule_ids[]': [found.id] }, timeZone: found.time_zone ?? null };
}

function notOne(asked: string, found: readonly { name: string }[]): VendorError {
  const names = found.slice(0, 5).map(({ name }) => name);
  const more = found.length > names.length ? ' and more' : '';
  const message =
    names.length === 0
      ? `PagerDuty has no schedule called ${asked}.`
      : `“${asked}” may be any of these schedules: ${names.join(', ')}${more}.`;
  const code = names.length === 0 ? 'unknown_schedule' : 'many_schedules';
  return new VendorError(code, message, { retryable: false, mayHaveHappened: false });
}

async function oncalls(access: IncidentAccess, query: Query, signal: AbortSignal): Promise<OnCall[]> {
  const found: OnCall[] = [];
  for (let page = 0; page < maxPages; page += 1) {
    const { oncalls: here, more } = await restGet(access, oncallsSchema, {
      path: 'oncalls',
      query: {
        ...query,
        'include[]': ['users', 'schedules'],
        time_zone: 'UTC',
        limit: String(pageSize),
        offset: String(page * pageSize),
      },
      signal,
    });
    found.push(...here);
    if (more !== true) return found;
  }
  throw badAnswer('PagerDuty', 'there are more shifts than can be read', { write: false });
}

function shiftsOf(found: readonly OnCall[]): Shift[] {
  const order = (a: Shift, b: Shift): number =>
    a.level - b.level || timeOf(a.since) - timeOf(b.since) || a.id.localeCompare(b.id);
  return found.map(shiftOf).toSorted(order);
}

function shiftOf({ user, escalation_level: level, start, end }: OnCall): Shift {
  const { id, email, time_zone: timeZone } = user;
  const person = { id, name: user.name ?? user.summary ?? id, email: email ?? '' };
  return { ...person, ...(timeZone ? { timeZone } : {}), level, since: start ?? null, until: end ?? null };
}

/** A shift without a start has always existed. */
function timeOf(since: string | null): number {
  return since === null ? 0 : Date.parse(since);
}

/** Each person once, at their first level. */
function eachOnce(shifts: readonly Shift[]): OnCallPerson[] {
  const byId = new Map<string, OnCallPerson>();
  for (const { since: _since, ...person } of shifts) if (!byId.has(person.id)) byId.set(person.id, person);
  return [...byId.values()];
}

import { z } from 'zod';
import type { Json } from './json.ts';

/** What became of an incident after somebody was paged, as people hear of it. */

export const lifeKinds = [
  'acknowledged',
  'unacknowledged',
  'escalated',
  'reassigned',
  'resolved',
  'reopened',
  'merged',
] as const;
export type LifeKind = (typeof lifeKinds)[number];

const incidentStates = ['triggered', 'acknowledged', 'resolved'] as const;

const lifeEventSchema = z.strictObject({
  /** The same whenever it is read. */
  key: z.string(),
  kind: z.enum(lifeKinds),
  /** ISO 8601. */
  at: z.string(),
  /** Name of who did it; null where the service did, as when a time limit ran out. */
  by: z.string().nullable(),
  /** Names of whom it was given to. */
  to: z.array(z.string()),
  /** For `merged`: the incident that has its alerts now, and how that stood. */
  into: z.strictObject({ number: z.int(), state: z.enum(incidentStates), url: z.string() }).optional(),
  /** Slack id of whose yes made it, where a run of ours did it. */
  approver: z.string().optional(),
  /** Channel and head of the thread that this run was told in: `C0OPS/1720000000.000100`. */
  thread: z.string().optional(),
});
export type LifeEvent = z.infer<typeof lifeEventSchema>;

export const lifeSchema = z.strictObject({
  id: z.string(),
  number: z.int(),
  title: z.string(),
  state: z.enum(incidentStates),
  /** Address of the incident, empty where there is none. */
  url: z.string(),
  /** ISO 8601. */
  openedAt: z.string(),
  /** ISO 8601 of the last change of its state. */
  changedAt: z.string(),
  /** Oldest first. */
  events: z.array(lifeEventSchema),
});
export type Life = z.infer<typeof lifeSchema>;

/** As it is stored; null before it was read for the first time. */
export function lifeOf(stored: Json | null): Life | null {
  return stored === null ? null : lifeSchema.parse(stored);
}

/** "#41, which is open": where a merged incident went. */
export function mergedWords({ number, state }: NonNullable<LifeEvent['into']>): string {
  return `#${number}, which is ${state === 'resolved' ? 'resolved' : 'open'}`;
}

/** A change that a run of ours made. */
export interface OwnChange {
  readonly state: string;
  /** ISO 8601. */
  readonly at: string;
  /** Slack id. */
  readonly approver: string;
  /** Channel and head of the thread that the run was told in. */
  readonly thread: string;
}

/** PagerDuty gives seconds, and its own clock. */
const sameMs = 2_000;

/** The events with the names of those whose yes made them: PagerDuty only knows the user of its token. */
export function withOwn(events: readonly LifeEvent[], own: readonly OwnChange[]): LifeEvent[] {
  return events.map((event) => {
    const ours = own.find(
      ({ state, at }) => state === event.kind && Math.abs(Date.parse(at) - Date.parse(event.at)) <= sameMs,
    );
    return ours === undefined ? event : { ...event, approver: ours.approver, thread: ours.thread };
  });
}

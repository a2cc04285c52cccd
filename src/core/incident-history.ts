import { z } from 'zod';
import type { Json } from './json.ts';

/** The history of an incident after a page, as people read it. */

const lifeKinds = [
  'acknowledged',
  'unacknowledged',
  'escalated',
  'reassigned',
  'resolved',
  'reopened',
  'merged',
] as const;
export type LifeKind = (typeof lifeKinds)[number];

export const incidentStates = ['triggered', 'acknowledged', 'resolved'] as const;

const lifeEventSchema = z.strictObject({
  /** Stable across reads. */
  key: z.string(),
  kind: z.enum(lifeKinds),
  /** ISO 8601. */
  at: z.string(),
  /** Name of the person who did it; null for the service itself, such as a timeout. */
  by: z.string().nullable(),
  /** Names of the people it was assigned to. */
  to: z.array(z.string()),
  /** For `merged`: the incident that has its alerts now, and how that stood. */
  into: z.strictObject({ number: z.int(), state: z.enum(incidentStates), url: z.string() }).optional(),
  /** Slack id of whose yes made it, where a run of ours did it. */
  approver: z.string().optional(),
  /** Channel and first message of the thread of that run: `C0OPS/1720000000.000100`. */
  thread: z.string().optional(),
});
export type LifeEvent = z.infer<typeof lifeEventSchema>;

const lifeSchema = z.strictObject({
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

/** From its stored form; null before the first read. */
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
  /** Channel and first message of the run's thread. */
  readonly thread: string;
}

/** PagerDuty reports whole seconds, by its own clock. */
const sameMs = 2_000;

/** The events with the names of the people who approved them: PagerDuty only knows the user of its token. */
export function withOwn(events: readonly LifeEvent[], own: readonly OwnChange[]): LifeEvent[] {
  return events.map((event) => {
    const ours = own.find(
      ({ state, at }) => state === event.kind && Math.abs(Date.parse(at) - Date.parse(event.at)) <= sameMs,
    );
    return ours === undefined ? event : { ...event, approver: ours.approver, thread: ours.thread };
  });
}

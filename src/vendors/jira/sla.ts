import { z } from 'zod';
import { VendorError } from '../../core/errors.ts';
import { badAnswer } from '../http/no-answer.ts';
import { checkedKey } from './issue-key.ts';
import { getSlaInformation } from './jira-types.ts';
import type { IssueSla } from './port.ts';
import { type JiraAccess, jiraTransport } from './transport.ts';

const duration = z.object({ millis: z.number() });
const date = z.object({ epochMillis: z.number() });
const cycle = z.object({
  breached: z.boolean(),
  goalDuration: duration,
  remainingTime: duration,
  breachTime: date.nullish(),
});
const slaSchema = z.object({
  name: z.string(),
  ongoingCycle: cycle.extend({ paused: z.boolean().default(false) }).nullish(),
  completedCycles: z.array(cycle).default([]),
});

/** Maximum SLAs read on one issue. */
const maxSlas = 50;

/** SLAs of an issue in Jira Service Management; null when it is not a request there. */
export async function slasOf(
  access: JiraAccess,
  key: string,
  signal: AbortSignal,
): Promise<IssueSla[] | null> {
  const of = { issueIdOrKey: checkedKey(key), limit: maxSlas };
  try {
    const { values = [] } = await getSlaInformation(jiraTransport(access, signal), of);
    return values.flatMap(readSla);
  } catch (error) {
    if (error instanceof VendorError && error.code === 'not_found') return null;
    throw error;
  }
}

function readSla(value: unknown): IssueSla[] {
  const parsed = slaSchema.safeParse(value);
  if (!parsed.success) throw badAnswer('Jira', 'an SLA lacks a field', { write: false, cause: parsed.error });
  const { name, ongoingCycle, completedCycles } = parsed.data;
  const shown = ongoingCycle ?? completedCycles.at(-1);
  // An SLA whose clock never started has no information.
  if (shown === undefined) return [];
  return [
    {
      name,
      running: ongoingCycle !== undefined && ongoingCycle !== null,
      paused: ongoingCycle?.paused ?? false,
      breached: shown.breached,
      goalMs: shown.goalDuration.millis,
      leftMs: shown.remainingTime.millis,
      breachAt:
        shown.breachTime && ongoingCycle?.paused !== true ? new Date(shown.breachTime.epochMillis) : null,
    },
  ];
}

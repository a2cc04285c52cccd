import { sql } from 'kysely';
import { killSwitchName, type RunOutcome, type StepResult } from '../core/run.ts';
import * as audit from './audit.ts';
import { jsonb } from './encode.ts';
import * as revisions from './revisions.ts';
import type { RunKey } from './runs.ts';
import * as runs from './runs.ts';
import * as steps from './steps.ts';
import * as switches from './switches.ts';
import type { Db } from './tables.ts';
import * as writes from './writes.ts';

/** The rows that a run lives on, in the shape in which the run stage asks for them. */
export function createRunStore(db: Db) {
  return {
    run: (key: RunKey) => runs.get(db, key),
    revision: (teamId: string, requestId: string, number: number) =>
      revisions.get(db, teamId, requestId, number),
    consumeGrant: (use: RunKey & { digest: string; now: Date }) => runs.useGrant(db, use),
    cancelOf: (key: RunKey) => runs.isCancelled(db, key),
    async killSwitch(teamId: string) {
      const row = await switches.get(db, teamId, killSwitchName);
      return row?.isOn === true ? { actor: row.actor, reason: row.reason } : null;
    },
    async stepStarted(step: RunKey & { stepId: string; tool: string; at: Date }) {
      return steps.toStepResult(await steps.stepStarted(db, step));
    },
    async stepFinished(result: RunKey & StepResult): Promise<void> {
      await steps.stepFinished(db, result);
    },
    async finish(end: RunKey & { outcome: RunOutcome; at: Date }): Promise<void> {
      await runs.finish(db, end);
    },
    writeOf: (key: string) => writes.byKey(db, key),
    intend: (intent: writes.WriteIntent, caps: readonly writes.WriteCap[]) => writes.intend(db, intent, caps),
    async settle(settled: Parameters<typeof writes.settle>[1]): Promise<void> {
      await writes.settle(db, settled);
    },
    async firstWrite(filter: { teamId: string; tool: string; target: string; since: Date }) {
      const row = await db
        .selectFrom('writes')
        .select(['createdAt as at', 'evidence'])
        .where('teamId', '=', filter.teamId)
        .where('tool', '=', filter.tool)
        .where('createdAt', '>=', filter.since)
        .where('state', '<>', 'failed')
        .where(sql<boolean>`targets @> ${jsonb([filter.target])}`)
        .orderBy('createdAt')
        .limit(1)
        .executeTakeFirst();
      return row ?? null;
    },
    async audit(entry: audit.AuditEntry): Promise<void> {
      await audit.append(db, entry);
    },
    openRuns: () => runs.openRuns(db),
  };
}

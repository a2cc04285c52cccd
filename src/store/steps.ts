import { sql } from 'kysely';
import type { StepResult, StepStatus } from '../core/run.ts';
import { jsonbOrNull } from './encode.ts';
import type { Db, StepResultRow } from './tables.ts';

/** Durations of a tool, in milliseconds, over its last successful steps. */
export interface ToolHistory {
  readonly samples: number;
  readonly p50Ms: number | null;
  readonly p95Ms: number | null;
}

const HISTORY_SAMPLES = 200;

/** Notes that a step begins (or begins again after a restart); one that has ended is left alone. Returns the row. */
export async function stepStarted(
  db: Db,
  step: { teamId: string; runId: string; stepId: string; tool: string; at: Date },
): Promise<StepResultRow> {
  const { teamId, runId, stepId, tool, at } = step;
  const fresh = { status: 'running', result: null, reason: null, attempts: 1, finishedAt: null } as const;
  return db
    .insertInto('stepResults')
    .values({ teamId, runId, stepId, tool, startedAt: at, ...fresh })
    .onConflict((conflict) =>
      conflict.columns(['teamId', 'runId', 'stepId']).doUpdateSet({
        attempts: sql<number>`step_results.attempts + (step_results.status = 'running')::int`,
      }),
    )
    .returningAll()
    .executeTakeFirstOrThrow();
}

/**
 * Stores how a step ended and returns what is stored now. The first ending stays, because a step that runs again
 * after a restart must not change what was reported; only `unknown` may later turn out as something else.
 */
export async function stepFinished(
  db: Db,
  ended: { teamId: string; runId: string } & StepResult,
): Promise<StepResultRow> {
  const { teamId, runId, stepId, tool, status, attempts } = ended;
  const change = {
    status,
    result: jsonbOrNull(ended.result),
    reason: jsonbOrNull(
      ended.reason === null ? null : { code: ended.reason.code, message: ended.reason.message },
    ),
    attempts,
    finishedAt: new Date(ended.finishedAt),
  };
  const stored = await db
    .insertInto('stepResults')
    .values({ teamId, runId, stepId, tool, startedAt: new Date(ended.startedAt), ...change })
    .onConflict((conflict) =>
      conflict
        .columns(['teamId', 'runId', 'stepId'])
        .doUpdateSet(change)
        .where('stepResults.status', 'in', ['running', 'unknown']),
    )
    .returningAll()
    .executeTakeFirst();
  return stored ?? (await getStep(db, { teamId, runId, stepId }));
}

/** The steps of a run so far, in the order in which they began. */
export async function stepResults(db: Db, teamId: string, runId: string): Promise<StepResultRow[]> {
  return db
    .selectFrom('stepResults')
    .selectAll()
    .where('teamId', '=', teamId)
    .where('runId', '=', runId)
    .orderBy('startedAt')
    .orderBy('stepId')
    .execute();
}

/** A stored step in the words of `core/run.ts`, or null while it runs. */
export function toStepResult(row: StepResultRow): StepResult | null {
  if (row.status === 'running' || row.finishedAt === null) return null;
  const status: StepStatus = row.status;
  const { stepId, tool, result, attempts } = row;
  const reason =
    row.reason === null ? null : { code: String(row.reason.code), message: String(row.reason.message) };
  return {
    stepId,
    tool,
    status,
    result,
    reason,
    attempts,
    startedAt: row.startedAt.toISOString(),
    finishedAt: row.finishedAt.toISOString(),
  };
}

/** How long a tool took in the team's last 200 successful steps with it. */
export async function history(db: Db, teamId: string, tool: string): Promise<ToolHistory> {
  const { rows } = await sql<ToolHistory>`
    select count(*)::int as samples,
      percentile_cont(0.5) within group (order by ms) as p50_ms,
      percentile_cont(0.95) within group (order by ms) as p95_ms
    from (
      select extract(epoch from finished_at - started_at)::float8 * 1000 as ms
      from step_results
      where team_id = ${teamId} and tool = ${tool} and status = 'succeeded'
      order by finished_at desc
      limit ${HISTORY_SAMPLES}
    ) as recent`.execute(db);
  return rows[0] ?? { samples: 0, p50Ms: null, p95Ms: null };
}

async function getStep(
  db: Db,
  { teamId, runId, stepId }: { teamId: string; runId: string; stepId: string },
): Promise<StepResultRow> {
  return db
    .selectFrom('stepResults')
    .selectAll()
    .where('teamId', '=', teamId)
    .where('runId', '=', runId)
    .where('stepId', '=', stepId)
    .executeTakeFirstOrThrow();
}

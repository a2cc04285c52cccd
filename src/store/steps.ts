import { sql } from 'kysely';
import type { JsonObject } from '../core/json.ts';
import type { StepResult, StepStatus } from '../core/run.ts';
import { jsonb } from './jsonb.ts';
import type { Db, StepResultRow } from './tables.ts';

/** Durations of a tool, in milliseconds, over its last successful steps. */
export interface ToolHistory {
  readonly samples: number;
  readonly p50Ms: number | null;
  readonly p95Ms: number | null;
}

const HISTORY_SAMPLES = 200;

/** A step's progress; without a result it is running. */
export interface StepNow {
  readonly stepId: string;
  readonly tool: string;
  /** ISO 8601 UTC. */
  readonly startedAt: string;
  readonly result: StepResult | null;
}

/**
 * Stores the state of steps. The first outcome stays, because a step that runs again after a restart must not change
 * what was reported; only `unknown` may later be resolved.
 */
export async function keep(
  db: Db,
  { teamId, runId }: { teamId: string; runId: string },
  steps: readonly StepNow[],
): Promise<void> {
  const rows = steps.map(({ stepId, tool, startedAt, result }): JsonObject => {
    const { status = 'running', attempts = 1, finishedAt = null } = result ?? {};
    const reason = result?.reason ? { code: result.reason.code, message: result.reason.message } : null;
    const ended = { result: result?.result ?? null, reason, notes: [...(result?.notes ?? [])] };
    return {
      step_id: stepId,
      tool,
      status,
      attempts,
      started_at: startedAt,
      finished_at: finishedAt,
      ...ended,
    };
  });
  await sql`
    insert into step_results
      (team_id, run_id, step_id, tool, status, result, reason, notes, attempts, started_at, finished_at)
    select ${teamId}, ${runId}, step.* from jsonb_to_recordset(${jsonb(rows)}) as step
      (step_id text, tool text, status text, result jsonb, reason jsonb, notes jsonb, attempts integer,
        started_at timestamptz, finished_at timestamptz)
    on conflict (team_id, run_id, step_id) do update
      set status = excluded.status, result = excluded.result, reason = excluded.reason, notes = excluded.notes,
        attempts = excluded.attempts, finished_at = excluded.finished_at
      where step_results.status in ('running', 'unknown') and excluded.status <> 'running'`.execute(db);
}

/** The steps of a run so far, in start order. */
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

/** Results of a revision's reads before approval; null while they run, and if there are none. */
export async function factsOf(
  db: Db,
  { teamId, requestId, number }: { teamId: string; requestId: string; number: number },
): Promise<StepResult[] | null> {
  const rows = await db
    .selectFrom('runs')
    .leftJoin('stepResults', (join) =>
      join.onRef('stepResults.teamId', '=', 'runs.teamId').onRef('stepResults.runId', '=', 'runs.id'),
    )
    .selectAll('stepResults')
    .where('runs.teamId', '=', teamId)
    .where('runs.requestId', '=', requestId)
    .where('runs.number', '=', number)
    .where('runs.mode', '=', 'read')
    .where('runs.state', '=', 'finished')
    .execute();
  if (rows.length === 0) return null;
  return rows.flatMap((row) => (isWhole(row) ? (toStepResult(row) ?? []) : []));
}

type Nullable<Row> = { [K in keyof Row]: Row[K] | null };

/** False for a run without steps, where the joined row is empty. */
function isWhole(row: Nullable<StepResultRow>): row is StepResultRow {
  return row.stepId !== null;
}

/** A stored step as a StepResult of `core/run.ts`, or null while it runs. */
export function toStepResult(row: StepResultRow): StepResult | null {
  if (row.status === 'running' || row.finishedAt === null) return null;
  const status: StepStatus = row.status;
  const { stepId, tool, result, attempts } = row;
  const notes = row.notes === null || row.notes.length === 0 ? {} : { notes: row.notes };
  const reason =
    row.reason === null ? null : { code: String(row.reason.code), message: String(row.reason.message) };
  return {
    stepId,
    tool,
    status,
    result,
    reason,
    ...notes,
    attempts,
    startedAt: row.startedAt.toISOString(),
    finishedAt: row.finishedAt.toISOString(),
  };
}

/** Durations of these tools over the team's last 200 successful steps with each. */
export async function history(
  db: Db,
  teamId: string,
  tools: readonly string[],
): Promise<Map<string, ToolHistory>> {
  const { rows } = await sql<ToolHistory & { tool: string }>`
    select asked.tool, took.*
    from unnest(${[...tools]}::text[]) as asked (tool) cross join lateral (
      select count(*)::int as samples,
        percentile_cont(0.5) within group (order by ms) as p50_ms,
        percentile_cont(0.95) within group (order by ms) as p95_ms
      from (
        select extract(epoch from finished_at - started_at)::float8 * 1000 as ms
        from step_results
        where team_id = ${teamId} and tool = asked.tool and status = 'succeeded'
        order by finished_at desc
        limit ${sql.lit(HISTORY_SAMPLES)}::integer
      ) as recent) as took`.execute(db);
  return new Map(rows.map(({ tool, ...took }) => [tool, took]));
}

import { sql } from 'kysely';
import type { Db } from './tables.ts';
import { requestsOfThread } from './threads.ts';

/** Maximum number of incidents per thread; more could not be told apart anyway. */
const maxFound = 20;

/**
 * Ids of the incidents made or changed by runs in a request's thread, newest first: its own runs, and those of every
 * other request in that thread.
 */
export async function incidentsOfThread(
  db: Db,
  of: { teamId: string; id: string; channel: string; threadTs: string | null },
): Promise<readonly string[]> {
  const { teamId, id, channel, threadTs } = of;
  const others = threadTs === null ? [] : await requestsOfThread(db, { teamId, channel, threadTs });
  const { rows } = await sql<{ incident: string }>`
    select s.result->>'incident' as incident
    from step_results s join runs r on r.team_id = s.team_id and r.id = s.run_id
    where s.team_id = ${teamId} and s.status = 'succeeded' and s.result->>'incident' is not null
      and r.request_id in (${sql.join([id, ...others])})
    group by 1 order by max(s.started_at) desc limit ${sql.lit(maxFound)}`.execute(db);
  return rows.map(({ incident }) => incident);
}

/**
 * Ids of the incidents that “it” may mean in a request's thread: those of its runs, else the open one of the alert that
 * starts it. Which of several open ones an alert is about is not known.
 */
export async function incidentsMeantIn(
  db: Db,
  of: Parameters<typeof incidentsOfThread>[1],
): Promise<readonly string[]> {
  const ofRuns = await incidentsOfThread(db, of);
  if (ofRuns.length > 0) return ofRuns;
  const { rows } = await sql<{ id: string }>`
    select jsonb_path_query(evidence, '$.incidents[*].id') #>> '{}' as id from alert_problems
    where team_id = ${of.teamId} and channel = ${of.channel} and message_ts = ${of.threadTs}`.execute(db);
  const ids = new Set(rows.map(({ id }) => id));
  return ids.size === 1 ? [...ids] : [];
}

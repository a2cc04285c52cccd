import { sql } from 'kysely';
import { z } from 'zod';
import { collapsed } from '../core/for-each.ts';
import { parseJson } from '../core/json.ts';
import { type Plan, planSchema } from '../core/plan.ts';
import type { RecordedRequest } from '../core/planned-request.ts';
import type { Via } from '../core/request.ts';
import type { Db } from './tables.ts';

interface Stored extends Omit<RecordedRequest, 'revisions'> {
  readonly at: string;
  readonly revisions: readonly {
    readonly state: string;
    readonly reason: string | null;
    readonly bytes: string;
  }[];
}

const page = 200;

const plannedSchema = z.object({ plan: planSchema, planner: z.string() });

/**
 * Requests since a moment that led to a plan, oldest first, other than those that came in certain ways: scheduled ones
 * are nobody's wording.
 */
export async function* recordedRequests(
  db: Db,
  {
    teamId,
    since,
    except,
  }: { readonly teamId: string; readonly since: Date; readonly except: readonly Via[] },
): AsyncGenerator<RecordedRequest> {
  let [at, id] = [since.toISOString(), ''];
  for (;;) {
    const { rows } = await sql<Stored>`
      select q.created_at::text as at, q.id, q.goal, q.channel, q.agent->>'name' as agent,
        coalesce(q.question->'answers', '[]') as answers, v.revisions,
        coalesce((select jsonb_agg(jsonb_build_object('tool', s.tool, 'code', coalesce(s.reason->>'code', ''),
            'message', coalesce(s.reason->>'message', '')) order by s.finished_at)
          from runs u join step_results s on s.team_id = u.team_id and s.run_id = u.id
          where u.team_id = q.team_id and u.request_id = q.id and u.mode = 'run'
            and s.status in ('failed', 'unknown')), '[]') as failures,
        coalesce((select jsonb_agg(jsonb_build_object('rating', rating, 'why', why) order by at) from ratings
          where team_id = q.team_id and request_id = q.id), '[]') as ratings from requests q
      cross join lateral (select jsonb_agg(jsonb_build_object('bytes', bytes, 'state', state,
          'reason', reason) order by number) as revisions
        from revisions where team_id = q.team_id and request_id = q.id) v
      where q.team_id = ${teamId} and (q.created_at, q.id) > (${at}::timestamptz, ${id})
        and q.via <> all(${[...except]}::text[]) and v.revisions is not null
      order by q.created_at, q.id limit ${sql.lit(page)}`.execute(db);
    for (const { answers, revisions, at: _, ...of } of rows) {
      yield {
        ...of,
        answers: answers.map(({ question, answer }) => ({ question, answer })),
        // Damaged plans are skipped; the request's other plans are kept.
        revisions: revisions.flatMap(({ bytes, ...one }) => {
          const { data } = plannedSchema.safeParse(parseJson(bytes));
          return data === undefined ? [] : [{ ...one, ...data }];
        }),
      };
    }
    const last = rows.at(-1);
    if (last === undefined || rows.length < page) return;
    [at, id] = [last.at, last.id];
  }
}

/** Number of recent requests to search. */
const maxSearched = 300;
/** Maximum plans with the words that are looked for. */
const maxPlans = 20;

/** A plan that was approved unchanged, with the words of its request. */
export interface ApprovedPlan {
  readonly goal: string;
  readonly plan: Plan;
}

/** Plans of people's latest requests that were approved unchanged and whose words include these, latest first; the first ones. */
export async function approvedPlans(
  db: Db,
  { teamId, words }: { readonly teamId: string; readonly words: readonly string[] },
): Promise<ApprovedPlan[]> {
  const { rows } = await sql<{ goal: string; bytes: string }>`
    select q.goal, r.bytes from (
      select team_id, id, goal, created_at from requests where team_id = ${teamId} and via not in ('schedule', 'alert', 'agent', 'button')
        and quoted is null and question is null order by created_at desc limit ${sql.lit(maxSearched)}) q
    join revisions r on r.team_id = q.team_id and r.request_id = q.id and r.number = 1
    where r.state = 'approved' and q.goal ilike all (${words.map((word) => `%${word}%`)}::text[])
    order by q.created_at desc limit ${sql.lit(maxPlans)}`.execute(db);
  return rows.flatMap(({ goal, bytes }) => {
    const { data } = plannedSchema.safeParse(parseJson(bytes));
    // Its listed targets are listed again.
    return data === undefined ? [] : [{ goal, plan: collapsed(data.plan) }];
  });
}

/** Answers to questions about the same thing, newest first: a person's own, and those given in the same channel. */
export async function pastAnswers(
  db: Db,
  of: {
    readonly teamId: string;
    readonly requester: string;
    readonly channel: string;
    /** The missing value that the question asks for: `project`. */
    readonly missing: string;
  },
): Promise<{ readonly answer: string; readonly isOwn: boolean }[]> {
  const { teamId, requester, channel, missing } = of;
  const { rows } = await sql<{ answer: string; isOwn: boolean }>`
    select a.value->>'answer' as answer, q.requester = ${requester} as is_own from (
        (select id, requester, question, created_at from requests
          where team_id = ${teamId} and requester = ${requester} order by created_at desc limit ${sql.lit(maxSearched)})
        union
        (select id, requester, question, created_at from (select * from requests
          where team_id = ${teamId} order by created_at desc limit ${sql.lit(maxSearched)}) newest where channel = ${channel})) q
      cross join lateral jsonb_array_elements(q.question->'answers') a
    where q.question is not null and a.value->'missing'->>0 = ${missing}
    order by q.created_at desc limit ${sql.lit(maxSearched)}`.execute(db);
  return rows;
}

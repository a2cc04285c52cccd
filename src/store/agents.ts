import { sql } from 'kysely';
import { audited } from '../audit/ledger.ts';
import type { Agent, AgentTasks } from '../core/agent.ts';
import type { Json } from '../core/json.ts';
import type { Request } from '../core/request.ts';
import * as inbox from './inbox.ts';
import { jsonb } from './jsonb.ts';
import * as requests from './requests.ts';
import type { Db, RequestRow } from './tables.ts';

const hourMs = 3_600_000;
/** No card waits longer. */
const waitingMs = 48 * hourMs;

/** `other`: the key was used for another proposal. `per_hour` and `waiting`: over a cap. */
export type TakenProposal = 'new' | 'same' | 'other' | 'per_hour' | 'waiting';

/**
 * Stores an agent's proposal with the work that it makes, once for its key. Proposals of one agent are taken one after
 * the other, so that its caps hold over all processes.
 */
export function takeProposal(
  db: Db,
  {
    request,
    body,
    group,
    caps,
    entry,
  }: Counted & { readonly body: string; readonly group: string | null; readonly entry: inbox.Entry },
): Promise<TakenProposal> {
  return db.transaction().execute(async (trx) => {
    await lock(trx, request);
    const known = await requests.get(trx, request.teamId, request.id);
    if (known !== null)
      return known.requester === request.requester && known.agentBody === body ? 'same' : 'other';
    const over = await overCap(trx, { request, caps });
    if (over !== null) return over;
    await requests.insert(trx, request, 'planning', { body, group });
    await inbox.store(trx, entry);
    return 'new';
  });
}

/** Stores an agent's answer to the open question of its request, with the work that it makes. False when that question is not open any more. */
export function takeAnswer(
  db: Db,
  {
    request,
    question,
    entry,
  }: { readonly request: RequestRow; readonly question: Json; readonly entry: inbox.Entry },
): Promise<boolean> {
  const { teamId, id, question: asked } = request;
  return db.transaction().execute(async (trx) => {
    const move = { teamId, id, to: 'planning', from: ['asking'], question, asked: asked ?? null } as const;
    if (!(await requests.setState(trx, move))) return false;
    await inbox.store(trx, entry);
    return true;
  });
}

interface Counted {
  readonly request: Request;
  readonly caps: Agent['caps'];
}

/** Counts a plan whose reads an agent may have the results of, with its audit line. False when over the hourly cap. */
export function takeEvidence(
  db: Db,
  { request, caps, digest }: Counted & { readonly digest: string },
): Promise<boolean> {
  const { teamId, id, requester: actor, createdAt: at, agent } = request;
  return db.transaction().execute(async (trx) => {
    await lock(trx, request);
    const over = await overCap(trx, { request, caps });
    if (over === 'per_hour') return false;
    await requests.insert(trx, request, 'finished');
    const data = { digest, owner: agent?.owner ?? null };
    const line = { teamId, at, kind: 'agent.read', actor, subject: `request:${id}`, data };
    return audited(trx, teamId, async () => ({ value: true, lines: [line] }));
  });
}

async function lock(trx: Db, { teamId, requester }: Request): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`agent ${teamId} ${requester}`}, 0))`.execute(
    trx,
  );
}

async function overCap(trx: Db, { request, caps }: Counted): Promise<'per_hour' | 'waiting' | null> {
  const { teamId, requester, createdAt } = request;
  const since = (ms: number) => new Date(createdAt.getTime() - ms);
  const { rows } = await sql<{ hour: number; waiting: number }>`
    select count(*) filter (where q.created_at > ${since(hourMs)})::int as hour,
      count(*) filter (where q.joined is null and (q.state = 'planning' or exists (
        select from revisions v where v.team_id = q.team_id and v.request_id = q.id and v.state = 'proposed')))::int as waiting
    from requests q
    where q.team_id = ${teamId} and q.requester = ${requester} and q.created_at > ${since(waitingMs)}`.execute(
    trx,
  );
  const [{ hour, waiting } = { hour: 0, waiting: 0 }] = rows;
  if (hour >= caps.perHour) return 'per_hour';
  return waiting >= caps.waiting ? 'waiting' : null;
}

/** An agent's proposals, newest first, and how many there are. `before` is the id of one. */
export async function proposalsOf(
  db: Db,
  { teamId, requester, ...of }: Pick<Request, 'teamId' | 'requester'> & Parameters<AgentTasks['list']>[0],
): Promise<{ rows: RequestRow[]; total: number }> {
  const mine = db
    .selectFrom('requests')
    .where('teamId', '=', teamId)
    .where('requester', '=', requester)
    // Evidence is no proposal.
    .where('agentBody', 'is not', null)
    .$if(of.group !== null, (query) =>
      query.where((is) =>
        is.or([
          is('agentGroup', '=', of.group),
          is.and([is('agentGroup', 'is', null), is('id', '=', of.group ?? '')]),
        ]),
      ),
    );
  const { total } = await mine
    .select((count) => count.fn.countAll<string>().as('total'))
    .executeTakeFirstOrThrow();
  const rows = await mine
    .selectAll()
    .$if(of.before !== null, (query) =>
      query.where(
        sql<boolean>`(created_at, id) < (select created_at, id from requests where team_id = ${teamId} and id = ${of.before})`,
      ),
    )
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .limit(sql.lit(of.limit))
    .execute();
  return { rows, total: Number(total) };
}

/** Stores what an agent hears of its request. */
export async function answerAgent(
  db: Db,
  { teamId, id }: Pick<Request, 'teamId' | 'id'>,
  { code, message }: { readonly code: string; readonly message: string },
): Promise<void> {
  await db
    .updateTable('requests')
    .set({ agentAnswer: jsonb({ code, message }) })
    .where('teamId', '=', teamId)
    .where('id', '=', id)
    .execute();
}

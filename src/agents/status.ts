import { type Agent, AgentError, agentRequester } from '../core/agent.ts';
import { shortDigest } from '../core/canonical.ts';
import { cut, oneLine } from '../core/clean-text.ts';
import { readRow } from '../core/damaged-row.ts';
import type { JsonObject } from '../core/json.ts';
import { proofOf } from '../store/proof.ts';
import * as requests from '../store/requests.ts';
import * as revisions from '../store/revisions.ts';
import * as runs from '../store/runs.ts';
import * as steps from '../store/steps.ts';
import type { RequestRow, RevisionRow } from '../store/tables.ts';
import type { AgentContext } from './context.ts';

const maxListed = 20;

/** An agent's own request; any other is as unknown as one that does not exist. */
export async function own(agent: Agent, id: string, { db, teamId }: AgentContext): Promise<RequestRow> {
  const request = await requests.get(db, teamId, id);
  if (request?.requester === agentRequester(agent.name)) return request;
  throw new AgentError('unknown_plan', `None of your proposals has the id ${cut(oneLine(id), 40)}.`);
}

/** The state of a proposal, as far as its agent may know: no result of a read. */
export async function statusOf(
  agent: Agent,
  { id }: { readonly id: string },
  context: AgentContext,
): Promise<JsonObject> {
  const { db, teamId } = context;
  const request = await own(agent, id, context);
  const row = await revisions.latest(db, teamId, id);
  const said = request.agentAnswer === null ? {} : request.agentAnswer;
  if (row === null) return { id, state: stateWithoutPlan(request), ...said };
  const revision = readRow(row, revisions.planReader, context.damaged);
  return {
    ...{ id, ...(await stateOf(row, context)), revision: row.number, digest: row.digest },
    summary: revision?.sealed.plan.summary ?? '',
    card: addressOf(row),
  };
}

/** Asks Slack for nothing: an agent may look often. */
function addressOf({ cardChannel, cardTs }: RevisionRow): string | null {
  if (cardChannel === null || cardTs === null) return null;
  return `https://slack.com/archives/${cardChannel}/p${cardTs.replace('.', '')}`;
}

function stateWithoutPlan({ state, joined }: RequestRow): string {
  if (joined !== null) return 'same_under_way';
  if (state === 'finished') return 'evidence';
  return state === 'planning' || state === 'asking' ? state : 'refused';
}

async function stateOf(row: RevisionRow, { db, teamId }: AgentContext): Promise<JsonObject> {
  const { state, requestId, number, decidedBy, decidedAt, reason, expiresAt } = row;
  if (state === 'proposed') return { state: 'waiting', until: expiresAt.toISOString() };
  const decided = { by: decidedBy, at: decidedAt?.toISOString() ?? null, reason };
  const all = await runs.listOf(db, teamId, requestId);
  const run = all.findLast((one) => one.number === number && one.mode === 'run');
  if (run === undefined) return { state, decided };
  const results = await steps.stepResults(db, teamId, run.id);
  return {
    state: run.outcome ?? 'running',
    decided,
    steps: results.map(({ stepId, tool, status }) => ({ step: stepId, tool, status })),
  };
}

/** The audit log's proof of a proposal: who did what when, and whether it is unbroken. */
export async function proof(
  agent: Agent,
  { id }: { readonly id: string },
  context: AgentContext,
): Promise<JsonObject> {
  const { db, teamId } = context;
  await own(agent, id, context);
  const { lines, problems } = await proofOf(db, teamId, id);
  return {
    ...{ id, isVerified: problems.length === 0, problems: [...problems] },
    lines: lines.map(({ seq, at, kind, actor, subject, data }) => {
      const digest = typeof data === 'object' && data !== null && 'digest' in data ? data.digest : null;
      return { seq, at, kind, actor, subject, digest: typeof digest === 'string' ? digest : null };
    }),
  };
}

/** An agent's latest proposals. */
export async function plans(agent: Agent, context: AgentContext): Promise<JsonObject> {
  const { db, teamId } = context;
  const mine = await requests.listRecent(db, {
    teamId,
    limit: maxListed,
    requester: agentRequester(agent.name),
  });
  const listed = await Promise.all(
    mine.map(async (request) => {
      const { id, goal, createdAt } = request;
      const row = await revisions.latest(db, teamId, id);
      const { state = '' } =
        row === null ? { state: stateWithoutPlan(request) } : await stateOf(row, context);
      const digest = row === null ? null : shortDigest(row.digest);
      return { id, state, digest, goal: cut(oneLine(goal), 200), at: createdAt.toISOString() };
    }),
  );
  return { plans: listed };
}

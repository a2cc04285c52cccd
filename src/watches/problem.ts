import { VendorError } from '../core/errors.ts';
import { runIdOf } from '../core/run.ts';
import { incidentsOfThread } from '../store/incidents.ts';
import * as requests from '../store/requests.ts';
import * as revisions from '../store/revisions.ts';
import * as runs from '../store/runs.ts';
import type { RequestRow, RevisionRow, TeamDb } from '../store/tables.ts';
import type { WatchContext } from './context.ts';

/** The state of the last request made for a problem. */
export type ProblemState =
  | { readonly kind: 'waits' | 'expired' | 'under_way' }
  /** Its run is over; `incident` is PagerDuty's state of an incident it made. */
  | { readonly kind: 'acted'; readonly incident: 'none' | 'open' | 'resolved' }
  /** Rejected, answered, or never shown. */
  | { readonly kind: 'settled' };

/** The request made for a problem, or the one it joined. */
interface Problem {
  readonly request: RequestRow;
  readonly isJoined: boolean;
  /** Its newest revision. */
  readonly card: RevisionRow | null;
}

type ProblemContext = Pick<WatchContext, 'db' | 'teamId' | 'pagerduty' | 'cancelCard' | 'now'>;

async function problemOf(requestId: string, { db, teamId }: TeamDb): Promise<Problem | null> {
  const own = await requests.get(db, teamId, requestId);
  const joined = own?.joined ?? null;
  const request = joined === null ? own : await requests.get(db, teamId, joined);
  if (request === null) return null;
  return { request, isJoined: joined !== null, card: await revisions.latest(db, teamId, request.id) };
}

/** The card or answer of a problem; null before there is one. */
export async function cardOf(requestId: string, rows: TeamDb): Promise<RevisionRow | null> {
  return (await problemOf(requestId, rows))?.card ?? null;
}

export async function problemState(requestId: string, context: ProblemContext): Promise<ProblemState> {
  const { db, teamId, now } = context;
  const problem = await problemOf(requestId, context);
  if (problem === null) return { kind: 'settled' };
  const { request, card } = problem;
  if (request.state === 'planning' || request.state === 'asking') return { kind: 'under_way' };
  if (card === null) return { kind: 'settled' };
  if (card.state === 'proposed') return { kind: card.expiresAt > now() ? 'waits' : 'expired' };
  if (card.state === 'expired') return { kind: 'expired' };
  if (card.state !== 'approved') return { kind: 'settled' };
  const run = await runs.get(db, { teamId, runId: runIdOf(card.requestId, card.number) });
  if (run?.state === 'running') return { kind: 'under_way' };
  return { kind: 'acted', incident: await incidentState(request, context) };
}

const incidentMs = 5_000;

/** One open incident is enough; a failed look-up counts as open, so that nobody is asked twice. */
async function incidentState(
  request: RequestRow,
  { db, pagerduty }: ProblemContext,
): Promise<'none' | 'open' | 'resolved'> {
  const ids = await incidentsOfThread(db, request);
  if (ids.length === 0) return 'none';
  const signal = AbortSignal.timeout(incidentMs);
  try {
    const found = await Promise.all(ids.map((id) => pagerduty.incident(id, signal)));
    return found.some((one) => one !== null && one.state !== 'resolved') ? 'open' : 'resolved';
  } catch (error) {
    if (error instanceof VendorError) return 'open';
    throw error;
  }
}

/** The first message of a problem's thread: the request's own, or its card. */
export async function threadOf(requestId: string, rows: TeamDb): Promise<string | null> {
  const problem = await problemOf(requestId, rows);
  return problem?.request.threadTs ?? problem?.card?.cardTs ?? null;
}

/** Cancels a card that needs no decision any more; one that another person requested as well stays. */
export async function closeCard(requestId: string, reason: string, context: ProblemContext): Promise<void> {
  const { db, teamId, cancelCard } = context;
  const problem = await problemOf(requestId, context);
  if (problem?.card?.state !== 'proposed' || problem.isJoined) return;
  const { request, card } = problem;
  const { requesters } = await requests.joinersOf(db, teamId, request.id);
  if (requesters.some((one) => one !== request.requester)) return;
  await cancelCard(card, reason);
}

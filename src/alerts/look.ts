import type { AlertRule } from '../core/alert.ts';
import { digestOf } from '../core/canonical.ts';
import { describeError } from '../core/errors.ts';
import { jsonOf } from '../core/json.ts';
import { isWithin } from '../core/policy.ts';
import * as alerts from '../store/alerts.ts';
import { claimDue } from '../store/claim-due.ts';
import * as inbox from '../store/inbox.ts';
import * as outbox from '../store/outbox.ts';
import { alertMessage, queued } from '../store/outbox-messages.ts';
import type { AlertProblemRow, AlertRow, Db } from '../store/tables.ts';
import type { AlertContext } from './context.ts';
import { type Evidence, evidenceSchema, gather, renewed } from './evidence.ts';
import { problemMessage } from './message.ts';
import { maxTold, reply } from './receive.ts';
import { cardEvents, cardKeys } from './requests.ts';
import { type Counted, counted, staleMs } from './state.ts';
import { sayUnmatched, unmatchedId } from './unmatched.ts';
import { overNow } from './words.ts';

const minuteMs = 60_000;
/** Milliseconds for which claimed problems are kept from other processes: longer than one look takes. */
const leaseMs = 60_000;
const maxAtOnce = 10;
const quietMs = 5 * minuteMs;
/** A message that Slack refused is tried again this often, and looked at for it: somebody may have invited the bot. */
const refusedMs = 60 * minuteMs;
/** Evidence is read again for further alerts of a problem this often at most. */
const againMs = 5 * minuteMs;

/** Looks at every problem that is due. */
export async function lookRound(context: AlertContext): Promise<void> {
  const { db, teamId, now, log } = context;
  for (;;) {
    const at = now();
    const until = new Date(at.getTime() + leaseMs);
    const rows = await claimDue(db, 'alertProblems', { teamId, now: at, until, limit: maxAtOnce });
    if (rows.length === 0) return;
    await Promise.all(
      rows.map((row) =>
        look(row, context).catch((error: unknown) =>
          log.warn({ problem: row.id, ...describeError(error) }, 'An alert could not be looked at'),
        ),
      ),
    );
  }
}

/** One look: gathers evidence where it is new, then stores what is shown with its messages. */
async function look(seen: AlertProblemRow, context: AlertContext): Promise<void> {
  const { db, now } = context;
  if (seen.id === unmatchedId) {
    await sayUnmatched(context);
    return context.kick();
  }
  const rule = context.rules.rules.find(({ name }) => name === seen.rule) ?? null;
  const { firing } = counted(await alerts.alertsOf(db, seen), now());
  const isQuiet = !seen.posted && rule?.quiet != null && isWithin(rule.quiet, now());
  const read = firing.length === 0 || isQuiet ? null : await evidenceFor(seen, rule, firing, context);
  // Before the end is stored: after a kill in between the next look ends it again.
  if (firing.length === 0) await context.withdraw(cardKeys(seen, rule), 'The alert is over.');
  await db.transaction().execute(async (trx) => {
    const problem = await alerts.lockProblem(trx, seen);
    if (problem === null || problem.state === 'closed') return;
    const rows = await alerts.alertsOf(trx, problem);
    await advance({ seen, problem, rule, rows, read, isQuiet }, trx, context);
  });
  context.kick();
}

/** Evidence, and when all of it was read. */
interface Read {
  readonly evidence: Evidence;
  readonly at: Date | null;
}

/** The evidence, read anew where the problem has begun since; else only PagerDuty is asked again. */
async function evidenceFor(
  problem: AlertProblemRow,
  rule: AlertRule | null,
  firing: readonly AlertRow[],
  context: AlertContext,
): Promise<Read | null> {
  const [alert] = firing;
  if (alert === undefined) return null;
  const at = context.now();
  const before = evidenceIn(problem);
  if (before !== null && isFresh(problem, firing, at))
    return { evidence: await renewed(before, { problem }, context), at: problem.evidenceAt };
  return { evidence: await gather({ problem, rule, alert }, context), at };
}

/** Nothing has begun since the evidence was read; or so soon after it, or so often, that it is not read again. */
function isFresh(
  { evidenceAt, firedAt, firings }: AlertProblemRow,
  firing: readonly AlertRow[],
  now: Date,
): boolean {
  if (firings > maxTold) return true;
  if (evidenceAt === null || evidenceAt < firedAt) return false;
  const isRecent = now.getTime() - evidenceAt.getTime() < againMs;
  return isRecent || !firing.some(({ since }) => since > evidenceAt);
}

/** Evidence that another version stored is read again. */
function evidenceIn({ evidence }: AlertProblemRow): Evidence | null {
  return evidenceSchema.safeParse(evidence).data ?? null;
}

interface Looked {
  /** The row as it was claimed. */
  readonly seen: AlertProblemRow;
  readonly problem: AlertProblemRow;
  readonly rule: AlertRule | null;
  readonly rows: readonly AlertRow[];
  /** Null where nothing was read. */
  readonly read: Read | null;
  readonly isQuiet: boolean;
}

async function advance(looked: Looked, trx: Db, context: AlertContext): Promise<void> {
  const { seen, rule, rows, read, isQuiet } = looked;
  const { teamId, now } = context;
  const at = now();
  const state = counted(rows, at);
  const isOver = state.firing.length === 0;
  const problem: AlertProblemRow = {
    ...looked.problem,
    ...(read === null ? {} : { evidence: jsonOf(read.evidence), evidenceAt: read.at }),
    ...(isOver ? { state: 'closed', closedAt: at } : {}),
    posted: looked.problem.posted || !(isQuiet || isOver),
  };
  const isRead = !isOver && read !== null;
  const cards = isRead ? cardEvents(problem, rule) : [];
  // They are below its message, which may not be posted yet.
  const areDue = cards.length === 0 || problem.messageTs !== null;
  for (const event of areDue ? cards : [])
    await inbox.leave(trx, { teamId, key: event.key, event: jsonOf(event), at });
  const proposed = problem.proposed || (isRead && areDue);
  const shown = await draw({ ...looked, problem }, trx, context);
  if (isOver && problem.firings < maxTold)
    await reply(
      trx,
      problem,
      `over:${problem.firings}`,
      overNow(problem.firedAt, { isLost: state.lost.length > 0, isMoved: rows.length === 0 }),
      context,
    );
  const next = nextLook(problem, { state, isQuiet }, at);
  const { evidence, evidenceAt, posted, closedAt } = problem;
  await alerts.change(trx, problem, {
    ...{ evidence, evidenceAt, posted, closedAt, proposed, shown, state: problem.state },
    lookAt: earlier(next, looked.problem.lookAt, seen.lookAt),
  });
}

/** Queues the message as it is now, unless people see it like that already; returns its digest. */
async function draw({ problem, rule, rows }: Looked, trx: Db, context: AlertContext): Promise<string | null> {
  const { teamId, now } = context;
  if (!problem.posted) return null;
  const message = problemMessage({ problem, alerts: rows, rule, evidence: evidenceIn(problem) }, context);
  const digest = digestOf(jsonOf(message));
  const isPosted = problem.messageTs !== null;
  if (isPosted && digest === problem.shown) return digest;
  const of = { teamId, id: problem.id };
  // Until it is posted, it is replaced where it waits.
  const next = isPosted
    ? alertMessage(of, 'update', 'state', message)
    : alertMessage(of, 'message', 'first', message);
  const result = await outbox.enqueue(trx, queued(next, now()));
  if (result === 'given_up') await outbox.tryAgain(trx, queued(next, now()), refusedMs);
  return digest;
}

function nextLook(
  problem: AlertProblemRow,
  of: { readonly state: Counted; readonly isQuiet: boolean },
  at: Date,
): Date | null {
  if (problem.state === 'closed') return null;
  const after = (ms: number) => new Date(at.getTime() + ms);
  if (of.isQuiet) return after(quietMs);
  const firingMs = at.getTime() - problem.firedAt.getTime();
  // People look at it, and want to see who has it.
  if (firingMs < 10 * minuteMs) return after(minuteMs);
  if (firingMs < 60 * minuteMs) return after(5 * minuteMs);
  if (problem.messageTs === null) return after(refusedMs);
  const heard = Math.max(...of.state.firing.map(({ heardAt }) => heardAt.getTime()));
  return new Date(heard + staleMs);
}

/** A report that came in meanwhile has asked for a look of its own. */
function earlier(next: Date | null, asked: Date | null, claimed: Date | null): Date | null {
  if (asked === null || asked.getTime() === claimed?.getTime()) return next;
  return next === null || asked < next ? asked : next;
}

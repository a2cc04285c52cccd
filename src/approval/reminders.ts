import { type RowReader, sortRows } from '../core/damaged-row.ts';
import { describeError, VendorError } from '../core/errors.ts';
import type { Approver } from '../core/policy.ts';
import type { Revision } from '../core/revision.ts';
import * as approvals from '../store/approvals.ts';
import * as reminders from '../store/reminders.ts';
import { planReader } from '../store/revisions.ts';
import type { RevisionRow } from '../store/tables.ts';
import { type ApprovalContext, judgedNow, type Reminder } from './context.ts';
import { countsFor, forWrite, isFullMember, personsOf } from './may-approve.ts';
import type { PeopleDirectory } from './ports.ts';
import { askDirectly, askedDirectly, listReminder, reminder } from './reminder-words.ts';
import { type Missing, missingApprovals } from './required-approvals.ts';
import { rulingsOf } from './rules.ts';

/** A waiting card. */
interface Waiting {
  readonly row: RevisionRow;
  readonly revision: Revision;
}

/** A reminder; `next` is when the next one is due, null for no more. */
type NextReminder = Reminder & { readonly next: Date | null };

/** Maximum backups messaged about one card; a whole department is no backup. */
const maxDirect = 10;

/** Reminder times of a card: at half of its time, and at three quarters, when the backups are asked. */
export function reminderTimes({
  createdAt,
  expiresAt,
}: {
  createdAt: string;
  expiresAt: string;
}): [Date, Date] {
  const [from, to] = [Date.parse(createdAt), Date.parse(expiresAt)];
  const after = (share: number): Date => new Date(from + (to - from) * share);
  return [after(0.5), after(0.75)];
}

/** Milliseconds by which a first reminder may come early, so that people get one for all that waits. */
const earlyMs = 10 * 60_000;
/** Milliseconds before a damaged row is read again. */
const putOffMs = 3_600_000;

/**
 * Reminds of the cards that nobody has answered: of those in one channel at once. One that fails does not hold up the
 * rest.
 */
export async function remindAll(context: ApprovalContext): Promise<void> {
  const now = context.now();
  const found = await dueCards(now, context);
  const isFirst = ({ row }: Waiting) => row.nudges === 0;
  const firsts = Map.groupBy(found.filter(isFirst), ({ row }) => row.cardChannel ?? '');
  const isDue = ({ row }: Waiting) => (row.nudgeAt ?? row.expiresAt) <= now;
  const groups = [
    ...[...firsts.values()].filter((group) => group.some(isDue)),
    ...found.filter((one) => !isFirst(one)).map((one) => [one]),
  ];
  for (const group of groups) {
    try {
      await remind(group, context);
    } catch (error) {
      const about = group.map(({ row }) => row.requestId).join(', ');
      context.log.warn(
        { requests: about, ...describeError(error) },
        'A reminder was not sent and will be retried',
      );
    }
  }
}

const waitingReader: RowReader<RevisionRow, Waiting> = {
  ...planReader,
  read: (row) => ({ row, revision: planReader.read(row) }),
};

/** Cards with a reminder due, and those with a first reminder due soon. */
async function dueCards(now: Date, { db, teamId, damaged }: ApprovalContext): Promise<readonly Waiting[]> {
  const soon = new Date(now.getTime() + earlyMs);
  const rows = sortRows(await reminders.due(db, teamId, { now, soon }), waitingReader, damaged);
  // Damaged rows must not take the places of the others.
  for (const row of rows.damaged) await reminders.putOff(db, row, new Date(now.getTime() + putOffMs));
  return rows.sound;
}

/** The reminder of all is in the thread of the first; it comes first, so that a crash repeats a reminder and loses none. */
async function remind(group: readonly Waiting[], context: ApprovalContext): Promise<void> {
  const [first, ...others] = group;
  if (first === undefined) return;
  if (others.length === 0) return send(first, await reminderFor(first, context), context);
  const missing = await Promise.all(group.map(({ revision }) => stillMissing(revision, context)));
  const thread = listReminder(
    group.map(({ revision }) => revision),
    missing.flat(),
  );
  for (const one of group) {
    const [, next] = reminderTimes(one.revision.sealed);
    await send(one, { kind: 'reminded', thread: one === first ? thread : null, direct: [], next }, context);
  }
}

/** Queues it, once over all processes. */
async function send(
  { row, revision }: Waiting,
  { next, ...of }: NextReminder,
  { db, reporting, now }: ApprovalContext,
): Promise<void> {
  const messages = reporting.nudges(revision, of);
  const escalatedTo = of.direct.map(({ userId }) => userId);
  const reminder = { seen: row, next, messages, kind: of.kind, escalatedTo, now: now() };
  if (await reminders.take(db, reminder)) reporting.kick();
}

async function reminderFor({ row, revision }: Waiting, context: ApprovalContext): Promise<NextReminder> {
  const [, later] = reminderTimes(revision.sealed);
  const missing = await stillMissing(revision, context);
  if (row.nudges === 0) {
    return { kind: 'reminded', thread: reminder(revision, missing), direct: [], next: later };
  }
  const backups = await backupsOf(revision, context);
  const direct = backups.map((userId) => ({ userId, message: askDirectly(revision) }));
  const named = backups.map((id): Approver => ({ kind: 'user', id }));
  return {
    kind: 'escalated',
    thread: direct.length === 0 ? null : askedDirectly(named),
    direct,
    next: null,
  };
}

async function approversSoFar({ sealed }: Revision, { db }: ApprovalContext): Promise<string[]> {
  return (await approvals.list(db, sealed)).map(({ approver }) => approver);
}

async function stillMissing(revision: Revision, context: ApprovalContext): Promise<Missing[]> {
  const judged = judgedNow({ revision, joiners: [] }, context);
  const steps = rulingsOf(revision.sealed, judged.manifests, judged.policy, judged.now);
  // A plan nobody may approve has nobody to remind.
  if (steps.some(({ ruling }) => ruling.kind !== 'approve')) return [];
  return missingApprovals(judged, await approversSoFar(revision, context));
}

/** Backups under the current rules: people who may approve and have not. */
async function backupsOf(revision: Revision, context: ApprovalContext): Promise<string[]> {
  const judged = judgedNow({ revision, joiners: [] }, context);
  const { policy, people } = judged;
  const approved = new Set(await approversSoFar(revision, context));
  const found = new Set<string>();
  for (const step of rulingsOf(revision.sealed, judged.manifests, policy, judged.now)) {
    if (step.ruling.kind !== 'approve') continue;
    const { rule } = step.ruling;
    const backups = forWrite({ ...rule, approvers: [] }, step.write, policy);
    for (const id of await foundOf(backups, people)) {
      const isMember = (await isFullMember({ userId: id, home: null }, people)).allowed;
      if (isMember && !approved.has(id) && (await countsFor(id, step, judged)).allowed) found.add(id);
    }
  }
  return [...found].slice(0, maxDirect);
}

/** People who cannot be looked up are not messaged. */
async function foundOf(approvers: readonly Approver[], people: PeopleDirectory): Promise<string[]> {
  const found = await Promise.all(
    approvers.map(async (approver): Promise<readonly string[]> => {
      try {
        return await personsOf(approver, people);
      } catch (error) {
        if (error instanceof VendorError) return [];
        throw error;
      }
    }),
  );
  return found.flat();
}

import { cardAddress } from '../blocks/card-address.ts';
import { fallbackText } from '../blocks/escape.ts';
import type { Message } from '../blocks/message.ts';
import { note } from '../blocks/note.ts';
import { bold, bullets, line, link, rich, type Span, time } from '../blocks/rich.ts';
import { cut, oneLine } from '../core/clean-text.ts';
import { describeError, VendorError } from '../core/errors.ts';
import type { Log } from '../core/log.ts';
import type { Approver } from '../core/policy.ts';
import type { Revision } from '../core/revision.ts';
import { approverSpans } from './approver-words.ts';
import type { Manifests } from './card/step-view.ts';
import { countsFor, forWrite, isFullMember, personsOf } from './may-approve.ts';
import type { PeopleDirectory, Rules, Yes } from './ports.ts';
import { type Missing, missingYeses } from './required-approvals.ts';
import { rulingsOf } from './rules.ts';

/** A waiting card, after `nudges` reminders. */
export interface Waiting {
  readonly revision: Revision;
  readonly nudges: number;
  /** Where its card stands. */
  readonly channel: string;
  /** When its next reminder is due. */
  readonly dueAt: Date;
}

/** A reminder: the message for the card's thread, and the people messaged directly. */
export interface Nudge {
  readonly kind: 'reminded' | 'escalated';
  readonly thread: Message | null;
  readonly direct: readonly { readonly userId: string; readonly message: Message }[];
  /** When the next one is due; null for no more. */
  readonly next: Date | null;
}

export interface NudgePort {
  /** What is due, and first reminders that are due before `soon`. */
  due(times: { readonly now: Date; readonly soon: Date }): Promise<readonly Waiting[]>;
  /** Queues it, once over all processes. */
  send(waiting: Waiting, nudge: Nudge): Promise<void>;
  yeses(of: Revision): Promise<readonly Yes[]>;
  readonly people: PeopleDirectory;
  readonly rules: () => Rules;
  readonly manifests: () => Manifests;
  readonly now: () => Date;
  readonly log: Log;
}

/** Maximum backups messaged about one card; a whole department is no backup. */
const maxDirect = 10;

/** Reminder times of a card: at half of its time, and at three quarters, when the backups are asked. */
export function nudgeTimes({ createdAt, expiresAt }: { createdAt: string; expiresAt: string }): [Date, Date] {
  const [from, to] = [Date.parse(createdAt), Date.parse(expiresAt)];
  const after = (share: number): Date => new Date(from + (to - from) * share);
  return [after(0.5), after(0.75)];
}

/** Milliseconds by which a first reminder may come early, so that people get one for all that waits. */
const earlyMs = 10 * 60_000;
/** Cards that one reminder names. */
const maxListed = 20;

/**
 * Reminds of the cards that nobody has answered: of those in one channel at once. One that fails does not hold up the
 * rest.
 */
export async function nudge(port: NudgePort): Promise<void> {
  const now = port.now();
  const found = await port.due({ now, soon: new Date(now.getTime() + earlyMs) });
  const firsts = Map.groupBy(
    found.filter(({ nudges }) => nudges === 0),
    ({ channel }) => channel,
  );
  const groups = [
    ...[...firsts.values()].filter((group) => group.some(({ dueAt }) => dueAt <= now)),
    ...found.filter(({ nudges }) => nudges > 0).map((one) => [one]),
  ];
  for (const group of groups) {
    try {
      await remind(group, port);
    } catch (error) {
      const requests = group.map(({ revision }) => revision.sealed.requestId).join(', ');
      port.log.warn({ requests, ...describeError(error) }, 'A reminder was not sent and will be retried');
    }
  }
}

/** The thread of the first is told of all; it comes first, so that a crash repeats a reminder and loses none. */
async function remind(group: readonly Waiting[], port: NudgePort): Promise<void> {
  const [first, ...others] = group;
  if (first === undefined) return;
  if (others.length === 0) return port.send(first, await nudgeFor(first, port));
  const missing = await Promise.all(group.map(({ revision }) => stillMissing(revision, port)));
  const thread = listReminder(
    group.map(({ revision }) => revision),
    missing.flat(),
  );
  for (const one of group) {
    const [, next] = nudgeTimes(one.revision.sealed);
    await port.send(one, { kind: 'reminded', thread: one === first ? thread : null, direct: [], next });
  }
}

async function nudgeFor(waiting: Waiting, port: NudgePort): Promise<Nudge> {
  const { revision, nudges } = waiting;
  const [, later] = nudgeTimes(revision.sealed);
  const missing = await stillMissing(revision, port);
  if (nudges === 0) return { kind: 'reminded', thread: reminder(revision, missing), direct: [], next: later };
  const backups = await backupsOf(revision, port);
  const direct = backups.map((userId) => ({ userId, message: askDirectly(revision) }));
  const named = backups.map((id): Approver => ({ kind: 'user', id }));
  return {
    kind: 'escalated',
    thread: direct.length === 0 ? null : askedDirectly(named),
    direct,
    next: null,
  };
}

async function stillMissing(revision: Revision, port: NudgePort): Promise<Missing[]> {
  const { policy } = port.rules();
  const yeses = await port.yeses(revision);
  const judged = { revision, policy, manifests: port.manifests(), people: port.people, now: port.now() };
  const steps = rulingsOf(revision.sealed, judged.manifests, policy, judged.now);
  // A plan nobody may approve has nobody to remind.
  if (steps.some(({ ruling }) => ruling.kind !== 'approve')) return [];
  return missingYeses(
    judged,
    yeses.map(({ by }) => by),
  );
}

/** Backups under the current rules: people who may approve and have not. */
async function backupsOf(revision: Revision, port: NudgePort): Promise<string[]> {
  const { policy } = port.rules();
  const { people } = port;
  const judged = { revision, policy, manifests: port.manifests(), people, now: port.now() };
  const said = new Set((await port.yeses(revision)).map(({ by }) => by));
  const found = new Set<string>();
  for (const step of rulingsOf(revision.sealed, judged.manifests, policy, judged.now)) {
    if (step.ruling.kind !== 'approve') continue;
    const { rule } = step.ruling;
    const backups = forWrite({ ...rule, approvers: [] }, step.write, policy);
    for (const id of await foundOf(backups, people)) {
      const isMember = (await isFullMember({ userId: id, home: null }, people)).allowed;
      if (isMember && !said.has(id) && (await countsFor(id, step, judged)).allowed) found.add(id);
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

function reminder({ sealed }: Revision, missing: readonly Missing[]): Message {
  const [, ...others] = missing;
  const asked = missing.flatMap(({ tool, approvers }): Span[] => [
    others.length === 0 ? ' Approvers: ' : ` Approvers of ${tool}: `,
    ...approverSpans(approvers),
    '.',
  ]);
  return note([
    bold('Still waiting for approval. '),
    'Half the time is up; it expires ',
    time(sealed.expiresAt),
    '.',
    ...asked,
  ]);
}

function listReminder(revisions: readonly Revision[], missing: readonly Missing[]): Message {
  const approvers = new Map(
    missing.flatMap((one) => one.approvers).map((each) => [JSON.stringify(each), each]),
  );
  const title = `${revisions.length} plans are still waiting for approval.`;
  const asked: Span[] =
    approvers.size === 0 ? [] : [' Approvers: ', ...approverSpans([...approvers.values()]), '.'];
  const rest = revisions.length - maxListed;
  return {
    text: note([bold(title), ...asked]).text,
    blocks: [
      rich([
        line(bold(title), ...asked),
        bullets(revisions.slice(0, maxListed).map(waitingLine)),
        ...(rest > 0 ? [line(`and ${rest} more`)] : []),
      ]),
    ],
  };
}

function waitingLine({ sealed }: Revision): ReturnType<typeof line> {
  const title = cut(oneLine(sealed.plan.summary), 150);
  return line(
    link(cardAddress(sealed.requestId, sealed.number), title),
    ', expires ',
    time(sealed.expiresAt),
  );
}

function askDirectly({ sealed }: Revision): Message {
  const title = cut(oneLine(sealed.plan.summary), 150);
  return {
    text: fallbackText(`Nobody has answered: ${title}`),
    blocks: [
      rich([
        line(
          bold('Nobody has answered, and you are the back-up: '),
          link(cardAddress(sealed.requestId, sealed.number), title),
          '. It expires ',
          time(sealed.expiresAt),
          '.',
        ),
      ]),
    ],
  };
}

function askedDirectly(backups: readonly Approver[]): Message {
  return note([bold('Nobody has answered. '), 'I have written to ', ...approverSpans(backups), '.']);
}

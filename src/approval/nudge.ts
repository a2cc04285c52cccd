import { cardAddress } from '../blocks/card-address.ts';
import { fallbackText } from '../blocks/escape.ts';
import type { Message } from '../blocks/message.ts';
import { note } from '../blocks/note.ts';
import { bold, line, link, rich, type Span, time } from '../blocks/rich.ts';
import { describeError, VendorError } from '../core/errors.ts';
import { cut, oneLine } from '../core/inert.ts';
import type { Log } from '../core/log.ts';
import type { Approver } from '../core/policy.ts';
import type { Revision } from '../core/revision.ts';
import { rulingsOf } from '../core/rules.ts';
import { type Missing, missingYeses } from './consent.ts';
import type { PeopleDirectory, Rules, Yes } from './ports.ts';
import type { Manifests } from './step-view.ts';
import { countsFor, forWrite, isFullMember, personsOf } from './who.ts';
import { approverSpans } from './who-may.ts';

/** A card that waits, after `nudges` reminders. */
export interface Waiting {
  readonly revision: Revision;
  readonly nudges: number;
}

/** A reminder: what the card's thread is told, and who is written to directly. */
export interface Nudge {
  readonly kind: 'reminded' | 'escalated';
  readonly thread: Message | null;
  readonly direct: readonly { readonly userId: string; readonly message: Message }[];
  /** When the next one is due; null for no more. */
  readonly next: Date | null;
}

export interface NudgePort {
  due(): Promise<readonly Waiting[]>;
  /** Queues it, once over all processes. */
  send(waiting: Waiting, nudge: Nudge): Promise<void>;
  yeses(of: Revision): Promise<readonly Yes[]>;
  readonly people: PeopleDirectory;
  readonly rules: () => Rules;
  readonly manifests: () => Manifests;
  readonly now: () => Date;
  readonly log: Log;
}

/** Back-ups who are written to for one card; a whole department is no back-up. */
const maxDirect = 10;

/** When people are reminded of a card: at half of its time, and at three quarters its back-ups are asked. */
export function nudgeTimes({ createdAt, expiresAt }: { createdAt: string; expiresAt: string }): [Date, Date] {
  const [from, to] = [Date.parse(createdAt), Date.parse(expiresAt)];
  const after = (share: number): Date => new Date(from + (to - from) * share);
  return [after(0.5), after(0.75)];
}

/** Reminds of the cards that nobody has answered. One that fails does not hold up the rest. */
export async function nudge(port: NudgePort): Promise<void> {
  for (const waiting of await port.due()) {
    try {
      await port.send(waiting, await nudgeFor(waiting, port));
    } catch (error) {
      const { requestId: request } = waiting.revision.sealed;
      port.log.warn({ request, ...describeError(error) }, 'A reminder was not sent and will be retried');
    }
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
  // A plan that nobody may approve has nobody to remind.
  if (steps.some(({ ruling }) => ruling.kind !== 'approve')) return [];
  return missingYeses(
    judged,
    yeses.map(({ by }) => by),
  );
}

/** Back-ups of the rules that hold now, as persons who may say yes and have not. */
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

/** Whoever cannot be looked up is not written to. */
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

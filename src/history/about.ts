import { z } from 'zod';
import { fallbackText } from '../blocks/escape.ts';
import type { Message } from '../blocks/message.ts';
import { bold, line, person, rich, time } from '../blocks/rich.ts';
import { parseJson } from '../core/json.ts';
import { damagedPlan, fittedSections, type Line, olderButton, planLine, type Section } from './list.ts';
import type { AboutPort, Listed, PlanTarget } from './port.ts';
import { visible } from './visible.ts';
import { watchesFor, watchList } from './watch-list.ts';

/**
 * Answers about the bot's own work: what is waiting, running and done. People see plans in public channels, in channels
 * they are in, and their own requests.
 */

/** Maximum lines in one list. */
export const shown = 10;
/** Maximum rows searched for those a person may see. */
const lookedAt = 50;
/** Rows of history per query, one query after the other: most people may see most of the first. */
export const pastLooks = [20, 50, 50, 50, 50] as const;

/** Whether writes are allowed, and what is running and waiting. */
export async function status(viewer: string, port: AboutPort): Promise<Message> {
  const [stopped, running, waiting, watches] = await Promise.all([
    port.stopped(),
    visible(viewer, await port.running(lookedAt), port),
    visible(viewer, await port.waiting(lookedAt), port),
    watchesFor(viewer, port),
  ]);
  const writes =
    stopped === null
      ? line(bold('Writes are allowed.'))
      : line(
          bold('All writes are stopped'),
          ' by ',
          person(stopped.by),
          ', ',
          time(stopped.at),
          `: ${stopped.reason}`,
        );
  const blocks = fittedSections(
    [
      await list('Running', running, 'Nothing is running.', { asked: true }),
      await list('Waiting for approval', waiting, 'No plans are waiting.', { asked: true }),
      watchList(watches, shown),
    ],
    [rich([writes])],
  );
  const counts = `${running.length} running, ${waiting.length} waiting`;
  return { text: fallbackText(stopped === null ? counts : `Writes are stopped. ${counts}`), blocks };
}

/** Plans waiting for this person's approval, and the person's own requests. */
export async function mine(viewer: string, port: AboutPort): Promise<Message> {
  const [waiting, asked] = await Promise.all([waitingFor(viewer, port), askedBy(viewer, port)]);
  return {
    text: waiting.length === 1 ? '1 plan waits for you' : `${waiting.length} plans wait for you`,
    blocks: fittedSections([
      await list('Waiting for you', waiting, 'Nothing waits for your approval.', { asked: true }),
      await list('Your plans', asked, 'You have not asked for a plan yet.', { asked: false }),
    ]),
  };
}

/** Plans this person may approve now, soonest to expire first. */
export async function waitingFor(viewer: string, port: AboutPort): Promise<Listed[]> {
  const waiting = await visible(viewer, await port.waiting(lookedAt), port);
  const may = await Promise.all(waiting.map((one) => port.mayApprove(viewer, one)));
  return waiting.filter((_, index) => may[index]);
}

export function askedBy(viewer: string, port: AboutPort): Promise<readonly Listed[]> {
  return port.asked(viewer, shown);
}

/** Requests, approvals and runs, newest first; `of` filters them. */
export async function history(
  viewer: string,
  of: PlanTarget | null,
  until: Date,
  port: AboutPort,
): Promise<Message> {
  const title = of === null ? 'History' : `History of ${of.label}`;
  const found: Listed[] = [];
  let before = until;
  let isOver = false;
  // A person in few channels may see little of a page; the search is limited nevertheless.
  for (const rows of pastLooks) {
    if (found.length >= shown || isOver) break;
    const looked = await port.history(of?.filter ?? { kind: 'all' }, before, rows);
    isOver = looked.next === null;
    before = looked.next ?? before;
    found.push(...(await visible(viewer, looked.plans, port)));
  }
  const now = page(found);
  const last = now.at(-1);
  const next =
    found.length > now.length && last !== undefined ? new Date(last.askedAt) : isOver ? null : before;
  const blocks = fittedSections([await list(title, now, 'Nothing you can see yet.', { asked: true })]);
  if (next !== null) blocks.push(olderButton(JSON.stringify({ of: of?.typed ?? null, at: next.getTime() })));
  return { text: fallbackText(`${title}: ${now.length === 1 ? '1 plan' : `${now.length} plans`}`), blocks };
}

/** The first entries of a list, up to `shown`. The next page starts at a new request, so that none is split. */
function page(all: readonly Listed[]): readonly Listed[] {
  const idOf = (index: number) => all[index]?.requestId;
  let end = Math.min(shown, all.length);
  while (end > 0 && idOf(end - 1) === idOf(end)) end -= 1;
  return all.slice(0, end === 0 ? shown : end);
}

const olderSchema = z.strictObject({ of: z.string().max(200).nullable(), at: z.number() });

/** The value of the button for older plans; null for one we did not write. */
export function readOlder(value: string): { of: string | null; before: Date } | null {
  const parsed = olderSchema.safeParse(parseJson(value));
  const before = new Date(parsed.data?.at ?? Number.NaN);
  return parsed.success && !Number.isNaN(before.getTime()) ? { of: parsed.data.of, before } : null;
}

async function list(
  title: string,
  all: readonly Listed[],
  none: string,
  options: { asked: boolean },
): Promise<Section> {
  const lines = await linesOf(all.slice(0, shown));
  return { title, items: lines.map((one) => planLine(one, options)), none, count: all.length };
}

/** Card addresses are fetched only where they are shown. */
export function linesOf(all: readonly Listed[]): Promise<Line[]> {
  return Promise.all(
    all.map(async ({ revision, digest, requester, standing, link }) => ({
      ...{ requester, standing, digest },
      summary: revision?.sealed.plan.summary ?? damagedPlan,
      link: await link(),
    })),
  );
}

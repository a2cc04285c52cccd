import { readCardRef } from '../blocks/card-ref.ts';
import { fallbackText } from '../blocks/escape.ts';
import { sizeOf } from '../blocks/fit.ts';
import type { Block, Message } from '../blocks/message.ts';
import { titled } from '../blocks/note.ts';
import { bold, code, line, person, rich, type Span, time } from '../blocks/rich.ts';
import type { PlanId } from '../core/plan-id.ts';
import type { Revision } from '../core/revision.ts';
import { killSwitchName } from '../core/run.ts';
import { stopButton } from '../report/run-buttons.ts';
import * as switches from '../store/switches.ts';
import {
  cancelButtons,
  fittedSections,
  type Listed,
  linesOf,
  messageRoom,
  olderButton,
  planLine,
  planSection,
} from './list.ts';
import { type PagesDeps, shown } from './pages.ts';
import * as plans from './plans.ts';
import { type PlanDeps, type Viewing, visible } from './plans.ts';
import { cardAsShown, type StoryDeps, shownCard, storyMessage, storyOf } from './story.ts';
import { storyJson } from './story-json.ts';
import { type WatchListDeps, watchBlocks, watchesFor, watchList } from './watch-list.ts';

/**
 * Answers about the bot's own work: what is waiting, running and done. People see plans in public channels, in channels
 * they are in, and their own requests; others do not exist for them.
 */

export interface HistoryDeps extends PagesDeps, StoryDeps, WatchListDeps {
  /** Whether a person may approve a waiting plan now; false when that cannot be looked up. */
  mayApprove(userId: string, revision: Revision): Promise<boolean>;
}

/** Maximum rows searched for those a person may see. */
export const maxSearched = 50;

/** Whether writes are allowed, and what is running and waiting. */
export async function status(viewer: string, deps: HistoryDeps): Promise<Message> {
  const { db, teamId } = deps;
  const [stop, running, waiting, watches] = await Promise.all([
    switches.get(db, teamId, killSwitchName),
    visible(viewer, await plans.running(deps, maxSearched), deps),
    visible(viewer, await plans.waiting(deps, maxSearched), deps),
    watchesFor(viewer, deps),
  ]);
  const stopped = stop?.isOn === true ? stop : null;
  const at = stopped?.at.toISOString() ?? '';
  const writes =
    stopped === null
      ? line(bold('Writes are allowed.'))
      : line(
          bold('All writes are stopped'),
          ' by ',
          person(stopped.actor),
          ', ',
          time(at),
          `: ${stopped.reason}`,
        );
  const blocks = fittedSections(
    [
      await planSection('Running', running, { none: 'Nothing is running.', max: shown }),
      await planSection('Waiting for approval', waiting, { none: 'No plans are waiting.', max: shown }),
      watchList(watches, shown),
    ],
    { head: [rich([writes])], tail: cancelButtons(viewer, waiting) },
  );
  const counts = `${running.length} running, ${waiting.length} waiting`;
  return {
    text: fallbackText(stopped === null ? counts : `Writes are stopped. ${counts}`),
    blocks,
  };
}

/** Plans waiting for this person's approval, and the person's own requests. */
export async function ownPlans(viewer: string, deps: HistoryDeps): Promise<Message> {
  const [waiting, asked] = await Promise.all([waitingFor(viewer, deps), askedBy(viewer, deps)]);
  const none = 'Nothing waits for your approval.';
  const sections = [
    await planSection('Waiting for you', waiting, { none, max: shown }),
    await planSection('Your plans, newest first', asked, {
      ...{ none: 'You have not asked for a plan yet.', max: shown, asked: false },
    }),
  ];
  const last = asked[shown - 1];
  const older = { of: `<@${viewer}>`, at: new Date(last?.askedAt ?? 0).getTime() };
  return {
    text: waiting.length === 1 ? '1 plan waits for you' : `${waiting.length} plans wait for you`,
    blocks: fittedSections(sections, {
      tail: [
        ...cancelButtons(viewer, asked),
        ...(asked.length > shown ? [olderButton(JSON.stringify(older))] : []),
      ],
    }),
  };
}

/** Plans this person may approve now, soonest to expire first. */
export async function waitingFor(viewer: string, deps: HistoryDeps): Promise<Listed[]> {
  const waiting = await visible(viewer, await plans.waiting(deps, maxSearched), deps);
  return plans.only(waiting, ({ revision }) => revision !== null && deps.mayApprove(viewer, revision));
}

/** A person's requests that became plans, newest first, with their runs. */
export async function askedBy(userId: string, deps: PlanDeps): Promise<Listed[]> {
  return (await plans.past(deps, { kind: 'asked', userId }, { limit: maxSearched })).plans;
}

/** The story of a plan, in words or as JSON; without an id, of the person's newest request. */
export async function storyFor(
  viewer: string,
  { id, asJson = false }: { readonly id: PlanId | null; readonly asJson?: boolean },
  deps: HistoryDeps,
): Promise<Message> {
  const [asked = null] = id === null ? await visible(viewer, await askedBy(viewer, deps), deps) : [];
  const plan = id === null ? asked : await planNamed(viewer, id, deps);
  if (plan === null) return noSuchPlan();
  const story = await storyOf(plan, deps);
  return asJson ? storyJson(story) : storyMessage(story);
}

/** Handles the button below a story. */
export async function shownCardFor(viewer: string, value: string, deps: HistoryDeps): Promise<Message> {
  const ref = readCardRef(value);
  const plan = ref && (await planNamed(viewer, { kind: 'request', id: ref.requestId }, deps));
  return plan === null ? noSuchPlan() : shownCard(plan.number, await cardAsShown(deps, plan));
}

export async function planNamed(
  viewer: string,
  id: PlanId,
  deps: PlanDeps & Viewing,
): Promise<Listed | null> {
  const [plan = null] = await visible(viewer, await plans.named(deps, id), deps);
  return plan;
}

/** Plans waiting for approval: the named one, or all in a channel. */
export async function waitingPlans(
  { userId, channel }: { readonly userId: string; readonly channel: string },
  id: PlanId | null,
  deps: PlanDeps & Viewing,
): Promise<Listed[]> {
  const all =
    id === null
      ? (await plans.waiting(deps, maxSearched)).filter((one) => one.channel === channel)
      : await plans.named(deps, id);
  return (await visible(userId, all, deps)).filter(({ state }) => state.kind === 'waiting');
}

/** Each has two of Slack’s 50 blocks, and so has each watch. */
const maxOpen = 12;

/** Everything that a person may want to end: running plans, their own that wait, newest first, and their watches, each with its button. */
export async function openFor(viewer: string, deps: HistoryDeps): Promise<Message> {
  const [running, asked, watches] = await Promise.all([
    visible(viewer, await plans.running(deps, maxSearched), deps),
    askedBy(viewer, deps),
    watchesFor(viewer, deps),
  ]);
  const waiting = asked.filter(({ state }) => state.kind === 'waiting');
  const own = watches.filter(({ owner }) => owner === viewer);
  const counts = `${running.length} running, ${waiting.length} of your plans waiting, ${own.length} of your watches`;
  const open = [...running, ...waiting];
  const lines = await linesOf(open.slice(0, maxOpen));
  const message = (kept: number): Block[] => [
    rich([line(bold('Open now: '), `${counts}.`)]),
    ...lines
      .slice(0, kept)
      .flatMap((one, index) => [
        rich([planLine(one, { asked: true })]),
        ...open.slice(index, index + 1).map((plan) => openButton(plan, index)),
      ]),
    ...(open.length > kept ? [rich([line(...others(open.length - kept))])] : []),
    ...watchBlocks(own),
    rich([line('To stop all writes: ', code('/plan stop all: why'))]),
  ];
  let kept = lines.length;
  while (kept > 0 && sizeOf(message(kept)) > messageRoom) kept -= 1;
  return { text: fallbackText(counts), blocks: message(kept) };
}

function openButton(plan: Listed, nth: number): Block {
  return stopButton(plan, `stop_${nth}`, plan.state.kind === 'waiting' ? { text: 'Cancel' } : null);
}

function others(count: number): Span[] {
  const [all, one] = [code('/plan mine'), code('/plan stop 3fa9 12c0')];
  return [`and ${count} more: `, all, ' lists yours, ', one, ' ends one'];
}

/** The same wording for missing and for hidden plans, so that nobody learns of plans in private channels. */
export function noSuchPlan(): Message {
  return titled('There is no such plan, or you cannot see it.', [
    'Its id is at the bottom of its card, for example ',
    code('3fa9 12c0'),
    '. Try ',
    code('/plan mine'),
    ' or ',
    code('/plan history'),
    '.',
  ]);
}

import { readCardRef } from '../blocks/card-ref.ts';
import type { Message } from '../blocks/message.ts';
import type { PlanId } from '../core/plan-id.ts';
import { askedBy, history, linesOf, readOlder } from './about.ts';
import { namedIn } from './named.ts';
import type { Listed } from './port.ts';
import { shownCard, storyMessage } from './story.ts';
import type { StoryPort } from './story-port.ts';
import { visible } from './visible.ts';
import { noSuchPlan, unknownName, whatToStop } from './words.ts';

/** Looks up plans by id, word or button. Plans a person may not see do not exist for them. */

/** The story of a plan; without an id, of the person's newest request. */
export async function storyFor(viewer: string, id: PlanId | null, port: StoryPort): Promise<Message> {
  const [asked = null] = id === null ? await visible(viewer, await askedBy(viewer, port), port) : [];
  const plan = id === null ? asked : await planNamed(viewer, id, port);
  return plan === null ? noSuchPlan() : storyMessage(await port.story(plan));
}

/** Handles the button below a story. */
export async function shownCardFor(viewer: string, value: string, port: StoryPort): Promise<Message> {
  const ref = readCardRef(value);
  const plan = ref && (await planNamed(viewer, { kind: 'request', id: ref.requestId }, port));
  if (plan === null) return noSuchPlan();
  return shownCard(plan.number, await port.cardAsShown(plan));
}

/** `typed`: the name to filter by; null for all plans. */
export async function historyFor(
  viewer: string,
  typed: string | null,
  before: Date,
  port: StoryPort,
): Promise<Message> {
  const of = typed === null ? null : namedIn(typed, port.catalogue);
  return typed !== null && of === null ? unknownName(typed) : history(viewer, of, before, port);
}

/** Handles the button below a list of plans; null for one we did not write. */
export async function olderFor(viewer: string, value: string, port: StoryPort): Promise<Message | null> {
  const older = readOlder(value);
  return older && historyFor(viewer, older.of, older.before, port);
}

/** Running plans, each with a Stop button. */
export async function runningFor(viewer: string, port: StoryPort): Promise<Message> {
  const running = await visible(viewer, await port.running(10), port);
  const lines = await linesOf(running);
  return whatToStop(running.flatMap((plan, index) => (lines[index] ? [{ line: lines[index], plan }] : [])));
}

export async function planNamed(viewer: string, id: PlanId, port: StoryPort): Promise<Listed | null> {
  const [plan = null] = await visible(viewer, await port.named(id), port);
  return plan;
}

/** Plans waiting for approval: the named one, or all in a channel. */
export async function waitingPlans(
  { userId, channel }: { readonly userId: string; readonly channel: string },
  id: PlanId | null,
  port: StoryPort,
): Promise<Listed[]> {
  const named =
    id === null ? (await port.waiting(50)).filter((one) => one.channel === channel) : await port.named(id);
  return (await visible(userId, named, port)).filter(({ standing }) => standing.kind === 'waiting');
}

import { askToBreakGlass, type GlassAsker } from '../approval/break-glass.ts';
import { explain } from '../approval/explain.ts';
import { turnSwitch } from '../approval/kill-switch.ts';
import { mayBeApproved } from '../approval/may-approve.ts';
import { openStanding } from '../approval/standing/end.ts';
import { standingList } from '../approval/standing/words.ts';
import { writeCardRef } from '../blocks/card-ref.ts';
import type { Say } from '../blocks/message.ts';
import { note } from '../blocks/note.ts';
import { askableIn } from '../core/askable.ts';
import type { Who } from '../core/person.ts';
import { type PlanId, readPlanId } from '../core/plan-id.ts';
import type { Via } from '../core/request.ts';
import { catchUp } from '../history/catch-up.ts';
import { damagedPlan } from '../history/list.ts';
import { historyFor } from '../history/pages.ts';
import { visible } from '../history/plans.ts';
import { tellReview } from '../history/review-draft.ts';
import {
  noSuchPlan,
  openFor,
  ownPlans,
  planNamed,
  status,
  storyFor,
  waitingPlans,
} from '../history/status.ts';
import { listWatches } from '../history/watch-list.ts';
import { commandMeant } from '../plan/nearest.ts';
import { approvedNothing, isAgreement } from '../request/decisions.ts';
import { commandWords } from '../request/help.ts';
import { type Arrival, requestIdOf } from '../request/intake.ts';
import { formFor } from '../request/plan-form.ts';
import { playbookCommand } from '../request/playbook-commands.ts';
import { readSubcommand, type Subcommand } from '../request/subcommand.ts';
import { tryPlan } from '../request/try-plan.ts';
import { emptyGoal } from '../request/words.ts';
import type { MentionEvent } from '../vendors/slack/events.ts';
import type { EventContext } from './process-context.ts';

/** Who typed it, where, and the key of the delivery. */
export interface Typed extends Who, GlassAsker {
  readonly key: string;
  readonly threadTs: string | null;
}

/** The bot's own words after `/plan`: each goes to the stage that has the answer. */
async function onCommand(said: Subcommand, who: Typed, context: EventContext, say: Say): Promise<void> {
  const { about, approval, now } = context;
  const { userId } = who;
  switch (said.kind) {
    case 'greeting':
      return say(emptyGoal());
    case 'thanks':
      return say(note(['You’re welcome.']));
    case 'status':
      return say(await status(userId, about));
    case 'mine':
      return say(await ownPlans(userId, about));
    case 'catch_up':
      return say(await catchUp(who, about));
    case 'watches':
      return say(await listWatches(userId, about));
    case 'handover':
      if (said.isCapped)
        await say(note(['A hand-over goes back 7 days at most, so this one covers the last 7 days.']));
      return context.watches.handOver(who.channel, said.hours, who.key);
    case 'report':
      return context.watches.postReport(who.channel, said.days, who.key);
    case 'timeline':
    case 'review':
      return tellReview({ ...who, incident: said.incident }, said.kind, context.reviews, say);
    case 'approvals':
      return say(standingList(await visible(userId, await openStanding(approval), about)));
    case 'history':
      return say(await historyFor(userId, said.of, now(), about));
    case 'show':
      return say(await storyFor(userId, said, about));
    case 'policy':
      return explainGoal(said.goal, who, context, say);
    case 'break_glass':
      return breakGlass(said.id, who, context, say);
    case 'stop':
      return said.id === null ? say(await openFor(userId, about)) : stopOne(said.id, who, context, say);
    case 'stop_all':
      return turnSwitch({ ...who, isOn: true, reason: said.reason }, approval, say);
    case 'resume':
      return turnSwitch({ ...who, isOn: false, reason: said.reason }, approval, say);
    default: {
      const askable = askableIn(context.catalogue, (tool) => mayBeApproved(tool, approval.rules.policy));
      return playbookCommand(said, who, { ...context.library, askable }, say);
    }
  }
}

/** The rules that apply to a goal, or to an existing plan. */
async function explainGoal(goal: string | null, who: Typed, context: EventContext, say: Say): Promise<void> {
  const { teamId, about, approval, stages, now } = context;
  const id = goal === null ? null : readPlanId(goal);
  if (id !== null) {
    const named = await planNamed(who.userId, id, about);
    if (named === null) return say(noSuchPlan());
    if (named.revision === null) return say(note([damagedPlan]));
    return say(explain(named.revision.sealed, approval));
  }
  const planning = { make: stages.plan.make, review: stages.review, teamId, now };
  const tried = goal === null ? null : await tryPlan(goal, who, planning);
  if (tried?.plan === null) return say(tried.message);
  await say(explain(tried && { plan: tried.plan, targets: [] }, approval));
}

function breakGlass(id: PlanId | null, who: Typed, context: EventContext, say: Say): Promise<void> {
  const { about, approval, gateway } = context;
  const waiting = async (asker: GlassAsker, named: PlanId | null) =>
    (await waitingPlans(asker, named, about)).flatMap(({ revision }) => revision ?? []);
  return askToBreakGlass(id, who, { ...approval, waiting, openView: gateway.openView }, say);
}

async function stopOne(
  id: PlanId,
  who: Typed,
  { about, pipeline, teamId }: EventContext,
  say: Say,
): Promise<void> {
  const plan = await planNamed(who.userId, id, about);
  if (plan === null) return say(noSuchPlan());
  await pipeline.stopped({ ...who, teamId, value: writeCardRef(plan) }, say);
}

/** The bot's own words, or a question about it that says nothing else. */
function ownWords(text: string, { catalogue }: EventContext): Subcommand | null {
  const exact = readSubcommand(text);
  const meant = exact === null ? commandMeant(text, { catalogue, commands: commandWords }) : null;
  return meant === null ? exact : readSubcommand(meant);
}

/** Text typed to the bot: one of its own words, or a goal. */
export async function asked(
  {
    key,
    actor,
    channel,
    threadTs,
    ts,
    text,
    triggerId = null,
    planned,
  }: Pick<MentionEvent, 'key' | 'actor' | 'channel' | 'threadTs' | 'text'> & {
    ts?: string;
    triggerId?: string | null;
    planned?: Arrival['planned'];
  },
  via: Via,
  say: Say,
  context: EventContext,
): Promise<void> {
  const { pipeline, request, replies } = context;
  const { userId: requester, home } = actor;
  // A direct message starts its thread itself: no other message stands there.
  const own = ts === threadTs ? null : threadTs;
  if (planned === undefined && isAgreement(text)) {
    if (!(await request.mayAsk(actor, say))) return;
    await say(approvedNothing());
    return say(await ownPlans(requester, context.about));
  }
  const subcommand = planned === undefined ? ownWords(text, context) : null;
  if (subcommand !== null) {
    if (await request.mayAsk(actor, say))
      await onCommand(subcommand, { ...actor, key, channel, threadTs: own, triggerId }, context, say);
    return;
  }
  if (text.trim() === '' && triggerId !== null) {
    if (await request.mayAsk(actor, say)) {
      await context.gateway.openView(triggerId, await formFor(requester, channel, null, request));
    }
    return;
  }
  replies.set(requestIdOf(actor.teamId, key), say);
  const where = { channel, threadTs, isFirst: own === null };
  await pipeline.submitted(
    { key, text, via, requester, home, ...where, quoted: null, ...(planned ? { planned } : {}) },
    say,
  );
}

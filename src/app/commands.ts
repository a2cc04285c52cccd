import { askToBreakGlass, type GlassAsker } from '../approval/break-glass.ts';
import type { ApprovalContext } from '../approval/context.ts';
import { explain } from '../approval/explain.ts';
import { turnSwitch } from '../approval/kill-switch.ts';
import { openStanding } from '../approval/standing/end.ts';
import { standingList } from '../approval/standing/words.ts';
import { writeCardRef } from '../blocks/card-ref.ts';
import type { Say } from '../blocks/message.ts';
import { note } from '../blocks/note.ts';
import type { Catalogue } from '../core/catalogue.ts';
import type { Who } from '../core/person.ts';
import { type PlanId, readPlanId } from '../core/plan-id.ts';
import {
  type HistoryDeps,
  historyFor,
  mine,
  noSuchPlan,
  planNamed,
  runningFor,
  status,
  storyFor,
  waitingPlans,
} from '../history/answers.ts';
import { damagedPlan } from '../history/list.ts';
import { visible } from '../history/plans.ts';
import { listWatches } from '../history/watch-list.ts';
import type { Pipeline } from '../pipeline.ts';
import type { Subcommand } from '../request/subcommand.ts';
import { command, type Playbooks } from '../request/subcommands.ts';
import type { TryPlan } from '../request/try-plan.ts';
import type { SlackGateway } from '../vendors/slack/gateway.ts';

export interface CommandDeps {
  readonly playbooks: Playbooks;
  readonly about: HistoryDeps;
  readonly approval: ApprovalContext;
  readonly catalogue: Catalogue;
  readonly pipeline: Pick<Pipeline, 'stopped'>;
  /** Plans a goal without storing it, for questions about it. */
  readonly tryPlan: TryPlan;
  readonly openView: SlackGateway['openView'];
  /** Posts the handover for the next shift to a channel. */
  readonly handOver: (channel: string, hours: number, key: string) => Promise<void>;
  readonly teamId: string;
  readonly now: () => Date;
}

/** Who typed it, where, and the key of the delivery. */
export interface Typed extends Who, GlassAsker {
  readonly key: string;
}

/** The bot's own words after `/plan`: each goes to the stage that has the answer. */
export async function onCommand(said: Subcommand, who: Typed, deps: CommandDeps, say: Say): Promise<void> {
  const { about, approval, playbooks, now } = deps;
  const { userId } = who;
  switch (said.kind) {
    case 'status':
      return say(await status(userId, about));
    case 'mine':
      return say(await mine(userId, about));
    case 'watches':
      return say(await listWatches(userId, about));
    case 'handover':
      if (said.isCapped)
        await say(note(['A hand-over goes back 7 days at most, so this one covers the last 7 days.']));
      return deps.handOver(who.channel, said.hours, who.key);
    case 'approvals':
      return say(standingList(await visible(userId, await openStanding(approval), about)));
    case 'history':
      return say(await historyFor(userId, said.of, now(), about));
    case 'show':
      return say(await storyFor(userId, said.id, about));
    case 'policy':
      return explainGoal(said.goal, who, deps, say);
    case 'break_glass':
      return breakGlass(said.id, who, deps, say);
    case 'stop':
      return said.id === null ? say(await runningFor(userId, about)) : stopOne(said.id, who, deps, say);
    case 'stop_all':
      return turnSwitch({ ...who, isOn: true, reason: said.reason }, approval, say);
    case 'resume':
      return turnSwitch({ ...who, isOn: false, reason: said.reason }, approval, say);
    default:
      return command(said, who, playbooks, say);
  }
}

/** The rules that apply to a goal, or to an existing plan. */
async function explainGoal(
  goal: string | null,
  who: Typed,
  { about, tryPlan, approval }: CommandDeps,
  say: Say,
): Promise<void> {
  const id = goal === null ? null : readPlanId(goal);
  if (id !== null) {
    const named = await planNamed(who.userId, id, about);
    if (named === null) return say(noSuchPlan());
    if (named.revision === null) return say(note([damagedPlan]));
    return say(explain(named.revision.sealed, approval));
  }
  const tried = goal === null ? null : await tryPlan(goal, who);
  if (tried?.plan === null) return say(tried.message);
  await say(explain(tried && { plan: tried.plan, targets: [] }, approval));
}

function breakGlass(id: PlanId | null, who: Typed, deps: CommandDeps, say: Say): Promise<void> {
  const { about, approval, openView } = deps;
  const waiting = async (asker: GlassAsker, named: PlanId | null) =>
    (await waitingPlans(asker, named, about)).flatMap(({ revision }) => revision ?? []);
  return askToBreakGlass(id, who, { ...approval, waiting, openView }, say);
}

async function stopOne(
  id: PlanId,
  who: Typed,
  { about, pipeline, teamId }: CommandDeps,
  say: Say,
): Promise<void> {
  const plan = await planNamed(who.userId, id, about);
  if (plan === null) return say(noSuchPlan());
  await pipeline.stopped({ ...who, teamId, value: writeCardRef(plan) }, say);
}

import { glassModal, howToBreakGlass, notForGlass } from '../approval/break-glass.ts';
import { explainPlan, explainRules, policyMessage } from '../approval/explain.ts';
import { type KillSwitchPort, turnSwitch } from '../approval/kill-switch.ts';
import { readCardRef, writeCardRef } from '../blocks/card-ref.ts';
import type { Message, Say } from '../blocks/message.ts';
import type { Catalogue } from '../core/catalogue.ts';
import type { Who } from '../core/person.ts';
import type { Policy } from '../core/policy.ts';
import type { Pipeline } from '../pipeline.ts';
import { askedBy, history, linesOf, mine, readOlder, status, visible } from '../report/about.ts';
import { noSuchPlan, unknownName, whatToStop } from '../report/about-words.ts';
import { namedIn } from '../report/named.ts';
import { shownCard, storyMessage } from '../report/story.ts';
import type { PlanId, Subcommand } from '../request/subcommand.ts';
import { command, type Playbooks } from '../request/subcommands.ts';
import type { SlackGateway } from '../vendors/slack/gateway.ts';
import type { StoryPort } from './about.ts';
import type { TryPlan } from './try-plan.ts';

export interface CommandDeps {
  readonly playbooks: Playbooks;
  readonly about: StoryPort;
  readonly killSwitch: KillSwitchPort;
  readonly catalogue: Catalogue;
  readonly pipeline: Pick<Pipeline, 'stopped'>;
  /** Plans a goal without storing it, for questions about it. */
  readonly tryPlan: TryPlan;
  readonly policy: Policy;
  readonly openView: SlackGateway['openView'];
  readonly teamId: string;
  readonly now: () => Date;
}

/** Who typed it, where, and the key of the delivery. */
export interface Typed extends Who {
  readonly key: string;
  readonly channel: string;
  /** With it a form can be opened; null where Slack gives none. */
  readonly triggerId: string | null;
}

/** The bot's own words after `/plan`. */
export async function onCommand(said: Subcommand, who: Typed, deps: CommandDeps, say: Say): Promise<void> {
  const { about, killSwitch, playbooks, now } = deps;
  const { userId } = who;
  switch (said.kind) {
    case 'status':
      return say(await status(userId, about));
    case 'mine':
      return say(await mine(userId, about));
    case 'history':
      return tellHistory(userId, said.of, now(), deps, say);
    case 'show':
      return show(said.id, who, deps, say);
    case 'policy':
      return say(await policyOf(said.goal, who, deps));
    case 'break_glass':
      return breakGlass(said.id, who, deps, say);
    case 'stop':
      return said.id === null ? askWhatToStop(userId, deps, say) : stopOne(said.id, who, deps, say);
    case 'stop_all':
      return turnSwitch({ ...who, isOn: true, reason: said.reason }, killSwitch, say);
    case 'resume':
      return turnSwitch({ ...who, isOn: false, reason: said.reason }, killSwitch, say);
    default:
      return command(said, who, playbooks, say);
  }
}

/** Which rules hold for what somebody would like to have done. */
async function policyOf(
  goal: string | null,
  who: Typed,
  { tryPlan, policy, catalogue, now }: CommandDeps,
): Promise<Message> {
  if (goal === null) return policyMessage(explainRules(policy));
  const tried = await tryPlan(goal, who);
  if (tried.plan === null) return tried.message;
  return policyMessage(explainPlan(tried.plan, catalogue.manifests, policy, now()));
}

/** The story of a plan; without an id, of the newest that this person asked for. */
async function show(id: PlanId | null, who: Typed, { about }: CommandDeps, say: Say): Promise<void> {
  const named = id === null ? await askedBy(who.userId, about) : await about.named(id);
  const [plan] = await visible(who.userId, named, about);
  if (plan === undefined) return say(noSuchPlan());
  await say(await storyMessage(await about.story(plan)));
}

/** The button below a story. */
export async function onShownCard(
  userId: string,
  value: string,
  { about }: CommandDeps,
  say: Say,
): Promise<void> {
  const ref = readCardRef(value);
  const named = ref === null ? [] : await about.named({ kind: 'request', id: ref.requestId });
  const [plan] = await visible(userId, named, about);
  if (plan === undefined || ref === null) return say(noSuchPlan());
  await say(shownCard(plan.revision, await about.cardAsShown(plan.revision.sealed)));
}

/** The button below a list of plans. */
export async function onOlder(userId: string, value: string, deps: CommandDeps, say: Say): Promise<void> {
  const older = readOlder(value);
  if (older !== null) await tellHistory(userId, older.of, older.before, deps, say);
}

async function tellHistory(
  userId: string,
  typed: string | null,
  before: Date,
  { about, catalogue }: CommandDeps,
  say: Say,
): Promise<void> {
  const of = typed === null ? null : namedIn(typed, catalogue);
  if (typed !== null && of === null) return say(unknownName(typed));
  await say(await history(userId, of, before, about));
}

async function askWhatToStop(userId: string, { about }: CommandDeps, say: Say): Promise<void> {
  const running = await visible(userId, await about.running(10), about);
  const lines = await linesOf(running);
  await say(
    whatToStop(
      lines.flatMap((line, index) => {
        const plan = running[index];
        return plan === undefined ? [] : [{ line, plan }];
      }),
    ),
  );
}

/** Opens the whole plan with a field for the reason, for those who may approve it alone. */
async function breakGlass(id: PlanId | null, who: Typed, deps: CommandDeps, say: Say): Promise<void> {
  const { about, policy, catalogue, openView } = deps;
  const { userId, channel, triggerId } = who;
  if (!policy.breakGlass.some((one) => one.kind === 'user' && one.id === userId)) {
    return say(notForGlass(policy.breakGlass));
  }
  const named =
    id === null ? (await about.waiting(50)).filter((one) => one.channel === channel) : await about.named(id);
  const open = (await visible(userId, named, about)).filter(({ standing }) => standing.kind === 'waiting');
  const [plan] = open;
  if (plan === undefined || open.length > 1 || triggerId === null) return say(howToBreakGlass());
  await openView(triggerId, glassModal(plan.revision, catalogue.manifests));
}

async function stopOne(
  id: PlanId,
  who: Typed,
  { about, pipeline, teamId }: CommandDeps,
  say: Say,
): Promise<void> {
  const [plan] = await visible(who.userId, await about.named(id), about);
  if (plan === undefined) return say(noSuchPlan());
  await pipeline.stopped({ ...who, teamId, value: writeCardRef(plan.revision) }, say);
}

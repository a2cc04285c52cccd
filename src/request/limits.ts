import type { Say } from '../blocks/message.ts';
import { forbiddenIn } from '../core/agent.ts';
import { effectOf } from '../core/code-step.ts';
import type { Plan, Step } from '../core/plan.ts';
import type { Turn } from '../core/planning-turn.ts';
import { isUnattended, type Request } from '../core/request.ts';
import { evidenceOf } from '../core/verify.ts';
import { answerAgent } from '../store/agents.ts';
import { countBefore, setState } from '../store/requests.ts';
import type { RequestContext } from './context.ts';
import { type LimitedKind, tooMany } from './words.ts';

const hourMs = 3_600_000;

/**
 * False after telling the person that an hourly limit is reached, or an agent what its plan may not do. Only what a person asked for in words counts, and
 * nothing stands in the way of an urgent write. Known only once it is planned: the words alone do not say what it is.
 */
export async function admits(
  asked: Request,
  plan: Plan,
  turn: Turn,
  context: RequestContext,
  say: Say,
): Promise<boolean> {
  const isFirst = turn.basedOn === null && turn.failed === null;
  if (isFirst && asked.agent) return admitsAgent(asked, plan, context);
  if (!isFirst || isUnattended(asked) || asked.via === 'button') return true;
  const manifests = plan.steps.map(({ tool }) => context.catalogue.manifests.get(tool));
  if (manifests.some((manifest) => manifest?.urgent === true)) return true;
  const kind = plan.steps.every(({ tool }) => effectOf(tool, context.catalogue.manifests) === 'read')
    ? 'question'
    : 'plan';
  if (!(await isOver(asked, kind, context))) return true;
  const { db, teamId, perHour } = context;
  await setState(db, { teamId, id: asked.id, to: 'refused', from: ['planning'] });
  await say(tooMany(kind, perHour[kind]));
  return false;
}

async function admitsAgent(
  { teamId, id, agent }: Request,
  plan: Plan,
  { db, agents, catalogue }: RequestContext,
): Promise<boolean> {
  const forbidden = forbiddenIn(
    agents.find(({ name }) => name === agent?.name),
    { ...plan, steps: asProposed(plan, catalogue) },
    agent?.tools,
  );
  if (forbidden === null) return true;
  await setState(db, { teamId, id, to: 'refused', from: ['planning'] });
  await answerAgent(db, { teamId, id }, forbidden);
  return false;
}

/**
 * The steps without the checks that the operator declares for their writes, and the reads from before them. A check that
 * an agent gave itself was judged when its proposal was taken.
 */
function asProposed({ steps }: Plan, { manifests }: RequestContext['catalogue']): Plan['steps'] {
  const isDeclared = ({ tool }: Step): boolean => manifests.get(tool)?.verify !== undefined;
  const before = new Set(
    steps.flatMap((step) => (step.verify && isDeclared(step) ? evidenceOf(step.verify) : [])),
  );
  return steps.flatMap((step) => {
    if (before.has(step.id) && effectOf(step.tool, manifests) === 'read') return [];
    const { verify: _declared, ...rest } = step;
    return isDeclared(step) ? [rest] : [step];
  });
}

/** True when a person has used up the hour's requests of a kind. */
export async function isOver(
  asked: Request,
  kind: LimitedKind,
  { db, perHour }: Pick<RequestContext, 'db' | 'perHour'>,
): Promise<boolean> {
  const since = new Date(asked.createdAt.getTime() - hourMs);
  return (await countBefore(db, asked, { since, writes: kind === 'plan' })) >= perHour[kind];
}

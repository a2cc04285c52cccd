import type { Catalogue } from '../core/catalogue.ts';
import type { Blank } from '../core/missing-input.ts';
import {
  certainReply,
  type ModelUsage,
  type Planner,
  type PlannerReply,
  type PlanningInput,
} from '../core/planning.ts';
import type { Turn } from '../core/planning-turn.ts';
import type { Policy } from '../core/policy.ts';
import type { QueryTemplate } from '../core/queries/template.ts';
import type { Request } from '../core/request.ts';
import { isDropped } from './dropped.ts';
import { withoutQuotes } from './quotations.ts';
import { remainder } from './remainder.ts';
import { replanInput } from './replan.ts';
import { inRequesterZone, requesterZone } from './zone.ts';

interface Conversation {
  /** Questions with their answers. */
  readonly answers: PlanningInput['answers'];
  /** A plan of this request completed by the last answer; null if there is none. */
  readonly filled: Pick<Blank, 'plan' | 'planner'> | null;
}

export type AboutThread = Pick<PlanningInput, 'hasIncident' | 'threadService'>;

export interface PlanPort {
  readonly planner: Planner;
  /** Plans without a model, for messages that must not cost anything: replies that may be mere talk. */
  readonly offline: Planner;
  readonly catalogue: Catalogue;
  readonly policy: Policy;
  /** Questions about a request, with the answers. */
  conversation(requestId: string): Promise<Conversation>;
  /** Every model call is stored, even a useless one: budgets and cards count them. */
  record(requestId: string, purpose: 'plan' | 'change', usage: ModelUsage | null): Promise<void>;
  /** The things that the request's thread is about. */
  aboutThread(request: Request): Promise<AboutThread>;
  /** Recently approved plans of the same words, but for the things they name. */
  remembered(goal: string): Promise<NonNullable<PlanningInput['remembered']>>;
  /** Services for which a person (Slack user id) is the only one on call now; empty if that is not certain. */
  servicesOf(userId: string): Promise<readonly string[]>;
  /** A person's IANA time zone (Slack user id); null where it is not known. */
  zoneOf(userId: string): Promise<string | null>;
  /** Called with the answer of a planner and what it was asked; not for the rest of a failed run. */
  planned?(input: PlanningInput, reply: PlannerReply): void;
  readonly now: () => Date;
}

/** Turns a request, its answers and the rest of a failed run into a plan, a question or a refusal. */
export async function planRequest(request: Request, turn: Turn, port: PlanPort): Promise<PlannerReply> {
  // The rest of a failed run needs no planner: code cuts the plan, where possible.
  const left = turn.failed && remainder(turn.failed.plan, turn.failed.results, port.catalogue.manifests);
  if (left !== null) return certainReply({ kind: 'plan', plan: left }, 'offline');
  const replan = turn.failed && replanInput(turn.failed);
  const [{ answers, filled }, about, remembered, zone] = await Promise.all([
    port.conversation(request.id),
    request.threadTs === null ? {} : port.aboutThread(request),
    replan === null ? port.remembered(request.goal) : [],
    requesterZone(request, port.zoneOf),
  ]);
  const asked = planningInput(request, { ...about, answers, replan, zone }, port);
  if (turn.failed === null && filled !== null && !isDropped(asked)) {
    return inRequesterZone(certainReply({ kind: 'plan', plan: filled.plan }, filled.planner), asked);
  }
  const isNew = answers.length === 0 && replan === null;
  const input = isNew ? { ...asked, remembered } : asked;
  const first = inRequesterZone(await port.planner.plan(input), input);
  await port.record(request.id, 'plan', first.usage);
  if (!asksForWhoeverAsks(first)) {
    if (replan === null) port.planned?.(input, first);
    return groups(first, input) ? ungrouped(first) : first;
  }
  const known = { ...input, onCallFor: await port.servicesOf(request.requester) };
  const reply = inRequesterZone(await port.planner.plan(known), known);
  await port.record(request.id, 'plan', reply.usage);
  if (replan === null) port.planned?.(known, reply);
  return reply;
}

/** "per hour" in a question, in five languages. "Every hour" is a watch. */
const perTime =
  /(?<!\p{L})(?:(?:per|by) (?:minute|hour|day|week|month)|over time|(?:pro|je) (?:minute|stunde|tag|woche)|par (?:minute|heure|jour|semaine)|por (?:minuto|hora|d[ií]a|semana))(?!\p{L})/iu;

/** A question for one number for each of several times. Its plans would answer it for a single one, without a word. */
function groups({ answer, planner }: PlannerReply, { goal, catalogue }: PlanningInput): boolean {
  const offers = answer.kind === 'clarify' ? (answer.offers ?? []) : [];
  const plans = answer.kind === 'plan' ? [answer.plan] : offers.map(({ plan }) => plan);
  if (plans.some(({ watch }) => watch !== undefined) || planner === 'person') return false;
  const steps = plans
    .flatMap(({ steps }) => steps)
    .map(({ tool, args }) => ({ manifest: catalogue.manifests.get(tool), args }));
  const isGrouped = ({ name, says }: QueryTemplate) =>
    says.some((words) => perTime.test(words)) && steps.some(({ args }) => args.named === name);
  if (steps.some(({ args }) => args.by !== undefined)) return false;
  return (
    perTime.test(withoutQuotes(goal)) &&
    steps.every(({ manifest }) => manifest?.effect === 'read') &&
    steps.some(({ manifest }) => manifest?.measures === true) &&
    !(catalogue.queries ?? []).some(isGrouped)
  );
}

function ungrouped(reply: PlannerReply): PlannerReply {
  const explanation =
    'I can’t group over time: I give one number for one time. Name that time, for example “in the last hour” or “today”.';
  return { ...reply, answer: { kind: 'refuse', reason: 'out_of_scope', explanation } };
}

/** "page me": a planner knows no people, only services. */
const asksForWhoeverAsks = ({ answer }: PlannerReply): boolean =>
  answer.kind === 'clarify' && answer.missing.includes('me');

/** A planner's input: a request and its history so far. */
export function planningInput(
  { goal, quoted, channel }: Request,
  soFar: AboutThread & Partial<Pick<PlanningInput, 'answers' | 'change' | 'replan' | 'zone'>>,
  { catalogue, policy, now }: Pick<PlanPort, 'catalogue' | 'policy' | 'now'>,
): PlanningInput {
  return {
    goal,
    quoted,
    channel,
    catalogue: inThreadOf(soFar.threadService, catalogue),
    policy,
    answers: [],
    change: null,
    replan: null,
    ...soFar,
    now: now(),
  };
}

/** In the thread of an alert or a card, its service and that service's project come before the operator's defaults. */
export function inThreadOf(service: string | undefined, catalogue: Catalogue): Catalogue {
  const found = catalogue.services.find(({ name }) => name === service);
  if (found === undefined) return catalogue;
  const { name, project = catalogue.defaults.project } = found;
  const own = { service: name, ...(project === undefined ? {} : { project }) };
  return { ...catalogue, defaults: { ...catalogue.defaults, ...own } };
}

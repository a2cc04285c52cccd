import { spanOf } from '../core/calendar/span.ts';
import type { Catalogue } from '../core/catalogue.ts';
import { fieldInfo } from '../core/fields.ts';
import type { Plan, Step } from '../core/plan.ts';
import type { PlannerReply, PlanningInput } from '../core/planning.ts';
import type { Request } from '../core/request.ts';
import { isUnattended } from '../core/request.ts';

/** A plan waits no longer for a person's time zone; Slack usually answered for the requester a moment ago. */
const lookUpMs = 300;

/** The time zone of the requester; undefined for unattended requests, and where it cannot be looked up in time. */
export async function requesterZone(
  request: Pick<Request, 'via' | 'requester'>,
  zoneOf: (userId: string) => Promise<string | null>,
): Promise<string | undefined> {
  if (isUnattended(request)) return undefined;
  const { promise: late, resolve } = Promise.withResolvers<null>();
  const timer = setTimeout(resolve, lookUpMs, null);
  try {
    return (await Promise.race([zoneOf(request.requester).catch(() => null), late])) ?? undefined;
  } finally {
    clearTimeout(timer);
  }
}

/** The zone of times in a request: the requester's, else the deployment's. */
export const zoneFor = ({ zone, catalogue }: Pick<PlanningInput, 'zone' | 'catalogue'>): string =>
  zone ?? catalogue.defaults.timezone ?? 'UTC';

/**
 * The reply with the requester's zone named in each time that means another moment on the deployment's clock. What an
 * operator wrote into a playbook, and plan notation, stay as they are.
 */
export function inRequesterZone(reply: PlannerReply, input: PlanningInput): PlannerReply {
  const { answer } = reply;
  if (input.zone === undefined || reply.planner === 'person' || answer.kind === 'refuse') return reply;
  const named = (plan: Plan): Plan => withZone(plan, input, reply.planner === 'playbook');
  if (answer.kind === 'plan') return { ...reply, answer: { ...answer, plan: named(answer.plan) } };
  const { offers, blank } = answer;
  return {
    ...reply,
    answer: {
      ...answer,
      ...(offers && { offers: offers.map((offer) => ({ ...offer, plan: named(offer.plan) })) }),
      ...(blank && { blank: { ...blank, plan: named(blank.plan) } }),
    },
  };
}

function withZone(plan: Plan, input: PlanningInput, onlyInputs: boolean): Plan {
  const { catalogue, now } = input;
  const said = onlyInputs ? plan.inputs.filter(({ source }) => source !== 'default') : null;
  const zoned = (value: unknown): string | null => {
    if (typeof value !== 'string' || said?.every((one) => one.value !== value)) return null;
    const here = { now, aim: 'past' } as const;
    const [theirs, ours] = [zoneFor(input), zoneFor({ catalogue })].map((zone) =>
      spanOf(value, { ...here, zone }),
    );
    const differs =
      theirs?.from.getTime() !== ours?.from.getTime() || theirs?.to.getTime() !== ours?.to.getTime();
    return differs ? `${value} ${zoneFor(input)}` : null;
  };
  return { ...plan, steps: plan.steps.map((step) => withTimes(step, catalogue, zoned)) };
}

/** On call has the clock of its rota. */
function withTimes(step: Step, { manifests }: Catalogue, zoned: (value: unknown) => string | null): Step {
  const shape = manifests.get(step.tool)?.args.shape ?? {};
  const args = Object.entries(step.args).map(([name, value]): [string, typeof value] => {
    const schema = shape[name];
    const { time, ahead = false } = schema === undefined ? {} : fieldInfo(schema);
    const isTime = (time === 'any' || time === 'whole') && !ahead;
    return [name, (isTime ? zoned(value) : null) ?? value];
  });
  return { ...step, args: Object.fromEntries(args) };
}

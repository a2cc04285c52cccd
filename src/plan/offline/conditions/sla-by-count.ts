import {
  type Args,
  type DraftCondition,
  type DraftPart,
  type DraftStep,
  isCompare,
  isFromStep,
  numberOf,
} from '../draft/draft.ts';
import { addStep, type Work } from '../draft/work.ts';

interface Pair {
  readonly sla: DraftStep;
  readonly count: DraftStep;
  readonly limit: DraftStep;
}

/** A condition that asks whether the SLA is breached, as a count against its limit; null for any other of it. */
function asCount(condition: DraftCondition, pair: Pair): DraftCondition | null {
  if (!isCompare(condition)) {
    const parts = ('all' in condition ? condition.all : condition.any).map((part) => asCount(part, pair));
    const found = parts.filter((part) => part !== null);
    if (found.length < parts.length) return null;
    return 'all' in condition ? { all: found } : { any: found };
  }
  const { left, op, right } = condition;
  if (!left.some(({ step }) => step === pair.sla)) return condition;
  const breached = left[0]?.field === 'state' && right === 'breached';
  const counted = left[0]?.field === 'total' && right === 0 && pair.sla.args.state === 'breached';
  const holds = (breached && op === '==') || (counted && op === '>');
  const denied = (breached && op === '!=') || (counted && op === '==');
  if (left.length !== 1 || !(holds || denied)) return null;
  return { left: [numberOf(pair.count)], op: holds ? '>' : '<=', right: numberOf(pair.limit) };
}

/** A text that tells the state tells both numbers instead. */
function retold(args: Args, pair: Pair): Args {
  const parts = (value: DraftPart): DraftPart[] => {
    if (isFromStep(value) && value.step === pair.sla)
      return [numberOf(pair.count), { labelOf: pair.limit, lead: '; ' }, numberOf(pair.limit)];
    const label = typeof value === 'object' && 'labelOf' in value && value.labelOf === pair.sla;
    return [label ? { ...value, labelOf: pair.count } : value];
  };
  return Object.fromEntries(
    Object.entries(args).map(([name, value]) => [name, Array.isArray(value) ? value.flatMap(parts) : value]),
  );
}

/**
 * Without a tool that knows the SLA's state, a breach of a project is what `countersign.yml` says it is: more open
 * tickets than the limit allows. What asks for more than that stays as it is, and is answered as not configured.
 */
export function countForSla(work: Work): void {
  const { manifests, open } = work.catalogue;
  if (open || manifests.has('jira.sla') || !manifests.has('jira.count') || !manifests.has('sla.threshold'))
    return;
  for (const sla of work.steps.filter((step) => step.tool === 'jira.sla' && step.args.key === undefined)) {
    const { project, priority } = sla.args;
    const about: Args = { ...(project ? { project } : {}), ...(priority ? { priority } : {}) };
    const before = [...work.steps];
    const pair = {
      sla,
      count: addStep(work, 'jira.count', { ...about, status: 'open' }),
      limit: addStep(work, 'sla.threshold', about),
    };
    const users = before.filter((step) => step.when !== null && reads(step.when, sla));
    const conditions = users.map((step) => step.when && asCount(step.when, pair));
    if (users.length === 0 || conditions.includes(null)) {
      work.steps.splice(0, work.steps.length, ...before);
      continue;
    }
    users.forEach((step, index) => {
      step.when = conditions[index] ?? null;
    });
    for (const step of before) step.args = retold(step.args, pair);
    work.steps.splice(0, work.steps.length, pair.count, pair.limit, ...before.filter((step) => step !== sla));
    work.assumptions.push('A breach is more open tickets than the SLA limit allows');
  }
}

function reads(condition: DraftCondition, step: DraftStep): boolean {
  if (!isCompare(condition))
    return ('all' in condition ? condition.all : condition.any).some((part) => reads(part, step));
  return condition.left.some((part) => part.step === step);
}

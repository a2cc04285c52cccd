import type { Frame } from '../frames/frame.ts';
import { isTimed } from '../frames/takes.ts';
import type { Test } from '../frames/test.ts';
import {
  type Compare,
  type Condition,
  compare,
  type DraftStep,
  type DraftValue,
  each,
  type Operator,
  withOp,
} from './draft.ts';
import { openTicketsOnly } from './guesses.ts';
import { type Memory, need, saysAt } from './memory.ts';
import { incidentsFor, states, ticketsFor } from './states.ts';
import { addRead } from './steps.ts';

type Lasts = Extract<Test, { kind: 'minutes' }>;

/** How many there are is asked of open tickets, unless a time or another status is named. */
function onlyOpen(memory: Memory, steps: readonly DraftStep[]): void {
  for (const { tool, args, from } of steps) {
    if (from !== undefined) continue;
    const saysWhen = [...args.keys()].some((arg) => isTimed(tool, arg));
    if (saysWhen || args.has('status') || tool.asked?.args?.status?.words?.open === undefined) continue;
    args.set('status', 'open');
    memory.assumptions.add(openTicketsOnly);
  }
}

const saysAnywhere = (memory: Memory, tag: string): boolean =>
  saysAt(memory, { from: 0, to: memory.text.words.length }, tag);

/** Several look-ups make one value: added up, each for itself, or any of them, as the request says. */
function number(memory: Memory, steps: readonly DraftStep[], op: Operator, value: number): Condition | null {
  onlyOpen(memory, steps);
  const says = (how: string): boolean => saysAnywhere(memory, `gather ${how}`);
  const single = each(steps, says('either'), (step) => compare(step, 'number', op, value));
  if (steps.length < 2 || single === null) return single;
  if (!says('sum')) return says('each') || says('either') ? single : null;
  return { any: false, parts: [{ left: single.parts.flatMap(({ left }) => left), op, right: value }] };
}

/** "both have open incidents": each of them; else one is enough. */
const existence = (memory: Memory, steps: readonly DraftStep[], some: boolean): Condition | null =>
  each(steps, some && !saysAnywhere(memory, 'both'), (step) => {
    const op = some ? '>' : '==';
    // A limit that was agreed on is always there.
    if (step.tool.asked?.role === 'limit') return null;
    // "the SLA of PAY is ok": nothing there is over it, or about to be.
    if (step.args.get('state') === 'ok' && step.args.delete('state'))
      return compare(step, 'number', some ? '==' : '>', 0);
    if (!step.args.has('key')) return compare(step, 'any', op, 0) ?? compare(step, 'number', op, 0);
    return isSaid(memory, step, 'breached') ? compare(step, 'state', some ? '==' : '!=', 'breached') : null;
  });

/** "the SLA of PAY-3 is ok" says nothing of a breach. */
const isSaid = ({ text }: Memory, { tool }: DraftStep, state: string): boolean =>
  text.words.some(({ phrases }) =>
    phrases.some(({ senses }) => senses.some(({ of, value }) => of === tool.name && value === state)),
  );

function isoOf(minutes: number): string {
  if (minutes % 1_440 === 0) return `P${minutes / 1_440}D`;
  return minutes % 60 === 0 ? `PT${minutes / 60}H` : `PT${minutes}M`;
}

/** "any P1 older than 4 hours" leaves the younger ones out; "the oldest is older than" compares its age. */
function ages(memory: Memory, steps: readonly DraftStep[], test: Lasts, any: boolean): Condition | null {
  const { by, op, value } = test;
  const isOne = ({ tool, args }: DraftStep): boolean =>
    args.has('order') || args.has('key') || tool.asked?.role === 'alarm';
  const incidents = incidentsFor(memory, steps);
  const own =
    incidents.length > 0 ? incidents : by === 'age' ? steps : ticketsFor(memory, steps, by === 'left');
  if (own.length > 0 && own.every(isOne))
    return each(own, any, (step) => compare(step, by, op, value) ?? compare(step, 'left', op, value));
  const found = ofAge(memory, steps, test);
  return found && existence(memory, found, true);
}

/** The look-ups without what is younger, or older; null where they cannot leave it out. What was listed for its own sake stays whole. */
function ofAge(
  memory: Memory,
  steps: readonly DraftStep[],
  { by, op, value }: Lasts,
  apart = false,
): DraftStep[] | null {
  const arg = by === 'idle' ? 'not_updated_for' : op === '<' ? 'window' : 'older_than';
  const canFilter = steps.every(({ tool }) => arg in tool.args.shape);
  if (!canFilter || !['>', '>=', '<'].includes(op)) return null;
  const points = memory.reads === steps;
  memory.reads = steps.map((step) => {
    const args = new Map(step.args).set(arg, isoOf(value));
    if (apart || (points && !step.isVerbless)) return addRead(memory, { tool: step.tool, args });
    step.args.set(arg, isoOf(value));
    return step;
  });
  return memory.reads;
}

/** Compares with another look-up, which is about the same project and priority where it names none. */
function than(memory: Memory, steps: readonly DraftStep[], op: Operator, frame: Frame): Condition | null {
  const { tool, slots, used } = frame;
  const field = tool.asked?.compares?.number;
  if (field === undefined) return null;
  onlyOpen(memory, steps);
  // "is the number of waiting carts above the limit": what was agreed is agreed of tickets.
  if (steps.some((step) => !('project' in step.tool.args.shape))) return null;
  return each(steps, true, (step) => {
    const args = new Map<string, DraftValue>([...slots].map(([arg, values]) => [arg, values[0] ?? '']));
    for (const arg of Object.keys(tool.args.shape))
      if (step.args.has(arg) && !args.has(arg)) args.set(arg, step.args.get(arg) ?? '');
    if (tool.asked?.role === 'limit' && isUnset(memory, args)) return agreed(memory, step, op, args);
    const right = addRead(memory, { tool, args }, { from: Math.min(...used), to: Math.max(...used) + 1 });
    return right === step ? null : compare(step, 'number', op, { step: right, field });
  });
}

/** A limit that the operator has not set: looking it up can only fail. */
function isUnset({ text: { catalogue } }: Memory, args: ReadonlyMap<string, DraftValue>): boolean {
  const limits = catalogue.projects.find(({ key }) => key === args.get('project'))?.sla;
  const priority = args.get('priority');
  return limits !== undefined && typeof priority === 'string' && limits[priority] === undefined;
}

/** The limit that an answer names, in the place of one that is not set. */
function agreed(
  memory: Memory,
  step: DraftStep,
  op: Operator,
  args: ReadonlyMap<string, DraftValue>,
): Compare | null {
  const bound = Number.parseInt(memory.given.get('limit') ?? '', 10);
  const said = [...args.values()].reverse().join(' in ');
  if (Number.isNaN(bound)) need(memory, 'limit', 'limit', { options: ['5', '10', '20'], said });
  return compare(step, 'number', op, Number.isNaN(bound) ? 0 : bound);
}

function single(memory: Memory, steps: readonly DraftStep[], test: Test, any: boolean): Condition | null {
  switch (test.kind) {
    case 'number':
      return number(memory, steps, test.op, test.value);
    case 'minutes':
      return ages(memory, steps, test, any);
    case 'than':
      return than(memory, steps, test.op, test.frame);
    case 'versus':
      // Both sides are looked up; over it is over the limit, until a condition says otherwise.
      return than(memory, steps, '>', test.frame);
    case 'over':
      // As the comparison before it, over the limit that was looked up.
      return memory.compared && withOp(memory.compared, test.op);
    case 'state':
      return states(memory, steps, test, any);
    default:
      return existence(memory, steps, test.some);
  }
}

/** What tests of some look-ups come to: which field of which step is compared with what. Null where they say nothing. */
export function conditionOf(
  memory: Memory,
  steps: readonly DraftStep[],
  tests: readonly Test[],
  any: boolean,
): Condition | null {
  // "more than 3 older than 2 hours": they are counted, and their age only says which.
  const age = tests.find((test) => test.kind === 'minutes');
  const others = tests.filter((test) => test !== age);
  const isCounted = !any && age !== undefined && others.some(({ kind }) => kind === 'number');
  const counted = isCounted ? ofAge(memory, steps, age) : null;
  if (counted) return conditionOf(memory, counted, others, any);
  const older = age !== undefined && others.length > 0 ? ofAge(memory, steps, age, true) : null;
  const known = tests.flatMap(
    (test) => single(memory, test === age ? (older ?? steps) : steps, test, any) ?? [],
  );
  if (known.length < tests.length) return null;
  return known.length === 1 ? (known[0] ?? null) : { any, parts: known.flatMap(({ parts }) => parts) };
}

import type { Compare, Condition, DraftStep, DraftValue, Operator } from './draft.ts';
import { means } from './heard.ts';
import { addRead } from './look-ups.ts';
import { assume, type Memory, need } from './memory.ts';
import { takesOf } from './takes.ts';
import type { Test } from './tests.ts';

/** How many tickets are too many where nobody has agreed on it. */
const likelyBounds = ['5', '10', '20'];
/** Statuses that mean that a ticket is done, or that it is not. */
const doneWords: Readonly<Record<string, boolean>> = { closed: true, done: true, open: false };
const slaStates = new Set(['breached', 'at_risk', 'ok']);

type Comparing = Test & { readonly kind: 'minutes' | 'than' | 'state' };

/** One comparison for each look-up; null where one of them has nothing that could be compared. */
function each(
  steps: readonly DraftStep[],
  any: boolean,
  part: (step: DraftStep) => Compare | null,
): Condition | null {
  const parts = steps.flatMap((step) => part(step) ?? []);
  return parts.length === 0 || parts.length < steps.length ? null : { any: any && parts.length > 1, parts };
}

function compare(
  step: DraftStep,
  by: 'number' | 'age' | 'idle' | 'left' | 'state',
  op: Operator,
  right: Compare['right'],
): Compare | null {
  const field = step.tool.asked?.compares?.[by];
  return field === undefined ? null : { left: [{ step, field }], op, right };
}

/** How several look-ups make one value: added up, each for itself, or any of them. */
function gathered({ text }: Memory): 'sum' | 'each' | 'either' | undefined {
  return (['sum', 'each', 'either'] as const).find((how) =>
    text.tokens.some((_token, index) =>
      means(text, index, ({ role, of }) => role === 'gather' && of === how),
    ),
  );
}

/** How many there are is asked of open tickets, unless a time or another status is named. */
function onlyOpen(memory: Memory, steps: readonly DraftStep[]): void {
  for (const { tool, args } of steps) {
    const isTimed = [...args.keys()].some((arg) => ['duration', 'time'].includes(takesOf(tool, arg)));
    if (isTimed || args.has('status') || tool.asked?.args?.status?.words?.open === undefined) continue;
    args.set('status', 'open');
    assume(memory, 'Only open tickets.');
  }
}

function number(
  memory: Memory,
  steps: readonly DraftStep[],
  { op, value }: { readonly op: Operator; readonly value: number },
): Condition | null {
  onlyOpen(memory, steps);
  const how = gathered(memory);
  const single = each(steps, how === 'either', (step) => compare(step, 'number', op, value));
  if (steps.length < 2 || how !== 'sum' || single === null)
    return steps.length < 2 || how !== undefined ? single : null;
  return { any: false, parts: [{ left: single.parts.flatMap(({ left }) => left), op, right: value }] };
}

function existence(steps: readonly DraftStep[], some: boolean): Condition | null {
  return each(steps, some, (step) => {
    const keyed = step.args.has('key') ? compare(step, 'state', some ? '==' : '!=', 'breached') : null;
    return keyed && step.tool.asked?.role === 'clock' ? keyed : compare(step, 'number', some ? '>' : '==', 0);
  });
}

function isoOf(minutes: number): string {
  if (minutes % 1_440 === 0) return `P${minutes / 1_440}D`;
  return minutes % 60 === 0 ? `PT${minutes / 60}H` : `PT${minutes}M`;
}

/** "any P1 older than 4 hours" leaves the younger ones out; "the oldest is older than" compares its age. */
function ages(steps: readonly DraftStep[], { op, value }: Comparing & { kind: 'minutes' }): Condition | null {
  if (steps.every(({ args }) => args.has('order') || args.has('key')))
    return each(steps, true, (step) => compare(step, 'age', op, value) ?? compare(step, 'left', op, value));
  if (!steps.every(({ tool }) => 'older_than' in tool.args.shape) || !['>', '>=', '<'].includes(op))
    return null;
  for (const step of steps) step.args.set(op === '<' ? 'window' : 'older_than', isoOf(value));
  return existence(steps, true);
}

/** Compares with another look-up, which is about the same project and priority where it names none. */
function than(
  memory: Memory,
  steps: readonly DraftStep[],
  { frame, op }: Comparing & { kind: 'than' },
): Condition | null {
  const field = frame.tool.asked?.compares?.number;
  if (field === undefined) return null;
  onlyOpen(memory, steps);
  return each(steps, true, (step) => {
    const args = new Map<string, DraftValue>([...frame.slots].map(([arg, values]) => [arg, values[0] ?? '']));
    for (const arg of Object.keys(frame.tool.args.shape))
      if (step.args.has(arg) && !args.has(arg)) args.set(arg, step.args.get(arg) ?? '');
    if (frame.tool.asked?.role === 'limit' && isUnset(memory, args)) {
      const bound = Number.parseInt(memory.given.get('limit') ?? '', 10);
      if (Number.isNaN(bound))
        need(memory, 'limit', 'limit', {
          options: likelyBounds,
          said: [...args.values()].reverse().join(' in '),
        });
      return compare(step, 'number', op, Number.isNaN(bound) ? 0 : bound);
    }
    const right = addRead(memory, frame.tool, args, {
      from: Math.min(...frame.used),
      to: Math.max(...frame.used) + 1,
    });
    return right === step ? null : compare(step, 'number', op, { step: right, field });
  });
}

/** A limit that the operator has not set: looking it up can only fail. */
function isUnset({ text: { catalogue } }: Memory, args: ReadonlyMap<string, DraftValue>): boolean {
  const [project, priority] = [args.get('project'), args.get('priority')];
  const limits = catalogue.projects.find(({ key }) => key === project)?.sla;
  return limits !== undefined && typeof priority === 'string' && limits[priority] === undefined;
}

const withOp = (condition: Condition, op: Operator): Condition => ({
  ...condition,
  parts: condition.parts.map((part) => ({ ...part, op })),
});

/** The ticket that a state is said of: one that was looked up, or the one that was spoken of last. */
function ticketsFor(memory: Memory, steps: readonly DraftStep[], sla: boolean): DraftStep[] {
  const about = steps.filter(({ tool }) =>
    sla ? tool.asked?.role === 'clock' : tool.asked?.compares?.done !== undefined,
  );
  const { issue, text } = memory;
  const tool = text.lexicon.byRole.get(sla ? 'clock' : 'show');
  const same = steps.every(({ args }) => args.get('key') === issue || args.has('order'));
  return about.length > 0 || issue === null || !tool || !same
    ? about
    : [addRead(memory, tool, new Map([['key', issue]]), { from: 0, to: 0 })];
}

function states(
  memory: Memory,
  steps: readonly DraftStep[],
  test: Comparing & { kind: 'state' },
): Condition | null {
  const { is, value } = test;
  const sla = slaStates.has(value);
  const op = is ? '>' : '<=';
  if (
    value === 'breached' &&
    memory.compared !== null &&
    !steps.some(({ tool }) => tool.asked?.role === 'clock')
  )
    return withOp(memory.compared, op);
  return each(ticketsFor(memory, steps, sla), is, (step) =>
    sla ? slaPart(step, is, value) : statusPart(step, is, value),
  );
}

function slaPart(step: DraftStep, is: boolean, value: string): Compare | null {
  if (step.args.has('key')) return compare(step, 'state', is ? '==' : '!=', value);
  step.args.set('state', value);
  return compare(step, 'number', is ? '>' : '==', 0);
}

function statusPart(step: DraftStep, is: boolean, value: string): Compare | null {
  const { assigned, done } = step.tool.asked?.compares ?? {};
  const means = doneWords[value];
  if (value === 'unassigned' && assigned) return { left: [{ step, field: assigned }], op: '==', right: !is };
  if (means !== undefined && done) return { left: [{ step, field: done }], op: '==', right: means === is };
  const name = /\p{Lu}/u.test(value)
    ? value
    : value.replace(/(?:^|\s)\p{Ll}/gu, (letter) => letter.toUpperCase());
  return compare(step, 'state', is ? '==' : '!=', name);
}

function single(memory: Memory, steps: readonly DraftStep[], test: Test): Condition | null {
  switch (test.kind) {
    case 'number':
      return number(memory, steps, test);
    case 'minutes':
      return steps.length > 0 ? ages(steps, test) : null;
    case 'than':
      return than(memory, steps, test);
    case 'versus':
      // Both sides are looked up; over it is over the limit, until a condition says otherwise.
      return than(memory, steps, { kind: 'than', op: '>', frame: test.frame });
    case 'over':
      // As the comparison before it, over the limit that was looked up.
      return memory.compared && withOp(memory.compared, test.op);
    case 'state':
      return states(memory, steps, test);
    default:
      return existence(steps, test.some);
  }
}

/** What tests of some look-ups come to: which field of which step is compared with what. Null where they say nothing. */
export function conditionOf(
  memory: Memory,
  steps: readonly DraftStep[],
  tests: readonly Test[],
  any: boolean,
): Condition | null {
  const found = tests.map((test) => single(memory, steps, test));
  const known = found.filter((one) => one !== null);
  if (known.length < found.length || known.length === 0) return null;
  return known.length === 1 ? (known[0] ?? null) : { any, parts: known.flatMap(({ parts }) => parts) };
}

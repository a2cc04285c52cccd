import type { Composer } from './compose.ts';
import type { Compare, Condition, DraftStep, DraftValue } from './draft.ts';
import type { Operator, Test } from './tests.ts';

/** Statuses that mean that a ticket is done, or that it is not. */
const doneWords: Readonly<Record<string, boolean>> = { closed: true, done: true, open: false };

function numberPart(steps: readonly DraftStep[], op: Operator, right: Compare['right']): Compare[] {
  const left = steps.flatMap((step) => {
    const field = step.tool.asked?.compares?.number;
    return field === undefined ? [] : [{ step, field }];
  });
  return left.length === 0 || left.length < steps.length ? [] : [{ left, op, right }];
}

/** How several look-ups make one value: added up, each for itself, or any of them. */
function gathered(composer: Composer): 'sum' | 'each' | 'either' | null {
  for (const how of ['sum', 'each', 'either'] as const)
    if (
      composer.text.phrases.some((here) =>
        here.some(({ senses }) => senses.some((sense) => sense.role === 'gather' && sense.of === how)),
      )
    )
      return how;
  return null;
}

function existence(steps: readonly DraftStep[], some: boolean): Condition | null {
  const parts = steps.flatMap((step): Compare[] => {
    const state = step.args.get('state');
    const keyed = step.tool.asked?.compares?.state !== undefined && step.args.has('key');
    if (keyed && typeof state === 'string')
      return [
        {
          left: [{ step, field: step.tool.asked?.compares?.state ?? 'state' }],
          op: some ? '==' : '!=',
          right: state,
        },
      ];
    return numberPart([step], some ? '>' : '==', 0);
  });
  return parts.length < steps.length || parts.length === 0 ? null : { any: some && parts.length > 1, parts };
}

function ageField(step: DraftStep, idle: boolean): string | undefined {
  const compares = step.tool.asked?.compares;
  return idle ? compares?.idle : (compares?.age ?? compares?.left);
}

/** "any P1 older than 4 hours" leaves the younger ones out; "the oldest is older than" compares its age. */
function ages(
  composer: Composer,
  steps: readonly DraftStep[],
  test: Test & { kind: 'minutes' },
): Condition | null {
  const single = steps.filter(({ args }) => args.has('order') || args.has('key'));
  if (single.length === steps.length && steps.length > 0) {
    const parts = steps.flatMap((step): Compare[] => {
      const field = ageField(step, test.idle);
      return field === undefined ? [] : [{ left: [{ step, field }], op: test.op, right: test.value }];
    });
    return parts.length === steps.length ? { any: parts.length > 1, parts } : null;
  }
  if (
    !steps.every(({ tool }) => 'older_than' in tool.args.shape) ||
    (test.op !== '>' && test.op !== '>=' && test.op !== '<')
  )
    return null;
  for (const step of steps) step.args.set(test.op === '<' ? 'window' : 'older_than', isoOf(test.value));
  return composer.steps.length > 0 ? existence(steps, true) : null;
}

function isoOf(minutes: number): string {
  if (minutes % 1_440 === 0) return `P${minutes / 1_440}D`;
  return minutes % 60 === 0 ? `PT${minutes / 60}H` : `PT${minutes}M`;
}

/** Compares with another look-up, which is about the same project and priority where it names none. */
function than(
  composer: Composer,
  steps: readonly DraftStep[],
  test: Test & { kind: 'than' },
): Condition | null {
  const { frame, op } = test;
  const field = frame.tool.asked?.compares?.number;
  if (field === undefined || steps.length === 0) return null;
  const parts = steps.flatMap((step) => {
    const args = new Map<string, DraftValue>([...frame.slots].map(([arg, values]) => [arg, values[0] ?? '']));
    for (const arg of Object.keys(frame.tool.args.shape)) {
      const value = step.args.get(arg);
      if (value !== undefined && !args.has(arg)) args.set(arg, value);
    }
    const right = composer.addRead(frame.tool, args, {
      from: Math.min(...frame.used),
      to: Math.max(...frame.used) + 1,
    });
    return right === step ? [] : numberPart([step], op, { step: right, field });
  });
  return parts.length === steps.length ? { any: parts.length > 1, parts } : null;
}

/** Both sides are looked up; over it is over the limit, until a condition says otherwise. */
function versus(
  composer: Composer,
  steps: readonly DraftStep[],
  { frame }: Test & { kind: 'versus' },
): Condition | null {
  return than(composer, steps, { kind: 'than', op: '>', frame });
}

/** "above": as the comparison before it, over the limit that was looked up. */
function over(composer: Composer, steps: readonly DraftStep[], op: Operator): Condition | null {
  const before = composer.compared;
  if (before !== null) return { ...before, parts: before.parts.map((part) => ({ ...part, op })) };
  const limit = overLimit(composer, steps, true);
  return limit === null || !composer.text.tokens.some(({ low }) => low === 'sla' || low === 'limit')
    ? null
    : { ...limit, parts: limit.parts.map((part) => ({ ...part, op })) };
}

/** "breached" of what was counted means over the agreed limit. */
function overLimit(composer: Composer, steps: readonly DraftStep[], is: boolean): Condition | null {
  const counts = steps.filter(({ tool }) => tool.name === 'jira.count');
  const limit = composer.text.lexicon.tools.get('sla.threshold');
  if (counts.length === 0 || limit === undefined) return null;
  const parts = counts.flatMap((count) => {
    const args = new Map([...count.args].filter(([arg]) => arg === 'project' || arg === 'priority'));
    const right = composer.addRead(limit, args, { from: 0, to: 0 });
    return numberPart([count], is ? '>' : '<=', { step: right, field: 'max_open' });
  });
  return { any: is && parts.length > 1, parts };
}

const slaStates = new Set(['breached', 'at_risk', 'ok']);

function states(
  composer: Composer,
  steps: readonly DraftStep[],
  test: Test & { kind: 'state' },
): Condition | null {
  const sla = slaStates.has(test.value);
  const issue = composer.lastIssue;
  let about = steps.filter(({ tool }) =>
    sla ? tool.name === 'jira.sla' : tool.asked?.compares?.done !== undefined,
  );
  if (about.length === 0 && sla && composer.compared !== null && test.value === 'breached')
    return {
      ...composer.compared,
      parts: composer.compared.parts.map((part) => ({ ...part, op: test.is ? part.op : '<=' })),
    };
  if (about.length === 0 && sla) {
    const over = overLimit(composer, steps, test.is);
    if (over !== null && test.value === 'breached') return over;
  }
  const tool = composer.text.lexicon.tools.get(sla ? 'jira.sla' : 'jira.get');
  if (
    about.length === 0 &&
    issue !== null &&
    tool &&
    (steps.length === 0 || steps.every((step) => step.args.get('key') === issue || step.args.has('order')))
  )
    about = [composer.addRead(tool, new Map([['key', issue]]), { from: 0, to: 0 })];
  if (about.length === 0) return null;
  const parts = about.flatMap((step): Compare[] => (sla ? slaPart(step, test) : statusPart(step, test)));
  return parts.length === about.length ? { any: test.is && parts.length > 1, parts } : null;
}

function slaPart(step: DraftStep, { is, value }: Test & { kind: 'state' }): Compare[] {
  if (step.args.has('key')) return [{ left: [{ step, field: 'state' }], op: is ? '==' : '!=', right: value }];
  step.args.set('state', value);
  return [{ left: [{ step, field: 'total' }], op: is ? '>' : '==', right: 0 }];
}

function statusPart(step: DraftStep, { is, value }: Test & { kind: 'state' }): Compare[] {
  const compares = step.tool.asked?.compares;
  if (value === 'unassigned' && compares?.assigned)
    return [{ left: [{ step, field: compares.assigned }], op: '==', right: !is }];
  const done = doneWords[value];
  if (done !== undefined && compares?.done)
    return [{ left: [{ step, field: compares.done }], op: '==', right: done === is }];
  if (!compares?.state) return [];
  const name = /\p{Lu}/u.test(value)
    ? value
    : value.replace(/(?:^|\s)\p{Ll}/gu, (letter) => letter.toUpperCase());
  return [{ left: [{ step, field: compares.state }], op: is ? '==' : '!=', right: name }];
}

function single(composer: Composer, steps: readonly DraftStep[], test: Test): Condition | null {
  switch (test.kind) {
    case 'number': {
      const how = gathered(composer);
      if (steps.length > 1 && how !== 'sum') {
        const parts = steps.flatMap((step) => numberPart([step], test.op, test.value));
        return how === null || parts.length < steps.length ? null : { any: how === 'either', parts };
      }
      const parts = numberPart(steps, test.op, test.value);
      return parts.length > 0 ? { any: false, parts } : null;
    }
    case 'minutes':
      return ages(composer, steps, test);
    case 'than':
      return than(composer, steps, test);
    case 'versus':
      return versus(composer, steps, test);
    case 'over':
      return over(composer, steps, test.op);
    case 'state':
      return states(composer, steps, test);
    case 'exists':
      return existence(steps, test.some);
    default:
      return null;
  }
}

/** What tests of some look-ups come to: which field of which step is compared with what. Null where they say nothing. */
export function conditionOf(
  composer: Composer,
  steps: readonly DraftStep[],
  tests: readonly Test[],
  any: boolean,
): Condition | null {
  const found = tests.map((test) => single(composer, steps, test));
  const known = found.filter((one) => one !== null);
  if (known.length < found.length || known.length === 0) return null;
  if (known.length === 1) return known[0] ?? null;
  return { any, parts: known.flatMap(({ parts }) => parts) };
}

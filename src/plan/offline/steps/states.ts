import type { Test } from '../frames/test.ts';
import { type Compare, type Condition, compare, type DraftStep, each, withOp } from './draft.ts';
import type { Memory } from './memory.ts';
import { addRead } from './steps.ts';

/** Statuses that mean that a ticket is done, or that it is not. */
const doneWords: Readonly<Record<string, boolean>> = { closed: true, done: true, open: false };
const slaStates = new Set(['breached', 'at_risk', 'ok']);

/** The ticket that a state is said of: one that was looked up, or the one that was spoken of last. */
export function ticketsFor(memory: Memory, steps: readonly DraftStep[], sla: boolean): DraftStep[] {
  const { text } = memory;
  const issue = memory.issues.at(-1);
  const about = steps.filter(({ tool: { asked } }) =>
    sla ? asked?.role === 'clock' : asked?.compares?.done !== undefined,
  );
  const tool = text.lexicon.byRole.get(sla ? 'clock' : 'show');
  const isSame = steps.every(({ args }) => args.get('key') === issue || args.has('order'));
  if (about.length > 0 || issue === undefined || !tool || !isSame) return about;
  return [addRead(memory, { tool, args: new Map([['key', issue]]) })];
}

/** How tickets and incidents stand: by their status, their SLA, or whether somebody has acknowledged them. */
export function states(
  memory: Memory,
  steps: readonly DraftStep[],
  { is, value, alarm }: Extract<Test, { kind: 'state' }>,
  any: boolean,
): Condition | null {
  const incidents = alarm === null ? [] : incidentsFor(memory, steps);
  if (incidents.length > 0) return each(incidents, any, (step) => alarmPart(step, is, alarm));
  // "watch the checkout incident and tell me once it is resolved": then none is open.
  const listed = steps.filter(({ tool }) => alarm === 'resolved' && tool.asked?.role === 'alarms');
  if (listed.length > 0) return each(listed, any, (step) => compare(step, 'number', is ? '==' : '>', 0));
  const sla = slaStates.has(value);
  // "compare P1s with the limit, if it is breached …": over the limit, unless an SLA was looked up as well.
  const hasClock = steps.some(({ tool }) => tool.asked?.role === 'clock');
  if (value === 'breached' && memory.compared !== null && !hasClock)
    return withOp(memory.compared, is ? '>' : '<=');
  const about = ticketsFor(memory, steps, sla);
  // "PAY-3 and OPS-12 are done": each of them; "any P1 in PAY and WEB is breached": one is enough.
  const isAny = about.every(({ args }) => args.has('key')) ? any : is;
  return each(about, isAny, (step) => {
    if (!sla) return statusPart(step, is, value);
    if (step.args.has('key')) return compare(step, 'state', is ? '==' : '!=', value);
    // "the SLA of PAY is ok": nothing there is over it, or about to be.
    if (value === 'ok') return compare(step, 'number', is ? '==' : '>', 0);
    // "breached -> page, at risk -> post": each state is looked up for itself.
    const args = new Map([...step.args, ['state', value]] as const);
    const own = step.args.has('state') ? addRead(memory, { tool: step.tool, args }) : step;
    own.args.set('state', value);
    return compare(own, 'number', is ? '>' : '==', 0);
  });
}

/** The incident that a state is said of: one that was looked up, or the one that an order beside it names. */
export function incidentsFor(memory: Memory, steps: readonly DraftStep[]): DraftStep[] {
  const about = steps.filter(({ tool }) => tool.asked?.role === 'alarm');
  const incident = memory.issues.length > 0 ? undefined : memory.incidents.at(-1);
  const tool = memory.text.lexicon.byRole.get('alarm');
  if (steps.length > 0 || incident === undefined || !tool) return about;
  return [addRead(memory, { tool, args: new Map([['incident', incident]]) })];
}

/** One that is not acknowledged may be over, and then nobody has to act. */
function alarmPart(step: DraftStep, is: boolean, value: string | null): Compare | null {
  if (value === null) return null;
  if (value === 'open') return compare(step, 'state', is ? '!=' : '==', 'resolved');
  if (value === 'acknowledged' && !is) return compare(step, 'state', '==', 'triggered');
  return compare(step, 'state', is ? '==' : '!=', value);
}

function statusPart(step: DraftStep, is: boolean, value: string): Compare | null {
  const isDone = doneWords[value];
  const known =
    (value === 'unassigned' ? compare(step, 'assigned', '==', !is) : null) ??
    (/^P[1-5]$/u.test(value) ? compare(step, 'priority', is ? '==' : '!=', value) : null) ??
    (isDone === undefined ? null : compare(step, 'done', '==', isDone === is));
  // "Waiting for Customer" is written as it is.
  const isName = /\p{Lu}/u.test(value);
  const name = isName ? value : value.replace(/(?:^|\s)\p{Ll}/gu, (letter) => letter.toUpperCase());
  return known ?? compare(step, 'state', is ? '==' : '!=', name);
}

import { durationMs } from '../../core/duration.ts';
import type { Manifest } from '../../core/manifest.ts';
import type { Compare, Part, When } from './draft.ts';

/** A step whose results a condition reads. */
export interface Looked {
  readonly id: string;
  readonly tool: Manifest;
  readonly args: Readonly<Record<string, unknown>>;
}

/** Ticket statuses that mean done, or not done. */
const doneWords: Readonly<Record<string, boolean>> = {
  closed: true,
  done: true,
  resolved: true,
  open: false,
};

/** A condition as CEL over the fields that the manifests declare for comparisons; null where there is nothing to compare. */
export function celOf({ any, parts }: When, steps: readonly Looked[]): string | null {
  const said = parts.map((part) => compareCel(part, steps));
  return said.some((one) => one === null) ? null : said.join(any ? ' || ' : ' && ');
}

function compareCel({ left, op, right }: Compare, steps: readonly Looked[]): string | null {
  const looked = left.map((at) => steps[at]);
  const [first] = looked;
  if (first === undefined) return null;
  const sum = (field: 'number' | 'age' | 'left'): string | null => {
    const refs = looked.map(
      (step) => step?.tool.asked?.compares?.[field] && `${step.id}.${step.tool.asked.compares[field]}`,
    );
    return refs.every(Boolean) ? refs.join(' + ') : null;
  };
  const { compares = {} } = first.tool.asked ?? {};
  if ('step' in right) {
    const other = steps[right.step];
    const field = other?.tool.asked?.compares?.number ?? other?.tool.asked?.compares?.any;
    const own = sum('number');
    return field === undefined || own === null ? null : `${own} ${op} ${other?.id}.${field}`;
  }
  const value = boundOf(right);
  if (typeof value === 'number') {
    const own = sum('number') ?? (compares.any === undefined ? null : `${first.id}.${compares.any}`);
    return own === null ? null : `${own} ${op} ${value}`;
  }
  const ms = /^PT?\d/iu.test(value) ? durationMs(value.toUpperCase()) : null;
  if (ms !== null) {
    const own = sum('left') ?? sum('age');
    return own === null ? null : `${own} ${op} ${ms / 60_000}`;
  }
  return stateCel(first, value, op !== '!=');
}

function boundOf(right: Exclude<Part, { step: number }>): string | number {
  const said = 'literal' in right ? right.literal : right.said;
  return typeof said === 'string' && /^-?\d+(?:\.\d+)?$/u.test(said) ? Number(said) : said;
}

/** "is Done", "is breached", "isn't acked" */
function stateCel({ id, tool, args }: Looked, said: string, is: boolean): string | null {
  const { state, done, assigned, priority, number } = tool.asked?.compares ?? {};
  const low = said.toLowerCase().replaceAll(' ', '_');
  const equals = (field: string, value: string | boolean): string =>
    `${id}.${field} ${is ? '==' : '!='} ${JSON.stringify(value)}`;
  if (assigned !== undefined && /^(?:un|not_)assigned$/u.test(low)) return `${id}.${assigned} == ${!is}`;
  if (priority !== undefined && /^p[1-5]$/u.test(low)) return equals(priority, low.toUpperCase());
  const isDone = doneWords[low];
  if (done !== undefined && isDone !== undefined) return `${id}.${done} == ${isDone === is}`;
  if (state === undefined) return number === undefined ? null : countedCel(`${id}.${number}`, low, is);
  if (tool.asked?.role === 'alarm') return alarmCel(`${id}.${state}`, low, is);
  // For a project this counts its tickets in that state.
  if (args.key === undefined && number !== undefined && tool.asked?.role === 'clock')
    return `${id}.${number} ${(low === 'ok') === is ? '==' : '>'} 0`;
  if (tool.asked?.role === 'clock') return equals(state, low);
  return equals(state, statusName(said));
}

/** "in progress" in the spelling of workflows; a name with a capital is kept as typed. */
export const statusName = (said: string): string =>
  /\p{Lu}/u.test(said) ? said : said.replaceAll(/(?:^|\s)\p{Ll}/gu, (letter) => letter.toUpperCase());

/** An unacknowledged incident may also be over, and then nobody has to act. */
function alarmCel(field: string, state: string, is: boolean): string | null {
  if (state === 'open') return `${field} ${is ? '!=' : '=='} "resolved"`;
  if (state === 'acknowledged' && !is) return `${field} == "triggered"`;
  return /^(?:triggered|acknowledged|resolved)$/u.test(state)
    ? `${field} ${is ? '==' : '!='} "${state}"`
    : null;
}

/** For a list, "resolved" means that none is open any more. */
const countedCel = (field: string, state: string, is: boolean): string | null =>
  /^(?:resolved|done|closed)$/u.test(state)
    ? `${field} ${is ? '==' : '>'} 0`
    : state === 'open'
      ? `${field} ${is ? '>' : '=='} 0`
      : null;

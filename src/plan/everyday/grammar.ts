import type { Manifest } from '../../core/manifest.ts';
import { isSpan, type Slot, slotsOf, valueAt } from './slots.ts';
import type { Token } from './tokens.ts';

/**
 * A plan as a line of actions, which the network emits one by one: a tool, its arguments, its condition, and the steps
 * it follows. A number points to a token of the request.
 *
 * `jira.count`, `.project` 5, `status=open`, `pagerduty.page`, `.service` 9, `?>` 12 `$1`, `END`
 */
export type Action = string | number;

export const end = 'END';
export const sameCondition = '?same';
export const otherCase = '?else';
export const watchArgs = ['every', 'at', 'days', 'until'] as const;
/** In a watch: inform the requester, which needs no tool. */
export const tell = 'TELL';

/** The state after part of a line of actions. */
export interface Place {
  readonly expects:
    | 'start'
    | 'step'
    | 'value'
    | 'more'
    | 'span end'
    | 'right'
    | 'right end'
    | 'left'
    | 'lefts'
    | 'op'
    | 'after'
    | 'end';
  readonly tool: string;
  readonly arg: string;
  readonly slot: Slot;
  /** Steps begun. */
  readonly steps: number;
  /** First token of the open span. */
  readonly from: number;
  readonly used: ReadonlySet<string>;
  readonly hasCondition: boolean;
  /** An earlier step has a condition. */
  readonly conditional: boolean;
  readonly watched: boolean;
  /** It may be a question or a refusal. */
  readonly asks: boolean;
}

export const start: Place = {
  ...{ expects: 'start', tool: '', arg: '', slot: 'text', steps: 0, from: -1, used: new Set() },
  ...{ hasCondition: false, conditional: false, watched: false, asks: true },
};

const isRef = (action: string): boolean => action.startsWith('$');
const isOperator = (action: string): boolean => /^\?[<>=!]/u.test(action);
const isTool = (action: string): boolean => /^[a-z]+\.[a-z_]+$/u.test(action) || action === tell;
const hasMeasure = ({ values }: Token): boolean =>
  values.number !== undefined || values.duration !== undefined;

/** Applies an action; null where it would not lead to a plan. */
export function next(
  place: Place,
  action: Action,
  tokens: readonly Token[],
  tools: ReadonlyMap<string, Manifest>,
): Place | null {
  return typeof action === 'number' ? pointed(place, action, tokens) : said(place, action, tools);
}

function pointed(place: Place, at: number, tokens: readonly Token[]): Place | null {
  const token = tokens[at];
  if (token === undefined || token.kind === 'section') return null;
  const { expects, slot, arg } = place;
  if (expects === 'span end')
    return at >= place.from && token.section === tokens[place.from]?.section
      ? { ...place, expects: 'more', from: -1 }
      : null;
  if (expects === 'right end') return at >= place.from ? { ...place, expects: 'left', from: -1 } : null;
  if (expects === 'right') {
    if (token.kind === 'old' && token.values.arg !== 'when') return null;
    return hasMeasure(token) || token.kind === 'old'
      ? { ...place, expects: 'left' }
      : { ...place, expects: 'right end', from: at };
  }
  if (expects !== 'value' && !(expects === 'more' && isSpan(slot))) return null;
  if (valueAt(slot, arg, token) === undefined) return null;
  if (isSpan(slot)) return { ...place, expects: 'span end', from: at };
  return { ...place, expects: 'step' };
}

function said(place: Place, action: string, tools: ReadonlyMap<string, Manifest>): Place | null {
  const { expects } = place;
  if (isRef(action)) return refers(place, Number(action.slice(1)));
  if (expects === 'end') return action === end ? place : null;
  if (action.startsWith('when=')) return expects === 'right' ? { ...place, expects: 'left' } : null;
  if (expects === 'op') return isOperator(action) ? compares(place) : null;
  if (!['start', 'step', 'more', 'lefts', 'after'].includes(expects)) return null;
  if (expects === 'after' && place.arg !== 'done') return null;
  if (expects === 'start') return begins(place, action, tools);
  if (action === end) return place.steps > 0 ? { ...place, expects: 'end' } : null;
  if (isTool(action)) return begins(place, action, tools);
  if (action.startsWith('.') || /^[a-z_]+=/u.test(action)) return argument(place, action, tools);
  if (place.steps === 0 || place.tool === '') return null;
  if (expects === 'after') return null;
  if (action === 'AFTER') return place.steps > 1 ? { ...place, expects: 'after', arg: '' } : null;
  if (action === sameCondition || action === otherCase)
    return place.conditional && !place.hasCondition
      ? { ...place, expects: 'step', tool: place.tool, hasCondition: true, arg: '' }
      : null;
  if (action === 'OR') return place.hasCondition ? null : { ...place, expects: 'op' };
  return isOperator(action) && place.steps > 1 ? compares(place) : null;
}

const compares = (place: Place): Place => ({
  ...place,
  expects: 'right',
  arg: 'when',
  slot: 'text',
  hasCondition: true,
  conditional: true,
});

function begins(place: Place, action: string, tools: ReadonlyMap<string, Manifest>): Place | null {
  const isFirst = place.expects === 'start';
  if (/^(?:CLARIFY|REFUSE):|^NONE$/u.test(action))
    return isFirst && place.asks && !place.watched ? { ...place, expects: 'end' } : null;
  if (action === 'WATCH')
    return isFirst && !place.watched ? { ...place, tool: action, watched: true, used: new Set() } : null;
  if (place.tool === 'WATCH' && /^(?:\.|[a-z_]+=)/u.test(action)) return argument(place, action, tools);
  if (!isTool(action) || (action === tell ? !place.watched : !tools.has(action))) return null;
  return {
    ...place,
    expects: 'step',
    tool: action,
    arg: '',
    steps: place.steps + 1,
    used: new Set(),
    hasCondition: false,
  };
}

function argument(place: Place, action: string, tools: ReadonlyMap<string, Manifest>): Place | null {
  const isOpen = action.startsWith('.');
  const arg = isOpen ? action.slice(1) : (action.split('=')[0] ?? '');
  const { tool, used } = place;
  const manifest = tools.get(tool);
  const slot = tool === 'WATCH' ? 'text' : manifest && slotsOf(manifest).get(arg);
  const isWatch = tool === 'WATCH' && (watchArgs as readonly string[]).includes(arg);
  if (slot === undefined || used.has(arg) || place.hasCondition || (tool === 'WATCH' && !isWatch))
    return null;
  const after: Place = { ...place, arg, slot, used: new Set([...used, arg]) };
  if (isOpen) return slot === 'choice' ? null : { ...after, expects: 'value' };
  return { ...after, expects: tool === 'WATCH' ? 'start' : 'step' };
}

function refers(place: Place, step: number): Place | null {
  if (step < 1 || step >= place.steps) return null;
  const { expects } = place;
  if (expects === 'right') return { ...place, expects: 'left' };
  if (expects === 'left' || expects === 'lefts') return { ...place, expects: 'lefts' };
  if (expects === 'after') return { ...place, arg: 'done' };
  if (expects === 'value') return { ...place, expects: place.slot === 'text' ? 'more' : 'step' };
  return expects === 'more' && place.slot === 'text' ? place : null;
}

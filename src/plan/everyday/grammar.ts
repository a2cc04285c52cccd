import type { RefuseReason } from '../../core/answer.ts';
import type { Manifest } from '../../core/manifest.ts';
import { type Compare, type Draft, type DraftStep, type Operator, opposite, type Part } from './draft.ts';
import { type Heard, wordsBetween } from './heard.ts';
import { isSpan, type Slot, slotsOf, valueAt } from './slots.ts';

/**
 * A plan as a line of actions, which the network emits one by one: a tool, its arguments, its condition, and the steps
 * it follows. A number points to a token of the request.
 *
 * `jira.count`, `.project` 5, `status=open`, `pagerduty.page`, `.service` 9, `?>` 12 `$1`, `END`
 */
export type Action = string | number;

/** In a watch: inform the requester, which needs no tool. */
export const tell = 'TELL';
const watchArgs: readonly string[] = ['every', 'at', 'days', 'until'];

/** A draft after part of a line of actions, and what may follow. */
export interface Place {
  readonly expects:
    | 'start'
    | 'only end'
    | 'step'
    | 'value'
    | 'more'
    | 'span end'
    | 'operator'
    | 'right'
    | 'right end'
    | 'left'
    | 'lefts'
    | 'after'
    | 'afters'
    | 'end';
  readonly steps: readonly DraftStep[];
  readonly watch: ReadonlyMap<string, string> | null;
  /** A question or a refusal, which has no steps. */
  readonly other: Draft | null;
  /** The argument that values belong to. */
  readonly arg: string;
  readonly slot: Slot;
  /** First token of the open span. */
  readonly from: number;
  /** It may be a question or a refusal. */
  readonly asks: boolean;
}

export const start: Place = {
  ...{ expects: 'start', steps: [], watch: null, other: null, arg: '', slot: 'text', from: -1, asks: true },
};

/** The draft of a complete line; null before its end. */
export function draftAt({ expects, other, steps, watch }: Place): Draft | null {
  return expects === 'end' ? (other ?? { kind: 'plan', steps, watch }) : null;
}

/** Applies an action; null where it would not lead to a plan. */
export function next(
  place: Place,
  action: Action,
  heard: Heard,
  tools: ReadonlyMap<string, Manifest>,
): Place | null {
  if (typeof action === 'number') return pointed(place, action, heard);
  if (action.startsWith('$')) return refers(place, Number(action.slice(1)) - 1);
  const { expects } = place;
  if (expects === 'only end') return action === 'END' ? { ...place, expects: 'end' } : null;
  if (action.startsWith('when='))
    return expects === 'right' ? compared(place, { literal: action.slice(5) }) : null;
  if (/^\?[<>=!]/u.test(action)) return compares(place, action.slice(1) as Operator);
  if (!['start', 'step', 'more', 'lefts', 'afters'].includes(expects)) return null;
  if (action === 'END') return place.steps.length > 0 ? { ...place, expects: 'end' } : null;
  if (/^(?:\.|[a-z_]+=)/u.test(action)) return argument(place, action, tools);
  return begins(place, action, tools) ?? continues(place, action);
}

function begins(place: Place, action: string, tools: ReadonlyMap<string, Manifest>): Place | null {
  const { expects, steps, watch, asks } = place;
  const isFirst = expects === 'start' && watch === null;
  if (action === 'WATCH') return isFirst ? { ...place, watch: new Map() } : null;
  const [kind, detail = ''] = action.split(':');
  const other = otherAnswers[kind ?? '']?.(detail);
  if (other !== undefined) return isFirst && asks ? { ...place, expects: 'only end', other } : null;
  if (action === tell ? watch === null : !tools.has(action)) return null;
  const step: DraftStep = { tool: action, args: new Map(), when: null, after: [] };
  return { ...place, expects: 'step', steps: [...steps, step] };
}

const otherAnswers: Readonly<Record<string, (detail: string) => Draft>> = {
  CLARIFY: (slot) => ({ kind: 'clarify', slot }),
  REFUSE: (reason) => ({ kind: 'refuse', reason: reason as RefuseReason }),
  NONE: () => ({ kind: 'none' }),
};

/** A condition that an earlier step has, one with several parts, or the steps that a step follows. */
function continues(place: Place, action: string): Place | null {
  const { expects, steps } = place;
  const step = steps.at(-1);
  if (step === undefined || expects === 'afters') return null;
  if (action === 'AFTER') return steps.length > 1 ? { ...place, expects: 'after' } : null;
  if (step.when !== null) return null;
  if (action === 'OR') return withStep({ ...place, expects: 'operator' }, { when: { any: true, parts: [] } });
  const before = steps.findLast(({ when }) => when !== null)?.when;
  if (before === undefined || before === null || !['?same', '?else'].includes(action)) return null;
  return withStep({ ...place, expects: 'step' }, { when: action === '?same' ? before : opposite(before) });
}

function argument(place: Place, action: string, tools: ReadonlyMap<string, Manifest>): Place | null {
  const { steps, watch, expects } = place;
  const [, arg = '', literal] = /^\.?([^=]*)(?:=(.*))?$/su.exec(action) ?? [];
  const step = steps.at(-1);
  if (step === undefined) {
    if (watch === null || watch.has(arg) || !watchArgs.includes(arg)) return null;
    const said = { ...place, arg, slot: 'text' as const, watch: new Map([...watch, [arg, literal ?? '']]) };
    return { ...said, expects: literal === undefined ? 'value' : 'start' };
  }
  const manifest = tools.get(step.tool);
  const slot = manifest && slotsOf(manifest).get(arg);
  if (slot === undefined || step.args.has(arg) || step.when !== null || expects === 'afters') return null;
  if (literal === undefined && slot === 'choice') return null;
  const parts = literal === undefined ? [] : literal === '?' ? null : [{ literal }];
  const open = { ...place, arg, slot, expects: literal === undefined ? 'value' : 'step' } as const;
  return withStep(open, { args: new Map([...step.args, [arg, parts]]) });
}

/** The place with something else in its last step. */
function withStep(place: Place, change: Partial<DraftStep>): Place {
  const last = place.steps.at(-1) as DraftStep;
  return { ...place, steps: [...place.steps.slice(0, -1), { ...last, ...change }] };
}

function compares(place: Place, op: Operator): Place | null {
  const { expects, steps } = place;
  const when = steps.at(-1)?.when ?? { any: false, parts: [] };
  const isFirst = (expects === 'step' || expects === 'more') && steps.at(-1)?.when === null;
  if (expects !== 'operator' && expects !== 'lefts' && !(isFirst && steps.length > 1)) return null;
  const parts = [...when.parts, { op, right: { literal: '' }, left: [] }];
  return withStep({ ...place, expects: 'right' }, { when: { ...when, parts } });
}

/** The last comparison with its right side. */
const compared = (place: Place, right: Part): Place =>
  withCompare({ ...place, expects: 'left', from: -1 }, (last) => ({ ...last, right }));

function withCompare(place: Place, change: (last: Compare) => Compare): Place {
  const when = place.steps.at(-1)?.when;
  const last = when?.parts.at(-1);
  if (!when || last === undefined) return place;
  return withStep(place, { when: { ...when, parts: [...when.parts.slice(0, -1), change(last)] } });
}

/** The open argument with one part more. */
function valued(place: Place, part: Part): Place {
  const { steps, arg, watch } = place;
  const step = steps.at(-1);
  if (step !== undefined)
    return withStep(place, { args: new Map([...step.args, [arg, [...(step.args.get(arg) ?? []), part]]]) });
  const said = [watch?.get(arg), 'said' in part ? part.said : ''].filter(Boolean).join(' ');
  return { ...place, watch: new Map([...(watch ?? []), [arg, said]]) };
}

function refers(place: Place, step: number): Place | null {
  const { expects, slot, steps } = place;
  if (!(step >= 0 && step < steps.length - 1)) return null;
  if (expects === 'right') return compared(place, { step });
  if (expects === 'left' || expects === 'lefts')
    return withCompare({ ...place, expects: 'lefts' }, (last) => ({ ...last, left: [...last.left, step] }));
  if (expects === 'after' || expects === 'afters')
    return withStep({ ...place, expects: 'afters' }, { after: [...(steps.at(-1)?.after ?? []), step] });
  if (expects === 'value') return valued({ ...place, expects: slot === 'text' ? 'more' : 'step' }, { step });
  return expects === 'more' && slot === 'text' ? valued(place, { step }) : null;
}

function pointed(place: Place, at: number, heard: Heard): Place | null {
  const { expects, slot, arg, from } = place;
  const token = heard.tokens[at];
  const first = heard.tokens[from];
  if (token === undefined || token.kind === 'section') return null;
  const { kind, values, section } = token;
  if (expects === 'right') {
    if (kind === 'old' && values.arg !== 'when') return null;
    const said = values.duration ?? values.number ?? (kind === 'old' ? (values.text ?? '') : undefined);
    if (said !== undefined) return compared(place, { said, from: at, to: at });
    return { ...place, expects: 'right end', from: at };
  }
  if (expects === 'right end') return at < from ? null : compared(place, spanOf(heard, from, at));
  if (expects === 'span end')
    return at < from || section !== first?.section
      ? null
      : valued({ ...place, expects: 'more', from: -1 }, spanOf(heard, from, at));
  if (expects !== 'value' && !(expects === 'more' && isSpan(slot))) return null;
  const said = valueAt(slot, arg, token);
  if (said === undefined) return null;
  if (isSpan(slot)) return { ...place, expects: 'span end', from: at };
  return valued({ ...place, expects: 'step' }, partOf(heard, said, at));
}

/** Words of the request; of the plan that is changed, the whole value. */
function spanOf(heard: Heard, from: number, to: number): Part {
  const { kind, values } = heard.tokens[from] ?? {};
  if (kind === 'old') return partOf(heard, values?.text ?? '', from);
  return { said: wordsBetween(heard, from, to), from, to };
}

function partOf({ tokens }: Heard, said: string | number, at: number): Part {
  const { kind, values } = tokens[at] ?? {};
  const held = kind === 'old' ? values?.held : undefined;
  return { said, from: at, to: at, ...(held === undefined ? {} : { held }) };
}

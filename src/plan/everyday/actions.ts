import type { RefuseReason } from '../../core/answer.ts';
import type { Manifest } from '../../core/manifest.ts';
import {
  type Compare,
  type Draft,
  type DraftStep,
  type Operator,
  opposite,
  type Part,
  type When,
} from './draft.ts';
import { type Action, otherCase, sameCondition } from './grammar.ts';
import { isSpan, type Slot, slotsOf, valueAt } from './slots.ts';
import type { Token } from './tokens.ts';

interface Reading {
  readonly text: string;
  readonly tokens: readonly Token[];
  readonly actions: readonly Action[];
  at: number;
}

const isRef = (action: Action | undefined): action is `$${string}` =>
  typeof action === 'string' && action.startsWith('$');
const stepOf = (ref: string): number => Number(ref.slice(1)) - 1;

/** Words of the request from one token to another, verbatim; a quotation without its marks. */
export function wordsBetween(text: string, tokens: readonly Token[], from: number, to: number): string {
  const [first, last] = [tokens[from], tokens[to]];
  if (first === undefined || last === undefined) return '';
  if (from === to) return first.values.text ?? first.raw;
  return text.slice(first.start, last.end);
}

/** The draft of a line of actions; null if they do not form a plan. */
export function read(
  text: string,
  tokens: readonly Token[],
  actions: readonly Action[],
  tools: ReadonlyMap<string, Manifest>,
): Draft | null {
  const first = String(actions[0] ?? '');
  const [kind, detail = ''] = first.split(':');
  if (kind === 'CLARIFY') return { kind: 'clarify', slot: detail };
  if (kind === 'REFUSE') return { kind: 'refuse', reason: detail as RefuseReason };
  if (kind === 'NONE') return { kind: 'none' };
  const reading: Reading = { text, tokens, actions, at: 0 };
  const watch = first === 'WATCH' ? readWatch(reading) : null;
  const steps: DraftStep[] = [];
  while (reading.at < actions.length && actions[reading.at] !== 'END') {
    const before = steps.findLast(({ when }) => when !== null)?.when ?? null;
    steps.push(readStep(reading, tools, before));
  }
  return steps.length === 0 ? null : { kind: 'plan', steps, watch };
}

function readWatch(reading: Reading): Map<string, string> {
  const said = new Map<string, string>();
  reading.at += 1;
  for (
    let action = reading.actions[reading.at];
    typeof action === 'string' && /^\.|=/u.test(action);
    action = reading.actions[reading.at]
  ) {
    const [name = '', literal] = action.replace(/^\./u, '').split('=');
    reading.at += 1;
    const parts = literal === undefined ? readParts(reading, 'text', name) : [];
    said.set(name, literal ?? parts.flatMap((part) => ('said' in part ? [String(part.said)] : [])).join(' '));
  }
  return said;
}

function readStep(reading: Reading, tools: ReadonlyMap<string, Manifest>, before: When | null): DraftStep {
  const { actions } = reading;
  const tool = String(actions[reading.at]);
  const manifest = tools.get(tool);
  const slots = manifest ? slotsOf(manifest) : new Map<string, Slot>();
  const args = new Map<string, readonly Part[] | null>();
  reading.at += 1;
  for (
    let action = actions[reading.at];
    typeof action === 'string' && /^(?:\.|[a-z_]+=)/u.test(action);
    action = actions[reading.at]
  ) {
    reading.at += 1;
    if (action.startsWith('.'))
      args.set(action.slice(1), readParts(reading, slots.get(action.slice(1)) ?? 'text', action.slice(1)));
    else {
      const at = action.indexOf('=');
      const literal = action.slice(at + 1);
      args.set(action.slice(0, at), literal === '?' ? null : [{ literal }]);
    }
  }
  const when = readWhen(reading, before);
  const after: number[] = [];
  if (actions[reading.at] === 'AFTER') {
    reading.at += 1;
    for (let ref = actions[reading.at]; isRef(ref); ref = actions[reading.at]) {
      after.push(stepOf(ref));
      reading.at += 1;
    }
  }
  return { tool, args, when, after };
}

function readParts(reading: Reading, slot: Slot, arg: string): Part[] {
  const { actions, tokens } = reading;
  const parts: Part[] = [];
  for (
    let action = actions[reading.at];
    typeof action === 'number' || isRef(action);
    action = actions[reading.at]
  ) {
    if (isRef(action)) {
      parts.push({ step: stepOf(action) });
      reading.at += 1;
    } else parts.push(readSaid(reading, slot, arg, tokens[action]));
  }
  return parts;
}

function readSaid(reading: Reading, slot: Slot, arg: string, token: Token | undefined): Part {
  const { actions, tokens, text } = reading;
  const from = Number(actions[reading.at]);
  const to = isSpan(slot) ? Number(actions[reading.at + 1]) : from;
  reading.at += isSpan(slot) ? 2 : 1;
  if (token?.kind === 'old')
    return {
      said: token.values.text ?? '',
      from,
      to: from,
      ...(token.values.held === undefined ? {} : { held: token.values.held }),
    };
  const value = isSpan(slot) ? wordsBetween(text, tokens, from, to) : token && valueAt(slot, arg, token);
  return { said: value ?? '', from, to };
}

function readWhen(reading: Reading, before: When | null): When | null {
  const { actions } = reading;
  const first = actions[reading.at];
  if (first === sameCondition || first === otherCase) {
    reading.at += 1;
    return before === null || first === sameCondition ? before : opposite(before);
  }
  const any = first === 'OR';
  if (any) reading.at += 1;
  const parts: Compare[] = [];
  for (
    let action = actions[reading.at];
    typeof action === 'string' && /^\?[<>=!]/u.test(action);
    action = actions[reading.at]
  ) {
    reading.at += 1;
    const right = readRight(reading);
    const left: number[] = [];
    for (let ref = actions[reading.at]; isRef(ref); ref = actions[reading.at]) {
      left.push(stepOf(ref));
      reading.at += 1;
    }
    parts.push({ op: action.slice(1) as Operator, right, left });
  }
  return parts.length === 0 ? null : { any, parts };
}

function readRight(reading: Reading): Part {
  const { actions, tokens, text } = reading;
  const from = actions[reading.at] ?? 0;
  reading.at += 1;
  if (typeof from === 'string')
    return isRef(from) ? { step: stepOf(from) } : { literal: from.replace(/^when=/u, '') };
  const { values, kind } = tokens[from] ?? {};
  const measure = values?.duration ?? values?.number;
  if (measure !== undefined || kind === 'old') return { said: measure ?? values?.text ?? '', from, to: from };
  const to = Number(actions[reading.at]);
  reading.at += 1;
  return { said: wordsBetween(text, tokens, from, to), from, to };
}

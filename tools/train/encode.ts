import type { Manifest } from '../../src/core/manifest.ts';
import type { Action } from '../../src/plan/everyday/grammar.ts';
import type { Heard } from '../../src/plan/everyday/heard.ts';
import { spanOf } from './align.ts';
import { comparesOf, type TrainCase, type TrainValue } from './cases.ts';
import { compareActions, turned } from './encode-conditions.ts';
import { type Encoding, literal, refTo, topicOf, valueActions, withTopic } from './encode-values.ts';

/** The order in which arguments are emitted. */
const order =
  'key project service incident channel user schedule level code type priority priority_not severity status status_not type_not label label_not component assignee assignee_not state within order limit by window since until during older_than not_updated_for updated_within updated_since at urgency database follows resolution query about input summary text'.split(
    ' ',
  );

const key = (actions: readonly Action[]): string => JSON.stringify(actions);

/**
 * A case's expected plan as actions. Throws Unaligned if a value does not appear in the request and is no word of the
 * vocabulary.
 */
export function encode(
  entry: TrainCase,
  heard: Heard,
  tools: ReadonlyMap<string, Manifest>,
  literals: ReadonlySet<string> | null,
): Action[] {
  if (entry.class === 'none') return ['NONE', 'END'];
  if (entry.class === 'refuse') return [`REFUSE:${entry.reason ?? 'no_tool'}`, 'END'];
  if (entry.steps.length === 0) return [`CLARIFY:${slotAsked(entry)}`, 'END'];
  const ids = new Map(entry.steps.map(({ id }, at) => [id, at + 1]));
  const encoding: Encoding = { heard, tools, literals, used: new Map(), ids };
  const actions: Action[] = [];
  if (entry.watch !== undefined) actions.push('WATCH', ...watchActions(encoding, entry));
  let before: Action[] = [];
  for (const step of entry.steps) {
    actions.push(step.tool === 'tell' ? 'TELL' : step.tool);
    const told = new Set<string>();
    const args = withTopic(step, heard);
    const names = Object.keys(args).sort((a, b) => order.indexOf(a) - order.indexOf(b));
    for (const name of names) {
      const own = args[name];
      const said =
        Array.isArray(own) && typeof own[0] === 'number' && own.length === 2 && name === topicOf(step.tool)
          ? [`.${name}`, ...own]
          : valueActions(encoding, step, name, own as TrainValue);
      for (const action of said) if (typeof action === 'string' && action.startsWith('$')) told.add(action);
      actions.push(...(said as Action[]));
    }
    const { when } = step;
    if (when !== undefined) {
      const any = 'any' in when;
      const compares = comparesOf(when).flatMap((one) => compareActions(encoding, one, told));
      const own: Action[] = any && comparesOf(when).length > 1 ? ['OR', ...compares] : compares;
      const wasAny = before[0] === 'OR';
      if (before.length > 0 && key(own) === key(before)) actions.push('?same');
      else if (before.length > 0 && key(own) === turned(wasAny ? before.slice(1) : before, wasAny))
        actions.push('?else');
      else actions.push(...own);
      before = own;
    }
    const after = (step.needs ?? [])
      .flatMap((id) => refTo(encoding, id) ?? [])
      .filter((ref) => !told.has(ref));
    if (after.length > 0) actions.push('AFTER', ...after);
  }
  return [...actions, 'END'];
}

const asked: Readonly<Record<string, string>> = {
  what_is_missing: 'what',
  audience: 'channel',
  ticket: 'key',
  missing_target: 'service',
};
const slots = new Set([
  'service',
  'project',
  'channel',
  'user',
  'key',
  'incident',
  'status',
  'threshold',
  'text',
  'what',
  'contradiction',
  'ticket_or_incident',
]);

function slotAsked({ ask }: TrainCase): string {
  const first = String([ask ?? 'what'].flat()[0] ?? 'what').replaceAll(' ', '_');
  const slot = asked[first] ?? first;
  return slots.has(slot) ? slot : 'what';
}

/** The watch's times; for a change only the ones that differ. */
function watchActions(encoding: Encoding, { watch = {}, was }: TrainCase): Action[] {
  return ['every', 'at', 'days', 'until'].flatMap((name): Action[] => {
    const value = watch[name];
    if (value === undefined || was?.watch?.[name] === value) return [];
    const span = spanOf(encoding.heard, value);
    return span === null ? [literal(encoding, name, value)] : [`.${name}`, ...span];
  });
}

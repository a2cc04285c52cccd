import type { Manifest } from '../../src/core/manifest.ts';
import type { Action } from '../../src/plan/everyday/grammar.ts';
import type { Heard } from '../../src/plan/everyday/heard.ts';
import { isSpan, type Slot, slotsOf, valueAt } from '../../src/plan/everyday/slots.ts';
import type { Token } from '../../src/plan/everyday/tokens.ts';
import { isSame, norm, spanOf, widened } from './align.ts';
import type { TrainStep, TrainValue } from './cases.ts';

/** Arguments of a step as actions. */

/** A value of a case does not appear in its request. */
export class Unaligned extends Error {}

export interface Encoding {
  readonly heard: Heard;
  readonly tools: ReadonlyMap<string, Manifest>;
  readonly literals: ReadonlySet<string> | null;
  readonly used: Map<string, number>;
  readonly ids: ReadonlyMap<string, number>;
}

export function literal({ literals }: Encoding, arg: string, value: unknown): string {
  const action = `${arg}=${norm(value)}`;
  if (literals !== null && !literals.has(action)) throw new Unaligned(action);
  return action;
}

export const refTo = ({ ids }: Encoding, value: unknown): string | null => {
  const step = /^\$?(s\d+)$/u.exec(String(value))?.[1];
  const nth = step === undefined ? undefined : ids.get(step);
  return nth === undefined ? null : `$${nth}`;
};

const sure = new Set<Token['kind']>(['word', 'mark']);

/** Tokens that hold an argument's value; those of the latest words come before those of the earlier plan. */
function pointers(encoding: Encoding, slot: Slot, arg: string, value: unknown, key: string): number | null {
  const { tokens } = encoding.heard;
  const all = tokens.flatMap((token, at) => (isSame(slot, valueAt(slot, arg, token), value) ? [at] : []));
  const own = all.filter((at) => tokens[at]?.section !== 2);
  const list = own.length > 0 ? own : all;
  const named = list.filter(
    (at) => !sure.has(tokens[at]?.kind ?? 'mark') || Object.keys(tokens[at]?.names ?? {}).length > 0,
  );
  const fitting = named.length > 0 ? named : list;
  // In "page ops if OPS has …" the service is the one that is written like it.
  const exact = fitting.filter((at) => tokens[at]?.raw === String(value));
  const best = exact.length > 0 ? exact : fitting;
  const nth = encoding.used.get(key) ?? 0;
  encoding.used.set(key, nth + 1);
  return best[Math.min(nth, best.length - 1)] ?? null;
}

export const topicOf = (tool: string): string =>
  tool === 'jira.create'
    ? 'summary'
    : tool === 'runbook.search'
      ? 'query'
      : /^(?:logs|sql)/u.test(tool)
        ? 'about'
        : tool === 'errors.lookup'
          ? 'code'
          : 'text';

/** Words for values of a closed set, which are literals wherever they appear. */
const closed: Readonly<Record<string, RegExp>> = {
  status: /^(?:open|closed|all|triggered|acknowledged|resolved)$/u,
  assignee: /^(?:unassigned|me)$/u,
  limit: /^1$/u,
};

export function valueActions(encoding: Encoding, step: TrainStep, arg: string, value: TrainValue): Action[] {
  const { tools, heard } = encoding;
  const manifest = tools.get(step.tool);
  const slot = manifest && slotsOf(manifest).get(arg);
  if (slot === undefined) throw new Unaligned(`${step.tool}.${arg}`);
  if (value === '?') return [literal(encoding, arg, '?')];
  const parts = [value].flat().flatMap((part) => splitRefs(String(part)));
  const actions: Action[] = [`.${arg}`];
  for (const part of parts) {
    const ref = part.startsWith('$') ? refTo(encoding, part) : null;
    if (ref !== null) actions.push(ref);
    else if (slot === 'choice' || (closed[arg]?.test(norm(part)) && step.tool !== 'jira.transition'))
      return [literal(encoding, arg, part)];
    else if (isSpan(slot)) {
      const span = spanOf(heard, part);
      if (span === null) return [literal(encoding, arg, part)];
      actions.push(...span);
    } else {
      const at = pointers(encoding, slot, arg, part, `${step.tool} ${arg} ${norm(part)}`);
      if (at === null) return [literal(encoding, arg, part)];
      actions.push(at);
    }
  }
  return actions;
}

const splitRefs = (value: string): string[] =>
  /\$s\d/u.test(value) && !/^\$s\d+$/u.test(value)
    ? value.split(/\s*(\$s\d+)\s*/u).filter((part) => part !== '' && !/^[:\s,-]*$/u.test(part))
    : [value];

/** `text_has` names words of a text that the case does not give completely. */
export function withTopic(step: TrainStep, heard: Heard): Record<string, TrainValue> {
  const { text_has: has, ...args } = step.args as Record<string, TrainValue>;
  const name = topicOf(step.tool);
  if (has === undefined || args[name] !== undefined) return args;
  const pieces = [has].flat().map(String);
  const said = pieces.filter((piece) => !piece.startsWith('$'));
  if (said.length === 0) return { ...args, [name]: pieces };
  const spans = said.map((piece) => spanOf(heard, piece));
  if (spans.some((span) => span === null)) throw new Unaligned(`text_has ${said}`);
  const [from, to] = [
    Math.min(...spans.map((span) => span?.[0] ?? 0)),
    Math.max(...spans.map((span) => span?.[1] ?? 0)),
  ];
  return { ...args, [name]: step.write === false ? [from, to] : widened(heard.tokens, from, to) };
}

import type { Manifest } from '../../src/core/manifest.ts';
import { type Operator, opposites } from '../../src/plan/everyday/draft.ts';
import { clockOf, timeOf } from '../../src/plan/everyday/forms.ts';
import type { Action } from '../../src/plan/everyday/grammar.ts';
import { type Heard, hear, type OldStep } from '../../src/plan/everyday/heard.ts';
import type { NameIndex } from '../../src/plan/everyday/names.ts';
import { isSpan, type Slot, slotsOf, valueAt } from '../../src/plan/everyday/slots.ts';
import type { Token } from '../../src/plan/everyday/tokens.ts';
import { comparesOf, type TrainCase, type TrainCompare, type TrainStep, type TrainValue } from './cases.ts';

/** A value of a case does not appear in its request. */
export class Unaligned extends Error {}

/** The order in which arguments are emitted. */
const order =
  'key project service incident channel user schedule level code type priority priority_not severity status status_not type_not label label_not component assignee assignee_not state within order limit window since until during older_than not_updated_for updated_within updated_since at urgency database follows resolution query about input summary text'.split(
    ' ',
  );

export const norm = (value: unknown): string =>
  String(value)
    .toLowerCase()
    .replaceAll(/[“”„]/gu, '"')
    .replaceAll(/[’‘]/gu, "'")
    .replaceAll(/\s+/gu, ' ')
    .trim();

/** Minutes of an ISO 8601 duration; null for other words. */
export function minutesOf(value: unknown): number | null {
  const found = /^P(?=\d|T\d)(?:(\d+)W)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?$/iu.exec(
    String(value),
  );
  if (found === null) return null;
  const [, weeks, days, hours, minutes, seconds] = found.map((part) => Number(part ?? 0));
  return (
    (weeks ?? 0) * 10_080 + (days ?? 0) * 1_440 + (hours ?? 0) * 60 + (minutes ?? 0) + (seconds ?? 0) / 60
  );
}

const bare = (value: unknown): string => norm(value).replace(/^[@#]/u, '');

function isSame(slot: Slot, found: string | number | undefined, wanted: unknown): boolean {
  if (found === undefined) return false;
  if (slot === 'duration') return minutesOf(found) === minutesOf(wanted);
  if (slot === 'time') return norm(found) === timeIn(norm(wanted)) || norm(found) === norm(wanted);
  return bare(found) === bare(wanted);
}

const timeIn = (words: string): string =>
  /^\d{1,2}(?:[:.h]\d\d)? ?(?:[ap]\.?m\.?|h)?$/u.test(words) ? clockOf(words) : timeOf(words);

/** First and last token of words that appear in the request as a whole; null if they do not. */
export function spanOf({ text, tokens }: Heard, words: string): [number, number] | null {
  const wanted = norm(words).replace(/^["']|["'.!]$/gu, '');
  if (wanted === '') return null;
  for (const [at, { kind, values }] of tokens.entries()) {
    const isQuoted = kind === 'quotation' || kind === 'quoted word';
    if (isQuoted && norm(values.text).replace(/[.!]$/u, '') === wanted) return [at, at];
    if (kind === 'old' && values.text !== undefined && norm(values.text) === wanted) return [at, at];
  }
  const low = text.toLowerCase().replaceAll(/[“”„]/gu, '"').replaceAll(/[’‘]/gu, "'").replaceAll(/\s/gu, ' ');
  const pieces = norm(words).replace(/^["']|["']$/gu, '');
  for (const said of new Set([pieces, wanted]))
    for (let from = low.indexOf(said); from >= 0; from = low.indexOf(said, from + 1)) {
      const first = tokens.findIndex(
        ({ start, kind }) => start === from && kind !== 'old' && kind !== 'section',
      );
      const to = from + said.length;
      const last = tokens.findLastIndex(
        ({ end, start, kind }) =>
          kind !== 'old' &&
          kind !== 'section' &&
          start >= from &&
          (end === to || (end < to && /^[.!?'’]?s?$/u.test(low.slice(end, to)))),
      );
      if (first >= 0 && last >= first) return [first, last];
    }
  return null;
}

const sure = new Set<Token['kind']>(['word', 'mark']);

interface Encoding {
  readonly heard: Heard;
  readonly tools: ReadonlyMap<string, Manifest>;
  readonly literals: ReadonlySet<string> | null;
  readonly used: Map<string, number>;
  readonly ids: ReadonlyMap<string, number>;
}

function literal({ literals }: Encoding, arg: string, value: unknown): string {
  const action = `${arg}=${norm(value)}`;
  if (literals !== null && !literals.has(action)) throw new Unaligned(action);
  return action;
}

const refTo = ({ ids }: Encoding, value: unknown): string | null => {
  const step = /^\$?(s\d+)$/u.exec(String(value))?.[1];
  const nth = step === undefined ? undefined : ids.get(step);
  return nth === undefined ? null : `$${nth}`;
};

/** Tokens that hold an argument's value; those of the latest words come before those of the earlier plan. */
function pointers(encoding: Encoding, slot: Slot, arg: string, value: unknown, key: string): number | null {
  const { tokens } = encoding.heard;
  const all = tokens.flatMap((token, at) => (isSame(slot, valueAt(slot, arg, token), value) ? [at] : []));
  const own = all.filter((at) => tokens[at]?.section !== 2);
  const list = own.length > 0 ? own : all;
  const named = list.filter(
    (at) => !sure.has(tokens[at]?.kind ?? 'mark') || Object.keys(tokens[at]?.names ?? {}).length > 0,
  );
  const best = named.length > 0 ? named : list;
  const nth = encoding.used.get(key) ?? 0;
  encoding.used.set(key, nth + 1);
  return best[Math.min(nth, best.length - 1)] ?? null;
}

/** Extends a partial quotation to the ends of its clause. */
function widened(tokens: readonly Token[], from: number, to: number): [number, number] {
  let [first, last] = [from, to];
  const stops = (token: Token | undefined): boolean =>
    token === undefined ||
    (token.kind === 'mark' && /^[,;:.?!()—–-]$/u.test(token.raw)) ||
    ['issue', 'channel', 'person', 'quotation', 'section'].includes(token.kind);
  while (
    first > 0 &&
    !stops(tokens[first - 1]) &&
    !/^(?:that|about|saying|because|if|with|and|then|says|dass|que|qui)$/u.test(tokens[first - 1]?.low ?? '')
  )
    first -= 1;
  while (
    last < tokens.length - 1 &&
    !stops(tokens[last + 1]) &&
    !/^(?:and|then|if|when|unless|in|to|on)$/u.test(tokens[last + 1]?.low ?? '')
  )
    last += 1;
  return [first, last];
}

const topicOf = (tool: string): string =>
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

function valueActions(encoding: Encoding, step: TrainStep, arg: string, value: TrainValue): Action[] {
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

function compareActions(encoding: Encoding, { left, op, right }: TrainCompare, told: Set<string>): Action[] {
  const actions: Action[] = [`?${op === 'is' ? '==' : op}`];
  const ref = typeof right === 'string' ? refTo(encoding, right) : null;
  if (ref !== null) {
    actions.push(ref);
    told.add(ref);
  } else actions.push(...rightActions(encoding, right));
  for (const one of [left].flat()) {
    const step = refTo(encoding, one);
    if (step === null) throw new Unaligned(`left ${one}`);
    actions.push(step);
    told.add(step);
  }
  return actions;
}

function rightActions(encoding: Encoding, right: TrainCompare['right']): Action[] {
  const { heard } = encoding;
  const { tokens } = heard;
  const minutes = minutesOf(right);
  const isThis = ({ values, kind }: Token): boolean =>
    kind !== 'incident' &&
    (minutes === null
      ? values.number === Number(right)
      : values.duration !== undefined && minutesOf(values.duration) === minutes);
  if (typeof right === 'number' || minutes !== null) {
    const own = tokens.findIndex(
      (token) =>
        token.section !== 2 && isThis(token) && (token.kind === 'number' || token.kind === 'duration'),
    );
    const at = own >= 0 ? own : tokens.findIndex((token) => isThis(token) && token.kind !== 'severity');
    return at >= 0 ? [at] : [literal(encoding, 'when', right)];
  }
  if (
    /^(?:breached|at_risk|ok|unassigned|open|acknowledged|resolved|triggered|done|closed)$/iu.test(
      String(right),
    )
  )
    return [literal(encoding, 'when', right)];
  const span = spanOf(heard, String(right));
  return span === null
    ? [literal(encoding, 'when', right)]
    : tokens[span[0]]?.kind === 'old'
      ? [span[0]]
      : span;
}

/** The actions of the other case, as `otherCase` reads them. */
function turned(actions: readonly Action[], any: boolean): string {
  const zero = (at: number): boolean => actions[at + 1] === 'when=0';
  const ops = actions.map((action, at) => {
    if (typeof action !== 'string' || !action.startsWith('?')) return action;
    const op = action.slice(1);
    return `?${zero(at) && op === '>' ? '==' : zero(at) && op === '==' ? '>' : opposites[op as Operator]}`;
  });
  const count = ops.filter((action) => String(action).startsWith('?')).length;
  return JSON.stringify(count > 1 && !any ? ['OR', ...ops] : ops);
}

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

/** `text_has` names words of a text that the case does not give completely. */
function withTopic(step: TrainStep, heard: Heard): Record<string, TrainValue> {
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

/** A case as a planner receives it. */
export function heardIn({ text, answers, was }: TrainCase, names: NameIndex): Heard {
  const old =
    was === undefined ? {} : { old: { steps: was.steps.map(oldStep), isWatched: was.watch !== undefined } };
  return hear(
    {
      goal: was === undefined ? text : '',
      answers: was === undefined ? (answers ?? []) : [{ slot: 'change', answer: text }],
      ...old,
    },
    names,
  );
}

function oldStep({ tool, args, when, needs = [] }: TrainStep): OldStep {
  const nth = (id: string): number => Number(id.slice(1));
  const parts = when === undefined ? [] : comparesOf(when);
  const compares = parts.map(({ op, right, left }) => ({
    op: op === 'is' ? '==' : op,
    right: /^s\d+$/u.test(String(right)) ? `$${nth(String(right))}` : String(right),
    left: [left].flat().map(nth),
  }));
  const used = new Set([
    ...compares.flatMap(({ left, right }) => [...left, Number(/^\$(\d)$/u.exec(right)?.[1] ?? 0)]),
    ...[...JSON.stringify(args).matchAll(/\$s(\d+)/gu)].map(([, id]) => Number(id)),
  ]);
  return {
    tool: tool === 'tell' ? 'TELL' : tool,
    args: Object.entries(args).map(([arg, value]) => ({
      arg,
      text: [value]
        .flat()
        .map((part) => String(part).replace(/^\$s/u, '$'))
        .join(' '),
    })),
    when: when === undefined ? null : { any: 'any' in when, parts: compares },
    after: needs.map(nth).filter((step) => !used.has(step)),
  };
}

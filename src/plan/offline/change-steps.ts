import type { Step } from '../../core/plan.ts';
import {
  type Change,
  freshId,
  type Heard,
  heardBy,
  isAct,
  isSilent,
  isWrite,
  placeOf,
  renamed,
  staying,
  uses,
  withValue,
  writesOf,
} from './changing.ts';
import { wordsFor } from './questions.ts';
import { takesOf, textArgOf } from './takes.ts';
import { is } from './text.ts';

/** Values that a change names go where the plan has their like. */

/** How a piece of a change means what it names. */
export interface Means {
  /** It comes beside what is there. */
  readonly adds: boolean;
  /** Only it stays. */
  readonly only: boolean;
}

/** One value, for the steps of one tool. */
interface Edit extends Heard {
  readonly arg: string;
  readonly values: readonly string[];
}

/** Those of a kind, where there are any. */
function preferred<One>(all: readonly One[], isOne: (one: One) => boolean): readonly One[] {
  const best = all.filter(isOne);
  return best.length > 0 ? best : all;
}

/** The tools that take the words together, and the words that none of them takes. */
function takers(
  change: Change,
  span: readonly number[],
): { heard: readonly Heard[]; left: readonly number[] } {
  const everyone = heardBy(change, span);
  const writes = span.some((at) => is(change.text, at, 'verb message'));
  for (const { frame } of everyone.filter(({ frame, slots }) => slots.size > 0 || (frame.verb && !writes)))
    for (const { arg, said } of frame.strange)
      change.ask ??= wordsFor({ kind: 'strange', missing: arg, said }, false);
  const named = everyone.filter(({ slots }) => slots.size > 0);
  // What stands in quotation marks is said before it is looked for.
  const saying = preferred(named, ({ tool, slots }) => slots.has(textArgOf(tool) ?? ''));
  const heard = preferred(saying, ({ frame, tool }) => frame.verb && tool.effect === 'write');
  // A tool that the plan has is known by its verb and its noun, also where nothing is said of it.
  const known = heard.length > 0 ? heard : everyone;
  const open = known[0]?.left ?? span.filter((at) => !isSilent(change.text, at));
  return { heard, left: open.filter((at) => known.every(({ left }) => left.includes(at))) };
}

/** Steps of a tool that are meant: those that the words name by a target that they have, or all of them. */
function meantBy(change: Change, { tool, slots }: Pick<Heard, 'tool' | 'slots'>): Step[] {
  const own = staying(change).filter((step) => step.tool === tool.name);
  const most = Math.max(0, ...own.map((step) => heldBy(step, slots)));
  return own.filter((step) => heldBy(step, slots) === most);
}

/** How many of the values that are named a step has. */
const heldBy = ({ args }: Step, slots: Heard['slots']): number =>
  [...slots].filter(([arg, values]) => values.length === 1 && args[arg] === values[0]).length;

const show = (value: unknown): string => (typeof value === 'object' ? 'a result' : String(value));

/** Steps in which a new value comes in the place of another one; asks where it could be meant for several. */
function placesFor(change: Change, edit: Edit, there: readonly Step[]): readonly Step[] {
  const { tool, arg, values } = edit;
  const oldOf = (step: Step): unknown => step.args[placeOf(tool, step, arg) ?? ''];
  const dropped = there.filter((step) => change.dropped.some(({ value }) => value === oldOf(step)));
  if (dropped.length > 0) return dropped;
  const looks = change.dropped.map((one) => takesOf(tool, one.arg));
  if (isOfProject(change, edit) || looks.includes(takesOf(tool, arg))) return [];
  const [one, ...more] = new Set(there.map((step) => show(oldOf(step))));
  if (more.length > 0)
    change.ask ??= `Which one should change: ${[one, ...more].join(' or ')}? Say it as in “${values[0]} instead of ${one}”.`;
  return there;
}

/** "WEB": the name of a project that is its service as well is the project where the plan has one. */
function isOfProject(change: Change, { frame, arg }: Edit): boolean {
  const names = [...frame.filling].some((at) => is(change.text, at, 'project'));
  return arg === 'service' && names && !frame.verb && change.steps.some(({ args }) => 'project' in args);
}

/** A step like one that is there, with another value: under the same condition, with the same text. */
function putBeside(change: Change, step: Step, edit: Edit, value: string): void {
  const { tool, arg } = edit;
  const twin: Step = { ...withValue(tool, step, arg, value), id: freshId(change.steps, step.id) };
  if (change.steps.some(({ args }) => JSON.stringify(args) === JSON.stringify(twin.args))) return;
  if (tool.effect === 'read' && staying(change).some(({ when = '' }) => uses({ args: {}, when }, step.id)))
    change.ask ??= `Should ${show(step.args[arg])} and ${value} count together or each for itself? Please say the whole condition anew.`;
  const told = (one: Step): Step => {
    const other = renamed(one, new Map([[step.id, twin.id]])).args;
    const both = Object.entries(one.args).map(([name, here]) => {
      const there = other[name] ?? '';
      return [name, JSON.stringify(here) === JSON.stringify(there) ? here : [here, '\n', there].flat()];
    });
    return isWrite(change, one) ? { ...one, args: Object.fromEntries(both) } : one;
  };
  change.steps = change.steps.flatMap((one) => (one.id === step.id ? [one, twin] : [told(one)]));
}

function take(change: Change, edit: Edit, { adds, only }: Means): void {
  const { tool, arg, values, slots } = edit;
  const own = meantBy(change, edit);
  const [value = '', ...more] = values;
  if (own.every(({ args }) => args[arg] === value) && own.length > 0 && more.length === 0) {
    // "only ops": the others go.
    const others = staying(change).filter((step) => step.tool === tool.name && !own.includes(step));
    for (const { id } of only && slots.size === 1 ? others : []) change.gone.add(id);
    return;
  }
  const isMessage = textArgOf(tool) === arg;
  const present = own.filter((step) => placeOf(tool, step, arg) !== undefined);
  const last = present.at(-1);
  if (last && adds && !isMessage) {
    for (const one of values) putBeside(change, last, edit, one);
    return;
  }
  const places = present.length === 0 ? own : isMessage ? present : placesFor(change, edit, present);
  const put = new Map(places.map((step) => [step, withValue(tool, step, arg, value)]));
  change.steps = change.steps.map((step) => put.get(step) ?? step);
  for (const step of [...put.values()].slice(-1)) for (const one of more) putBeside(change, step, edit, one);
}

/** Gives the values that the words name to the steps that have their like. Words that no step takes come back. */
export function fillSlots(change: Change, span: readonly number[], means: Means): readonly number[] {
  const { heard, left } = takers(change, span);
  if (left.length > 0) return left;
  const edits = heard.flatMap((one) =>
    [...one.slots].map(([arg, values]): Edit => ({ ...one, arg, values })),
  );
  const isThere = ({ tool, arg }: Edit): boolean =>
    staying(change).some((step) => step.tool === tool.name && placeOf(tool, step, arg) !== undefined);
  const known = edits.filter(isThere);
  // What nothing has yet goes to the tool that takes most of the words.
  const best = heard.toSorted((a, b) => b.frame.used.size - a.frame.used.size)[0];
  const isNew = ({ tool, values }: Edit): boolean =>
    tool === best?.tool && !known.some((one) => one.tool !== tool && one.values[0] === values[0]);
  const before = change.steps;
  for (const edit of edits) if (known.includes(edit) || isNew(edit)) take(change, edit, means);
  followProjects(change, before);
  return [];
}

/** The service that came with a project goes where the project goes, unless it was named. */
function followProjects(change: Change, before: readonly Step[]): void {
  const { catalogue, goal } = change.text;
  const projectOf = (steps: readonly Step[]): unknown =>
    steps.find(({ args }) => args.project !== undefined)?.args.project;
  const [from, to] = [before, change.steps].map(
    (steps) => catalogue.projects.find(({ key }) => key === projectOf(steps))?.service,
  );
  const isSaid = new RegExp(`\\b${from}\\b`, 'u').test(`${change.plan.goal} ${goal}`);
  const moves = (step: Step): boolean => step.args.service === from && isWrite(change, step);
  if (from === undefined || to === undefined || from === to || isSaid || !change.steps.some(moves)) return;
  change.steps = change.steps.map((step) =>
    moves(step) ? { ...step, args: { ...step.args, service: to } } : step,
  );
  change.notes.push(`On-call of ${to}, the service of ${String(projectOf(change.steps))}.`);
}

/** Takes out what a piece names: steps by their tool, or values, until it is known what comes in their place. */
export function drop(change: Change, span: readonly number[], rest: readonly number[]): readonly number[] {
  const { text, gone, dropped } = change;
  const heard = heardBy(change, rest);
  const values = heard.filter(({ slots }) => slots.size > 0);
  const held = values.flatMap((one) => meantBy(change, one).filter((step) => heldBy(step, one.slots) > 0));
  const named = writesOf(change).filter(({ tool }) => rest.some((at) => isAct(text, at, tool)));
  const aims = values.some(({ tool }) => named.some((step) => step.tool === tool.name));
  const meant = aims ? named.filter((step) => held.includes(step)) : named;
  // "don't page ops" where nobody pages ops.
  if (meant.length === 0 && (named.length > 0 || held.length === 0)) return span;
  for (const { id } of meant) gone.add(id);
  for (const { tool, slots } of meant.length > 0 ? [] : values)
    for (const [arg, [value = '']] of slots)
      if (held.some((step) => step.tool === tool.name && step.args[arg] === value))
        dropped.push({ arg, value });
  const [first] = heard;
  return first?.left.filter((at) => !heard.some(({ tool }) => isAct(text, at, tool.name))) ?? span;
}

import { isOptional } from '../../core/fields.ts';
import type { Manifest } from '../../core/manifest.ts';
import type { Frame, Text } from './frame.ts';
import { fillFrame } from './frames.ts';
import { isOneOf, spanKey } from './heard.ts';
import type { Sense } from './sense.ts';
import { slotsOf, takesOf } from './takes.ts';

/** Whether a bare list of tickets is to be shown or to be compared with a number. */
export type Wanted = 'list' | 'number';

const calling = new Set<Sense['role']>(['noun', 'value', 'verb']);

/** Tools whose words stand in the span, and those that the things in it call for by themselves. */
export function toolsIn(
  text: Text,
  span: readonly number[],
  effect: Manifest['effect'],
  role?: 'verb' | 'noun',
): Manifest[] {
  const names = new Set<string>();
  for (const index of span) {
    for (const { senses } of text.phrases[index] ?? [])
      for (const sense of senses)
        if (role === undefined ? calling.has(sense.role) : sense.role === role) names.add(sense.of);
    if (role !== undefined) continue;
    for (const { kind } of text.entities[index] ?? [])
      for (const tool of text.lexicon.tools.values())
        if (tool.asked?.calls?.some((arg) => takesOf(tool, arg) === kind)) names.add(tool.name);
  }
  return [...names]
    .map((name) => text.lexicon.tools.get(name))
    .filter((tool) => tool !== undefined && tool.effect === effect) as Manifest[];
}

/** How well a frame explains its words; text that was only passed on counts for less. */
export function worth(frame: Frame): number {
  const heard = frame.used.size - frame.spoken.size;
  const named = frame.noun ? 0.5 : frame.verb ? 0 : -0.4;
  // "the SLA for P1 in OPS" is what was agreed, unless it speaks of a state or a ticket.
  const agreed = frame.tool.asked?.role === 'limit' && frame.slots.has('priority') ? 0.2 : 0;
  return agreed + heard + 0.6 * frame.spoken.size - 2 * frame.left.length + named - 2 * frame.strange.length;
}

const required = new WeakMap<Manifest, readonly string[]>();

/** Arguments that a tool cannot do without. */
export function requiredOf(tool: Manifest): readonly string[] {
  const known =
    required.get(tool) ??
    Object.entries(tool.args.shape).flatMap(([arg, schema]) => (isOptional(schema) ? [] : [arg]));
  required.set(tool, known);
  return known;
}

/** A read is of use when it says what to look at. */
function says(text: Text, frame: Frame): boolean {
  const { tool, slots } = frame;
  const args = Object.keys(tool.args.shape);
  // "look it up": what is missing is a result of what was looked up before.
  const pointing = [...frame.used].some((index) => isOneOf(text, index, 'pointing'));
  const open = requiredOf(tool).filter((arg) => !slots.has(arg));
  if (open.some((arg) => !pointing || tool.asked?.args?.[arg]?.from === undefined)) return false;
  if (open.length > 0) return true;
  const query = args.some((arg) => takesOf(tool, arg) === 'query' && slots.has(arg));
  const called = tool.asked?.calls?.some((all) => all.split(' ').every((arg) => slots.has(arg))) === true;
  const topical =
    args.some((arg) => takesOf(tool, arg) === 'query') &&
    !called &&
    !slots.has('about') &&
    !slots.has('service');
  if (topical && !query) return false;
  if (query) return frame.noun || frame.slots.size === 1;
  // "file one" names no tickets: what is said of many things has to say which.
  const thin = slots.size === 0 || (slots.size === 1 && slots.has('status') && !frame.noun);
  if (thin && !frame.verb && (tool.asked?.calls?.length ?? 0) > 1) return false;
  return frame.noun || called;
}

/** The query of a log system or a database that a piece of data is written in. */
function queryTool(text: Text, span: readonly number[]): string | null {
  const data = span.map((index) => text.tokens[index]).find((token) => token?.kind === 'data')?.raw;
  if (data === undefined) return null;
  const isForm = ({ asked }: Manifest): boolean =>
    Object.values(asked?.args ?? {}).some(
      ({ form }) => form !== undefined && new RegExp(form, 'iu').test(data),
    );
  return [...text.lexicon.tools.values()].find(isForm)?.name ?? null;
}

/** A read whose input is made of other results: it is asked for like an order. */
export const makesOfResults = (tool: Manifest): boolean => makers.get(tool) ?? makes(tool);

const makers = new WeakMap<Manifest, boolean>();

function makes(tool: Manifest): boolean {
  const found = [...slotsOf(tool).values()].includes('results');
  makers.set(tool, found);
  return found;
}

/** The readings of a span as one look-up, the best first. */
export function readsOf(text: Text, span: readonly number[], wanted: Wanted): readonly Frame[] {
  const known = read.get(text) ?? new Map<string, readonly Frame[]>();
  read.set(text, known);
  const key = `${wanted} ${spanKey(span)}`;
  const frames = known.get(key) ?? readAs(text, span, wanted);
  known.set(key, frames);
  return frames;
}

/** Every stage asks for the same spans again. */
const read = new WeakMap<Text, Map<string, readonly Frame[]>>();

function readAs(text: Text, span: readonly number[], wanted: Wanted): Frame[] {
  const query = queryTool(text, span);
  const tools = toolsIn(text, span, 'read');
  const named = query === null ? tools : [text.lexicon.tools.get(query)].filter((tool) => tool !== undefined);
  const usual = wanted === 'list' ? 'list' : 'count';
  return named
    .filter((tool) => !makesOfResults(tool))
    .map((tool) => fillFrame(text, tool, span))
    .filter((frame) => says(text, frame))
    .map((frame) => ({
      frame,
      score: worth(frame) + (frame.tool.asked?.role === usual ? 0.3 : 0),
    }))
    .sort((a, b) => b.score - a.score)
    .map(({ frame }) => frame);
}

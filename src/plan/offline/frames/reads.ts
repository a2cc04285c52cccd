import type { Manifest } from '../../../core/manifest.ts';
import { is, lowAt, once, range, saysIn, spanKey, type Text } from '../words/text.ts';
import { type Frame, isFrame } from './frame.ts';
import { fillFrame } from './frames.ts';
import { argsThatTake, requiredOf, signsOf, takesOf } from './takes.ts';

/** Tools that words of a span stand for in these roles, in the order in which they are said; `calls` are those that a thing asks for by itself. */
export function toolsIn(
  { words, lexicon }: Text,
  span: readonly number[],
  ...roles: readonly string[]
): Manifest[] {
  const found = new Set<Manifest | undefined>();
  for (const index of span) {
    for (const { senses, tags } of words[index]?.phrases ?? [])
      if (roles.some((role) => tags.has(role)))
        for (const { role, of } of senses) if (roles.includes(role)) found.add(lexicon.tools.get(of));
    for (const { kind } of roles.includes('calls') ? (words[index]?.things ?? []) : [])
      for (const tool of lexicon.calledBy.get(kind) ?? []) found.add(tool);
  }
  return [...found].filter((tool) => tool !== undefined);
}

/** How well a frame explains its words, with those of what it sends; text that was only passed on counts for less. */
export function worth(frame: Frame): number {
  const { carries, target, used, spoken, left, strange } = frame;
  const heard = used.size - spoken.size;
  const named = frame.noun ? 0.5 : frame.verb ? 0 : -0.4;
  // "the SLA for P1 in OPS" is what was agreed, unless it speaks of a state or a ticket.
  const agreed = frame.tool.asked?.role === 'limit' && frame.slots.has('priority') ? 0.2 : 0;
  const text = carries !== null && typeof carries === 'object' && 'words' in carries ? carries.words : -1;
  const sent = isFrame(carries) ? worth(carries) : -0.5 * (text + 1) + (target ? worth(target) : 0);
  return agreed + heard + 0.6 * spoken.size - 2 * left.length + named - 2 * strange.length + sent;
}

/** A read is of use when it says what to look at. */
function says(text: Text, { tool, slots, used, noun, verb }: Frame): boolean {
  const [takesQuery] = argsThatTake(tool, 'query');
  const { calls = [], args } = tool.asked ?? {};
  // "look it up": what is missing is a result of what was looked up before.
  const open = requiredOf(tool).filter((arg) => !slots.has(arg));
  const isFound = (arg: string): boolean => args?.[arg]?.from !== undefined;
  if (open.length > 0) return open.every(isFound) && saysIn(text, used, 'pointing');
  const isSaid = (arg: string): boolean => slots.has(arg) || slots.has(`${arg}_not`);
  const isCalled = calls.some((all) => all.split(' ').every(isSaid));
  if (takesQuery !== undefined && slots.has(takesQuery)) return noun || slots.size === 1;
  if (takesQuery !== undefined && !isCalled && !slots.has('about') && !slots.has('service')) return false;
  // "file one" names no tickets: what is said of many things has to say which.
  const isThin = slots.size === 0 || (slots.size === 1 && isSaid('status') && !noun);
  return !(isThin && !verb && calls.length > 1) && (noun || isCalled);
}

/** The tool for the query of a log system or a database, by what a piece of data is written in. */
function queryTool({ words, lexicon }: Text, span: readonly number[]): Manifest | undefined {
  const data = span.map((index) => words[index]).find((word) => word?.kind === 'data')?.raw;
  const isForm = ({ asked }: Manifest): boolean =>
    Object.values(asked?.args ?? {}).some(({ form }) => form && new RegExp(form, 'iu').test(data ?? ''));
  return data === undefined ? undefined : [...lexicon.tools.values()].find(isForm);
}

/** A read whose input is made of other results: it is asked for like an order. */
export const makesOfResults = (tool: Manifest): boolean => argsThatTake(tool, 'results').length > 0;

/** "the oldest tickets" are several, "the oldest ticket" is one. */
export const saysSeveral = (text: Text, span: readonly number[], { name }: Manifest): boolean =>
  span.some(
    (index) =>
      (is(text, index, 'several') &&
        // "tell ben all quiet"
        (lowAt(text, index) !== 'all' ||
          saysIn(text, range(index + 1, index + 4), 'severity', `noun ${name}`))) ||
      (lowAt(text, index).endsWith('s') && is(text, index, 'severity', `noun ${name}`, `value ${name} type`)),
  );

/** The readings of a span as one look-up, the best first: a bare list of tickets is shown, or compared with a number. */
export function readsOf(text: Text, span: readonly number[], wanted: 'list' | 'count'): readonly Frame[] {
  const key = spanKey(span);
  return once(text, `${wanted} ${key}`, () =>
    once(text, `reads ${key}`, () => readAs(text, span))
      .map(({ frame, score }) => ({ frame, score: score + (frame.tool.asked?.role === wanted ? 0.3 : 0) }))
      .sort((a, b) => b.score - a.score)
      .map(({ frame }) => frame),
  );
}

/** Whether a tool may be asked for by what a span has: not by a verb alone, and not without what it has to know. */
function mayBeAsked(text: Text, span: readonly number[], tool: Manifest): boolean {
  const { calls = [], args } = tool.asked ?? {};
  const says = (...tags: readonly string[]): boolean => saysIn(text, span, ...tags);
  const may = (arg: string): boolean => takesOf(tool, arg) === 'topic' || says(...signsOf(tool, arg));
  const open = requiredOf(tool).filter((arg) => !may(arg));
  if (open.length > 0) return says('pointing') && open.every((arg) => args?.[arg]?.from !== undefined);
  if (says(`noun ${tool.name}`) || calls.some((all) => all.split(' ').every(may))) return true;
  const topics = argsThatTake(tool, 'topic').filter((arg) => args?.[arg]?.words);
  return topics.some((arg) => says('query', ...signsOf(tool, arg)));
}

function readAs(text: Text, span: readonly number[]): { frame: Frame; score: number }[] {
  const query = queryTool(text, span);
  return (query ? [query] : toolsIn(text, span, 'noun', 'value', 'verb', 'also', 'calls'))
    .filter((tool) => tool.effect === 'read' && !makesOfResults(tool))
    .filter((tool) => query || mayBeAsked(text, span, tool))
    .map((tool) => fillFrame(text, tool, span))
    .filter((frame) => says(text, frame))
    .map((frame) => ({ frame, score: worth(frame) }));
}

import type { Manifest } from '../../../core/manifest.ts';
import { clauseCost, type Draft } from '../clauses/clause.ts';
import { conditionsIn } from '../clauses/conditions.ts';
import { ordersIn } from '../clauses/order-readings.ts';
import type { Frame } from '../frames/frame.ts';
import { fillFrame } from '../frames/frames.ts';
import { textArgOf } from '../frames/takes.ts';
import { quantityAt, testOf } from '../frames/tests.ts';
import { is, isAny, isBound, joinsThings, once, saysIn, type Text } from '../words/text.ts';

/** What the words between two boundaries of a change may mean for its plan. */

type Span = readonly number[];

/** Words that only say that something changes, or point to what is there. */
export const isSilent = (text: Text, at: number): boolean =>
  is(text, at, 'empty', 'changing', 'adding', 'only', 'instead', 'pronoun', 'result', 'mends', 'and', 'undo');

/** Whether a word names what a tool does. */
export const isAct = (text: Text, at: number, { name }: Manifest): boolean =>
  is(text, at, `verb ${name}`, `noun ${name}`, `also ${name}`);

/** Words that name a condition and nothing that it looks at. */
export const isCondition = (text: Text, at: number): boolean =>
  is(text, at, 'bounding', 'noun limit', 'if', 'in any case');

/** The words as each tool of the plan hears them. A text is only what is quoted, or what a word such as "titled" or a colon begins. */
function heardBy(text: Text, span: Span): Frame[] {
  const names = once(text, 'tools', () => new Set(text.plan?.steps.map(({ tool }) => tool)));
  return [...names].flatMap((name): Frame[] => {
    const tool = text.lexicon.tools.get(name);
    if (!tool) return [];
    const frame = fillFrame(text, tool, span);
    const isTold = span.some((at) => is(text, at, 'telling') && !is(text, at, 'about'));
    const cues = [...frame.slots.keys()].map((arg) => `cue ${name} ${arg}`);
    const isOpen = (at: number): boolean => !isAct(text, at, tool) && !is(text, at, ...cues);
    return [{ ...frame, left: [...frame.left, ...(isTold ? [] : frame.spoken)].filter(isOpen) }];
  });
}

/** Those of a kind, where there are any. */
export function preferred<One>(all: readonly One[], isOne: (one: One) => boolean): readonly One[] {
  const best = all.filter(isOne);
  return best.length > 0 ? best : all;
}

/** Values that are put in or taken out, for the tools that take the words together. */
function edit(text: Text, span: Span, drops: boolean): Extract<Draft, { kind: 'edit' }> {
  const everyone = heardBy(text, span);
  const writes = saysIn(text, span, 'verb message');
  const named = everyone.filter(
    ({ slots, verb, strange }) => slots.size > 0 || (verb && strange.length > 0 && !writes),
  );
  // What stands in quotation marks is said before it is looked for.
  const saying = preferred(named, ({ tool, slots }) => slots.has(textArgOf(tool) ?? ''));
  const heard = preferred(saying, ({ verb, tool }) => verb && tool.effect === 'write');
  // A tool that the plan has is known by its verb and its noun, also where nothing is said of it.
  const known = drops || heard.length === 0 ? everyone : heard;
  const said = span.filter((at) => !isSilent(text, at));
  const isOpen = !drops || !said.every((at) => isCondition(text, at) || is(text, at, 'number'));
  const left = said.filter((at) => isOpen && known.every((one) => one.left.includes(at)));
  const score = said.length + 0.2 * (span.length - said.length) - 3 * left.length - clauseCost;
  return { kind: 'edit', drops, span, frames: drops ? everyone : heard, left, score };
}

/** "make it 8", "threshold 15", "2 hours", "use the sla": a value without its comparison or its name. */
function barely(text: Text, span: Span): Draft[] {
  const said = span.filter((at) => !isSilent(text, at) && !is(text, at, 'bounding'));
  const quantity = quantityAt(text, said[0] ?? -1);
  const tool = said.every((at) => is(text, at, 'noun limit')) && text.lexicon.byRole.get('limit');
  const common = { kind: 'condition', subject: null, any: false, left: [], score: said.length } as const;
  if (tool && said.length > 0)
    return [
      { ...common, bare: null, tests: [{ kind: 'than', op: '==', frame: fillFrame(text, tool, span) }] },
    ];
  if (!quantity || said.some((at) => at >= quantity.end)) return [];
  return [{ ...common, bare: quantity.thing, tests: [testOf(quantity, '==')] }];
}

/** "P1 to P2": one value goes, and another one of its kind comes in its place. */
export const movesTo = (text: Text, at: number): boolean => is(text, at, 'moving') && joinsThings(text, at);

/** How many words from a place on take out what follows: "drop", "don't", "instead of"; none in "not more than", "not urgent". */
export function droppingAt(text: Text, at: number): number {
  const [longest] = text.words[at]?.phrases ?? [];
  if (is(text, at, 'dropping')) return 1;
  // "change P1 to P2"
  if (is(text, at, 'changing') && [2, 3].some((more) => movesTo(text, at + more))) return 1;
  return longest && isAny(longest, 'negation') ? longest.length : 0;
}

/** "not P1", "drop the page"; "not P4" may also leave out what the plan does not name yet. */
function drops(text: Text, span: Span, rest: Span): Draft[] {
  const without = edit(text, span, false);
  const excludes = without.frames.some(({ slots }) => [...slots.keys()].some((arg) => arg.endsWith('_not')));
  const dropped = edit(text, rest, true);
  return [dropped, ...(excludes ? [{ ...without, score: dropped.score - 0.5 }] : [])];
}

/** A condition, also with what it looks at as the look-ups of the plan hear it: "more than 5 bugs". */
function conditions(text: Text, span: Span, asked: boolean): Draft[] {
  return conditionsIn(text, span, asked).flatMap((draft): Draft[] => {
    if (draft.kind !== 'condition') return [];
    // "over the sla": what the plan compares is meant.
    if (draft.subject === null) return [{ ...draft, score: Math.max(draft.score, span.length) }];
    const { used, left } = draft.subject;
    const heardOf = span.filter((at) => used.has(at));
    const own = edit(text, heardOf, false);
    const frames = own.frames.filter(({ tool }) => tool.effect === 'read');
    const isNumber = draft.tests.every(({ kind }) => kind === 'number' || kind === 'minutes');
    const score = draft.score + 0.5 + 2 * left.length;
    const heard = { ...draft, subject: null, frames, left: [], score };
    return isNumber && frames.length > 0 && own.left.length === 0 ? [draft, heard] : [draft];
  });
}

export function changesIn(text: Text, span: Span, asked: boolean): Draft[] {
  if (asked) return conditions(text, span, true);
  const head = span.find((at) => droppingAt(text, at) > 0 || !isSilent(text, at)) ?? -1;
  const length = droppingAt(text, head);
  const rest = span.filter((at) => at >= head + length);
  // What is taken out and what comes in its place are said apart.
  if (rest.some((at) => droppingAt(text, at) > 0)) return [];
  if (length > 0) return drops(text, span, rest);
  // "page regardless": without its condition.
  const isAlways = (at: number): boolean => is(text, at, 'in any case', 'empty', 'verb write', 'noun write');
  if (saysIn(text, span, 'in any case') && span.every(isAlways))
    return [{ kind: 'edit', drops: true, span, frames: [], left: [], score: span.length }];
  const own = edit(text, span, false);
  // "make it at least 5"
  const bounds = conditions(
    text,
    span.filter((at) => at >= head || !is(text, at, 'changing', 'pronoun')),
    false,
  );
  const isBound = (one: Draft): boolean =>
    one.kind === 'condition' && one.left.length === 0 && one.tests[0]?.kind === 'number';
  // "page payments" is no incident to acknowledge: another act is another order.
  // "call it “…”" is no call.
  const [longest] = text.words[head]?.phrases ?? [];
  const isOwn = text.plan?.steps.some(
    ({ tool }) =>
      is(text, head, `verb ${tool}`) || (longest && longest.length > 1 && isAny(longest, `cue ${tool}`)),
  );
  const isPlanned = !is(text, head, 'verb write') || isOwn;
  // What the tools of the plan take as a whole is nothing else.
  if (own.left.length === 0 && own.frames.length > 0 && isPlanned && !bounds.some(isBound)) return [own];
  const [first = -1] = span;
  const isVague = is(text, first, 'changing') && is(text, first + 1, 'pronoun');
  const orders = isVague ? [] : ordersIn(text, span);
  const isWrite = (one: Draft): boolean => one.kind === 'order' && one.frame.tool.effect === 'write';
  return [...(isPlanned ? [own] : []), ...barely(text, span), ...bounds, ...orders.filter(isWrite)];
}

const heads = ['ordering', 'dropping', 'negation', 'only', 'adding', 'each time', 'if', 'unless'];

/** Whether a reply orders a change, as against talk about it: it begins as an order, or is a value and nothing else. */
export function isOrdered(text: Text): boolean {
  const { words } = text;
  const isOpening = (at: number): boolean =>
    is(text, at, 'polite', 'mends', 'mark', 'deciding', 'but') && !is(text, at, ...heads, 'compare');
  const first = [...words.keys()].find((at) => !isOpening(at)) ?? -1;
  // "can you use P2?" orders it; "we use P2", "someone should page ops" and "is it P2?" do not.
  const who = words.findIndex((_word, at) => at < first && is(text, at, 'whoever asks', 'nobody yet'));
  const isAsked = is(text, who - 1, 'asks kindly');
  if (!isAsked && (who >= 0 || words.at(-1)?.raw === '?')) return false;
  if (is(text, first, ...heads) || (is(text, first, 'verb write') && !is(text, first, 'articles')))
    return true;
  const bound = isBound(text, first) ? (words[first]?.phrases[0]?.length ?? 0) : 0;
  const behind = first + bound + (words[first + bound]?.things[0]?.length ?? words.length);
  const ends = words.slice(behind).every((_word, at) => is(text, behind + at, 'mark', 'polite'));
  return isTail(text, behind) || (ends && (bound > 0 || is(text, first, 'severity')));
}

/** "… instead", "… too", "… as well": the last words of a change say how it is meant. */
export function isTail(text: Text, at: number): boolean {
  const [longest] = text.words[at]?.phrases ?? [];
  const end = at + (longest?.length ?? 1);
  const isEnd = end === text.words.length || is(text, end, 'mark', 'if', 'unless', 'and');
  return isEnd && is(text, end - 1, 'adding', 'instead', 'only');
}

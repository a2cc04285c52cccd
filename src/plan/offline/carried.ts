import type { Manifest } from '../../core/manifest.ts';
import type { Frame, Text } from './frame.ts';
import { fillFrame } from './frames.ts';
import { isAll, isOneOf, isRole, joins, means, wordsOf } from './heard.ts';
import { makesOfResults, readsOf, worth } from './reads.ts';
import { takesOf } from './takes.ts';

/** What an order that sends words takes them from. */
export type Carries =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'said' }
  | { readonly kind: 'result' }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'reads'; readonly frames: readonly Frame[] }
  /** The result of something that is made of other results: a summary of tickets. */
  | { readonly kind: 'made'; readonly frame: Frame; readonly of: Carries }
  /** What was said goes to the person whom a look-up names. */
  | { readonly kind: 'oncall'; readonly frame: Frame };

export interface Carried {
  readonly carries: Carries;
  readonly left: readonly number[];
  readonly cost: number;
}

const found = (carries: Carries, left: readonly number[] = [], cost = 0): Carried => ({
  carries,
  left,
  cost,
});

/** What an order sends: said in quotes or behind a cue, the result, another look-up, or nothing yet. */
export function carriedBy(text: Text, frame: Frame, span: readonly number[]): Carried {
  const { tool, slots, used, left } = frame;
  const arg = Object.keys(tool.args.shape).find((one) => ['message', 'results'].includes(takesOf(tool, one)));
  if (arg === undefined) return found({ kind: 'nothing' }, left);
  const rest = span.filter((index) => !used.has(index) && !isOneOf(text, index, 'me'));
  if (slots.has(arg)) return fromCue(text, frame, span, rest);
  if (isAll(text, rest, 'result', 'pronoun')) return found({ kind: 'result' });
  if (left.length === 0 && !isAll(text, rest, 'result', 'pronoun', 'noun')) return found({ kind: 'nothing' });
  // A page says what is wrong; what it says is looked up only where it says so.
  const said = frame.tool.oncePer === undefined ? null : unmarked(text, frame, rest);
  if (said?.carries.kind === 'text') return said;
  return lookedUp(text, frame, rest) ?? said ?? unmarked(text, frame, rest);
}

/** Words behind a cue are the text, unless they say exactly what to look up: "about" what is there, or a list "of" it. */
function fromCue(text: Text, frame: Frame, span: readonly number[], rest: readonly number[]): Carried {
  let cue = Math.min(...frame.spoken) - 1;
  while (isOneOf(text, cue, 'articles')) cue -= 1;
  if (frame.spoken.size > 0 && frame.tool.oncePer === undefined && isOneOf(text, cue, 'about')) {
    const used = new Set([...frame.used].filter((index) => !frame.spoken.has(index) && index !== cue));
    const after = span.filter((index) => !used.has(index));
    if (isAll(text, after, 'result', 'pronoun')) return found({ kind: 'result' });
    const looked = lookedUp(text, { ...frame, used }, after);
    if (looked) return looked;
  }
  const person =
    lacksReceiver(frame) &&
    !pages(text, frame) &&
    readsOf(text, rest, 'list').find(({ tool, left }) => tool.asked?.role === 'person' && left.length === 0);
  if (person) return found({ kind: 'oncall', frame: person });
  return found({ kind: 'said' }, isAll(text, rest, 'result', 'pronoun') ? [] : frame.left);
}

/** "alert the on-call" pages them; "DM the on-call" writes to them. */
const pages = (text: Text, { used }: Frame): boolean =>
  [...used].some((index) =>
    means(text, index, ({ role, of }) => role === 'verb' && isRole(text, of, 'page')),
  );

const lacksReceiver = ({ tool, slots }: Frame): boolean =>
  'user' in tool.args.shape && !slots.has('user') && !slots.has('channel');

/** What an order sends, where its words say exactly what has to be looked up for it. */
function lookedUp(text: Text, frame: Frame, rest: readonly number[]): Carried | null {
  const read = readsOf(text, rest, 'list').find(({ left }) => left.length === 0);
  if (!read) return madeFrom(text, frame, rest);
  const person = read.tool.asked?.role === 'person' && !pages(text, frame) && lacksReceiver(frame);
  return found(person ? { kind: 'oncall', frame: read } : { kind: 'reads', frames: [read] });
}

/** "a summary of the open tickets": what is sent is made of results itself. */
function madeFrom(text: Text, frame: Frame, rest: readonly number[]): Carried | null {
  if (makesOfResults(frame.tool)) return null;
  for (const tool of makersIn(text, rest)) {
    const inner = fillFrame(text, tool, rest);
    const { carries, left } = carriedBy(text, inner, rest);
    if (left.length === 0) return found({ kind: 'made', frame: inner, of: carries });
  }
  return null;
}

/** Tools in a span that make something of other results. */
export function makersIn(text: Text, span: readonly number[]): Manifest[] {
  const named = (tool: Manifest): boolean =>
    span.some((index) =>
      means(text, index, ({ role, of }) => of === tool.name && (role === 'verb' || role === 'noun')),
    );
  return [...text.lexicon.tools.values()].filter((tool) => makesOfResults(tool) && named(tool));
}

/** "tell #ops the disk is full": what follows the target is the text, when the order begins with its verb. */
function unmarked(text: Text, frame: Frame, rest: readonly number[]): Carried {
  const last = Math.max(-1, ...frame.filling);
  const after = rest.filter((index) => index > last);
  const plain =
    [...frame.used].slice(0, 2).some((index) => isOneOf(text, index, 'telling verbs')) &&
    frame.filling.size > 0 &&
    (frame.tool.oncePer === undefined || after.some((index) => isOneOf(text, index, 'saying')));
  const held = after.some((index) => joins(text, index, 'if', 'unless', 'and'));
  if (!plain || held || frame.left.some((index) => index < last))
    return found({ kind: 'nothing' }, frame.left);
  return found({ kind: 'text', text: wordsOf(text, after) }, [], 0.5 + 0.5 * after.length);
}

/** How much of the words what is sent explains. */
export function worthOf(carries: Carries): number {
  switch (carries.kind) {
    case 'made':
      return worth({ ...carries.frame, left: [] }) + worthOf(carries.of);
    case 'reads':
      return carries.frames.reduce((sum, frame) => sum + worth(frame), 0);
    case 'oncall':
      return worth(carries.frame);
    default:
      return 0;
  }
}

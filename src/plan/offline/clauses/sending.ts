import type { Manifest } from '../../../core/manifest.ts';

import { type Carries, type Frame, isFrame } from '../frames/frame.ts';
import { fillFrame } from '../frames/frames.ts';
import { makesOfResults, readsOf, toolsIn } from '../frames/reads.ts';
import { argsThatTake } from '../frames/takes.ts';
import { is, isAll, isAlone, lowAt, range, saysIn, type Text, wordsOf } from '../words/text.ts';

/** What an order sends: words, the result, or another look-up. */

/** Tools in a span that make something of other results. "Before the handover" is a time. */
export function makersIn(text: Text, span: readonly number[]): Manifest[] {
  const asked = span.filter((at) => !is(text, is(text, at - 1, 'articles') ? at - 2 : at - 1, 'sets a time'));
  return toolsIn(text, asked, 'verb', 'noun').filter(makesOfResults);
}

/** A frame with what it sends: said in quotes or behind a cue, the result, another look-up, or nothing yet. */
export function sending(text: Text, frame: Frame, span: readonly number[]): Frame {
  const { tool, slots, used, left } = frame;
  const [arg] = argsThatTake(tool, 'message', 'results');
  if (arg === undefined) return frame;
  const rest = span.filter((index) => !used.has(index));
  if (slots.has(arg)) return fromCue(text, frame, span, rest);
  // "post a summary" makes something of the result.
  const makes = makersIn(text, rest).length > 0;
  if (!makes && isAll(text, rest, 'result', 'pronoun')) return carrying(text, frame, 'result');
  if (left.length === 0 && !isAll(text, rest, 'result', 'pronoun', 'noun')) return frame;
  const looked = lookedUp(text, frame, rest);
  // "page load errors of checkout": whom a page is for stands right behind its verb.
  const isApart = [...(looked?.used ?? [])].some((at) => at < Math.min(...frame.filling));
  const sent = (tool.oncePer !== undefined && isApart ? null : looked) ?? unmarked(text, frame, rest);
  return sent === null ? frame : carrying(text, frame, sent);
}

/** A frame with what it sends, or with whom a look-up names for it. */
export const carrying = (text: Text, frame: Frame, carries: Carries): Frame => ({
  ...frame,
  left: [],
  ...(isFrame(carries) && isReceiver(text, frame, carries) ? { target: carries } : { carries }),
});

/** Words behind a cue are the text, unless they say exactly what to look up: "about" what is there, or a list "of" it. */
function fromCue(text: Text, frame: Frame, span: readonly number[], rest: readonly number[]): Frame {
  const first = Math.min(...frame.spoken);
  let cue = first - 1;
  while (is(text, cue, 'articles', 'time present')) cue -= 1;
  // "page ops with the top code": a part of the result by its name.
  if (isAll(text, [...frame.spoken], 'result')) return carrying(text, frame, 'result');
  // "page ops with the list of breached P1s": what is called a list or a number is looked up.
  if (is(text, first, 'result') && lowAt(text, first + 1) === 'of') {
    const looked = lookedUp(
      text,
      frame,
      span.filter((index) => index >= first),
    );
    const bare = fillFrame(
      text,
      frame.tool,
      span.filter((index) => index < cue),
    );
    if (looked) return carrying(text, bare, looked);
  }
  // "let @ana know #1182 is mine": what something is said of is not looked up.
  const isStated = is(text, first, 'thing') && is(text, first + 1, 'saying');
  if (frame.spoken.size > 0 && !isStated && frame.tool.oncePer === undefined && is(text, cue, 'about')) {
    const used = new Set([...frame.used].filter((index) => !frame.spoken.has(index) && index !== cue));
    const after = span.filter((index) => !used.has(index));
    const looked = lookedUp(text, { ...frame, used }, after);
    if (looked) return carrying(text, frame, looked);
  }
  const person = readsOf(text, rest, 'list').find((read) => isReceiver(text, frame, read));
  if (person) return carrying(text, frame, person);
  return isAll(text, rest, 'result', 'pronoun') ? carrying(text, frame, null) : frame;
}

/** "alert the on-call" pages them; "DM the on-call" writes to them: the person whom a look-up names gets it. */
export const isReceiver = (text: Text, { tool, slots, used, spoken }: Frame, read: Frame): boolean =>
  read.tool.asked?.role === 'person' &&
  read.left.length === 0 &&
  'user' in tool.args.shape &&
  !slots.has('user') &&
  !slots.has('channel') &&
  ![...used].some((index) => !spoken.has(index) && is(text, index, 'verb page'));

/** What an order sends, where its words say exactly what has to be looked up for it. */
export function lookedUp(text: Text, { tool }: Frame, rest: readonly number[]): Frame | null {
  // "tell #ops the failover is finished": what something is said of is no topic.
  const isSaid = ({ spoken }: Frame): boolean =>
    saysIn(text, spoken, 'saying') || (is(text, rest[0] ?? -1, 'thing') && is(text, rest[1] ?? -1, 'saying'));
  const read = readsOf(text, rest, 'list').find((one) => one.left.length === 0 && !isSaid(one));
  if (read) return read;
  // "a summary of the open tickets": what is sent is made of results itself.
  return makesOfResults(tool)
    ? null
    : (makersIn(text, rest)
        .map((maker) => sending(text, fillFrame(text, maker, rest), rest))
        .find(({ left }) => left.length === 0) ?? null);
}

/** "tell #ops the disk is full": what follows the target is the text, when the order begins with its verb. */
function unmarked(text: Text, frame: Frame, rest: readonly number[]): Exclude<Carries, Frame | 'result'> {
  // "tell them the disk is full": whoever was spoken of.
  const aims = [...frame.used].filter(
    (index) => frame.filling.has(index) || isAlone(text, index, 'pronoun person'),
  );
  // "PAY-3: add comment …": its second word may be the one that tells.
  const isVerb = (index: number, at: number): boolean =>
    is(text, index, 'telling verbs') && (at < 2 || frame.used.has(index - 1));
  const verb = [...frame.used].slice(0, 3).find(isVerb);
  const last = Math.max(verb ?? -1, ...aims);
  const after = rest.filter((index) => index > last);
  // "page ops and say the disk is full"
  const isPassed = is(text, verb ?? -1, 'passing on') && saysIn(text, range(0, verb ?? 0), 'verb page');
  const plain = verb !== undefined && (aims.length > 0 || isPassed);
  // "page db-core replication lag 20 min and growing": words that may be what is wrong.
  const isGuess = frame.tool.oncePer !== undefined && !saysIn(text, after, 'saying');
  const isSaid = frame.filling.size > 0 || saysIn(text, after, 'saying');
  const held = saysIn(text, after, 'if', 'unless', 'else', 'undo', ...(isGuess ? [] : ['and']));
  // "tell #ops which version": what is asked has to be looked up.
  const isAsked = is(text, after[0] ?? -1, 'asks whether');
  if (!plain || after.length === 0 || !isSaid || held || isAsked || frame.left.some((index) => index < last))
    return null;
  return { text: wordsOf(text, after), words: frame.filling.size > 0 ? after.length : 0, isGuess };
}

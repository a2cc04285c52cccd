import type { Manifest } from '../../../core/manifest.ts';
import { finderOf, ordersMore } from '../frames/edges.ts';
import type { Frame } from '../frames/frame.ts';
import { fillFrame } from '../frames/frames.ts';
import { readsOf, saysSeveral } from '../frames/reads.ts';
import { argsThatTake, requiredOf, textArgOf } from '../frames/takes.ts';
import { is, lowAt, saysIn, type Text, wordsOf } from '../words/text.ts';
import { carrying, isReceiver, lookedUp, sending } from './sending.ts';

/** Orders for whoever a look-up names, or on what it finds: "tell the on-call of search that …", "close the oldest P3 in WEB". */

/** Where a person begins whom a look-up names, right behind a word that tells who gets something; -1 where nobody does. */
function personIn(text: Text, span: readonly number[]): number {
  let from = span.find((index) => is(text, index, 'noun person')) ?? -1;
  while (is(text, from - 1, 'articles', 'service')) from -= 1;
  return is(text, from - 1, 'receiver follows', 'telling verbs') ? from : -1;
}

/** "tell the on-call about PAY-3": nothing is written on the ticket. */
export const isForPerson = (text: Text, tool: Manifest, span: readonly number[]): boolean =>
  argsThatTake(tool, 'issue', 'incident').length > 0 && is(text, personIn(text, span) - 1, 'verb message');

/** "send the list to the on-call of search", "tell the on-call of search that …": whom a look-up names gets what the other words say. */
export function sentToPerson(text: Text, said: Frame, span: readonly number[]): Frame | null {
  const from = personIn(text, span);
  if (from < 0) return null;
  const isTold = is(text, from - 1, 'verb');
  const head = span.filter((index) => index < (isTold ? from : from - 1));
  const frame = fillFrame(text, said.tool, head);
  const behind = span.filter((index) => index > from);
  for (const end of isTold ? behind.filter((at) => begins(text, at)).slice(0, 5) : [text.words.length]) {
    const person = [from, ...behind.filter((index) => index < end)];
    const receiver = readsOf(text, person, 'list').find((read) => isReceiver(text, frame, read));
    if (receiver === undefined) continue;
    const tail = behind.filter((index) => index >= end);
    const sent = isTold ? tellingOf(text, frame, receiver, tail) : sending(text, frame, head);
    if (!sent?.verb || sent.left.length > 0) return null;
    return { ...sent, target: receiver };
  }
  return null;
}

/** The one ticket or incident that a look-up finds, as far as its words go from the beginning of a span, the longest first. */
function onesIn(text: Text, finder: Manifest, span: readonly number[]): readonly Frame[] {
  if (!span.some((index) => is(text, index, `value ${finder.name} order`))) return [];
  const isOne = ({ tool, slots, left }: Frame, words: readonly number[]): boolean =>
    tool === finder && slots.has('order') && left.length === 0 && !saysSeveral(text, words, tool);
  const targets = span
    .filter((index) => !is(text, index, 'mark'))
    .map((end) => span.filter((index) => index <= end))
    .flatMap((words) => readsOf(text, words, 'list').find((read) => isOne(read, words)) ?? [])
    .reverse();
  // "move the newest one to In Progress": a status is no part of what is looked up, a thing always is.
  const things = [...(targets[0]?.filling ?? [])].filter((index) => is(text, index, 'thing'));
  return targets.filter(({ filling }) => things.every((index) => filling.has(index)));
}

/** "move the newest P1 in PAY to Done": what acts on a ticket or an incident acts on the one that a look-up finds. */
export function onFound(text: Text, said: Frame, span: readonly number[]): Frame | null {
  const { tool, used, slots, left } = said;
  const finder = finderOf(text, tool);
  const [aim = ''] = argsThatTake(tool, 'issue', 'incident');
  const verb = span.find((index) => used.has(index) && is(text, index, `verb ${tool.name}`));
  if (finder === undefined || verb === undefined || (slots.has(aim) && left.length === 0)) return null;
  for (const from of span.filter((index) => index > verb && is(text, index, 'articles'))) {
    const behind = span.filter((index) => index >= from);
    for (const target of onesIn(text, finder, behind)) {
      const others = span.filter((index) => index < from || index > Math.max(...target.used));
      const frame = sending(text, fillFrame(text, tool, others), others);
      const lacking = requiredOf(tool).filter((arg) => !frame.slots.has(arg) && arg !== aim);
      if (lacking.length === 0 && frame.left.length === 0) return { ...frame, target };
    }
  }
  return null;
}

/** "that …", "to look at …", "the disk is full": what is said to somebody begins here. */
const begins = (text: Text, at: number): boolean =>
  is(text, at, 'telling', 'speaking', 'articles') || lowAt(text, at) === 'to';

/** What somebody is told: what their words say exactly to look up, or the words. */
function tellingOf(text: Text, frame: Frame, person: Frame, tail: readonly number[]): Frame | null {
  const [first = -1, ...others] = tail;
  if (others.some((index) => is(text, index, 'quote') || ordersMore(text, index))) return null;
  const isMarked = is(text, first, 'telling') || lowAt(text, first) === 'to';
  const said = isMarked ? others : tail;
  const used = new Set([...frame.used, ...tail]);
  const looked = isMarked && !is(text, first, 'about') ? null : lookedUp(text, frame, said);
  if (looked) return { ...carrying(text, frame, looked), used };
  if (!isMarked && !saysIn(text, said, 'saying')) return null;
  const words = wordsOf(text, said).replace(/[!?]+$/u, '');
  const slots = new Map([...frame.slots, [textArgOf(frame.tool) ?? '', [words]]]);
  return { ...carrying(text, frame, person), slots, spoken: new Set(said), used };
}

import type { Manifest } from '../../../core/manifest.ts';
import type { Frame } from '../frames/frame.ts';
import { fillFrame } from '../frames/frames.ts';
import { readsOf } from '../frames/reads.ts';
import { argsThatTake, textArgOf } from '../frames/takes.ts';
import { ordersMore } from '../frames/told.ts';
import { is, lowAt, type Text, wordsOf } from '../words/text.ts';
import { carrying, isReceiver, lookedUp, sending } from './sending.ts';

/** Orders for whoever a look-up names: "tell the on-call of search that …". */

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
  const isTold = is(text, from - 1, 'verb');
  if (from < 0 || (isTold && is(text, from - 1, 'verb page'))) return null;
  const ends = span.filter((at) => at > from && begins(text, at)).slice(0, isTold ? 5 : 0);
  const head = span.filter((index) => index < (isTold ? from : from - 1));
  const frame = fillFrame(text, said.tool, head);
  for (const end of isTold ? ends : [text.words.length]) {
    const person = span.filter((index) => index >= from && index < end);
    const receiver = readsOf(text, person, 'list').find((read) => isReceiver(text, frame, read));
    if (receiver === undefined) continue;
    const sent = isTold
      ? tellingOf(
          text,
          frame,
          receiver,
          span.filter((index) => index >= end),
        )
      : sending(text, frame, head);
    if (!sent?.verb || sent.left.length > 0 || sent.carries === null) return null;
    if (sent.carries === receiver) return sent;
    return { ...sent, receiver, used: new Set([...sent.used, from - 1, ...receiver.used]) };
  }
  return null;
}

/** "that …", "to look at …", "the disk is full": what is said to somebody begins here. */
const begins = (text: Text, at: number): boolean =>
  (is(text, at, 'telling', 'speaking', 'articles') || lowAt(text, at) === 'to') &&
  !is(text, at - 1, 'before name');

/** What somebody is told: what their words say exactly to look up, or the words. */
function tellingOf(text: Text, frame: Frame, person: Frame, tail: readonly number[]): Frame | null {
  const isOver = (index: number): boolean => is(text, index - 1, 'sentence ends', 'question ends');
  const [first = -1, ...others] = tail;
  const isQuoted = is(text, others[0] ?? first, 'quote');
  if (isQuoted || others.some((index) => isOver(index) || ordersMore(text, index))) return null;
  const isMarked = is(text, first, 'telling') || lowAt(text, first) === 'to';
  const said = isMarked ? others : tail;
  const used = new Set([...frame.used, ...tail]);
  const looked = isMarked && !is(text, first, 'about') ? null : lookedUp(text, frame, said);
  if (looked) return { ...carrying(frame, looked), used };
  if (said.length === 0 || !(isMarked || said.some((index) => is(text, index, 'saying')))) return null;
  const words = wordsOf(text, said).replace(/[!?]+$/u, '');
  const slots = new Map([...frame.slots, [textArgOf(frame.tool) ?? '', [words]]]);
  return { ...carrying(frame, person), slots, spoken: new Set(said), used };
}

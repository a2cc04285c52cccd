import type { Manifest } from '../../../core/manifest.ts';
import { type Carries, type Frame, isFrame } from '../frames/frame.ts';
import { fillFrame } from '../frames/frames.ts';
import { makesOfResults, readsOf, toolsIn, worth } from '../frames/reads.ts';
import { argsThatTake, textArgOf } from '../frames/takes.ts';
import { isTold, ordersMore } from '../frames/told.ts';
import { is, isAll, isAlone, lowAt, range, type Text, wordsOf } from '../words/text.ts';
import { clauseCost, type Draft } from './clause.ts';

/** Every write that the words may order, each with what it sends. */
export function ordersIn(text: Text, span: readonly number[]): Draft[] {
  // "the page failed" speaks of one; "with the comment “done”" orders it.
  const isSaid = span.some((index) => is(text, index, 'quote'));
  // "tell me if PAY-3 gets a comment" orders none either.
  const isHeard = range(0, span[0] ?? 0)
    .concat(span)
    .some((index) => is(text, index, 'inquiry'));
  const isSpokenOf = (index: number): boolean =>
    is(text, index, 'definite') || (isHeard && is(text, index, 'articles'));
  // "… about the slow cart page? label it …": what a question ends with is no order either.
  const isLast = (index: number): boolean => lowAt(text, index + 1) === '?' && index + 2 < text.words.length;
  const orders = span.filter((index) => isSaid || !(isSpokenOf(index - 1) || isLast(index)));
  const writesIn = (words: readonly number[]): Manifest[] =>
    toolsIn(text, words, 'verb').filter(({ effect }) => effect === 'write');
  const [verbs, bare] = [writesIn(orders), writesIn(span).length === 0];
  return [...(bare ? headless(text, span) : verbs), ...makersIn(text, span)].flatMap((tool): Draft[] => {
    if (isForPerson(text, tool, span)) return [];
    const said = fillFrame(text, tool, span);
    if (said.filling.size === 0 && !said.verb && !makesOfResults(tool)) return [];
    const frame = sentToPerson(text, said, span) ?? sending(text, said, span);
    // Without a verb nothing is a text but a quotation.
    const isText = frame.spoken.size > 0 && frame.slots.has(textArgOf(tool) ?? '');
    if ((bare && isText) || isDenied(text, tool, span)) return [];
    const isPointing = (index: number): boolean =>
      isAlone(text, index, 'pronoun') && !is(text, index, 'telling');
    const points = frame.noun || [...frame.used].some(isPointing);
    // "ack it", "close the ticket": a verb alone orders nothing.
    const isAimless = frame.filling.size === 0 && !points && frame.carries !== 'result';
    // "tell someone that …" is a message rather than a comment on nothing in particular.
    const aims = argsThatTake(tool, 'issue', 'incident');
    const isOn = points || aims.length === 0 || aims.some((arg) => frame.slots.has(arg));
    const isOther = !isOn && span.some((index) => is(text, index, 'verb message'));
    const verb = frame.verb ? 0.5 - (isAimless ? 1.5 : 0) - (isOther ? 0.5 : 0) : bare ? -1 : -3;
    const score = worth(frame) + verb + lateVerb(text, frame, span) - clauseCost;
    return [{ kind: 'order', frame, left: frame.left, score }];
  });
}

/** "page ops if …, and payments if …": an order whose verb is not said again, for whoever else it is. */
export function goingOn(text: Text, span: readonly number[]): Draft[] {
  const [first = 0] = span;
  const verb = range(0, first).findLast((at) => is(text, at, 'verb write') && !isTold(text, at));
  if (verb === undefined || !is(text, first - 1, 'and')) return [];
  return toolsIn(text, [verb], 'verb').flatMap((tool): Draft[] => {
    const frame = fillFrame(text, tool, [verb, ...span]);
    const aims = argsThatTake(tool, 'channel', 'user', 'service', 'issue', 'incident');
    const isAim = frame.slots.size > 0 && [...frame.slots.keys()].every((arg) => aims.includes(arg));
    const isOrder = tool.effect === 'write' && isAim && frame.left.length === 0 && frame.strange.length === 0;
    return isOrder ? [{ kind: 'order', frame, left: [], score: worth(frame) - 1 - clauseCost }] : [];
  });
}

/** Tools in a span that make something of other results. "Before the handover" is a time. */
function makersIn(text: Text, span: readonly number[]): Manifest[] {
  const isWhen = (at: number): boolean => /^(?:before|after|until|till|during)$/u.test(lowAt(text, at));
  const asked = span.filter((at) => !isWhen(is(text, at - 1, 'articles') ? at - 2 : at - 1));
  return toolsIn(text, asked, 'verb', 'noun').filter(makesOfResults);
}

/** "create nothing", "page nobody". */
const isDenied = (text: Text, { name }: Manifest, span: readonly number[]): boolean =>
  span.some(
    (index) => is(text, index + 1, 'nobody') && isAlone(text, index, `verb ${name}`) && !isTold(text, index),
  );

/** "open P1s" and "report on P1" list, "open a P1" creates: a verb needs an article behind it, a title, or what to make. */
function isAdjective(text: Text, index: number, { tool, slots, noun }: Frame): boolean {
  if (tool.asked?.role !== 'create' || is(text, index + 1, 'articles')) return false;
  const isOne = is(text, index + 1, 'severity', `noun ${tool.name}`, `value ${tool.name}`);
  const isMany = isOne && lowAt(text, index + 1).endsWith('s');
  const isUntitled = !slots.has('summary');
  const isState = lowAt(text, index) === 'new' || isAlone(text, index, 'value');
  if (isUntitled && !noun && !slots.has('type')) return true;
  return (isMany && isUntitled) || (isState && (!isOne || isMany || isUntitled));
}

/** "PAY-3 → Done", "list to #ops": a thing and where it goes, without a verb. */
function headless(text: Text, span: readonly number[]): Manifest[] {
  // "any tickets about redis in ops": only what is written as a channel receives something without a verb.
  const receives = span.some((index) => /^[#@]/u.test(text.words[index]?.raw ?? ''));
  const moves =
    span.some((index) => is(text, index, 'issue')) && span.some((index) => is(text, index, 'moving'));
  const roles = [receives ? 'message' : null, moves ? 'move' : null] as const;
  return roles.flatMap((role) => (role && text.lexicon.byRole.get(role)) ?? []);
}

/** An order says its verb early; what stands before it is its target or what it sends. */
function lateVerb(text: Text, frame: Frame, span: readonly number[]): number {
  const { tool, slots, filling } = frame;
  const first = span.find((index) => !is(text, index, 'empty'));
  if (first === undefined || frame.receiver !== null || goesToPerson(text, frame)) return 0;
  // "pager ack 1234": the name of the system may stand first.
  const named = is(text, first, `also ${tool.name}`) && !is(text, first + 1, 'thing');
  const heads = [`verb ${tool.name}`, ...(makesOfResults(tool) ? [`noun ${tool.name}`] : [])];
  if (is(text, named ? first + 1 : first, ...heads)) return isAdjective(text, first, frame) ? -20 : 0.5;
  if (!frame.verb && (isAlone(text, first, 'result', 'pronoun') || is(text, first, 'verb read'))) return 0;
  const targets = argsThatTake(tool, 'channel', 'user', 'issue', 'incident', 'service');
  const aimed = targets.some((arg) => slots.has(arg));
  return filling.has(first) && aimed && !is(text, first, 'service', 'unknown') ? 0 : -20;
}

/** Where a person begins whom a look-up names, right behind a word that tells who gets something; -1 where nobody does. */
function personIn(text: Text, span: readonly number[]): number {
  let from = span.find((index) => is(text, index, 'noun person')) ?? -1;
  while (is(text, from - 1, 'articles', 'service')) from -= 1;
  return is(text, from - 1, 'receiver follows', 'telling verbs') ? from : -1;
}

/** "tell the on-call about PAY-3": nothing is written on the ticket. */
const isForPerson = (text: Text, tool: Manifest, span: readonly number[]): boolean =>
  argsThatTake(tool, 'issue', 'incident').length > 0 && is(text, personIn(text, span) - 1, 'verb message');

/** "send the list to the on-call of search", "tell the on-call of search that …": whom a look-up names gets what the other words say. */
function sentToPerson(text: Text, said: Frame, span: readonly number[]): Frame | null {
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

/** A frame with what it sends: said in quotes or behind a cue, the result, another look-up, or nothing yet. */
function sending(text: Text, frame: Frame, span: readonly number[]): Frame {
  const { tool, slots, used, left } = frame;
  const [arg] = argsThatTake(tool, 'message', 'results');
  if (arg === undefined) return frame;
  const rest = span.filter((index) => !used.has(index) && !is(text, index, 'me'));
  if (slots.has(arg)) return fromCue(text, frame, span, rest);
  // "post a summary" makes something of the result.
  const makes = !makesOfResults(tool) && makersIn(text, rest).length > 0;
  const told = unmarked(text, frame, rest);
  // "tell #ops we are on it": somebody says something, however little.
  const after = rest.find((index) => index > Math.max(-1, ...frame.filling)) ?? -1;
  const speaks = is(text, after, 'speaking') && rest.some((index) => is(text, index, 'saying', 'contracted'));
  // "tell @ana I'm on it, and show me PAY-3": what is ordered behind it is no part of it.
  if (speaks && rest.some((index) => ordersMore(text, index))) return { ...frame, left: rest };
  if (told !== null && typeof told !== 'string' && speaks && rest.every((index) => index >= after))
    return carrying(frame, { ...told, words: 0 });
  if (!makes && isAll(text, rest, 'result', 'pronoun')) return carrying(frame, 'result');
  if (left.length === 0 && !isAll(text, rest, 'result', 'pronoun', 'noun')) return frame;
  // A page says what is wrong; what it says is looked up only where it says so.
  if (tool.oncePer !== undefined && told?.isGuess === false) return carrying(frame, told);
  const looked = lookedUp(text, frame, rest);
  // "page load errors of checkout": whom a page is for stands right behind its verb.
  const isApart = [...(looked?.used ?? [])].some((at) => at < Math.min(...frame.filling));
  const sent = (tool.oncePer !== undefined && isApart ? null : looked) ?? told;
  return sent === null ? frame : carrying(frame, sent);
}

const carrying = (frame: Frame, carries: Carries): Frame => ({ ...frame, carries, left: [] });

/** Words behind a cue are the text, unless they say exactly what to look up: "about" what is there, or a list "of" it. */
function fromCue(text: Text, frame: Frame, span: readonly number[], rest: readonly number[]): Frame {
  const first = Math.min(...frame.spoken);
  let cue = first - 1;
  while (is(text, cue, 'articles', 'time present')) cue -= 1;
  // "page ops with the top code": a part of the result by its name.
  const isPart = isAll(text, [...frame.spoken], 'result');
  if (isPart && lowAt(text, cue) !== ':') return carrying(frame, 'result');
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
    if (looked && bare.left.length === 0) return carrying(bare, looked);
  }
  if (frame.spoken.size > 0 && frame.tool.oncePer === undefined && is(text, cue, 'about')) {
    const used = new Set([...frame.used].filter((index) => !frame.spoken.has(index) && index !== cue));
    const after = span.filter((index) => !used.has(index));
    if (isAll(text, after, 'result', 'pronoun')) return carrying(frame, 'result');
    const looked = lookedUp(text, { ...frame, used }, after);
    if (looked) return carrying(frame, looked);
  }
  const person = readsOf(text, rest, 'list').find((read) => isReceiver(text, frame, read));
  if (person) return carrying(frame, person);
  return isAll(text, rest, 'result', 'pronoun') ? carrying(frame, null) : frame;
}

/** "alert the on-call" pages them; "DM the on-call" writes to them: the person whom a look-up names gets it. */
export const isReceiver = (text: Text, { tool, slots, used, spoken }: Frame, read: Frame): boolean =>
  read.tool.asked?.role === 'person' &&
  read.left.length === 0 &&
  'user' in tool.args.shape &&
  !slots.has('user') &&
  !slots.has('channel') &&
  ![...used].some((index) => !spoken.has(index) && is(text, index, 'verb page'));

const goesToPerson = (text: Text, frame: Frame): boolean =>
  isFrame(frame.carries) && isReceiver(text, frame, frame.carries);

/** What an order sends, where its words say exactly what has to be looked up for it. */
function lookedUp(text: Text, { tool }: Frame, rest: readonly number[]): Frame | null {
  const read = readsOf(text, rest, 'list').find(({ left }) => left.length === 0);
  if (read) return read;
  // "a summary of the open tickets": what is sent is made of results itself.
  return makesOfResults(tool)
    ? null
    : (makersIn(text, rest)
        .map((maker) => sending(text, fillFrame(text, maker, rest), rest))
        .find(({ left }) => left.length === 0) ?? null);
}

const isThem = (text: Text, index: number): boolean =>
  isAlone(text, index, 'pronoun person') && is(text, index - 1, 'telling verbs');

/** "tell #ops the disk is full": what follows the target is the text, when the order begins with its verb. */
function unmarked(text: Text, frame: Frame, rest: readonly number[]): Exclude<Carries, Frame | 'result'> {
  // "tell them the disk is full": whoever was spoken of.
  const aims = [...frame.used].filter((index) => frame.filling.has(index) || isThem(text, index));
  // "PAY-3: add comment …": its second word may be the one that tells.
  const isVerb = (index: number, at: number): boolean =>
    is(text, index, 'telling verbs') && (at < 2 || frame.used.has(index - 1));
  const verb = [...frame.used].slice(0, 3).find(isVerb);
  const last = Math.max(verb ?? -1, ...aims);
  const after = rest.filter((index) => index > last);
  const plain = verb !== undefined && aims.length > 0;
  // "page db-core replication lag 20 min and growing": words that may be what is wrong.
  const isGuess = frame.tool.oncePer !== undefined && !after.some((index) => is(text, index, 'saying'));
  const isSaid = frame.filling.size > 0 || after.some((index) => is(text, index, 'saying'));
  const held = after.some((index) => is(text, index, 'if', 'unless', ...(isGuess ? [] : ['and'])));
  // "tell #ops which version": what is asked has to be looked up.
  const isAsked = is(text, after[0] ?? -1, 'asks whether');
  if (!plain || after.length === 0 || !isSaid || held || isAsked || frame.left.some((index) => index < last))
    return null;
  return { text: wordsOf(text, after), words: frame.filling.size > 0 ? after.length : 0, isGuess };
}

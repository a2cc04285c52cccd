import type { Manifest } from '../../../core/manifest.ts';
import type { Phrase } from '../words/lexicon.ts';
import { is, isAlone, isBound, lowAt, phraseIn, range, saysIn, type Text } from '../words/text.ts';
import { argsThatTake, takesOf, textArgOf } from './takes.ts';

/** The order in front of what is said to somebody, and where that ends: at another order, or at what says more of its own. */

/** What an order may be for, or on. */
export const targets = ['channel', 'user', 'issue', 'service', 'incident'] as const;
/** The same, or somebody who has to be asked for: "page someone, the db is down". */
export const aimed = [...targets, 'somebody'];

/** Words of an order before what it says: more than these are none. */
const farthest = 20;

/** The tool of an order that ends here and says to whom or to what. */
export function headBefore(text: Text, colon: number): Manifest | null {
  const writes = [...text.lexicon.tools.values()].filter(
    (tool) => tool.effect === 'write' && textArgOf(tool) !== null,
  );
  for (
    let verb = colon - 1;
    verb >= Math.max(0, colon - farthest) && !is(text, verb, 'sentence ends', 'question ends');
    verb -= 1
  ) {
    // "open bugs in WEB: …" speaks of those that are open.
    if (isAlone(text, verb, 'value')) continue;
    const tool = writes.find((one) => {
      const said = text.words[verb]?.phrases.find(({ tags }) => tags.has(`verb ${one.name}`));
      const behind = said ? range(verb + said.length, colon) : [];
      return isSaidWith(text, behind, one) && behind.some((index) => isAim(text, index, one));
    });
    if (tool) return tool;
  }
  return null;
}

/** What an order is aimed at: a thing of a kind that it takes, a name that nobody knows, the ticket that is to be made, or the one that a look-up finds. */
function isAim(text: Text, index: number, tool: Manifest): boolean {
  const kinds = targets.filter((kind) => argsThatTake(tool, kind).length > 0);
  const made = ['project', `noun ${tool.name}`, `value ${tool.name} type`];
  const found = `value ${finderOf(text, tool)?.name} order`;
  return is(
    text,
    index,
    'unknown',
    'somebody',
    found,
    ...kinds,
    ...(tool.asked?.role === 'create' ? made : []),
  );
}

/** The look-up of which one result may be what a tool acts on: "comment on the oldest P1 in OPS". */
export function finderOf({ lexicon }: Text, tool: Manifest): Manifest | undefined {
  if (tool.effect === 'read') return undefined;
  if (argsThatTake(tool, 'issue').length > 0) return lexicon.byRole.get('list');
  return argsThatTake(tool, 'incident').length > 0 ? lexicon.byRole.get('alarms') : undefined;
}

/** Whether words are nothing but what an order is said with: its target, its values, and what its cues ask for. */
function isSaidWith(text: Text, behind: readonly number[], tool: Manifest): boolean {
  const { name } = tool;
  const values = [`value ${name}`, `value ${finderOf(text, tool)?.name}`];
  const others = ['empty', 'and', 'thing', 'unknown', 'somebody', `noun ${name}`, `also ${name}`];
  for (let at = 0; at < behind.length; ) {
    const [value, cue] = [phraseIn(text, behind, at, ...values), phraseIn(text, behind, at, `cue ${name}`)];
    if (!value && !cue && !is(text, behind[at] ?? -1, ...others)) return false;
    at += value?.length ?? (cue ? cue.length + 1 : 1);
  }
  return true;
}

/** A text goes on to the end, or to another order with its target, or a sentence that rules something out; `isSaying`: "… is fixed, and close it". */
export function endOf(text: Text, from: number, isSaying: boolean): number {
  const { words, goal } = text;
  const last = range(from + 1, words.length).find((index) => {
    const isLine = goal.slice(words[index - 1]?.end, words[index]?.start).includes('\n');
    const begins = isLine || is(text, index - 1, 'sentence ends', 'question ends');
    const joins = lowAt(text, index - 1) === ',' || is(text, index - 1, 'and', 'then');
    // "ask @ana to look, and if it is over 30 page ops": an order with what it depends on.
    const depends = (): boolean =>
      is(text, index, 'if', 'unless') && range(index + 1, words.length).some((at) => isOrder(text, at));
    return (
      ((begins || joins) && (isOrder(text, index) || isOtherwise(text, index) || depends())) ||
      (joins && (isOtherwise(text, index - 1) || isBound(text, index) || is(text, index, 'unless'))) ||
      (joins && isSaying && pointsBack(text, index)) ||
      (begins && rulesOut(text, index))
    );
  });
  // "page ops, tell ben we're fine otherwise"
  const close = range(from, words.length).findLast((index) => !is(text, index, 'mark')) ?? from;
  const isOther = close > from && lowAt(text, close) === 'otherwise';
  if (last === undefined) return isOther ? close : words.length;
  const isJoin = (index: number): boolean => is(text, index, 'and', 'then') || lowAt(text, index) === ',';
  return (range(from, last).findLast((index) => !isJoin(index)) ?? last - 1) + 1;
}

/** "… is fixed, and close it", "…, and comment on it that …" */
const pointsBack = (text: Text, verb: number): boolean =>
  is(text, verb, 'verb write') && is(text, is(text, verb + 1, 'onto') ? verb + 2 : verb + 1, 'pronoun thing');

/** "…, else nothing", "…, otherwise page ops": what is to be done in the other case. */
function isOtherwise(text: Text, at: number): boolean {
  const length = text.words[at]?.phrases.find(({ tags }) => tags.has('else'))?.length ?? 0;
  const next = at + length;
  const isNothing =
    is(text, next, 'nobody') && (next + 1 === text.words.length || is(text, next + 1, 'mark'));
  return length > 0 && (isNothing || is(text, next, 'readonly') || isOrder(text, next));
}

/** "page payments", "please tell @ana": an order, behind what is said out of politeness. */
const isOrder = (text: Text, from: number): boolean =>
  orders(text, range(from, from + 4).find((index) => !is(text, index, 'polite', 'leading')) ?? from);

/** A verb with its target behind it; "open a P2", "create a ticket": something is to be made. */
function orders(text: Text, verb: number): boolean {
  const behind = range(verb + 1, verb + 7);
  const target = behind.find((index) => is(text, index, ...targets, 'nobody', 'me', 'if', 'unless')) ?? -1;
  // "OPS-8 -> Done" needs no verb.
  const moves = is(text, verb, 'issue') && is(text, verb + 1, 'moving') && lowAt(text, verb + 1) !== 'to';
  return (
    moves ||
    (is(text, verb, 'verb write') && is(text, target, ...targets, 'nobody', 'me')) ||
    (is(text, verb, 'verb create') &&
      is(text, verb + 1, 'articles') &&
      is(text, verb + 2, 'severity', 'noun create', 'value create type'))
  );
}

export const rulesOut = (text: Text, from: number): boolean =>
  is(text, from, 'readonly') ||
  (is(text, from, 'negation') &&
    saysIn(text, range(from, from + 6), 'verb write', 'also write', 'noun write'));

/** "page nobody", "tell them nothing": where an order denies itself, behind its verb; -1 where it does not. */
export function deniedBehind(text: Text, verb: number): number {
  if (is(text, verb + 1, 'nobody')) return verb + 1;
  const isOver = verb + 3 >= text.words.length || is(text, verb + 3, 'mark', 'and', 'but');
  return is(text, verb + 1, 'user', 'channel', 'pronoun person') && is(text, verb + 2, 'nobody') && isOver
    ? verb + 2
    : -1;
}

/** "…, low urgency", "… (WEB, p3)": at the end, what says something of the ticket or page itself. */
export function ownTail(text: Text, tool: Manifest, from: number, end: number): number {
  const isStart = (index: number): boolean => /^[,(.;]$/u.test(lowAt(text, index)) || is(text, index, 'and');
  let to = end;
  for (let at = range(from + 1, end).findLast(isStart); at !== undefined; ) {
    if (!isOwn(text, tool, range(at, to))) break;
    to = at;
    at = range(from + 1, to).findLast(isStart);
  }
  return to;
}

/** "…, label legacy" asks for any word, "…, for @ana" for a name: "thanks for your patience" is said. */
const answers = (text: Text, tool: Manifest, { senses }: Phrase, next = -1): boolean =>
  senses.some(({ role, of, arg = '' }) => {
    const takes = takesOf(tool, arg);
    return (
      role === 'cue' &&
      of === tool.name &&
      next >= 0 &&
      (/^(?:word|person)$/u.test(takes) || is(text, next, takes))
    );
  });

/** Whether words are nothing but values of the tool, or words that ask for one with what stands behind them. */
export function isOwn(text: Text, tool: Manifest, part: readonly number[]): boolean {
  const takes = (['severity', 'project'] as const).filter((kind) => argsThatTake(tool, kind).length > 0);
  let count = 0;
  for (let at = 0; at < part.length; ) {
    const index = part[at] as number;
    const [value, cue] = ['value', 'cue'].map((role) => phraseIn(text, part, at, `${role} ${tool.name}`));
    const isValue = value !== undefined || is(text, index, ...takes);
    if (!isValue && cue === undefined && !is(text, index, 'empty', 'and')) return false;
    if (isValue || (cue && answers(text, tool, cue, part[at + cue.length]))) count += 1;
    at += value?.length ?? (isValue || cue === undefined ? 1 : cue.length + 1);
  }
  return count > 0;
}

/** They call or write to people. */
export const telling = ['verb page', 'verb message', 'also page', 'also message'];

/** "…, and page ops", "…, and give me its runbook": another order with what it is about, which no text swallows. */
export function ordersMore(text: Text, index: number): boolean {
  if (!is(text, index - 1, 'and', 'then') && lowAt(text, index - 1) !== ',') return false;
  const names = (...tags: readonly string[]): boolean => saysIn(text, range(index + 1, index + 7), ...tags);
  return (
    orders(text, index) ||
    pointsBack(text, index) ||
    (is(text, index, ...telling) && names('noun person')) ||
    (is(text, index, 'wantsBack') && names('noun read', 'issue', 'incident'))
  );
}

import type { Manifest } from '../../../core/manifest.ts';
import type { Phrase } from '../words/lexicon.ts';
import { is, isAlone, isBound, lowAt, once, phraseIn, range, type Text } from '../words/text.ts';
import { argsThatTake, takesOf, textArgOf } from './takes.ts';

/**
 * What an order says to somebody: behind its colon, "page ops: …", behind the pause of a page, "page ops, …", or behind its
 * target, "tell #ops we …". It is passed on as it was said. Behind a mark none of its words orders, asks or rules out
 * anything; without one they say no time at which to look again, and are not refused.
 */
export interface Told {
  readonly tool: Manifest;
  readonly from: number;
  /** Where the text ends. What stands behind it up to `end` says more of the order: "…, low urgency". */
  readonly to: number;
  readonly end: number;
}

const targets = ['channel', 'user', 'issue', 'service', 'incident'] as const;

export const toldIn = (text: Text): readonly Told[] => once(text, 'told', () => find(text));

/** What is passed on from a token on. */
export const toldFrom = (text: Text, index: number): Told | undefined =>
  once(text, 'told from', () => new Map(toldIn(text).map((told) => [told.from, told]))).get(index);

/** Whether a token is passed on as it was said: behind a colon, or in words that say something to somebody. */
export const isTold = (text: Text, index: number): boolean =>
  once(text, 'all told', () => [...toldIn(text), ...sayings(text)]).some(
    ({ from, to }) => index >= from && index < to,
  );

function find(text: Text): Told[] {
  const found: Told[] = [];
  for (const index of text.words.keys()) {
    const from = index + 1;
    const isSaying = begins(text, from);
    const isStrong = lowAt(text, index) === ':' || isSaying || tasks(text, from);
    const isFree =
      (isStrong || isPause(text, index)) &&
      found.every(({ end }) => end <= index) &&
      !is(text, from, 'quote');
    const tool = isFree ? headBefore(text, is(text, index, 'mark') ? index : from) : null;
    if (tool === null || from >= text.words.length) continue;
    const end = endOf(text, from, isSaying);
    // "page ops, low urgency, …": only a page says what is wrong behind a pause, and a ticket in a sentence.
    const pause = range(from, end).find((at) => is(text, at, 'mark')) ?? end;
    const says = tool.asked?.role === 'create' && range(from, pause).some((at) => is(text, at, 'saying'));
    const isSaid =
      isStrong || ((tool.oncePer !== undefined || says) && !isOwn(text, tool, range(from, pause)));
    if (isSaid) found.push({ tool, from, to: ownTail(text, tool, from, end), end });
  }
  return found;
}

/** "tell #ops we are on it", "message @ben please check …", "ask @ana if …": words for somebody, right behind whom they are for. */
function begins(text: Text, from: number): boolean {
  if (!is(text, from - 1, ...targets)) return false;
  const speaks =
    is(text, from, 'speaking') && range(from, from + 3).some((at) => is(text, at, 'saying', 'contracted'));
  const asks = (is(text, from, 'asking') && isRequested(text, from)) || asksFor(text, from);
  const says = range(from + 1, text.words.length).some((at) => !is(text, at, 'empty'));
  // "tell #ops OPS-12 is still open"
  const states = is(text, from, 'issue', 'incident') && is(text, from + 1, 'saying', 'contracted');
  return speaks || asks || states || (is(text, from, 'addressing') && says);
}

/** "ask @ana to check PAY-3 and close it": what somebody is to do, right behind whom it is for. */
const tasks = (text: Text, from: number): boolean =>
  lowAt(text, from - 1) === 'to' &&
  is(text, from - 2, ...targets) &&
  range(from - 5, from - 2).some((at) => is(text, at, 'telling verbs')) &&
  !is(text, from, 'channel', 'user');

/** "ask @ana for an update", "ask #ops if someone deployed": it is said as "asking for an update". */
export const asksFor = (text: Text, from: number): boolean =>
  (isAlone(text, from, 'whether') || (lowAt(text, from) === 'for' && !is(text, from + 1, 'thing'))) &&
  isRequested(text, from);

const isRequested = (text: Text, from: number): boolean =>
  range(from - 3, from).some((at) => is(text, at, 'requesting'));

/** "page ops, disk is full", "page ops - 500s since 14:10": nothing is ordered, asked or ruled out behind it, and no other target is named. */
function isPause(text: Text, index: number): boolean {
  const next = index + 1;
  const isNamed = is(text, next, ...targets) && !is(text, next + 1, 'saying');
  const isBounded = text.words[next]?.things.some(({ length }) =>
    is(text, next + length, 'compareAfter', 'up to'),
  );
  return (
    /^[,–—-]$/u.test(lowAt(text, index)) &&
    !isNamed &&
    !isBounded &&
    // "page ops over 20, for 3 days": a watch whose limit was said.
    !range(index - 4, index).some((at) => isBound(text, at)) &&
    !range(next, next + 4).some((at) => is(text, at, 'leadsTo')) &&
    (isHelpless(text, next) ||
      !is(
        text,
        next,
        'mark',
        'verb',
        'condition',
        'asking',
        'negation',
        'compare',
        'exists',
        'mends',
        'only',
      ))
  );
}

/** "nobody can pay" is what is wrong; "nobody is to be paged" rules something out. */
const isHelpless = (text: Text, at: number): boolean =>
  isAlone(text, at, 'anyone') && is(text, at + 1, 'saying', 'asks kindly') && !rulesOut(text, at);

/** "page ops because …", "tell #ops we …": what is said to them, but for what may hold for the order itself. */
function sayings(text: Text): Told[] {
  return range(1, text.words.length).flatMap((from) => {
    const tool = is(text, from - 1, ...targets) ? headBefore(text, from) : null;
    if (tool === null || is(text, from, 'mark', 'condition', 'asking', 'quote')) return [];
    const end = endOf(text, from, true);
    const words = range(from, end);
    // "tell #ops daily how many are open" asks for something.
    const states =
      words.some((index) => is(text, index, 'saying')) &&
      !words.some((index) => is(text, index, 'verb read'));
    const says = is(text, from, 'telling', 'speaking') || states;
    return says ? [{ tool, from, to: end, end }] : [];
  });
}

/** Words of an order before what it says: more than these are none. */
const farthest = 20;

/** The tool of an order that ends here and says to whom or to what. */
function headBefore(text: Text, colon: number): Manifest | null {
  const writes = [...text.lexicon.tools.values()].filter(
    (tool) => tool.effect === 'write' && textArgOf(tool) !== null,
  );
  for (
    let verb = colon - 1;
    verb >= Math.max(0, colon - farthest) && !is(text, verb, 'sentence ends', 'question ends');
    verb -= 1
  ) {
    // "open bugs in WEB: …" speaks of those that are open.
    const isState = isAlone(text, verb, 'value') && !is(text, verb + 1, 'articles');
    const tool = writes.find((one) => {
      const said = text.words[verb]?.phrases.find(({ tags }) => tags.has(`verb ${one.name}`));
      const behind = range(verb + (said?.length ?? 0), colon);
      return (
        said !== undefined &&
        !(isState && one.asked?.role === 'create') &&
        isAllOf(text, behind, one) &&
        behind.some((index) => isAim(text, index, one))
      );
    });
    if (tool) return tool;
  }
  return null;
}

/** What an order is aimed at: a thing of a kind that it takes, a word that nobody knows where a name belongs, or the ticket that is to be made. */
function isAim(text: Text, index: number, tool: Manifest): boolean {
  const kinds = targets.filter((kind) => argsThatTake(tool, kind).length > 0);
  // "page @ana", "note on checkout: …": who is called by name, and an incident that goes by its service.
  const also = [...(tool.oncePer ? ['user'] : []), ...(kinds.includes('incident') ? ['service'] : [])];
  return (
    is(text, index, ...kinds, ...also, `value ${finderOf(text, tool)?.name} order`) ||
    (is(text, index, 'unknown') && is(text, index - 1, 'verb write', 'cue write', 'within')) ||
    (tool.asked?.role === 'create' &&
      is(text, index, 'project', `noun ${tool.name}`, `value ${tool.name} type`))
  );
}

/** The look-up of which one result may be what a tool acts on: "comment on the oldest P1 in OPS". */
export function finderOf({ lexicon }: Text, tool: Manifest): Manifest | undefined {
  if (tool.effect === 'read') return undefined;
  if (argsThatTake(tool, 'issue').length > 0) return lexicon.byRole.get('list');
  return argsThatTake(tool, 'incident').length > 0 ? lexicon.byRole.get('alarms') : undefined;
}

/** Whether words are nothing but what an order is said with: its target, its values, and what its cues ask for. */
function isAllOf(text: Text, behind: readonly number[], tool: Manifest): boolean {
  const finder = finderOf(text, tool);
  const isFound = behind.some((index) => is(text, index, `value ${finder?.name} order`));
  for (let at = 0; at < behind.length; ) {
    const [value, cue, own] = [
      `value ${tool.name}`,
      `cue ${tool.name}`,
      ...(isFound ? [`value ${finder?.name}`] : []),
    ].map((tag) => phraseIn(text, behind, at, tag));
    const known = value ?? own;
    if (!known && !cue && !isOf(text, behind[at] ?? -1, tool)) return false;
    at += known?.length ?? (cue ? cue.length + 1 : 1);
  }
  return true;
}

const isOf = (text: Text, index: number, { name }: Manifest): boolean =>
  is(
    text,
    index,
    'empty',
    'and',
    'thing',
    'unknown',
    `noun ${name}`,
    `also ${name}`,
    `cue ${name}`,
    `value ${name}`,
  ) && !is(text, index, 'if', 'unless', 'quote', 'saying');

/** A text goes on to the end, or to another order with its target, or a sentence that rules something out; `isSaying`: "… is fixed, and close it". */
function endOf(text: Text, from: number, isSaying: boolean): number {
  const { words, goal } = text;
  const isMarked = is(text, from - 1, 'mark');
  const last = range(from + 1, words.length).find((index) => {
    const isLine = goal.slice(words[index - 1]?.end, words[index]?.start).includes('\n');
    const begins = isLine || is(text, index - 1, 'sentence ends', 'question ends');
    const joins = lowAt(text, index - 1) === ',' || is(text, index - 1, 'and', 'then');
    // "ask @ana to look, and if it is over 30 page ops": an order with what it depends on.
    const depends = (): boolean =>
      is(text, index, 'if', 'unless') && range(index + 1, words.length).some((at) => isOrder(text, at));
    return (
      ((begins || joins) && isOrder(text, index)) ||
      (joins && !isMarked && depends()) ||
      (joins && isOtherwise(text, index)) ||
      (joins && isSaying && is(text, index, 'verb write') && is(text, index + 1, 'pronoun thing')) ||
      (begins && rulesOut(text, index))
    );
  });
  if (last === undefined) return words.length;
  const isJoin = (index: number): boolean => is(text, index, 'and', 'then') || lowAt(text, index) === ',';
  return (range(from, last).findLast((index) => !isJoin(index)) ?? last - 1) + 1;
}

/** "…, else nothing", "…, otherwise page ops": what is to be done in the other case. */
function isOtherwise(text: Text, at: number): boolean {
  const length = text.words[at]?.phrases.find(({ tags }) => tags.has('else'))?.length ?? 0;
  const next = at + length;
  const isNothing =
    is(text, next, 'nobody') && (next + 1 === text.words.length || is(text, next + 1, 'mark'));
  return length > 0 && (isNothing || is(text, next, 'readonly') || isOrder(text, next));
}

/** "page payments", "please tell @ana": a verb with its target right behind. */
function isOrder(text: Text, from: number): boolean {
  const verb = range(from, from + 4).find((index) => !is(text, index, 'polite', 'leading')) ?? from;
  const target = range(verb + 1, verb + 6).find(
    (index) => !is(text, index, 'empty', 'cue write', 'noun write') && !isAlone(text, index, 'pronoun'),
  );
  return (
    creates(text, verb) || (is(text, verb, 'verb write') && is(text, target ?? -1, ...targets, 'nobody'))
  );
}

/** "open a P2", "create a ticket": something is to be made. */
const creates = (text: Text, verb: number): boolean =>
  is(text, verb, 'verb create') &&
  is(text, verb + 1, 'articles') &&
  is(text, verb + 2, 'severity', 'noun create', 'value create type');

const rulesOut = (text: Text, from: number): boolean =>
  is(text, from, 'readonly') ||
  (is(text, from, 'negation') &&
    range(from, from + 6).some((index) => is(text, index, 'verb write', 'also write', 'noun write')));

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
function isOwn(text: Text, tool: Manifest, part: readonly number[]): boolean {
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
  const names = (...tags: readonly string[]): boolean =>
    range(index + 1, index + 7).some((other) => is(text, other, ...tags));
  // "… is fixed, and close it"
  const isNext = is(text, index + 1, 'pronoun thing');
  const isTo = isNext || names(...targets) || (is(text, index, ...telling) && names('noun person'));
  const isWrite = is(text, index, 'verb write') && isTo;
  return (
    isWrite ||
    creates(text, index) ||
    (is(text, index, 'wantsBack') && names('noun read', 'issue', 'incident'))
  );
}

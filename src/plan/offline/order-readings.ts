import type { Manifest } from '../../core/manifest.ts';
import { type Carries, clauseCost, type Draft } from './clause.ts';
import type { Frame } from './frame.ts';
import { fillFrame } from './frames.ts';
import { makesOfResults, readsOf, toolsIn, worth } from './reads.ts';
import { argsThatTake } from './takes.ts';
import { is, isAll, isAlone, lowAt, type Text, wordsOf } from './text.ts';

interface Carried {
  readonly carries: Carries;
  readonly left: readonly number[];
  readonly cost: number;
}

/** Every write that the words may order, each with what it sends. */
export function ordersIn(text: Text, span: readonly number[]): Draft[] {
  const verbs = toolsIn(text, span, 'verb').filter(({ effect }) => effect === 'write');
  const bare = verbs.length === 0;
  return [...(bare ? headless(text, span) : verbs), ...makersIn(text, span)].flatMap((tool): Draft[] => {
    const frame = fillFrame(text, tool, span);
    if (frame.filling.size === 0 && !frame.verb && !makesOfResults(tool)) return [];
    const { carries, left, cost } = carriedBy(text, frame, span);
    // Without a verb nothing is a text but a quotation.
    if ((bare && carries.kind === 'said' && frame.spoken.size > 0) || isDenied(text, tool, span)) return [];
    const points = frame.noun || [...frame.used].some((index) => isAlone(text, index, 'pronoun'));
    // "ack it", "close the ticket": a verb alone orders nothing.
    const aimless = frame.filling.size === 0 && !points && carries.kind !== 'result' ? -1.5 : 0;
    const verb = frame.verb ? 0.5 + aimless : bare ? -1 : -3;
    const late = lateVerb(text, frame, span);
    const score = worth({ ...frame, left }) + worthOf(carries) + verb + late - cost - clauseCost;
    return [{ kind: 'order', frame, carries, left, score }];
  });
}

/** Tools in a span that make something of other results. */
const makersIn = (text: Text, span: readonly number[]): Manifest[] =>
  toolsIn(text, span, 'verb', 'noun').filter(makesOfResults);

/** "create nothing", "page nobody". */
const isDenied = (text: Text, { name }: Manifest, span: readonly number[]): boolean =>
  span.some((index) => is(text, index + 1, 'nobody') && isAlone(text, index, `verb ${name}`));

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
  if (first === undefined) return 0;
  // "pager ack 1234": the name of the system may stand first.
  const named = is(text, first, `also ${tool.name}`) && !is(text, first + 1, 'thing');
  const heads = [`verb ${tool.name}`, ...(makesOfResults(tool) ? [`noun ${tool.name}`] : [])];
  if (is(text, named ? first + 1 : first, ...heads)) return isAdjective(text, first, frame) ? -20 : 0.5;
  if (!frame.verb && (isAlone(text, first, 'result', 'pronoun') || is(text, first, 'verb read'))) return 0;
  const targets = argsThatTake(tool, 'channel', 'user', 'issue', 'incident', 'service');
  const aimed = targets.some((arg) => slots.has(arg));
  return filling.has(first) && aimed && !is(text, first, 'service', 'unknown') ? 0 : -20;
}

const carrying = (carries: Carries, left: readonly number[] = [], cost = 0): Carried => ({
  carries,
  left,
  cost,
});

/** What an order sends: said in quotes or behind a cue, the result, another look-up, or nothing yet. */
function carriedBy(text: Text, frame: Frame, span: readonly number[]): Carried {
  const { tool, slots, used, left } = frame;
  const [arg] = argsThatTake(tool, 'message', 'results');
  if (arg === undefined) return carrying({ kind: 'nothing' }, left);
  const rest = span.filter((index) => !used.has(index) && !is(text, index, 'me'));
  if (slots.has(arg)) return fromCue(text, frame, span, rest);
  // "post a summary" makes something of the result.
  const makes = !makesOfResults(tool) && makersIn(text, rest).length > 0;
  if (!makes && isAll(text, rest, 'result', 'pronoun')) return carrying({ kind: 'result' });
  if (left.length === 0 && !isAll(text, rest, 'result', 'pronoun', 'noun'))
    return carrying({ kind: 'nothing' });
  // A page says what is wrong; what it says is looked up only where it says so.
  const said = unmarked(text, frame, rest);
  if (tool.oncePer !== undefined && said.carries.kind === 'text') return said;
  return lookedUp(text, frame, rest) ?? said;
}

/** Words behind a cue are the text, unless they say exactly what to look up: "about" what is there, or a list "of" it. */
function fromCue(text: Text, frame: Frame, span: readonly number[], rest: readonly number[]): Carried {
  let cue = Math.min(...frame.spoken) - 1;
  while (is(text, cue, 'articles')) cue -= 1;
  if (frame.spoken.size > 0 && frame.tool.oncePer === undefined && is(text, cue, 'about')) {
    const used = new Set([...frame.used].filter((index) => !frame.spoken.has(index) && index !== cue));
    const after = span.filter((index) => !used.has(index));
    if (isAll(text, after, 'result', 'pronoun')) return carrying({ kind: 'result' });
    const looked = lookedUp(text, { ...frame, used }, after);
    if (looked) return looked;
  }
  const person = readsOf(text, rest, 'list').find((read) => isReceiver(text, frame, read));
  if (person) return carrying({ kind: 'oncall', frame: person });
  return carrying({ kind: 'said' }, isAll(text, rest, 'result', 'pronoun') ? [] : frame.left);
}

/** "alert the on-call" pages them; "DM the on-call" writes to them: the person whom a look-up names gets it. */
const isReceiver = (text: Text, { tool, slots, used }: Frame, read: Frame): boolean =>
  read.tool.asked?.role === 'person' &&
  read.left.length === 0 &&
  'user' in tool.args.shape &&
  !slots.has('user') &&
  !slots.has('channel') &&
  ![...used].some((index) => is(text, index, 'verb page'));

/** What an order sends, where its words say exactly what has to be looked up for it. */
function lookedUp(text: Text, frame: Frame, rest: readonly number[]): Carried | null {
  const read = readsOf(text, rest, 'list').find(({ left }) => left.length === 0);
  if (read) return carrying({ kind: isReceiver(text, frame, read) ? 'oncall' : 'reads', frame: read });
  // "a summary of the open tickets": what is sent is made of results itself.
  for (const tool of makesOfResults(frame.tool) ? [] : makersIn(text, rest)) {
    const inner = fillFrame(text, tool, rest);
    const { carries, left } = carriedBy(text, inner, rest);
    if (left.length === 0) return carrying({ kind: 'made', frame: inner, of: carries });
  }
  return null;
}

/** "tell #ops the disk is full": what follows the target is the text, when the order begins with its verb. */
function unmarked(text: Text, frame: Frame, rest: readonly number[]): Carried {
  const last = Math.max(-1, ...frame.filling);
  const after = rest.filter((index) => index > last);
  const plain =
    [...frame.used].slice(0, 2).some((index) => is(text, index, 'telling verbs')) &&
    frame.filling.size > 0 &&
    (frame.tool.oncePer === undefined || after.some((index) => is(text, index, 'saying')));
  const held = after.some((index) => is(text, index, 'if', 'unless', 'and'));
  if (!plain || held || frame.left.some((index) => index < last))
    return carrying({ kind: 'nothing' }, frame.left);
  return carrying({ kind: 'text', text: wordsOf(text, after) }, [], 0.5 + 0.5 * after.length);
}

/** How much of the words what is sent explains. */
function worthOf(carries: Carries): number {
  if (carries.kind === 'made') return worth({ ...carries.frame, left: [] }) + worthOf(carries.of);
  return 'frame' in carries ? worth(carries.frame) : 0;
}

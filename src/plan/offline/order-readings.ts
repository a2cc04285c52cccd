import type { Manifest } from '../../core/manifest.ts';
import { carriedBy, makersIn, worthOf } from './carried.ts';
import { clauseCost, type Draft } from './clause.ts';
import type { Frame, Text } from './frame.ts';
import { fillFrame } from './frames.ts';
import { asks, carriesNothing, isA, isOneOf, isThing, lowAt, means, plays } from './heard.ts';
import { makesOfResults, toolsIn, worth } from './reads.ts';
import type { Sense } from './sense.ts';
import { takesOf } from './takes.ts';

/** Every write that the words may order, each with what it sends. */
export function ordersIn(text: Text, span: readonly number[]): Draft[] {
  const verbs = toolsIn(text, span, 'write', 'verb');
  const bare = verbs.length === 0;
  const tools = [...(bare ? headless(text, span) : verbs), ...makersIn(text, span)];
  return tools.flatMap((tool): Draft[] => {
    const frame = fillFrame(text, tool, span);
    if (frame.filling.size === 0 && !frame.verb && !makesOfResults(tool)) return [];
    const { carries, left, cost } = carriedBy(text, frame, span);
    // Without a verb nothing is a text but a quotation.
    if ((bare && carries.kind === 'said' && frame.spoken.size > 0) || isDenied(text, tool, span)) return [];
    const aimless = frame.filling.size === 0 && !points(text, frame) && carries.kind !== 'result' ? -1.5 : 0;
    const verb = frame.verb ? 0.5 + aimless : bare ? -1 : -3;
    const late = lateVerb(text, frame, span);
    const score = worth({ ...frame, left }) + worthOf(carries) + verb + late - cost - clauseCost;
    return [{ kind: 'order', frame, carries, left, score }];
  });
}

/** "ack it", "close the ticket": a verb alone orders nothing. */
const points = (text: Text, { used, noun }: Frame): boolean =>
  noun || [...used].some((index) => plays(text, index, 'pronoun'));

/** "create nothing", "page nobody". */
function isDenied(text: Text, { name }: Manifest, span: readonly number[]): boolean {
  return span.some(
    (index) =>
      isOneOf(text, index + 1, 'nobody') &&
      means(text, index, ({ role, of }, length) => length === 1 && role === 'verb' && of === name),
  );
}

/** "open P1s" lists, "open a P1" creates: a verb that is also a state needs an article behind it, or a title. */
function isAdjective(text: Text, index: number, { tool, slots }: Frame): boolean {
  if (tool.asked?.role !== 'create' || isOneOf(text, index + 1, 'articles')) return false;
  const isKind = ({ role, of }: Sense): boolean => of === tool.name && (role === 'noun' || role === 'value');
  const isOne = isA(text, index + 1, 'severity') || means(text, index + 1, isKind);
  const isMany = isOne && lowAt(text, index + 1).endsWith('s');
  const isUntitled = !slots.has('summary');
  const isState =
    lowAt(text, index) === 'new' ||
    means(text, index, ({ role }, length) => length === 1 && role === 'value');
  return (isMany && isUntitled) || (isState && (!isOne || isMany || isUntitled));
}

/** "PAY-3 → Done", "list to #ops": a thing and where it goes, without a verb. */
function headless(text: Text, span: readonly number[]): Manifest[] {
  // "any tickets about redis in ops": only what is written as a channel receives something without a verb.
  const receives = span.some((index) => /^[#@]/u.test(text.tokens[index]?.raw ?? ''));
  const moves =
    span.some((index) => isA(text, index, 'issue')) && span.some((index) => isOneOf(text, index, 'moving'));
  const roles = [receives ? 'message' : null, moves ? 'move' : null] as const;
  return roles.flatMap((role) => (role && text.lexicon.byRole.get(role)) ?? []);
}

const targets = new Set<string>(['channel', 'user', 'issue', 'incident', 'service']);

/** An order says its verb early; what stands before it is its target or what it sends. */
function lateVerb(text: Text, frame: Frame, span: readonly number[]): number {
  const { tool, slots, filling } = frame;
  const first = span.find((index) => !carriesNothing(text, index));
  if (first === undefined) return 0;
  // "pager ack 1234": the name of the system may stand first.
  const named = means(text, first, ({ role, of }) => of === tool.name && role === 'also');
  const starts = means(
    text,
    named && !isThing(text, first + 1) ? first + 1 : first,
    ({ role, of }) => of === tool.name && (role === 'verb' || (role === 'noun' && makesOfResults(tool))),
  );
  if (starts) return isAdjective(text, first, frame) ? -20 : 0.5;
  if (!frame.verb && (plays(text, first, 'result', 'pronoun') || asks(text, first))) return 0;
  const aimed = [...slots.keys()].some((arg) => targets.has(takesOf(tool, arg)));
  return filling.has(first) && aimed && !isA(text, first, 'service', 'unknown') ? 0 : -20;
}

import type { Frame } from '../frames/frame.ts';
import { fillFrame } from '../frames/frames.ts';
import { readsOf, worth } from '../frames/reads.ts';
import { isTimed } from '../frames/takes.ts';
import type { Said, Test } from '../frames/test.ts';
import { differing, testsIn } from '../frames/tests.ts';
import { is, isAlone, joinsThings, lowAt, saysIn, type Text } from '../words/text.ts';
import type { Draft } from './clause.ts';

/** "GEO-2 is breached" is about its SLA, whether it says so or not. */
function subjectsFor(text: Text, span: readonly number[], tests: readonly Test[]): readonly Frame[] {
  const isClock = (test: Test): boolean =>
    test.kind === 'state' ? ['breached', 'at_risk', 'ok'].includes(test.value) : test.kind === 'minutes';
  const [state] = tests.filter(
    (test) => test.kind === 'state' || (test.kind === 'minutes' && test.by === 'left'),
  );
  if (state === undefined) return readsOf(text, span, 'count');
  const isAlarm = state.kind === 'minutes' || (state.kind === 'state' && state.alarm !== null);
  const roles = isClock(state)
    ? (['clock'] as const)
    : isAlarm
      ? (['show', 'alarm'] as const)
      : (['show'] as const);
  const frames = roles.flatMap((role) => {
    const tool = text.lexicon.byRole.get(role);
    return tool ? fillFrame(text, tool, span) : [];
  });
  return frames
    .filter(
      ({ slots, noun, tool }) =>
        slots.has('key') || slots.has('incident') || (noun && tool.asked?.role !== 'alarm'),
    )
    .sort((a, b) => worth(b) - worth(a));
}

/** A condition of some tests with what the rest of its words look up; without a subject it is about what was said before. */
function condition(text: Text, span: readonly number[], said: readonly Said[]): Draft[] {
  if (said.length === 0) return [];
  const words = new Set(said.flatMap(({ tokens }) => tokens));
  const tests = said.map(({ test }) => test);
  // "neither is done" is that both are not, "not both are done" that one is not; "3 or more" is one thing.
  const any =
    span.some((index) => !words.has(index) && is(text, index, 'or', 'gather either')) !==
    saysIn(text, span, 'turned');
  const about = said[0]?.about ?? span.filter((index) => !words.has(index));
  // "is in review or blocked" has two states; "OPS or WEB" are two things to look at.
  const apart = about.filter((index) => is(text, index, 'or') && !joinsThings(text, index));
  const rest = about.filter((index) => !apart.includes(index));
  // "over 5 open or the SLA is breached": one test is not two.
  const lost = said.length === 1 ? apart : [];
  const points = rest.every(
    (index) => is(text, index, 'empty', 'and', 'gather') || isAlone(text, index, 'pronoun', 'result'),
  );
  const common = { kind: 'condition', tests, any } as const;
  const bare = tests.some(({ kind }) => kind === 'exists');
  const numbered = tests.every(({ kind }) => kind === 'number');

  // "which nobody touched": who did nothing is no number of tickets.
  const isPeople =
    bare && [...words].some((index) => isAlone(text, index, 'anyone') && isAlone(text, index, 'exists none'));
  const own = subjectsFor(text, rest, tests).filter(
    (one) => (!bare || one.slots.size > 0) && (!isPeople || one.tool.asked?.role === 'person'),
  );
  const goesOn = is(text, (span[0] ?? 0) - 1, 'and', 'or');
  const other = own.length === 0 && numbered ? differing(text, rest) : undefined;
  // "if it is above 30 in the last 15 minutes": only when is said of what was spoken of.
  const isTime = other && [...other.slots.keys()].every((arg) => isTimed(other.tool, arg));
  const subjects = other && (goesOn || isTime) ? [other] : own;
  return [
    ...(points ? [{ ...common, subject: null, left: [], score: words.size + 0.2 * rest.length - 0.5 }] : []),
    ...subjects.slice(0, 2).map((subject) => {
      const score = words.size + worth(subject) - 0.7;
      const left = [...subject.left, ...lost];
      return isOver(text, rest, subject)
        ? { ...common, tests: tests.map(turned), subject: stillOpen(subject), left, score }
        : { ...common, subject, left, score };
    }),
  ];
}

/** "the checkout incident is resolved": it is over when none is open, and not when one ever was resolved. */
const isOver = (text: Text, span: readonly number[], { tool, slots }: Frame): boolean =>
  tool.asked?.role === 'alarms' &&
  slots.get('status')?.join() === 'resolved' &&
  !['since', 'window'].some((arg) => slots.has(arg)) &&
  span.some((index) => lowAt(text, index) === 'incident');

const turned = (test: Test): Test => (test.kind === 'exists' ? { ...test, some: !test.some } : test);

const stillOpen = (frame: Frame): Frame => ({
  ...frame,
  slots: new Map([...frame.slots, ['status', ['open']]]),
});

/** What the words of a span may ask of a value. `asked` where "if" stands before them. */
export function conditionsIn(text: Text, span: readonly number[], asked: boolean): Draft[] {
  const [quantities = [], ...others] = testsIn(text, span, asked);
  const there: Said = { test: { kind: 'exists', some: true }, tokens: [] };
  // "if either is breached": of those that were spoken of.
  const isOfThem = isAlone(text, span[0] ?? -1, 'gather either');
  const asIs = asked && quantities.length === 0 && !isOfThem ? condition(text, span, [there]) : [];
  return [
    ...[quantities, ...others].flatMap((said) => condition(text, span, said)),
    ...asIs.filter((one) => one.kind === 'condition' && one.subject !== null),
  ];
}

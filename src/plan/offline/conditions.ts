import type { Draft } from './clause.ts';
import type { Frame } from './frame.ts';
import { fillFrame } from './frames.ts';
import { readsOf, worth } from './reads.ts';
import { existsIn, overIn, quantitiesIn, type Said, statesIn, type Test, thanIn, versusIn } from './tests.ts';
import { is, isAlone, type Text } from './text.ts';

/** "GEO-2 is breached" is about its SLA, whether it says so or not. */
function subjectsFor(text: Text, span: readonly number[], tests: readonly Test[]): readonly Frame[] {
  const [state] = tests.flatMap((test) => (test.kind === 'state' ? [test.value] : []));
  if (state === undefined) return readsOf(text, span, 'count');
  const tool = text.lexicon.byRole.get(['breached', 'at_risk', 'ok'].includes(state) ? 'clock' : 'show');
  const frame = tool && fillFrame(text, tool, span);
  return frame && (frame.slots.has('key') || frame.noun) ? [frame] : [];
}

/** Nothing but what has an age can be older than something: errors of the past 5 minutes are none. */
const hasAge = ({ tool }: Frame): boolean =>
  'older_than' in tool.args.shape ||
  tool.asked?.compares?.age !== undefined ||
  tool.asked?.compares?.left !== undefined;

/** A condition of some tests with what the rest of its words look up; without a subject it is about what was said before. */
function condition(text: Text, span: readonly number[], said: readonly Said[]): Draft[] {
  if (said.length === 0) return [];
  const words = new Set(said.flatMap(({ tokens }) => tokens));
  const tests = said.map(({ test }) => test);
  const any = span.some((index) => is(text, index, 'or'));
  const about = said[0]?.about ?? span.filter((index) => !words.has(index));
  const rest = about.filter((index) => !any || !is(text, index, 'or'));
  const points = rest.every(
    (index) => is(text, index, 'empty', 'and') || isAlone(text, index, 'pronoun', 'result'),
  );
  const common = { kind: 'condition', tests, any } as const;
  const bare = tests.some(({ kind }) => kind === 'exists');
  const aged = tests.some(({ kind }) => kind === 'minutes');
  const subjects = subjectsFor(text, rest, tests).filter(
    (one) => (!bare || one.slots.size > 0) && (!aged || hasAge(one)),
  );
  return [
    ...(points ? [{ ...common, subject: null, left: [], score: words.size + 0.2 * rest.length - 0.5 }] : []),
    ...subjects.slice(0, 2).map((subject) => {
      const score = words.size + worth(subject) - 0.7;
      return { ...common, subject, left: subject.left, score };
    }),
  ];
}

/** What the words of a span may ask of a value. `asked` where "if" stands before them. */
export function conditionsIn(text: Text, span: readonly number[], asked: boolean): Draft[] {
  const quantities = quantitiesIn(text, span);
  const numbers = quantities.filter(({ test }) => test.kind === 'number');
  const than = thanIn(text, span);
  const bare = quantities.length === 0;
  const there: Said = { test: { kind: 'exists', some: true }, tokens: [] };
  const tests = [
    quantities,
    numbers.length < quantities.length ? numbers : [],
    ...[than, versusIn(text, span), bare && than.length === 0 ? overIn(text, span) : []],
    ...[...statesIn(text, span).map((said) => [said]), existsIn(text, span)],
  ];
  const asIs = asked && bare ? condition(text, span, [there]) : [];
  return [
    ...tests.flatMap((said) => condition(text, span, said)),
    ...asIs.filter((one) => one.kind === 'condition' && one.subject !== null),
  ];
}

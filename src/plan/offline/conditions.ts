import type { Draft } from './clause.ts';
import type { Frame, Text } from './frame.ts';
import { fillFrame } from './frames.ts';
import { carriesNothing, joins, plays } from './heard.ts';
import { readsOf, worth } from './reads.ts';
import { existsIn, statesIn } from './states.ts';
import { moreThanIn, overIn, quantitiesIn, type Said, type Test, thanIn, versusIn } from './tests.ts';

function without(span: readonly number[], said: readonly Said[]): number[] {
  const gone = new Set(said.flatMap(({ tokens }) => tokens));
  return span.filter((index) => !gone.has(index));
}

/** "GEO-2 is breached" is about its SLA, whether it says so or not. */
function subjectsFor(text: Text, span: readonly number[], tests: readonly Test[]): readonly Frame[] {
  const [state] = tests.flatMap((test) => (test.kind === 'state' ? [test.value] : []));
  if (state === undefined) return readsOf(text, span, 'number');
  const tool = text.lexicon.byRole.get(['breached', 'at_risk', 'ok'].includes(state) ? 'clock' : 'show');
  const frame = tool && fillFrame(text, tool, span);
  return frame && (frame.slots.has('key') || frame.noun) ? [frame] : [];
}

/** A condition of some tests with what the rest of its words look up; without a subject it is about what was said before. */
function condition(
  text: Text,
  span: readonly number[],
  said: readonly Said[],
  subjectSpan = without(span, said),
): Draft[] {
  const words = new Set(said.flatMap(({ tokens }) => tokens)).size;
  const tests = said.map(({ test }) => test);
  const any = span.some((index) => joins(text, index, 'or'));
  const rest = subjectSpan.filter((index) => !any || !joins(text, index, 'or'));
  const pointing = rest.every(
    (index) =>
      carriesNothing(text, index) || plays(text, index, 'pronoun', 'result') || joins(text, index, 'and'),
  );
  const drafts: Draft[] = pointing
    ? [{ kind: 'condition', subject: null, tests, any, left: [], score: words + 0.2 * rest.length - 0.5 }]
    : [];
  const bare = tests.some(({ kind }) => kind === 'exists');
  for (const subject of subjectsFor(text, rest, tests)
    .filter(({ slots }) => !bare || slots.size > 0)
    .slice(0, 2))
    drafts.push({
      kind: 'condition',
      subject,
      tests,
      any,
      left: subject.left,
      score: words + worth(subject) - 0.7,
    });
  return drafts;
}

/** What the words of a span may ask of a value. `asked` where "if" stands before them. */
export function conditionsIn(text: Text, span: readonly number[], asked: boolean): Draft[] {
  const quantities = quantitiesIn(text, span);
  const numbers = quantities.filter(({ test }) => test.kind === 'number');
  const than = moreThanIn(text, span) ?? thanIn(text, span);
  const versus = versusIn(text, span);
  const over = quantities.length === 0 && !than ? overIn(text, span) : null;
  const exists = existsIn(text, span);
  const there: Said = { test: { kind: 'exists', some: true }, tokens: [] };
  return [
    ...(quantities.length > 0 ? condition(text, span, quantities) : []),
    ...(numbers.length > 0 && numbers.length < quantities.length ? condition(text, span, numbers) : []),
    ...(than ? condition(text, span, [than.said], than.before) : []),
    ...(versus ? condition(text, span, [versus.said], versus.before) : []),
    ...(over ? condition(text, span, [over]) : []),
    ...statesIn(text, span).flatMap((said) => condition(text, span, [said])),
    ...(exists ? condition(text, span, [exists]) : []),
    ...(asked && quantities.length === 0
      ? condition(text, span, [there]).filter((one) => one.kind === 'condition' && one.subject !== null)
      : []),
  ];
}

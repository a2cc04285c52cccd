import { sentenceOf } from '../core/condition.ts';
import { sayCondition } from '../core/condition-words.ts';
import type { Manifest } from '../core/manifest.ts';
import type { Plan } from '../core/plan.ts';
import type { Revision } from '../core/revision.ts';
import { type Vocabulary, vocabularyOf } from '../core/step-words.ts';
import { limits } from './limits.ts';
import type { Block } from './message.ts';
import { bold, code, line, lines, quote, rich, type Span } from './rich.ts';

/** Guesses, answers, assumptions, notes, criteria and, before they are settled, causes: everything except the steps. */
export function notesBlock(
  { sealed }: Revision,
  manifests: ReadonlyMap<string, Manifest>,
  { settled = false } = {},
): Block[] {
  const { plan } = sealed;
  const words = vocabularyOf(plan.steps, manifests, sealed.targets);
  const guessed = plan.inputs.filter((input) => input.source === 'default');
  const asked = plan.inputs.filter((input) => input.source === 'asked');
  const named = (list: typeof plan.inputs): string =>
    list.map((input) => `${input.name.replaceAll('_', ' ')} ${input.value}`).join(', ');
  const rows: Span[][] = [
    ...longTitle(plan.summary),
    ...(guessed.length > 0 ? [[bold('Assumed: '), named(guessed)]] : []),
    ...(asked.length > 0 ? [['Answered: ', named(asked)]] : []),
    ...plan.assumptions.map((assumption) => [`Assumption: ${assumption}`]),
    ...omissionNotes(plan).map((note) => [note]),
    ...criterionNotes(sealed, words).map((note) => [note]),
    ...(settled ? [] : causeNotes(plan, words)).map((note) => [note]),
    ...sealed.notes.map((note) => [note]),
  ];
  const ours = rows.length === 0 ? [] : [rich([lines(rows)], 'notes')];
  return [...ours, ...agentsNote(sealed)];
}

/** The parts of the request that no step carries: nothing that was said vanishes without a word. */
export function omissionNotes({ omitted = [] }: Plan): string[] {
  return omitted.length === 0 ? [] : [`Not covered: ${omitted.map((one) => `“${one}”`).join(', ')}.`];
}

/** The criteria for the end. Code cannot decide a sentence, and a model’s is marked as its own. */
export function criterionNotes({ plan, planner }: Revision['sealed'], words: Vocabulary): string[] {
  const whose = planner === 'model' ? 'The model’s criterion, for people' : 'For people';
  return plan.success.map((criterion) => {
    const sentence = sentenceOf(criterion);
    return sentence === null
      ? `Must hold at the end: ${sayCondition(criterion, words)}`
      : `${whose} to check at the end: “${sentence}”`;
  });
}

/** The words of an agent, marked as its own. They are text: nothing in them is a mention or a link. */
function agentsNote({ agent }: Revision['sealed']): Block[] {
  if (agent === undefined || agent.why + agent.evidence.join('') === '') return [];
  const head = line(bold(`Note by ${agent.name}`), ', not checked:');
  const links = agent.evidence.map((address): Span[] => ['It names ', code(address)]);
  const said = agent.why === '' ? [] : [quote(agent.why)];
  return [rich([head, ...said, ...(links.length === 0 ? [] : [lines(links)])], 'agent')];
}

/** The causes that a plan settles, with their conditions in words. */
export function causeNotes({ situation }: Plan, words: Vocabulary): string[] {
  return (situation?.causes ?? []).map(
    ({ sentence, when }) => `Possible cause: ${sentence} (supported if ${sayCondition(when, words)})`,
  );
}

/** In full, a summary too long for the card's title. */
function longTitle(summary: string): Span[][] {
  return summary.length > limits.header ? [['In full: ', summary]] : [];
}

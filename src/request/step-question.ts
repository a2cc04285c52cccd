import { fallbackText } from '../blocks/escape.ts';
import type { Message } from '../blocks/message.ts';
import { note } from '../blocks/note.ts';
import { bold, line, quote, rich, type Span } from '../blocks/rich.ts';
import { cut, oneLine } from '../core/clean-text.ts';
import { sayCondition } from '../core/condition-words.ts';
import type { Manifest } from '../core/manifest.ts';
import type { Step } from '../core/plan.ts';
import type { Revision } from '../core/revision.ts';
import { stepSentence, type Vocabulary, vocabularyOf } from '../core/step-words.ts';

const ordinals = [
  'first',
  'second',
  'third',
  'fourth',
  'fifth',
  'sixth',
  'seventh',
  'eighth',
  'ninth',
  'tenth',
];
const asks = new RegExp(
  `^(?:and )?(?:what(?:['’]s| is| does| do| are)?|explain|show(?: me)?|describe|which is) (?:the )?(?:step (?<number>\\d{1,3})|(?<ordinal>${ordinals.join('|')}|last) step|(?<all>(?:all )?steps))(?: do| for| about)?[?.! ]*$`,
  'iu',
);
type Manifests = ReadonlyMap<string, Manifest>;

/** Slack cuts longer messages off. */
const maxSteps = 20;

/** The answer to “what’s step 1?” about a plan, from the plan alone; null for other words. */
export function stepAnswer(said: string, revision: Revision, manifests: Manifests): Message | null {
  const asked = asks.exec(said.trim())?.groups;
  if (asked === undefined) return null;
  const count = revision.sealed.plan.steps.length;
  const { number, ordinal = '', all } = asked;
  const at = number === undefined ? ordinals.indexOf(ordinal.toLowerCase()) : Number(number) - 1;
  const index = ordinal.toLowerCase() === 'last' ? count - 1 : at;
  if (all === undefined && revision.sealed.plan.steps[index] === undefined)
    return note([`This plan has ${count === 1 ? '1 step' : `${count} steps`}.`]);
  return stepsInWords(revision, manifests, (nth) => all !== undefined || nth === index);
}

/** The steps of a plan in words, with what they reach. */
export function stepsInWords(
  { sealed: { plan, targets } }: Revision,
  manifests: Manifests,
  isShown: (nth: number) => boolean = () => true,
): Message {
  const count = plan.steps.length;
  const words = vocabularyOf(plan.steps, manifests, targets);
  const labels = (step: Step) => targets.filter((one) => one.step === step.id).map(({ label }) => label);
  return note(
    ...[...plan.steps.entries()]
      .filter(([nth]) => isShown(nth))
      .slice(0, maxSteps)
      .flatMap(([nth, step]) => rowsOf(step, `Step ${nth + 1} of ${count}`, words, labels(step))),
  );
}

function rowsOf(step: Step, title: string, words: Vocabulary, labels: readonly string[]): Span[][] {
  const manifest = words.scope.get(step.id);
  const isRead = manifest?.effect === 'read';
  return [
    [bold(`${title}: `), cut(oneLine(stepSentence(step, words)), 500)],
    ...(step.when === undefined ? [] : [[`Only if ${sayCondition(step.when, words)}.`]]),
    ...labels.map((label): Span[] => [`→ ${cut(oneLine(label), 300)}`]),
    [isRead ? 'It only reads.' : `It writes, after an approval.${manifest?.undo ? ` ${manifest.undo}` : ''}`],
  ];
}

/** A question below a card: the card is the answer that is there. `steps`: its steps in words. */
export function questionBelowCard(text: string, steps: Message): Message {
  const head = line(bold('Nothing was changed.'), ' I can only say what this plan does once it is approved:');
  return {
    text: fallbackText('Nothing was changed. This is what the plan does once it is approved.'),
    blocks: [rich([head]), ...steps.blocks, rich([quote(cut(oneLine(text), 300))])],
  };
}

import type { Catalogue } from '../../../core/catalogue.ts';
import { doesTheSame, minConfidence } from '../../change.ts';
import { type Candidate, candidatesFor, unavailable } from '../candidates.ts';
import { ask, named, type Reply, wordsFor } from '../questions.ts';
import { refusalOf } from '../refusals.ts';
import { is, type Text } from '../words/text.ts';
import { isOrdered } from './readings.ts';

/** Tokens of the longest change: every reply in a thread is read as one. */
const maxChange = 100;

const usual = 'What should I change? For example: “use P2”, “post to another channel” or “do not page”.';

/** Whether a reading makes another plan of the one that is there. */
function alters({ plan }: Text, best: Candidate): boolean {
  return best.composed.steps.length === 0 || (plan !== null && !doesTheSame(best.plan, plan));
}

/** What is to be said of a change that is none yet; null where it is whole and changes something. */
function aboutChange(text: Text, best: Candidate | undefined): string | null {
  const isSaidOf = (_word: unknown, at: number): boolean =>
    is(text, at, 'saying') && is(text, at - 1, 'thing', 'unknown');
  // "ben is on it": talk, also where the bot is named in it.
  if (!best || (!isOrdered(text) && text.words.some(isSaidOf))) return usual;
  const { left, needs, steps } = best.composed;
  if (steps.length === 0) return 'That would leave nothing in the plan. What should it do instead?';
  if (needs[0] && left.length === 0) return wordsFor(needs[0], false);
  if (left.length > 0) return `I don’t know what to do with ${named(text, left)} in this plan. ${usual}`;
  return best.whole && alters(text, best) ? null : usual;
}

/** A plan with the change that words ask for, or what to ask about it. */
export function fromChange(text: Text, catalogue: Catalogue): Reply {
  const refused = refusalOf(text, catalogue.manifests);
  const isDecided = text.words.some((_word, at) => is(text, at, 'deciding'));
  if (isDecided && text.words.every((_word, at) => is(text, at, 'deciding', 'empty', 'pronoun')))
    return ask('To run the plan, press Approve on its card; to drop it, press Reject.', 'change', 0.4);
  // "raise the threshold to 9" is said of the plan here, and no order that no tool takes.
  const isFinal = refused?.reason === 'dangerous' || refused?.reason === 'injection';
  const isRead =
    text.words.length <= maxChange && text.plan?.steps.every(({ tool }) => text.lexicon.tools.has(tool));
  const [best] = isFinal || !isRead ? [] : candidatesFor(text, new Map());
  const asked = aboutChange(text, best);
  if (asked !== null || !best) {
    if (refused) return { answer: refused, confidence: 0.95 };
    // An order of which a part was understood was meant for the plan.
    const isOrder = best !== undefined && isOrdered(text) && alters(text, best);
    return ask(asked ?? '', 'change', isOrder ? minConfidence.part : 0.4);
  }
  const lacking = unavailable(best.plan, catalogue);
  // Enough for words that were said to the bot; others talk to each other.
  return { answer: lacking ?? { kind: 'plan', plan: best.plan }, confidence: isOrdered(text) ? 0.9 : 0.8 };
}

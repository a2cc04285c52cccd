import { cadenceWords } from '../core/cadence.ts';
import { cut, oneLine } from '../core/clean-text.ts';
import type { Plan } from '../core/plan.ts';
import { capital } from '../core/step-words.ts';

/** Slack's limit for the text of a button. */
const maxLabel = 75;
/** Words at the beginning that stay: what is done. */
const leastWords = 3;

/** The words of a button with a plan behind it: for a watch also how often it looks. */
export function planWords({ summary, watch }: Plan, more = ''): string {
  const often = watch === undefined ? '' : `${capital(cadenceWords(watch.every))}: `;
  return oneLine(`${often}${summary}${more}`);
}

/** The texts of buttons. Of a long one whole words in the middle are left out, where others have the same words if it can be. */
export function labelsOf(texts: readonly string[]): string[] {
  const all = texts.map((text) => text.split(' '));
  return all.map((words, nth) => {
    const shared = all.map((other, at) => (at === nth ? 0 : sharedWords(words, other)));
    return shortened(words, Math.max(0, ...shared));
  });
}

/** How many words both begin with. */
function sharedWords(words: readonly string[], other: readonly string[]): number {
  const differs = words.findIndex((word, nth) => word !== other[nth]);
  return differs < 0 ? words.length : differs;
}

function shortened(words: readonly string[], shared: number): string {
  const whole = words.join(' ');
  if (whole.length <= maxLabel) return whole;
  const end = shared > leastWords + 1 && shared < words.length ? shared : words.length - 1;
  for (let left = 1; left < words.length - leastWords; left += 1) {
    // Behind the middle: what is done and for whom stands first.
    const from = Math.max(leastWords, Math.round((end - left) * 0.6));
    const label = [...words.slice(0, from), '…', ...words.slice(from + left)].join(' ');
    if (label.length <= maxLabel) return label;
  }
  return cut(whole, maxLabel);
}

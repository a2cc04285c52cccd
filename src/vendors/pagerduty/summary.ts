/** PagerDuty's limit for a summary, in characters. */
const limit = 1_024;
const mark = '… (cut; the full text is in the details)';

/** A summary that PagerDuty accepts; anything too long is visibly cut between characters. */
export function clippedSummary(text: string): { summary: string; clipped: boolean } {
  if (text.length <= limit) return { summary: text, clipped: false };
  let kept = '';
  for (const character of text) {
    if (kept.length + character.length > limit - mark.length) break;
    kept += character;
  }
  return { summary: `${kept}${mark}`, clipped: true };
}

import type { Say } from '../blocks/message.ts';
import { plainText } from '../blocks/plain-text.ts';
import { cut, oneLine } from '../core/clean-text.ts';
import { describeError } from '../core/errors.ts';
import { levels } from '../core/manifest.ts';
import { checkClaim } from '../core/review-draft.ts';
import { everybody } from './plans.ts';
import { type Asked, publishing, type ReviewDeps, reviewOf } from './review.ts';
import { type Draft, draftMessage, noDraft } from './review-draft-words.ts';
import { namesFor, reviewTitle } from './review-text.ts';
import { noSuchIncident, type Review, reviewFailed, reviewMessage, sectionsOf } from './review-words.ts';

/** The prose of a review by a model. Code holds every claim against the records that it names. */

/** Maximum records that a model sees, and characters of one. */
const maxRecords = 100;
const maxRecord = 240;

/** The timeline or the review of an incident, for the person alone; after a review comes its draft by the model. */
export async function tellReview(
  { userId, channel, incident }: Asked,
  which: 'timeline' | 'review',
  deps: ReviewDeps,
  say: Say,
): Promise<void> {
  const review = await reviewOf(userId, incident, deps);
  if (review === null) return say(noSuchIncident(incident));
  if ('why' in review) return say(reviewFailed(review.why));
  await say(reviewMessage(review, which, publishing(channel, deps)));
  const drafted = which === 'review' ? await draftOf(incident, deps) : null;
  if (drafted === null) return;
  await say(
    'why' in drafted ? noDraft(drafted.why) : draftMessage(drafted.draft, reviewTitle(review, 'review')),
  );
}

/**
 * Null without a model, which is an outside service: it sees what everybody may read and no channel above `internal`.
 * The same draft is shown to all and published.
 */
export async function draftOf(
  incident: string,
  deps: ReviewDeps,
): Promise<{ readonly draft: Draft } | { readonly why: string } | null> {
  if (deps.draft === null) return null;
  const { catalogue, log } = deps;
  const isCleared = (channel: string) => {
    const known = catalogue.channels.filter(({ id }) => id === channel);
    return known.every(({ clearance }) => levels.indexOf(clearance) <= levels.indexOf('internal'));
  };
  const review = await reviewOf(everybody, incident, {
    ...deps,
    maySee: async (viewer, channel) => isCleared(channel) && deps.maySee(viewer, channel),
  });
  if (review === null || 'why' in review) return null;
  const records = recordsOf(review, await namesFor(review, deps));
  try {
    const claims = await deps.draft(records);
    return { draft: claims.map((claim) => checkClaim(claim, records)) };
  } catch (error) {
    const facts = describeError(error);
    log.warn(facts, 'A review has no draft');
    return { why: facts.message };
  }
}

/** The lines of the review below the incident itself; the beginning and the end of a long one. */
function recordsOf(review: Review, nameOf: (id: string) => string): string[] {
  const { number, title, state } = review.life;
  const incident = `Incident #${number} “${cut(oneLine(title), maxRecord)}” is ${state}.`;
  const all = sectionsOf(review, 'review')
    .filter(({ title: heading }) => heading !== 'Proof')
    .flatMap(({ title: heading, rows }) => rows.map((row) => `${heading}: ${plainText(row, nameOf)}`))
    .map((record) => cut(oneLine(record), maxRecord));
  const half = maxRecords / 2;
  return [incident, ...(all.length <= maxRecords ? all : [...all.slice(0, half), ...all.slice(-half)])];
}

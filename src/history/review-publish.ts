import type { Message } from '../blocks/message.ts';
import { plainText } from '../blocks/plain-text.ts';
import { cut, oneLine } from '../core/clean-text.ts';
import { type Plan, type Step, textParts } from '../core/plan.ts';
import { planTitle } from '../core/title.ts';
import { everybody } from './plans.ts';
import { publishing, type ReviewDeps, reviewOf } from './review.ts';
import { draftOf } from './review-draft.ts';
import { summaryOnly } from './review-draft-words.ts';
import { namesFor, reviewText, reviewTitle } from './review-text.ts';
import {
  noOpenEnds,
  noSuchIncident,
  openEnds,
  type PublishPlace,
  type Review,
  reviewFailed,
} from './review-words.ts';

/** The plans that publish a review. Each is a card with its whole text, to be approved like any other. */

/** The plan that publishes a review as it stands now, or why there is none. It has only what all readers of the place may read. */
export async function publishPlan(
  { channel, incident, to }: { channel: string; incident: string; to: PublishPlace },
  deps: ReviewDeps,
): Promise<{ readonly goal: string; readonly plan: Plan } | { readonly message: Message }> {
  const facts = await reviewOf(everybody, incident, {
    ...deps,
    maySee: async (viewer, other) => (isIn(to) && other === channel) || deps.maySee(viewer, other),
  });
  if (facts === null) return { message: noSuchIncident(incident) };
  if ('why' in facts) return { message: reviewFailed(facts.why) };
  const place = publishing(channel, deps)[to];
  if (place === null) return { message: reviewFailed('That place is not in countersign.yml.') };
  const drafted = to === 'ends' ? null : await draftOf(incident, deps);
  const review = { ...facts, draft: drafted !== null && 'draft' in drafted ? drafted.draft : null };
  const nameOf = await namesFor(review, deps);
  const calls = callsFor[to]({ review, place, nameOf, maxWrites: deps.maxWrites() });
  if (calls.length === 0) return { message: noOpenEnds() };
  const steps = calls.map(stepOf);
  const goal = reviewTitle(review, 'review');
  const summary = planTitle(steps, deps.catalogue.manifests);
  return { goal, plan: { goal, summary, inputs: [], assumptions: [], steps, success: [] } };
}

/** Read by the members of the channel alone. */
const isIn = (to: PublishPlace): boolean => to === 'channel' || to === 'canvas';

interface Published {
  readonly review: Review;
  readonly place: string;
  nameOf(id: string): string;
  readonly maxWrites: number;
}

interface Call {
  readonly tool: string;
  readonly args: Step['args'];
}

/** Characters of a review: a post and a ticket's description hold as many, a page and a canvas more. */
const room = 2_900;
const pageRoom = 15_000;
/** Maximum tickets of one card. */
const maxTickets = 10;

const callsFor: Readonly<Record<PublishPlace, (of: Published) => readonly Call[]>> = {
  channel: ({ review, place, nameOf }) => [
    {
      tool: 'slack.post',
      args: { channel: `#${place}`, text: shortText(review, nameOf) },
    },
  ],
  ticket: ({ review, place, nameOf }) => [
    {
      tool: 'jira.create',
      args: {
        project: place,
        summary: reviewTitle(review, 'review'),
        text: shortText(review, nameOf),
      },
    },
  ],
  canvas: (of) => [{ tool: 'slack.canvas', args: { channel: `#${of.place}`, ...document(of) } }],
  page: (of) => [{ tool: 'confluence.create_page', args: { space: of.place, ...document(of) } }],
  ends: (of) => {
    const all = openEnds(of.review).map((row) => oneLine(plainText(row, of.nameOf)));
    return [...new Set(all)].slice(0, Math.min(maxTickets, of.maxWrites)).map((end) => ticketAbout(end, of));
  },
};

function shortText(review: Review, nameOf: Published['nameOf']): string {
  const { draft } = review;
  const short = { ...review, draft: draft ? summaryOnly(draft) : null };
  return reviewText(short, nameOf, { page: false, room });
}

function document({ review, nameOf }: Published): Step['args'] {
  const text = textParts(reviewText(review, nameOf, { page: true, room: pageRoom }));
  return { title: reviewTitle(review, 'review'), text };
}

function ticketAbout(end: string, { review, place }: Published): Call {
  const text = [end, '', `An open end of: ${reviewTitle(review, 'review')}`, review.life.url]
    .join('\n')
    .trim();
  const summary = cut(`#${review.life.number}: ${end}`, 250);
  return { tool: 'jira.create', args: { project: place, summary, text: cut(text, room) } };
}

function stepOf({ tool, args }: Call, index: number, { length }: readonly Call[]): Step {
  const id = `${tool.slice(tool.indexOf('.') + 1)}${index === 0 ? '' : index + 1}`;
  // A ticket that cannot be made is no reason to leave out the others.
  const onError = length > 1 ? 'continue' : 'stop';
  return { id, tool, why: 'asked for by a button', args, needs: [], onError, onSkip: 'skip' };
}

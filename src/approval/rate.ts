import type { FormValues } from '../blocks/form-values.ts';
import { viewIds } from '../blocks/ids.ts';
import { textInput } from '../blocks/inputs.ts';
import { plain } from '../blocks/layout.ts';
import type { Modal, Say } from '../blocks/message.ts';
import { readRating } from '../blocks/rating.ts';
import { line, rich } from '../blocks/rich.ts';
import { cut, oneLine } from '../core/clean-text.ts';
import { explain, rate } from '../store/ratings.ts';
import { auditRefusal } from './audit-refusal.ts';
import type { ApprovalContext } from './context.ts';
import { type Click, findForMember, foundOrTold } from './find-revision.ts';

/** A plan that may be rated: answered, or approved. */
const ratable = ['answered', 'approved'] as const;

/** Stores a rating. Returns the form that asks why, if it was not helpful. */
export async function rateByClick(click: Click, context: ApprovalContext, say: Say): Promise<Modal | null> {
  const { db, teamId, now } = context;
  const { rating, value } = readRating(click.value) ?? { rating: 'helpful', value: '' };
  const found = await auditRefusal(
    'rate',
    click,
    context,
    await findForMember({ ...click, value }, context, ratable),
  );
  const stored = await foundOrTold(found, say);
  if (stored === null) return null;
  const { digest, sealed } = stored.revision;
  const { requestId, number } = sealed;
  await rate(db, { teamId, requestId, number, digest, rating, userId: click.userId, at: now() });
  return rating === 'unhelpful' ? whyModal(value, sealed.plan.summary) : null;
}

const whyBlock = 'why';
const maxWhy = 300;

function whyModal(value: string, summary: string): Modal {
  return {
    type: 'modal',
    callback_id: viewIds.rate,
    private_metadata: value,
    title: plain('What went wrong?', 24),
    submit: plain('Send', 24),
    close: plain('Not now', 24),
    blocks: [
      rich([line(cut(oneLine(summary), 200))]),
      textInput({
        blockId: whyBlock,
        label: 'In one line',
        hint: 'Your rating counts either way. Operators read this in the report, without your name.',
        optional: true,
        max: maxWhy,
      }),
    ],
  };
}

/** Keeps the reason that a person gives for their rating; nothing was written is no reason. */
export async function explainRating(
  click: Click,
  values: FormValues,
  context: ApprovalContext,
  say: Say,
): Promise<void> {
  const given = values.get(whyBlock);
  const why = typeof given === 'string' ? cut(oneLine(given), maxWhy) : '';
  if (why === '') return;
  const found = await auditRefusal('rate', click, context, await findForMember(click, context, ratable));
  const stored = await foundOrTold(found, say);
  if (stored === null) return;
  const { requestId, number } = stored.revision.sealed;
  await explain(context.db, { teamId: context.teamId, requestId, number, userId: click.userId, why });
}

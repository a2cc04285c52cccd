import { writeCardRef } from '../blocks/card-ref.ts';
import type { FormValues } from '../blocks/form-values.ts';
import { viewIds } from '../blocks/ids.ts';
import { textInput } from '../blocks/inputs.ts';
import { plain } from '../blocks/layout.ts';
import type { Modal } from '../blocks/message.ts';
import { line, rich } from '../blocks/rich.ts';
import { cut, oneLine } from '../core/clean-text.ts';
import type { Revision } from '../core/revision.ts';

const reasonBlock = 'reason';
const maxReason = 500;

/** Asks for the reason, which the requester reads on the card. */
export function rejectModal(revision: Revision): Modal {
  return {
    type: 'modal',
    callback_id: viewIds.reject,
    private_metadata: writeCardRef(revision),
    title: plain('Reject this plan', 24),
    submit: plain('Reject', 24),
    close: plain('Back', 24),
    blocks: [
      rich([line(cut(oneLine(revision.sealed.plan.summary), 200))]),
      textInput({
        blockId: reasonBlock,
        label: 'Why?',
        hint: 'Everybody in the channel sees it.',
        multiline: true,
        max: maxReason,
      }),
    ],
  };
}

/** The reason, or the error for its field. */
export function readReject(
  values: FormValues,
): { ok: true; reason: string } | { ok: false; errors: Record<string, string> } {
  const given = values.get(reasonBlock);
  const reason = typeof given === 'string' ? cut(oneLine(given), maxReason) : '';
  if (reason !== '') return { ok: true, reason };
  return { ok: false, errors: { [reasonBlock]: 'Give a short reason.' } };
}

import { writeCardRef } from '../blocks/card-ref.ts';
import { actionIds } from '../blocks/ids.ts';
import { actions, button, confirmation } from '../blocks/layout.ts';
import type { Block } from '../blocks/message.ts';

/** Stops the run of a revision, after a confirmation. */
export function stopButton(revision: Parameters<typeof writeCardRef>[0], blockId: string): Block {
  const confirm = confirmation({
    title: 'Stop this run?',
    text: 'What is already on its way may still arrive. What was already done stays done.',
    yes: 'Stop it',
    no: 'Keep running',
    style: 'danger',
  });
  const value = writeCardRef(revision);
  return actions(
    [button({ text: 'Stop', action: actionIds.cancel, value, style: 'danger', confirm })],
    blockId,
  );
}

import { plain } from '../../blocks/layout.ts';
import type { Modal } from '../../blocks/message.ts';
import { note } from '../../blocks/note.ts';
import { line, rich } from '../../blocks/rich.ts';
import { describeError } from '../../core/errors.ts';
import type { Log } from '../../core/log.ts';
import type { Respond } from './respond.ts';

/** Why a workspace is not served: it is not configured, the bot is not installed there (any more), or it is broken. */
export type Absence = 'unnamed' | 'not-installed' | 'broken';

/** The messages people see there. */
export const absenceWords: Readonly<Record<Absence, string>> = {
  unnamed:
    'Countersign is not set up for this workspace. Its operator can name it under workspaces in countersign.yml.',
  'not-installed':
    'Countersign is not installed in this workspace. Ask its operator for the address to install it.',
  broken:
    'Countersign does not work in this workspace now, and nothing was done. Its operator sees the reason in its log and with `doctor`.',
};

/** Shown instead of a form. */
export function absenceView(absence: Absence): Modal {
  return {
    type: 'modal',
    title: plain('Not set up here', 24),
    close: plain('Close', 24),
    blocks: [rich([line(absenceWords[absence])])],
  };
}

/** Tells the person who clicked; there is no token, only the response address of the click. */
export async function tellAbsence(body: unknown, words: string, respond: Respond, log: Log): Promise<void> {
  const isFields = typeof body === 'object' && body !== null;
  const address = isFields && 'response_url' in body ? body.response_url : undefined;
  if (typeof address !== 'string') return;
  await respond(address, note([words])).catch((error: unknown) =>
    log.warn(describeError(error), 'A click from elsewhere was not answered'),
  );
}

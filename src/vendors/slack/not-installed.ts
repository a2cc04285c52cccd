import { plain } from '../../blocks/layout.ts';
import type { Modal } from '../../blocks/message.ts';
import { note } from '../../blocks/note.ts';
import { line, rich } from '../../blocks/rich.ts';
import { describeError } from '../../core/errors.ts';
import type { Log } from '../../core/log.ts';
import type { Respond } from './respond.ts';

/** What people hear in a workspace in which nobody set the bot up, or no longer. */
export const notInstalled =
  'Countersign is not set up for this workspace. Its operator can name it under workspaces in countersign.yml.';

/** In the place of a form. */
export function notInstalledView(): Modal {
  return {
    type: 'modal',
    title: plain('Not set up here', 24),
    close: plain('Close', 24),
    blocks: [rich([line(notInstalled)])],
  };
}

/** Tells whoever clicked; there is no token to say it with, only the address that came with the click. */
export async function tellNotInstalled(body: unknown, respond: Respond, log: Log): Promise<void> {
  const isFields = typeof body === 'object' && body !== null;
  const address = isFields && 'response_url' in body ? body.response_url : undefined;
  if (typeof address !== 'string') return;
  await respond(address, note([notInstalled])).catch((error: unknown) =>
    log.warn(describeError(error), 'A click from elsewhere was not answered'),
  );
}

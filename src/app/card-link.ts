import { VendorError } from '../core/errors.ts';
import type { RevisionRow } from '../store/tables.ts';
import type { SlackGateway } from '../vendors/slack/gateway.ts';

/**
 * The address of a revision's card. Null when it has none, or Slack does not tell: cards can be deleted, channels can
 * go, and what the link is for is worth more than the link. `whenGone`: Slack says that it was deleted.
 */
export async function cardLink(
  gateway: Pick<SlackGateway, 'permalink'>,
  row: Pick<RevisionRow, 'cardChannel' | 'cardTs'> | null,
  whenGone: () => Promise<void> = () => Promise.resolve(),
): Promise<string | null> {
  if (!row?.cardChannel || !row.cardTs) return null;
  try {
    return await gateway.permalink(row.cardChannel, row.cardTs);
  } catch (error) {
    if (!(error instanceof VendorError)) throw error;
    if (error.code === 'slack_message_not_found') await whenGone();
    return null;
  }
}

import { VendorError } from '../src/core/errors.ts';
import type { ReadContext } from '../src/core/tool.ts';

/** Slack handle of a person. Good to know and no more: null where Slack cannot be asked. */
export async function handleOf(
  email: string,
  { readers }: Pick<ReadContext, 'readers'>,
): Promise<string | null> {
  try {
    return email === '' ? null : await readers.slack.handleOf(email);
  } catch (error) {
    if (error instanceof VendorError) return null;
    throw error;
  }
}

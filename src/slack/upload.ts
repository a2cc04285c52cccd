import { VendorError } from '../core/errors.ts';
import { attempt } from './attempts.ts';
import type { Call } from './call.ts';
import { assertSlackAddress } from './origins.ts';

/** Puts a text file into a thread, in Slack's three steps. The middle one goes to an address that Slack names. */
export async function uploadText(
  by: {
    readonly call: Call;
    readonly apiUrl: string;
    readonly fetch: typeof globalThis.fetch;
    readonly timeoutMs: number;
  },
  file: {
    readonly channel: string;
    readonly threadTs: string | null;
    readonly name: string;
    readonly title: string;
    readonly text: string;
  },
): Promise<void> {
  const bytes = Buffer.from(file.text, 'utf8');
  const ask = { filename: file.name, length: bytes.length };
  const slot = await by.call('files.getUploadURLExternal', 'again', (c) => c.files.getUploadURLExternal(ask));
  const { upload_url: address = '', file_id: id = '' } = slot;
  assertSlackAddress(address, by.apiUrl);
  await attempt('file upload', 'again', async () => {
    const signal = AbortSignal.timeout(by.timeoutMs);
    const headers = { 'content-type': 'application/octet-stream' };
    const answer = await by.fetch(address, {
      method: 'POST',
      headers,
      body: bytes,
      redirect: 'error',
      signal,
    });
    await answer.arrayBuffer();
    if (answer.ok) return;
    throw new VendorError('slack_upload', `Slack did not take the file (status ${answer.status}).`, {
      retryable: answer.status >= 500,
      mayHaveHappened: false,
    });
  });
  const files: [{ id: string; title: string }] = [{ id, title: file.title }];
  const { channel, threadTs } = file;
  await by.call('files.completeUploadExternal', 'once', (client) =>
    threadTs
      ? client.files.completeUploadExternal({ files, channel_id: channel, thread_ts: threadTs })
      : client.files.completeUploadExternal({ files, channel_id: channel }),
  );
}

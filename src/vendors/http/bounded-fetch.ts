import { badAnswer } from './no-answer.ts';

/** More than any answer that is read completely. */
const maxBytes = 2_000_000;
const withoutBody: ReadonlySet<number> = new Set([204, 205, 304]);

/** For libraries that read answers of any length and follow redirects: this follows none, and reads a bounded answer. */
export const boundedFetch: typeof fetch = async (input, init = {}) => {
  const { body, status, statusText, headers } = await fetch(input, { redirect: 'manual', ...init });
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body ?? []) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > maxBytes) throw new TypeError('the answer is too long');
  }
  const read = withoutBody.has(status) ? null : Buffer.concat(chunks);
  return new Response(read, { status, statusText, headers });
};

/** The body as text, read piece by piece. Throws a VendorError when it is longer than `max` characters. */
export async function boundedText(
  response: Response,
  { vendor, max, write = false }: { readonly vendor: string; readonly max: number; readonly write?: boolean },
): Promise<string> {
  if (response.body === null) return '';
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of response.body) {
    text += decoder.decode(chunk, { stream: true });
    if (text.length > max) throw badAnswer(vendor, 'it is too long', { write });
  }
  return text + decoder.decode();
}

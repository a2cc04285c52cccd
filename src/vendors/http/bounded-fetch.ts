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

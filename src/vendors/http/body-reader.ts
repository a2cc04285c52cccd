import type { IncomingMessage } from 'node:http';

export type Body = { readonly ok: true; readonly bytes: Buffer } | { readonly ok: false };

/**
 * Reads request bodies before the sender is verified, so memory has two limits: `maxBytes` for one body, and
 * `maxTotalBytes` for all unfinished ones. Above that, the oldest unfinished one is cut: vendors’ bodies arrive in one
 * go.
 */
export function createBodyReader(limits: { readonly maxBytes: number; readonly maxTotalBytes: number }) {
  const unfinished = new Map<IncomingMessage, number>();
  let total = 0;

  function hold(request: IncomingMessage, bytes: number): void {
    unfinished.set(request, (unfinished.get(request) ?? 0) + bytes);
    total += bytes;
    for (const [oldest] of unfinished) {
      if (total <= limits.maxTotalBytes) return;
      release(oldest);
      oldest.destroy();
    }
  }

  function release(request: IncomingMessage): void {
    total -= unfinished.get(request) ?? 0;
    unfinished.delete(request);
  }

  /** Not `ok` when the body is too long. Rejects when the connection breaks or is cut. */
  return async function readBody(request: IncomingMessage): Promise<Body> {
    if (Number(request.headers['content-length'] ?? 0) > limits.maxBytes) return { ok: false };
    const chunks: Buffer[] = [];
    let size = 0;
    try {
      // Ending the loop must not destroy the socket: the response is still sent on it.
      for await (const chunk of request.iterator({ destroyOnReturn: false })) {
        const bytes: Buffer = chunk;
        size += bytes.length;
        if (size > limits.maxBytes) return { ok: false };
        hold(request, bytes.length);
        chunks.push(bytes);
      }
      return { ok: true, bytes: Buffer.concat(chunks) };
    } finally {
      release(request);
    }
  };
}

import { createHmac, timingSafeEqual } from 'node:crypto';

export type SignatureVerdict = 'genuine' | 'missing' | 'stale' | 'forged';

const windowSeconds = 5 * 60;

interface SignatureHeaders {
  /** The header values. */
  readonly timestamp: string | undefined;
  readonly signature: string | undefined;
  readonly nowMs: number;
}

/**
 * Checks the headers alone, before a byte of the body is read: the signature is well-formed, and the timestamp is
 * within five minutes of now, in either direction. (Bolt's own check accepts future timestamps.)
 */
export function checkHeaders({
  timestamp,
  signature,
  nowMs,
}: SignatureHeaders): 'plausible' | 'missing' | 'stale' {
  if (!timestamp || !signature || !/^\d{1,12}$/.test(timestamp)) return 'missing';
  if (!/^v0=[0-9a-f]{64}$/.test(signature)) return 'missing';
  return Math.abs(nowMs / 1000 - Number(timestamp)) > windowSeconds ? 'stale' : 'plausible';
}

/** Whether Slack signed exactly these bytes within five minutes of now. */
export function checkSignature(
  of: SignatureHeaders & { readonly secret: string; readonly body: Buffer },
): SignatureVerdict {
  const headers = checkHeaders(of);
  if (headers !== 'plausible') return headers;
  const expected = createHmac('sha256', of.secret)
    .update(`v0:${of.timestamp}:`)
    .update(of.body)
    .digest('hex');
  const given = Buffer.from(of.signature ?? '');
  const wanted = Buffer.from(`v0=${expected}`);
  return given.length === wanted.length && timingSafeEqual(given, wanted) ? 'genuine' : 'forged';
}

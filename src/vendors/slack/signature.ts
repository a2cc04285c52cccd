import { createHmac, timingSafeEqual } from 'node:crypto';

export type SignatureVerdict = 'genuine' | 'missing' | 'stale' | 'forged';

const windowSeconds = 5 * 60;

/**
 * Whether Slack signed these very bytes within five minutes of now, on either side. (Bolt's own check lets
 * timestamps of the future pass.) `timestamp` and `signature` are the header values.
 */
export function checkSignature(of: {
  readonly secret: string;
  readonly timestamp: string | undefined;
  readonly signature: string | undefined;
  readonly body: Buffer;
  readonly nowMs: number;
}): SignatureVerdict {
  const { timestamp, signature } = of;
  if (!timestamp || !signature || !/^\d{1,12}$/.test(timestamp)) return 'missing';
  if (Math.abs(of.nowMs / 1000 - Number(timestamp)) > windowSeconds) return 'stale';
  const expected = createHmac('sha256', of.secret).update(`v0:${timestamp}:`).update(of.body).digest('hex');
  const given = Buffer.from(signature);
  const wanted = Buffer.from(`v0=${expected}`);
  return given.length === wanted.length && timingSafeEqual(given, wanted) ? 'genuine' : 'forged';
}

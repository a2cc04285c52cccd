import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { oneHeader } from '../http/door.ts';
import type { DoorAuth } from './door.ts';

/** Seconds by which a signed time may differ from ours. */
const maxSkewSeconds = 300;

/** Whether the headers are worth reading the body for. */
export function isAdmitted(request: IncomingMessage, auth: DoorAuth): boolean {
  switch (auth.kind) {
    case 'bearer':
      return isSame(oneHeader(request, 'authorization')?.replace(/^bearer /i, ''), auth.secret);
    case 'basic': {
      const given = oneHeader(request, 'authorization')?.replace(/^basic /i, '') ?? '';
      return isSame(Buffer.from(given, 'base64').toString(), auth.secret);
    }
    case 'hmac':
      return signatureIn(request, auth.header) !== null;
    case 'sns':
      return oneHeader(request, 'x-amz-sns-message-type') !== undefined;
  }
}

/** Whether the body is signed with the secret, where the door asks for that; SNS is checked by its own rules. */
export function isSigned(body: Buffer, request: IncomingMessage, auth: DoorAuth, now: Date): boolean {
  if (auth.kind !== 'hmac') return auth.kind !== 'sns';
  const given = signatureIn(request, auth.header);
  const mac = createHmac('sha256', auth.secret);
  if (auth.timestampHeader !== null) {
    const time = oneHeader(request, auth.timestampHeader.toLowerCase()) ?? '';
    const skew = Math.abs(Number(time) - now.getTime() / 1_000);
    if (!/^\d{9,11}$/.test(time) || skew > maxSkewSeconds) return false;
    mac.update(`${time}:`);
  }
  return given !== null && isSame(given, mac.update(body).digest('hex'));
}

function signatureIn(request: IncomingMessage, header: string): string | null {
  const given = oneHeader(request, header.toLowerCase())
    ?.replace(/^sha256=/, '')
    .toLowerCase();
  return given !== undefined && /^[0-9a-f]{64}$/.test(given) ? given : null;
}

/** Takes the same time for every value given, whatever its length. */
function isSame(given: string | undefined, wanted: string): boolean {
  const digest = (of: string) => createHash('sha256').update(of).digest();
  return timingSafeEqual(digest(given ?? ''), digest(wanted));
}

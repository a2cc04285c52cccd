import { createVerify, X509Certificate } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { VendorError } from '../../core/errors.ts';
import { parseJson } from '../../core/json.ts';

const types = ['Notification', 'SubscriptionConfirmation', 'UnsubscribeConfirmation'] as const;
const messageSchema = z.object({
  Type: z.enum(types),
  MessageId: z.string().max(200),
  TopicArn: z.string().max(500),
  Subject: z.string().nullish(),
  Message: z.string(),
  Timestamp: z.string().max(100),
  SignatureVersion: z.enum(['1', '2']),
  Signature: z.base64().max(2_000),
  SigningCertURL: z.string().max(500),
  SubscribeURL: z.string().nullish(),
  Token: z.string().max(2_000).nullish(),
});
export type SnsMessage = z.infer<typeof messageSchema>;

/** A message to one of these topics, not verified yet; null for anything else. */
export function readSns(body: string, topics: readonly string[]): SnsMessage | null {
  const { data } = messageSchema.safeParse(parseJson(body));
  return data !== undefined && topics.includes(data.TopicArn) ? data : null;
}

export interface SnsAccess {
  readonly fetch: typeof fetch;
}

const waitMs = 4_000;
/** Replayed messages that are older are refused: SNS retries for an hour. */
const maxAgeMs = 3_600_000 + 300_000;
const certificates = new LRUCache<string, string>({ max: 20, ttl: 24 * 3_600_000 });

/** Whether SNS signed it. Throws a VendorError when its certificate cannot be fetched. */
export async function isSignedBySns(message: SnsMessage, access: SnsAccess, now: Date): Promise<boolean> {
  const address = certificateAddress(message);
  const age = now.getTime() - Date.parse(message.Timestamp);
  if (address === null || !(Math.abs(age) <= maxAgeMs)) return false;
  const certificate = certificates.get(address) ?? (await fetchText(address, access));
  try {
    const key = new X509Certificate(certificate).publicKey;
    const algorithm = message.SignatureVersion === '1' ? 'RSA-SHA1' : 'RSA-SHA256';
    const verify = createVerify(algorithm).update(signedText(message));
    if (!verify.verify(key, message.Signature, 'base64')) return false;
  } catch {
    // No certificate, or no key that can verify: it proves nothing.
    return false;
  }
  certificates.set(address, certificate);
  return true;
}

/** Confirms a subscription; the address is made of the operator's own topic, not of the one in the message. */
export async function confirmSubscription(message: SnsMessage, access: SnsAccess): Promise<void> {
  const query = new URLSearchParams({
    ...{ Action: 'ConfirmSubscription', TopicArn: message.TopicArn, Token: message.Token ?? '' },
    Version: '2010-03-31',
  });
  await fetchText(`${endpointOf(message)}/?${query}`, access);
}

function endpointOf({ TopicArn: arn }: SnsMessage): string {
  const region = arn.split(':')[3] ?? '';
  return `https://sns.${region}.amazonaws.com${region.startsWith('cn-') ? '.cn' : ''}`;
}

/** Only a certificate of SNS itself, in the topic's region; null for any other address. */
function certificateAddress(message: SnsMessage): string | null {
  const { pathname, origin } = URL.canParse(message.SigningCertURL)
    ? new URL(message.SigningCertURL)
    : { pathname: '', origin: '' };
  const own = endpointOf(message);
  if (origin !== own || !/^\/SimpleNotificationService-[0-9a-f]{8,64}\.pem$/.test(pathname)) return null;
  return `${own}${pathname}`;
}

async function fetchText(address: string, access: SnsAccess): Promise<string> {
  const failed = { retryable: true, mayHaveHappened: false };
  try {
    const answer = await access.fetch(address, { redirect: 'manual', signal: AbortSignal.timeout(waitMs) });
    if (answer.ok) return await answer.text();
    throw new VendorError('sns_refused', `SNS answered ${answer.status}.`, failed);
  } catch (error) {
    if (error instanceof VendorError) throw error;
    throw new VendorError('sns_unreachable', 'SNS cannot be reached.', { ...failed, cause: error });
  }
}

/** The fields that SNS signs, in its order. */
function signedText(message: SnsMessage): string {
  const names =
    message.Type === 'Notification'
      ? (['Message', 'MessageId', 'Subject', 'Timestamp', 'TopicArn', 'Type'] as const)
      : (['Message', 'MessageId', 'SubscribeURL', 'Timestamp', 'Token', 'TopicArn', 'Type'] as const);
  return names
    .flatMap((name) => (typeof message[name] === 'string' ? [`${name}\n${message[name]}\n`] : []))
    .join('');
}

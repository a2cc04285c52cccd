import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { StoreError } from './errors.ts';

/** Encryption keys for tokens. Access to the database or a backup alone cannot reveal them. */
export interface TokenKeys {
  /** Encrypts with the newest key. `owner` is the token's owner: it decrypts for nobody else. */
  seal(token: string, owner: string): string;
  /** Throws StoreError `token_key` when we do not have the key, `token_broken` when the text was changed. */
  open(sealed: string, owner: string): string;
  /** Whether it was encrypted with the newest key. */
  isCurrent(sealed: string): boolean;
}

interface Key {
  /** Reveals nothing about the key. */
  readonly id: string;
  readonly bytes: Buffer;
}

const algorithm = 'aes-256-gcm';
const [nonceBytes, tagBytes] = [12, 16];

/** Keys from comma-separated secrets; the first encrypts, and all of them decrypt. */
export function tokenKeys(secrets: string): TokenKeys {
  const keys = secrets
    .split(',')
    .map((secret) => secret.trim())
    .filter((secret) => secret !== '')
    .map(keyOf);
  const [newest] = keys;
  if (newest === undefined) throw new TypeError('there is no key to encrypt with');
  return {
    seal(token, owner) {
      const nonce = randomBytes(nonceBytes);
      const cipher = createCipheriv(algorithm, newest.bytes, nonce, { authTagLength: tagBytes });
      cipher.setAAD(Buffer.from(owner));
      const text = Buffer.concat([cipher.update(token, 'utf8'), cipher.final()]);
      const whole = Buffer.concat([nonce, cipher.getAuthTag(), text]);
      return `${newest.id}.${whole.toString('base64url')}`;
    },
    open(sealed, owner) {
      const [id, whole = ''] = sealed.split('.');
      const key = keys.find((one) => one.id === id);
      if (key === undefined) throw new StoreError('token_key', missing(owner), { team: owner });
      return decrypt(Buffer.from(whole, 'base64url'), key, owner);
    },
    isCurrent: (sealed) => sealed.startsWith(`${newest.id}.`),
  };
}

function keyOf(secret: string): Key {
  const derive = (use: string, bytes: number) =>
    Buffer.from(hkdfSync('sha256', secret, '', `countersign token ${use}`, bytes));
  return { id: derive('id', 4).toString('hex'), bytes: derive('key', 32) };
}

function decrypt(whole: Buffer, { bytes }: Key, owner: string): string {
  try {
    const nonce = whole.subarray(0, nonceBytes);
    const decipher = createDecipheriv(algorithm, bytes, nonce, { authTagLength: tagBytes });
    decipher.setAAD(Buffer.from(owner));
    decipher.setAuthTag(whole.subarray(nonceBytes, nonceBytes + tagBytes));
    const text = whole.subarray(nonceBytes + tagBytes);
    return Buffer.concat([decipher.update(text), decipher.final()]).toString('utf8');
  } catch (error) {
    throw new StoreError('token_broken', broken(owner), { team: owner }, error);
  }
}

const missing = (owner: string) =>
  `The token of ${owner} is encrypted under a key that TOKEN_KEY does not have. Put that key behind the new one, with a comma, or install the bot there again.`;
const broken = (owner: string) =>
  `The token of ${owner} was changed in the database and cannot be read. Install the bot there again.`;

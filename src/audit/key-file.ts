import { randomBytes } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { StoreError } from '../store/errors.ts';
import { readSecret, secretFile } from '../store/secret-file.ts';
import { minKeyLength } from './key.ts';

export function auditKeyFile(folder: string): string {
  return path.join(folder, 'audit-key');
}

/** The audit key, kept in a folder outside the database and created at the first start. Throws `audit_key_unusable`. */
export function makeAuditKey(folder: string): Promise<string> {
  return usable(folder, async (file) => {
    await mkdir(folder, { recursive: true });
    return secretFile(file, () => randomBytes(32).toString('hex'));
  });
}

/** Like `makeAuditKey`, but null when there is no key yet. Throws `audit_key_unusable`. */
export function readAuditKey(folder: string): Promise<string | null> {
  return usable(folder, readSecret);
}

async function usable<Key extends string | null>(
  folder: string,
  read: (file: string) => Promise<Key>,
): Promise<Key> {
  const file = auditKeyFile(folder);
  const unusable = (why: string, cause?: unknown) =>
    new StoreError('audit_key_unusable', `The audit key in ${file} ${why}.`, { file }, cause);
  let key: Key;
  try {
    key = await read(file);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
    throw unusable(
      `cannot be read or made (${code}); set AUDIT_KEY, or DATA_DIR to a folder of yours`,
      error,
    );
  }
  if (key !== null && key.length < minKeyLength)
    throw unusable('is too short; restore the file from a backup');
  return key;
}

import { createHmac, hkdfSync } from 'node:crypto';
import type { KyselyPlugin, PluginTransformQueryArgs, PluginTransformResultArgs } from 'kysely';
import type { Db } from './tables.ts';

/** What the lines of the audit log are signed with. Whoever has only the database cannot make such a line. */
export interface AuditKey {
  /** Names the key in each line without telling anything about it. */
  readonly id: string;
  mac(text: string): string;
}

/** The key that signs new lines, and older ones that still verify theirs. */
export interface AuditKeys {
  /** Null where nothing is signed: then only lines from before there were keys can be checked. */
  readonly current: AuditKey | null;
  find(id: string): AuditKey | null;
}

/** The shortest secret that is taken; 64 hex characters are usual. */
export const minKeyLength = 32;

/** Keys of these secrets; the first signs. */
export function auditKeys(secrets: readonly string[]): AuditKeys {
  const keys = secrets.map(keyOf);
  return { current: keys[0] ?? null, find: (id) => keys.find((key) => key.id === id) ?? null };
}

export const noAuditKeys: AuditKeys = auditKeys([]);

function keyOf(secret: string): AuditKey {
  const derive = (use: string) => Buffer.from(hkdfSync('sha256', secret, '', `countersign audit ${use}`, 32));
  const signing = derive('line');
  return {
    id: derive('id').toString('hex').slice(0, 8),
    mac: (text) => createHmac('sha256', signing).update(text, 'utf8').digest('hex'),
  };
}

/**
 * Carries the keys with a pool into every transaction on it, so that `audit.append` needs no further argument and
 * nobody can forget to sign. Changes no query.
 */
class KeyCarrier implements KyselyPlugin {
  readonly keys: AuditKeys;

  constructor(keys: AuditKeys) {
    this.keys = keys;
  }

  transformQuery({ node }: PluginTransformQueryArgs) {
    return node;
  }

  transformResult({ result }: PluginTransformResultArgs) {
    return Promise.resolve(result);
  }
}

export function carryKeys(keys: AuditKeys): KyselyPlugin {
  return new KeyCarrier(keys);
}

/** The keys that a pool, or a transaction on it, was opened with. */
export function keysOf(db: Db): AuditKeys {
  const carrier = db.getExecutor().plugins.find((plugin) => plugin instanceof KeyCarrier);
  return carrier?.keys ?? noAuditKeys;
}

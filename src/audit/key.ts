import { createHmac, hkdfSync } from 'node:crypto';
import type { KyselyPlugin, PluginTransformQueryArgs, PluginTransformResultArgs } from 'kysely';
import type { Db } from '../store/tables.ts';

/** Signs the lines of the audit log. Access to the database alone is not enough to forge a line. */
export interface AuditKey {
  /** Identifies the key in each line without revealing anything about it. */
  readonly id: string;
  mac(text: string): string;
}

/** The key that signs new lines, and older keys for verifying earlier ones. */
export interface AuditKeys {
  /** Null where nothing is signed: then only lines from before keys existed can be checked. */
  readonly current: AuditKey | null;
  find(id: string): AuditKey | null;
}

/** Minimum length of a secret; 64 hex characters are usual. */
export const minKeyLength = 32;

/** Keys for these secrets; the first one signs. */
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
 * Attaches the keys to a pool and every transaction on it, so that `audit.append` needs no extra argument and nobody
 * can forget to sign. Changes no query.
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

/** The keys of a pool or a transaction on it. */
export function keysOf(db: Db): AuditKeys {
  const carrier = db.getExecutor().plugins.find((plugin) => plugin instanceof KeyCarrier);
  return carrier?.keys ?? noAuditKeys;
}

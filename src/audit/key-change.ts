import { canonicalJson } from '../core/canonical.ts';
import type { Json } from '../core/json.ts';
import { StoreError } from '../store/errors.ts';
import type { AuditKey, AuditKeys } from './key.ts';

/** A line that says from where on another key signs, and is signed by that one. */
export const keyChanged = 'audit.key_changed';

/** Where in a log one key follows another. */
export interface KeyChange {
  readonly team: string;
  readonly seq: number;
  /** Hash of the line before. */
  readonly prev: string;
  readonly from: string;
  readonly to: string;
}

/** The data in the line of a change: the key before signs it too. Null for a key that was lost. */
export function changeData(change: KeyChange, before: AuditKey | null): Json {
  const { from, to } = change;
  return { from, to, signed: before === null ? null : before.mac(statement(change)) };
}

/** Why a key may not follow the one of the line before; null where it may, or where that one is not given. */
export function wrongChange(
  change: KeyChange,
  { kind, data }: { readonly kind: string; readonly data: Json },
  keys: AuditKeys,
): string | null {
  const before = keys.find(change.from);
  if (before === null) return null;
  const isVouched = kind === keyChanged && canonicalJson(data) === canonicalJson(changeData(change, before));
  return isVouched ? null : `the key changes, and ${change.from} has not signed that`;
}

/** No line of the log has this form, so that the signature of a line is never one of a change. */
function statement({ team, seq, prev, from, to }: KeyChange): string {
  return canonicalJson({ key_change: { team, seq, prev, from, to } });
}

export function keyMissing(team: string, key: string): StoreError {
  const message =
    `The audit log of ${team} is signed with the key ${key}, which AUDIT_KEY does not hold (nor the file audit-key in` +
    ' DATA_DIR): put that key back, or behind the new one and a comma (docs/audit.md).';
  return new StoreError('audit_key_missing', message, { team, key });
}

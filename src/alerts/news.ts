import type { Alert } from '../core/alert.ts';
import type { AlertRow } from '../store/tables.ts';

/** Milliseconds after an end in which a report of the beginning is late, and ignored. */
const lateMs = 300_000;

/** The rows to store, without reports that are older than the stored state. */
export function newsIn(
  given: readonly Alert[],
  before: ReadonlyMap<string, AlertRow>,
  of: { readonly teamId: string; readonly door: string; readonly at: Date },
): AlertRow[] {
  const rows = new Map<string, AlertRow>();
  for (const alert of given) {
    const last = rows.get(alert.fingerprint) ?? before.get(alert.fingerprint);
    const row = rowOf(alert, last, of);
    if (row !== null) rows.set(alert.fingerprint, row);
  }
  return [...rows.values()];
}

/** Null for a report that is older than the last one. */
function rowOf(
  alert: Alert,
  last: AlertRow | undefined,
  { teamId, door, at }: { readonly teamId: string; readonly door: string; readonly at: Date },
): AlertRow | null {
  const { fingerprint, state, labels, title, text, link } = alert;
  const [since, until] = [timeOf(alert.since, at), timeOf(alert.until, at)];
  const row = { teamId, door, fingerprint, problem: null, state, labels, title, text, link, heardAt: at };
  if (state === 'resolved') {
    const ended = until ?? since;
    if (last !== undefined && ended !== null && ended < last.since) return null;
    return { ...row, since: last?.since ?? since ?? at, until: until ?? at };
  }
  if (last?.state === 'firing')
    return { ...row, since: since !== null && since > last.since ? since : last.since, until: null };
  const isOld = last !== undefined && since !== null && since <= (last.until ?? last.since);
  const isLate = isOld && at.getTime() - last.heardAt.getTime() < lateMs;
  return isLate ? null : { ...row, since: since ?? at, until: null };
}

/** Monitoring may have another clock than we. */
function timeOf(said: string | null, now: Date): Date | null {
  if (said === null) return null;
  const at = new Date(said);
  return at > now ? now : at;
}

import type { Json } from '../core/json.ts';
import type { ActiveRun } from './active-run.ts';
import { durably } from './attempt.ts';
import type { AuditEntry } from './ports.ts';

export function audited(run: ActiveRun, kind: string, actor: string, data: Json): AuditEntry {
  const { teamId, runId } = run.key;
  return { teamId, at: run.deps.now(), kind, actor, subject: `run:${runId}`, data };
}

/** Stores what became of a write, and says so in the audit log. */
export async function settle(
  run: ActiveRun,
  key: string,
  state: 'made' | 'failed' | 'unknown',
  evidence: Json,
): Promise<void> {
  const { store, sleep, now } = run.deps;
  await durably(() => store.settle({ key, state, evidence, at: now() }), sleep);
  await durably(() => store.audit(audited(run, `write.${state}`, 'system', { key, evidence })), sleep);
}

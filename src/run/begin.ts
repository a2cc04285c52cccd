import { describeError } from '../core/errors.ts';
import { unseal } from '../core/revision.ts';
import type { RunMode } from '../core/run.ts';
import { durably } from './attempt.ts';
import type { RunKey, RunnerDeps } from './ports.ts';
import { tell } from './tell.ts';

/** What a run is, as far as its row says. */
export interface RunFacts {
  readonly requestId: string;
  readonly number: number;
  readonly mode: RunMode;
  /** ISO 8601 UTC. */
  readonly startedAt: string;
}

/** What the first step of a run found out. Plain JSON, because it is kept for a restart. */
export type Begun =
  | { readonly ok: true; readonly facts: RunFacts; readonly bytes: string; readonly digest: string }
  | { readonly ok: false; readonly facts: RunFacts | null; readonly code: string; readonly message: string };

/**
 * Loads what was approved and checks it: the grant is for this run and these bytes, and the bytes are unchanged. Says
 * that the run has started.
 */
export function begin(deps: RunnerDeps, key: RunKey): Promise<Begun> {
  const { store, now, sleep } = deps;
  return durably(async () => {
    const row = await store.run(key);
    if (row === null) return { ok: false, facts: null, code: 'no_run', message: 'There is no such run.' };
    const { requestId, number, mode } = row;
    const facts = { requestId, number, mode, startedAt: row.startedAt.toISOString() };
    const no = (code: string, message: string): Begun => ({ ok: false, facts, code, message });
    const revision = await store.revision(key.teamId, requestId, number);
    if (revision === null) return no('no_revision', 'The plan of this run is not stored.');
    const { bytes, digest } = revision;
    let approver = 'system';
    if (mode === 'run') {
      const check = await store.consumeGrant({ ...key, digest, now: now() });
      if (!check.ok) return no(check.why, 'There is no valid approval for this plan; nothing was run.');
      approver = check.grant.approver;
    }
    try {
      unseal(bytes, digest);
    } catch (error) {
      return no(describeError(error).code, describeError(error).message);
    }
    const subject = `run:${key.runId}`;
    const data = { mode, digest };
    const at = now();
    await store.audit({ teamId: key.teamId, at, kind: 'run.started', actor: approver, subject, data });
    await tell(deps, { ...key, requestId, number, mode, at: at.toISOString(), type: 'started' });
    return { ok: true, facts, bytes, digest };
  }, sleep);
}

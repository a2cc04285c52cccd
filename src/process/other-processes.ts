import { digestOf } from '../core/canonical.ts';
import { type Catalogue, catalogueDigest } from '../core/catalogue.ts';
import type { Log } from '../core/log.ts';
import { type Policy, policyDigest } from '../core/policy.ts';
import * as processes from '../store/processes.ts';
import type { Db, ProcessRow } from '../store/tables.ts';

/** Milliseconds between checks of the other processes on this database. */
const lookMs = 5_000;

export interface OtherProcessesContext {
  readonly db: Db;
  readonly log: Log;
  /** Repeats a round, with a pause of that many milliseconds. */
  readonly repeat: (ms: number, round: () => Promise<void>) => void;
}

/**
 * Registers this process in a workspace, and warns about incompatible ones: of another version, which is fine during a
 * rollout, or with other settings, which make each stop the other's plans that depend on them.
 */
export async function watchOtherProcesses(
  { db, log, repeat }: OtherProcessesContext,
  own: ProcessRow,
): Promise<void> {
  await processes.register(db, own);
  const warned = new Set<string>();
  const warn = (facts: Readonly<Record<string, string>>, words: string): void => {
    const key = JSON.stringify([facts, words]);
    if (!warned.has(key)) log.warn(facts, words);
    warned.add(key);
  };
  let before = new Set<string>();
  repeat(lookMs, async () => {
    const unlike = new Set<string>();
    for (const other of await processes.living(db)) {
      if (other.teamId !== own.teamId) continue;
      const facts = { process: other.id, role: other.role, theirs: other.version, ours: own.version };
      if (other.version !== own.version) warn(facts, otherVersion);
      else if (other.rules !== own.rules) {
        unlike.add(other.id);
        // A changed file is taken over by one process after the other.
        if (before.has(other.id)) warn(facts, otherRules);
      }
    }
    before = unlike;
  });
}

/** Whether any living process runs plans. */
export async function isExecutorUp(db: Db): Promise<boolean> {
  return (await processes.living(db)).some(({ role }) => role !== 'front');
}

/** The rules under which a plan is made, and must be run. */
export function rulesDigest({ catalogue, policy }: { catalogue: Catalogue; policy: Policy }): string {
  return digestOf({ catalogue: catalogueDigest(catalogue), policy: policyDigest(policy) });
}

const otherVersion =
  'Another version is using this database. That is fine during a rollout; stop the older one afterwards';
const otherRules =
  'Another process has different settings or a different countersign.yml, so it may stop plans of the other. Give them all the same file';

import { describeError } from '../core/errors.ts';
import { type Revision, unseal } from '../core/revision.ts';
import type { Checkpoint } from '../store/load-run.ts';
import type { Grant } from '../store/write-facts.ts';

/** The approved revision, or why it cannot be run. */
export type Begun =
  | { readonly ok: true; readonly revision: Revision; readonly grant: Grant | null }
  | { readonly ok: false; readonly code: string; readonly message: string };

/** Checks a run's stored state before it starts: its approval covers these bytes, and they are unchanged. */
export function begin({ mode, revision, grant }: Checkpoint): Begun {
  const no = (code: string, message: string): Begun => ({ ok: false, code, message });
  if (revision === null) return no('no_revision', 'The plan of this run is not stored.');
  if (mode === 'run' && grant?.digest !== revision.digest) {
    const code = grant === null ? 'no_grant' : 'digest_mismatch';
    return no(code, 'There is no valid approval for this plan; nothing was run.');
  }
  try {
    return { ok: true, revision: unseal(revision.bytes, revision.digest), grant };
  } catch (error) {
    return no(describeError(error).code, describeError(error).message);
  }
}

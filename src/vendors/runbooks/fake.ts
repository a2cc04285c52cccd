import type { Readers } from '../../core/ports.ts';
import type { RunbookHit } from './port.ts';

/** Runbooks in memory, for tests of what stands on them: every search finds all of them. */
export function fakeRunbooks(hits: readonly RunbookHit[] = []): Pick<Readers, 'runbooks'> {
  return {
    runbooks: [{ search: async (_query, limit) => ({ total: hits.length, hits: hits.slice(0, limit) }) }],
  };
}

import type { Readers } from '../../core/ports.ts';
import type { RunbookHit } from './port.ts';

/** In-memory runbooks for tests: every search finds all of them. */
export function fakeRunbooks(hits: readonly RunbookHit[] = []): Pick<Readers, 'runbooks'> {
  return {
    runbooks: [{ search: async (_query, limit) => ({ total: hits.length, hits: hits.slice(0, limit) }) }],
  };
}

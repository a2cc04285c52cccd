import type { Readers } from '../../core/ports.ts';
import type { KnownError } from './port.ts';

/** A catalogue of errors in memory, for tests of what stands on it: exact codes only. */
export function fakeErrors(known: readonly KnownError[] = []): Pick<Readers, 'errors'> {
  return {
    errors: { lookUp: async (said) => ({ found: known.filter(({ code }) => code === said), near: [] }) },
  };
}

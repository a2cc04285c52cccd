import type { Readers } from '../../core/ports.ts';
import type { KnownError } from './port.ts';

/** An in-memory error catalogue for tests: exact codes only. */
export function fakeErrors(known: readonly KnownError[] = []): Pick<Readers, 'errors'> {
  return {
    errors: { lookUp: async (said) => ({ found: known.filter(({ code }) => code === said), near: [] }) },
  };
}

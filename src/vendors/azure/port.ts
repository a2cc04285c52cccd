import type { QueryReader } from '../../core/queries/answer.ts';

declare module '../../core/ports.ts' {
  interface Readers {
    readonly azure: QueryReader;
  }
}

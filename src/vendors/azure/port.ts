import type { QueryReader } from '../../core/queries/answer.ts';

export type AzureReader = QueryReader;

declare module '../../core/ports.ts' {
  interface Readers {
    readonly azure: AzureReader;
  }
}

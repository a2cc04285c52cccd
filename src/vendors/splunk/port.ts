import type { QueryReader } from '../../core/queries/answer.ts';

export type SplunkReader = QueryReader;

declare module '../../core/ports.ts' {
  interface Readers {
    readonly splunk: SplunkReader;
  }
}

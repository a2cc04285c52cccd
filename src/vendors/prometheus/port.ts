import type { MetricsReader } from '../../core/queries/answer.ts';

declare module '../../core/ports.ts' {
  interface Readers {
    readonly prometheus: MetricsReader;
  }
}

import type { MetricsReader } from '../../core/queries/answer.ts';

export type PrometheusReader = MetricsReader;

declare module '../../core/ports.ts' {
  interface Readers {
    readonly prometheus: PrometheusReader;
  }
}

/** One line of the result. */
export interface Measure {
  /** Stable name for JSON, such as `ack.p99`. */
  readonly id: string;
  readonly what: string;
  readonly unit: 'ms' | 'MB' | 'KB' | '%' | '/s' | '/min' | 's' | '';
  readonly value: number;
  /** Maximum allowed value; if absent, the line is informational. */
  readonly budget?: number;
  /** The value of each run if there were several; `value` is then their median. */
  readonly runs?: readonly number[];
}

/** Results of one part of the benchmark. */
export interface PartResult {
  readonly measures: readonly Measure[];
  /** Checks independent of speed, such as "every command got its card". */
  readonly checks: readonly { readonly what: string; readonly ok: boolean }[];
  /** Text printed verbatim after the table. */
  readonly text?: string;
}

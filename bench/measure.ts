/** One line of the result. */
export interface Measure {
  /** Stable name for JSON, such as `ack.p99`. */
  readonly id: string;
  readonly what: string;
  readonly unit: 'ms' | 'MB' | 'KB' | '%' | '/s' | '';
  readonly value: number;
  /** The value has to stay below it; without one the line is for information. */
  readonly budget?: number;
  /** The value of each run where there were several; `value` is then their median. */
  readonly runs?: readonly number[];
}

/** What a part of the benchmark found out. */
export interface PartResult {
  readonly measures: readonly Measure[];
  /** Facts that are true or false whatever the speed, such as "every command got its card". */
  readonly checks: readonly { readonly what: string; readonly ok: boolean }[];
  /** Text printed as it is, after the table. */
  readonly text?: string;
}

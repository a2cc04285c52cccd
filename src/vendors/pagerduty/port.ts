/** What tools may ask of PagerDuty, and make it do. */

export interface OnCallPerson {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly level: number;
  /** ISO 8601 end of the shift, or null when it has none. */
  readonly until: string | null;
}

export interface PageState {
  readonly incidentId: string;
  readonly state: 'triggered' | 'acknowledged' | 'resolved';
  readonly url: string;
}

export interface PagerDutyReader {
  /** On call for a catalogue service now, first level first. Empty means nobody. */
  oncall(service: string, signal: AbortSignal): Promise<OnCallPerson[]>;
  /** The incident that a page with this dedup key made, or null when there is none. */
  pageByKey(service: string, dedupKey: string, signal: AbortSignal): Promise<PageState | null>;
}

export interface PagerDutyWriter {
  /** Triggers through Events v2. The vendor joins events with the same dedup key into one open incident. */
  page(
    event: {
      readonly service: string;
      readonly dedupKey: string;
      readonly summary: string;
      readonly severity: 'critical' | 'error' | 'warning' | 'info';
      readonly details: Readonly<Record<string, string>>;
      readonly link: { readonly href: string; readonly text: string } | null;
    },
    signal: AbortSignal,
  ): Promise<{ dedupKey: string }>;
}

declare module '../../core/ports.ts' {
  interface Readers {
    readonly pagerduty: PagerDutyReader;
  }
  interface Writers {
    readonly pagerduty: PagerDutyWriter;
  }
}

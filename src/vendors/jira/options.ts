import type { JiraPeople } from './accounts.ts';
import type { JiraAccess } from './transport.ts';

export interface JiraOptions extends JiraAccess {
  /** Names of P1 to P5 in this Jira, such as `{ P1: 'Highest' }`. */
  readonly priorities: Readonly<Record<string, string>>;
  /** Project keys that a query without a project is bound to. */
  readonly projects: readonly string[];
  readonly people: JiraPeople;
  /** IANA time zone of days and hours; UTC when left out. */
  readonly timezone?: string | undefined;
}

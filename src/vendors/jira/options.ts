import type { JiraPeople } from './accounts.ts';
import type { JiraAccess } from './transport.ts';

export interface JiraOptions extends JiraAccess {
  /** Names of P1 to P5 in this Jira, such as `{ P1: 'Highest' }`. */
  readonly priorities: Readonly<Record<string, string>>;
  /** Project keys to which a query without a project is limited. */
  readonly projects: readonly string[];
  readonly people: JiraPeople;
  /** IANA time zone for days and hours; UTC if absent. */
  readonly timezone?: string | undefined;
}

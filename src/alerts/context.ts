import type { RichTextBlockElement } from '@slack/types';
import type { LinkHosts } from '../core/address.ts';
import type { AlertRules, PlaybookCall } from '../core/alert.ts';
import type { Cause } from '../core/cause.ts';
import type { Log } from '../core/log.ts';
import type { Manifest } from '../core/manifest.ts';
import type { Plan } from '../core/plan.ts';
import type { FixReply } from '../core/planning.ts';
import type { ReadPlan } from '../core/read-results.ts';
import type { LastTime } from '../core/settle.ts';
import type { TolerantDb } from '../store/tables.ts';

/** An open incident of PagerDuty. */
export interface OpenIncident {
  readonly id: string;
  readonly number: number;
  readonly title: string;
  readonly state: 'triggered' | 'acknowledged';
  readonly url: string;
  /** Names of the people whom PagerDuty has assigned it to, and so notified. */
  readonly assigned: readonly string[];
}

/** A playbook with the values of its inputs, and what the rule itself says. */
export interface FilledCall {
  readonly playbook: PlaybookCall['playbook'];
  readonly inputs: Readonly<Record<string, string | number>>;
  readonly service: string;
  readonly priority: string | null;
  readonly channel: { readonly name: string; readonly id: string };
  readonly goal: string;
}

/** Dependencies of the stage besides its rows. */
export interface AlertContext extends TolerantDb {
  readonly rules: AlertRules;
  readonly services: ReadonlySet<string>;
  readonly manifests: ReadonlyMap<string, Manifest>;
  /** Hosts that messages may link to. */
  readonly hosts: LinkHosts;
  /** The plan of a playbook that is proposed, or why there is none. */
  planOf(call: FilledCall): Promise<{ readonly plan: Plan } | { readonly why: string }>;
  /** The reads of a playbook with the checks of all causes that fit the service; notes say what is left out. */
  evidencePlan(
    call: FilledCall | null,
    about: { readonly service: string; readonly channel: string; readonly goal: string },
  ): Promise<{ readonly plan: Plan | null; readonly notes: readonly string[] }>;
  /** The operator's causes. */
  readonly causes: readonly Cause[];
  /** The plan of a cause's fix, or why there is none. */
  fixOf(of: { readonly cause: string; readonly service: string }): Promise<FixReply>;
  /** The bot's own records of a service, without this problem. */
  around(of: {
    readonly service: string;
    readonly channel: string;
    readonly problem: string;
    readonly words: string;
  }): Promise<{
    readonly elements: readonly RichTextBlockElement[];
    readonly again: readonly { readonly text: string; readonly value: string }[];
    readonly last: LastTime;
  }>;
  /** Runs a plan's reads without keeping anything. */
  readonly read: ReadPlan;
  /** Like `read`, but equal reads of the last seconds are not made again. */
  readonly readShared: ReadPlan;
  /** Open incidents of a service, oldest first; null where PagerDuty is not configured. */
  readonly openIncidents: ((service: string, signal: AbortSignal) => Promise<readonly OpenIncident[]>) | null;
  /** Whether a page of ours opened the incident of PagerDuty with this key: its thread has the rest. */
  isOwnPage(incidentKey: string): Promise<boolean>;
  /** Withdraws the cards of these deliveries that still wait and that nobody else asked for. */
  withdraw(keys: readonly string[], reason: string): Promise<void>;
  /** Call after messages are stored. */
  kick(): void;
  readonly now: () => Date;
  readonly log: Log;
}

/** The person who asks for what an alert proposes: its rule. */
export function requesterOf(rule: string): string {
  return `alert:${rule}`;
}

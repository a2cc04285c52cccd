import type { AlertContext } from '../alerts/context.ts';
import { lookRound } from '../alerts/look.ts';
import { acknowledge, proposeCard, proposeFix } from '../alerts/offers.ts';
import { receiveAlerts } from '../alerts/receive.ts';
import { buildAlertRules } from '../config/build-alerts.ts';
import type { OperatorConfig } from '../config/schema.ts';
import { type Alert, type AlertsEvent, labelsIn, pagerdutyDoor } from '../core/alert.ts';
import type { Catalogue } from '../core/catalogue.ts';
import { describeError } from '../core/errors.ts';
import { own } from '../core/own-property.ts';
import type { Plan } from '../core/plan.ts';
import { type AroundDeps, around } from '../history/around.ts';
import { withCauses } from '../plan/causes/investigation.ts';
import { planForAlert } from '../plan/playbooks/for-alert.ts';
import { requestIdOf } from '../request/intake.ts';
import type { Stages } from '../stages.ts';
import type { AlertDoor, DoorAuth } from '../vendors/alerts/door.ts';
import type { AlertTaker } from '../vendors/alerts/route.ts';
import type { SlackDoor } from '../vendors/alerts/slack-message.ts';
import type { WatchContext } from '../watches/context.ts';
import { closeCard } from '../watches/problem.ts';
import type { Planners } from './planner.ts';
import type { ReadingWorkspace, TeamBase, WorkspaceOptions } from './process-context.ts';

interface AlertParts {
  readonly teamBase: TeamBase;
  readonly workspace: ReadingWorkspace;
  readonly shelf: Planners['shelf'];
  readonly config: OperatorConfig;
  readonly review: Stages['review'];
  /** Reads, and withdraws cards, as watches do. */
  readonly watches: WatchContext;
  readonly fixOf: AlertContext['fixOf'];
  readonly readShared: AlertContext['readShared'];
  readonly known: AroundDeps;
  readonly kick: () => void;
  readonly log: WorkspaceOptions['log'];
}

const emptyPlan = (goal: string): Plan => ({
  ...{ goal, summary: goal, inputs: [], assumptions: [], steps: [], success: [] },
});

const maxIncidents = 20;
/** Time limit for finding out whether an incident is ours, in milliseconds. */
const ownMs = 4_000;

/** Dependencies of the alerts of a workspace. */
export function alertContext(parts: AlertParts): AlertContext {
  const { teamBase, workspace, shelf, config, review, watches, kick, log } = parts;
  const { db, teamId, damaged } = teamBase;
  const { catalogue, readers, hosts } = workspace;
  const { manifests } = catalogue;
  return {
    ...{ db, teamId, damaged, manifests, kick, log, now: watches.now },
    rules: buildAlertRules(config),
    services: new Set(catalogue.services.map(({ name }) => name)),
    hosts: [...hosts, ...config.alerts.links],
    read: watches.read,
    readShared: parts.readShared,
    planOf: async (call) => planForAlert(await shelf.all(), call, catalogue, { onlyReads: false }),
    async evidencePlan(call, { service, channel, goal }) {
      const made =
        call === null ? null : planForAlert(await shelf.all(), call, catalogue, { onlyReads: true });
      const why = made !== null && 'why' in made ? [`${call?.playbook} was not run: ${made.why}`] : [];
      const reads = made !== null && 'plan' in made ? made.plan : emptyPlan(goal);
      const isKnown = catalogue.services.some(({ name }) => name === service);
      const { plan, notes } = isKnown
        ? withCauses(reads, service, { catalogue, policy: workspace.policy, channel })
        : { plan: reads, notes: [] };
      if (plan.steps.length === 0) return { plan: null, notes: [...why, ...notes] };
      const { plan: reviewed, findings } = review(plan, channel);
      const refused = reviewed === null ? [findings[0]?.message ?? 'it does not pass the review.'] : [];
      return {
        plan: reviewed,
        notes: [...why, ...notes, ...refused.map((one) => `Nothing was looked up: ${one}`)],
      };
    },
    causes: catalogue.causes ?? [],
    fixOf: parts.fixOf,
    around: ({ problem: own, ...of }) => around({ ...of, own, saysNone: false }, parts.known),
    openIncidents: manifests.has('pagerduty.incidents')
      ? async (service, signal) => {
          const states = ['triggered', 'acknowledged'] as const;
          const filter = { services: [service], states, order: 'newest', limit: maxIncidents } as const;
          const { incidents } = await readers.pagerduty.incidents(filter, signal);
          return incidents.toReversed().flatMap(({ id, number, title, state, url, assigned = [] }) => {
            return state === 'resolved' ? [] : [{ id, number, title, state, url, assigned }];
          });
        }
      : null,
    async isOwnPage(key) {
      if (key === '') return false;
      const states = ['triggered', 'acknowledged', 'resolved'] as const;
      try {
        const page = await readers.pagerduty.pageByKey(null, key, states, AbortSignal.timeout(ownMs));
        return page !== null && page.mark !== null;
      } catch (error) {
        // Shown twice is better than not at all.
        log.warn(describeError(error), 'Whether an incident is one of ours could not be looked up');
        return false;
      }
    },
    async withdraw(keys, reason) {
      for (const key of keys) await closeCard(requestIdOf(teamId, key), reason, watches);
    },
  };
}

export function alertStage(context: AlertContext): Stages['alerts'] {
  return {
    receive: (event) => receiveAlerts(event, context),
    round: () => lookRound(context),
    propose: (event) => proposeCard(event, context),
    acknowledge: (click, say) => acknowledge(click, context, say),
    fix: (click, say) => proposeFix(click, context, say),
  };
}

/** The operator's doors with their secrets, for a workspace that takes their deliveries. */
export function alertTakers(
  { config, variables }: Pick<WorkspaceOptions, 'config' | 'variables'>,
  { accept, work }: Pick<AlertTaker, 'accept' | 'work'>,
): AlertTaker[] {
  const needed = labelsIn(buildAlertRules(config).rules);
  return alertDoors(config, variables).map((door) => ({ door, needed, accept, work }));
}

/** A workspace's rules about PagerDuty's incidents. */
export interface IncidentAlerts {
  accept(alert: Alert, key: string): Promise<AlertsEvent | null>;
  work(event: AlertsEvent): Promise<void>;
}

/** Null when no rule names PagerDuty's door. */
export function incidentAlerts(
  { config, catalogue }: { readonly config: OperatorConfig; readonly catalogue: Catalogue },
  { accept, work }: Pick<AlertTaker, 'accept' | 'work'>,
): IncidentAlerts | null {
  if (!config.alerts.rules.some(({ doors }) => doors?.includes(pagerdutyDoor))) return null;
  return {
    work,
    async accept(alert, key) {
      const { service_id: id } = alert.labels;
      const known = catalogue.services.find(({ pagerdutyId }) => pagerdutyId === id)?.name;
      const labels = { ...alert.labels, ...(known === undefined ? {} : { service: known }) };
      const about = { type: 'alerts', key: `alerts:${key}`, door: pagerdutyDoor, unread: 0 } as const;
      const event: AlertsEvent = { ...about, alerts: [{ ...alert, labels }] };
      return (await accept(event)) ? event : null;
    },
  };
}

const defaultHeader = 'x-grafana-alerting-signature';

export function alertDoors(
  { alerts }: Pick<OperatorConfig, 'alerts'>,
  variables: WorkspaceOptions['variables'],
): AlertDoor[] {
  return Object.entries(alerts.doors).flatMap(([name, door]): AlertDoor[] => {
    const { kind, bearer, basic, hmac, topics = [], fields } = door;
    if (kind === 'slack') return [];
    const secretIn = (variable: string | undefined) => variables[variable ?? ''] ?? '';
    const auth: DoorAuth =
      kind === 'sns'
        ? { kind, topics }
        : hmac !== undefined
          ? {
              ...{ kind: 'hmac', secret: secretIn(hmac), header: door.header ?? defaultHeader },
              timestampHeader: door.timestamp_header ?? null,
            }
          : { kind: bearer === undefined ? 'basic' : 'bearer', secret: secretIn(bearer ?? basic) };
    if (kind !== 'json') return [{ name, auth, format: { kind } }];
    if (fields === undefined) throw new TypeError('a door of kind json has fields');
    return [{ name, auth, format: { kind, fields } }];
  });
}

/** Channels of Slack in which other apps' messages are alerts. */
export function slackDoors({ alerts, channels }: Pick<OperatorConfig, 'alerts' | 'channels'>): SlackDoor[] {
  return Object.entries(alerts.doors).flatMap(([name, { kind, channels: named = [], apps }]): SlackDoor[] => {
    if (kind !== 'slack') return [];
    const places = named.flatMap((one) => {
      const id = own(channels, one)?.id;
      return id === undefined ? [] : [[id, one] as const];
    });
    return [{ name, channels: new Map(places), apps: apps === undefined ? null : new Set(apps) }];
  });
}

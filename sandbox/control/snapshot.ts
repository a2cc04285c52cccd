import { documentText } from '../jira/adf.ts';
import { issueTypes, priorities, statusOf } from '../jira/model.ts';
import type { JiraStore } from '../jira/store.ts';
import type { AlertSnapshot, Monitoring } from '../monitoring.ts';
import type { PagerDutyStore } from '../pagerduty/store.ts';
import type { SlackSandbox } from '../slack/slack-sandbox.ts';
import type { SlackSnapshot } from '../slack/snapshot.ts';
import type { Person } from '../world.ts';

export interface IssueSnapshot {
  readonly key: string;
  readonly project: string;
  readonly summary: string;
  readonly issueType: string;
  readonly priority: string;
  readonly status: string;
  readonly statusCategory: 'new' | 'indeterminate' | 'done';
  /** Name of a person. */
  readonly reporter: string;
  readonly comments: readonly { id: string; author: string; text: string; created: string }[];
}

export interface JiraSnapshot {
  readonly projects: readonly { readonly key: string; readonly name: string }[];
  readonly priorities: readonly string[];
  readonly issueTypes: readonly string[];
  readonly issues: readonly IssueSnapshot[];
}

/** `user` is a Slack user id here, as everywhere in the snapshot. */
interface PersonAt {
  readonly user: string;
  readonly name: string;
  readonly at: string;
}

export interface IncidentSnapshot {
  readonly id: string;
  readonly number: number;
  readonly title: string;
  readonly status: 'triggered' | 'acknowledged' | 'resolved';
  readonly urgency: 'high' | 'low';
  /** Names of services. */
  readonly service: string;
  readonly dedupKey: string;
  readonly source: string | null;
  readonly severity: string | null;
  readonly details: Readonly<Record<string, unknown>>;
  readonly createdAt: string;
  /** Trigger events received, including the first one. */
  readonly triggers: number;
  readonly notified: readonly PersonAt[];
  readonly acknowledgedBy: readonly PersonAt[];
}

export interface PagerDutySnapshot {
  readonly onCalls: readonly {
    readonly service: { readonly id: string; readonly name: string };
    readonly user: string;
    readonly name: string;
    readonly until: string;
  }[];
  readonly incidents: readonly IncidentSnapshot[];
}

export interface SandboxSnapshot {
  readonly people: readonly Person[];
  readonly slack: SlackSnapshot;
  readonly jira: JiraSnapshot;
  readonly monitoring: readonly AlertSnapshot[];
  readonly pagerduty: PagerDutySnapshot;
}

export interface Vendors {
  readonly slack: SlackSandbox;
  readonly jira: JiraStore;
  readonly monitoring: Monitoring;
  readonly pagerduty: PagerDutyStore;
}

/** Everything the page shows; Slack as seen by one person, or completely. */
export function sandboxSnapshot(
  { slack, jira, monitoring, pagerduty }: Vendors,
  as?: string,
): SandboxSnapshot {
  return {
    people: jira.world.people,
    slack: slack.state(as),
    jira: jiraSnapshot(jira),
    monitoring: monitoring.alerts(),
    pagerduty: pagerdutySnapshot(pagerduty),
  };
}

function jiraSnapshot(store: JiraStore): JiraSnapshot {
  return {
    projects: store.world.jira.projects.map(({ key, name }) => ({ key, name })),
    priorities: priorities.map((one) => one.name),
    issueTypes: issueTypes.map((one) => one.name),
    issues: store.issues().map((issue) => ({
      key: issue.key,
      project: issue.project,
      summary: issue.summary,
      issueType: issue.issueType,
      priority: issue.priority,
      status: issue.status,
      statusCategory: statusOf(issue.status).category.key,
      reporter: issue.reporter.displayName,
      comments: issue.comments.map(({ id, author, body, created }) => ({
        id,
        author: author.displayName,
        text: documentText(body),
        created: created.toISOString(),
      })),
    })),
  };
}

function pagerdutySnapshot(store: PagerDutyStore): PagerDutySnapshot {
  const { services } = store.world.pagerduty;
  const slackId = (user: string) => store.world.people.find((one) => one.pagerdutyId === user)?.id ?? user;
  const personAt = ({ user, at }: { user: string; at: Date }): PersonAt => ({
    user: slackId(user),
    name: store.nameOf(user),
    at: at.toISOString(),
  });
  return {
    onCalls: services.map((service) => {
      const { user, end } = store.rota(service).at(store.now());
      const { id, name } = service;
      return {
        service: { id, name },
        user: slackId(user),
        name: store.nameOf(user),
        until: end.toISOString(),
      };
    }),
    incidents: store.incidents().map((incident) => ({
      id: incident.id,
      number: incident.number,
      title: incident.title,
      status: incident.status,
      urgency: incident.urgency,
      service: store.service(incident.service)?.name ?? incident.service,
      dedupKey: incident.incidentKey,
      source: incident.source,
      severity: incident.severity,
      details: incident.details,
      createdAt: incident.createdAt.toISOString(),
      triggers: incident.triggers,
      notified: incident.notified.map(personAt),
      acknowledgedBy: incident.acknowledgements.map(personAt),
    })),
  };
}

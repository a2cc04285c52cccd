import { configWith } from './scenario.ts';
import type { Message, Workspace } from './workspace.ts';
import { wordsOf } from './workspace.ts';

export const alertsToken = 'a-token-of-alertmanager-for-tests';

/** Settings with one door for Alertmanager; more sections replace these. */
export function alertsConfig(
  rules: readonly object[],
  sections: Readonly<Record<string, unknown>> = {},
): string {
  const doors = { prometheus: { kind: 'alertmanager', bearer: 'ALERTS_TOKEN' } };
  return configWith({ alerts: { doors, rules, unmatched: 'general' }, ...sections });
}

export interface FiredAlert {
  readonly status?: 'firing' | 'resolved';
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly startsAt?: string;
  readonly endsAt?: string;
  readonly fingerprint?: string;
}

const began = new Date(Date.now() - 120_000).toISOString();

/** A delivery of Alertmanager's webhook, version 4. */
export function alertmanager(alerts: readonly FiredAlert[]): string {
  return JSON.stringify({
    version: '4',
    groupKey: '{}:{}',
    truncatedAlerts: 0,
    status: 'firing',
    receiver: 'countersign',
    groupLabels: {},
    commonLabels: {},
    commonAnnotations: {},
    externalURL: 'http://alertmanager.acme.example:9093',
    alerts: alerts.map(({ status = 'firing', labels, annotations = {}, ...more }) => ({
      status,
      labels,
      annotations,
      startsAt: began,
      endsAt: status === 'resolved' ? new Date().toISOString() : '0001-01-01T00:00:00Z',
      generatorURL: 'http://prometheus.acme.example:9090/graph?g0.expr=up',
      fingerprint: JSON.stringify(labels),
      ...more,
    })),
  });
}

/** Delivers to the bot's door; resolves with the status of its answer. */
export async function deliver(
  workspace: Workspace,
  body: string,
  {
    door = 'prometheus',
    headers = { authorization: `Bearer ${alertsToken}` } as Record<string, string>,
  } = {},
): Promise<number> {
  const url = `http://127.0.0.1:${workspace.env.PORT}/alerts/${door}`;
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body,
  });
  return answer.status;
}

/** Messages in a channel that are about alerts: those with the facts of a rule. */
export function problemsIn(workspace: Workspace, channel = 'ops'): readonly Message[] {
  return workspace
    .messages(channel)
    .filter(
      (message) => message.ts === (message.threadTs ?? message.ts) && /\bRule [\w-]+/.test(wordsOf(message)),
    );
}

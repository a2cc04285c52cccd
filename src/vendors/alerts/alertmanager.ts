import { z } from 'zod';
import { own } from '../../core/own-property.ts';
import type { FoundAlert } from './bounded-alert.ts';

const words = z.record(z.string(), z.unknown()).default({});
/** Alertmanager's webhook, version 4; Grafana sends the same with more fields. */
const deliverySchema = z.object({
  truncatedAlerts: z.int().min(0).nullish(),
  alerts: z.array(z.unknown()),
});
const alertSchema = z.object({
  status: z.enum(['firing', 'resolved']),
  labels: words,
  annotations: words,
  startsAt: z.string().nullish(),
  endsAt: z.string().nullish(),
  generatorURL: z.string().nullish(),
  dashboardURL: z.string().nullish(),
  panelURL: z.string().nullish(),
  fingerprint: z.string().nullish(),
});

/** Null for what is no such delivery; an alert that cannot be read is null in the list. */
export function readAlertmanager(body: unknown): { found: (FoundAlert | null)[]; leftOut: number } | null {
  const { data } = deliverySchema.safeParse(body);
  if (data === undefined) return null;
  return { found: data.alerts.map(readOne), leftOut: data.truncatedAlerts ?? 0 };
}

function readOne(given: unknown): FoundAlert | null {
  const { data } = alertSchema.safeParse(given);
  if (data === undefined) return null;
  const { status, labels, annotations, startsAt = null, endsAt = null } = data;
  const said = (from: Record<string, unknown>, name: string): string => {
    const value = own(from, name);
    return typeof value === 'string' ? value : '';
  };
  const summary = said(annotations, 'summary');
  return {
    id: data.fingerprint ?? null,
    isOver: status === 'resolved',
    title: said(labels, 'alertname') || summary,
    text: summary || said(annotations, 'description') || said(annotations, 'message'),
    labels,
    since: startsAt,
    until: status === 'resolved' ? endsAt : null,
    link: data.panelURL || data.dashboardURL || data.generatorURL || '',
  };
}

import type { ReadAlerts } from '../../core/alert.ts';
import { parseJson } from '../../core/json.ts';
import { readAlertmanager } from './alertmanager.ts';
import { boundedAlert, type FoundAlert, maxAlerts, type NeededLabels } from './bounded-alert.ts';
import { readCloudWatch } from './cloudwatch.ts';
import { readDatadog } from './datadog.ts';
import type { AlertDoor } from './door.ts';
import { readMapped } from './mapped.ts';

/** The alerts in a delivery; null when it is none that this door takes. Pure. */
export function readAlerts(
  body: string,
  format: AlertDoor['format'],
  needed: NeededLabels,
): ReadAlerts | null {
  const read = format.kind === 'sns' ? readCloudWatch(body) : readJson(parseJson(body), format);
  if (read === null) return null;
  const sound = read.found.filter((one): one is FoundAlert => one !== null);
  const alerts = sound.slice(0, maxAlerts).map((one) => boundedAlert(one, needed));
  return { alerts, unread: read.found.length - alerts.length + read.leftOut };
}

function readJson(body: unknown, format: Exclude<AlertDoor['format'], { kind: 'sns' }>) {
  if (format.kind === 'json') return readMapped(body, format.fields);
  return format.kind === 'datadog' ? readDatadog(body) : readAlertmanager(body);
}

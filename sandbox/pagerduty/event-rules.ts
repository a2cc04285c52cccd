import { type Severity, severities } from './model.ts';

export interface EventPayload {
  readonly summary: string;
  readonly source: string;
  readonly severity: Severity;
  readonly details: Readonly<Record<string, unknown>>;
}

export interface AlertEvent {
  readonly routingKey: string;
  readonly action: 'trigger' | 'acknowledge' | 'resolve';
  readonly dedupKey: string | undefined;
  /** Only a trigger has one. */
  readonly payload: EventPayload | undefined;
}

const maxSummary = 1_024;
const maxDedupKey = 255;
type Fields = Readonly<Record<string, unknown>>;

/** Parses an event of Events API v2, or returns the list of its problems. */
export function readEvent(body: Fields): AlertEvent | readonly string[] {
  const errors: string[] = [];
  const routingKey = required(body, 'routing_key', '', errors);
  if (routingKey !== '' && routingKey.length !== 32) {
    errors.push("Length of 'routing_key' is incorrect (should be 32 characters)");
  }
  const action = readAction(body, errors);
  const dedupKey = readDedupKey(body, action, errors);
  const payload = action === 'trigger' ? readPayload(body.payload, errors) : undefined;
  checkAttached(body, 'links', 'href', errors);
  checkAttached(body, 'images', 'src', errors);
  if (errors.length > 0 || action === undefined) return errors;
  return { routingKey, action, dedupKey, payload };
}

/** Links need an address, images a source. */
function checkAttached(body: Fields, list: string, member: string, errors: string[]): void {
  const items = body[list] ?? [];
  if (!Array.isArray(items)) {
    errors.push(`'${list}' is not an array`);
    return;
  }
  const bad = items.find(
    (item: unknown) => !isFields(item) || !/^https?:\/\/\S+$/.test(String(item[member])),
  );
  if (bad !== undefined) errors.push(`'${list}.${member}' is missing or is not a valid URL`);
}

function readAction(body: Fields, errors: string[]): AlertEvent['action'] | undefined {
  const typed = required(body, 'event_action', '', errors);
  const action = (['trigger', 'acknowledge', 'resolve'] as const).find((one) => one === typed);
  if (typed !== '' && action === undefined) {
    errors.push(
      "'event_action' is invalid (must be one of the following: 'trigger', 'acknowledge' or 'resolve')",
    );
  }
  return action;
}

/** The published schema allows a resolve without a key; the documentation does not, and neither do we. */
function readDedupKey(
  body: Fields,
  action: AlertEvent['action'] | undefined,
  errors: string[],
): string | undefined {
  const { dedup_key: key } = body;
  if (key === undefined || key === null || key === '') {
    if (action === 'acknowledge' || action === 'resolve') errors.push("'dedup_key' is missing or blank");
    return undefined;
  }
  if (typeof key !== 'string') {
    errors.push("'dedup_key' is not a string");
    return undefined;
  }
  if (key.length > maxDedupKey) errors.push(`'dedup_key' is too long (maximum is ${maxDedupKey} characters)`);
  return key;
}

function readPayload(value: unknown, errors: string[]): EventPayload | undefined {
  if (!isFields(value)) {
    errors.push("'payload' is missing or blank");
    return undefined;
  }
  const summary = required(value, 'summary', 'payload.', errors);
  if (summary.length > maxSummary)
    errors.push(`'payload.summary' is too long (maximum is ${maxSummary} characters)`);
  const source = required(value, 'source', 'payload.', errors);
  const severity = severities.find((one) => one === value.severity);
  if (severity === undefined) {
    errors.push(
      "'payload.severity' is invalid (must be one of the following: 'critical', 'warning', 'error' or 'info')",
    );
    return undefined;
  }
  const { custom_details: details, timestamp } = value;
  if (timestamp !== undefined && (typeof timestamp !== 'string' || Number.isNaN(Date.parse(timestamp)))) {
    errors.push("'payload.timestamp' is not a valid ISO 8601 timestamp");
  }
  if (details !== undefined && !isFields(details)) errors.push("'payload.custom_details' is not an object");
  return { summary, source, severity, details: isFields(details) ? details : {} };
}

function required(fields: Fields, name: string, prefix: string, errors: string[]): string {
  const value = fields[name];
  if (typeof value === 'string' && value.trim() !== '') return value;
  errors.push(`'${prefix}${name}' is missing or blank`);
  return '';
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

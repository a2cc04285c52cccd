import type { AlertsEvent } from '../../core/alert.ts';
import { boundedAlert, type NeededLabels } from './bounded-alert.ts';

/** A message of another app in one of the door's channels. */
export interface PostedAlert {
  readonly key: string;
  /** Slack id of the channel. */
  readonly channel: string;
  readonly app: { readonly id: string; readonly name: string };
  readonly title: string;
  readonly words: string;
  readonly link: string;
  /** Colour of its bar. */
  readonly color: string | null;
  readonly fields: readonly (readonly [name: string, value: string])[];
}

/** A door for messages in Slack. */
export interface SlackDoor {
  readonly name: string;
  /** Slack ids. */
  readonly channels: ReadonlyMap<string, string>;
  /** Ids of the apps whose messages count; null for all. */
  readonly apps: ReadonlySet<string> | null;
}

/** Emoji and other marks in front of a title. */
const marks = /^(?::[\w+-]+:|[^\p{L}\p{N}[:])+/u;
/** State in front of a title: “[FIRING:2]”, “Recovered:”, “ALARM -”. */
const bracketed = /^\[([^\]]{1,80})\]\s*/;
const worded =
  /^(re-triggered|triggered|recovered|resolved|firing|alerting|alarm|ok|warning|warn|no data)\s*[:|–-]\s*/i;
const over = /^(?:resolved|recovered|ok|closed|normal)$/i;
/** The bar that Alertmanager, Grafana and others give a message when it is over. */
const green = /^(?:good|#?(?:36a64f|2eb886|2eb67d|00ff00))$/i;

/**
 * The alert in a message. Its state is in front of its title, or in the colour of its bar; what is left of the title says
 * which alert it is. Fields are labels, so that rules can choose by them and not by words.
 */
export function alertIn(message: PostedAlert, door: SlackDoor, needed: NeededLabels): AlertsEvent | null {
  const { key, channel, app, title, words, link, color, fields } = message;
  const name = door.channels.get(channel);
  if (name === undefined || (door.apps !== null && !door.apps.has(app.id))) return null;
  const unmarked = title.replace(marks, '');
  const found = bracketed.exec(unmarked) ?? worded.exec(unmarked);
  const state = found?.[1]?.split(/[^a-z ]/i)[0];
  const bare = unmarked.slice(found?.[0].length ?? 0).trim() || title;
  const isOver = state === undefined ? green.test(color ?? '') : over.test(state.trim());
  const said = fields.map(([field, value]): [string, string] => [labelOf(field), value.trim()]);
  const alert = boundedAlert(
    {
      id: `${app.id} ${channel} ${bare}`,
      labels: { ...Object.fromEntries(said), app: app.name, app_id: app.id, channel: name },
      ...{ isOver, title: bare, text: words, since: null, until: null, link },
    },
    needed,
  );
  return { type: 'alerts', key: `alerts:${door.name}:${key}`, door: door.name, alerts: [alert], unread: 0 };
}

function labelOf(field: string): string {
  return field
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '_')
    .replaceAll(/^_|_$/g, '');
}

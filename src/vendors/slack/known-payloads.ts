import { command, listenedEvents, messageShortcut } from './manifest.ts';

type Fields = Readonly<Record<string, unknown>>;

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Whether one of our listeners handles this payload. Bolt does not acknowledge unhandled ones: Slack would wait three
 * seconds and then send it again.
 */
export function isExpected(body: Fields): boolean {
  const { event, view, actions } = body;
  if (event !== undefined) return isFields(event) && listenedEvents.has(String(event.type));
  if (body.command !== undefined) return body.command === command;
  switch (body.type) {
    case 'block_actions':
      return Array.isArray(actions) && isFields(actions[0]) && typeof actions[0].action_id === 'string';
    case 'message_action':
      return body.callback_id === messageShortcut;
    case 'view_submission':
      return isFields(view) && typeof view.callback_id === 'string';
    default:
      return false;
  }
}

/** The minute from which Slack held events back, if the payload reports that; else null. */
export function rateLimitedMinute(body: unknown): Date | null {
  if (!isFields(body) || body.type !== 'app_rate_limited') return null;
  const seconds = Number(body.minute_rate_limited);
  return Number.isFinite(seconds) && Math.abs(seconds) < 1e11 ? new Date(seconds * 1_000) : new Date(0);
}

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

/** The installation a payload is for. */
interface Addressed {
  /** The bot that posted the clicked message: the most reliable sign in a channel shared between companies. */
  readonly botId: string | null;
  /** Ids of workspaces and companies, the likeliest first. */
  readonly ids: readonly string[];
}

/** Reads it from any Slack payload; missing fields are left out. */
export function addressed(body: unknown): Addressed {
  const sent = isFields(body) ? body : {};
  const authorized = Array.isArray(sent.authorizations) ? sent.authorizations.flatMap(idsOf) : [];
  const view = isFields(sent.view) ? [sent.view.app_installed_team_id] : [];
  const own = idsOf({
    is_enterprise_install: sent.is_enterprise_install,
    team_id: sent.team_id ?? field(sent.team, 'id'),
    enterprise_id: sent.enterprise_id ?? field(sent.enterprise, 'id') ?? field(sent.team, 'enterprise_id'),
  });
  const ids = [...authorized, ...view, ...own, field(sent.user, 'team_id')];
  const botId = field(sent.message, 'bot_id');
  return {
    botId: typeof botId === 'string' ? botId : null,
    ids: ids.filter((id): id is string => typeof id === 'string'),
  };
}

/** A company comes first if the bot was installed for all of it. Commands have that flag as a string. */
function idsOf(of: unknown): unknown[] {
  if (!isFields(of)) return [];
  const ids = [of.team_id, of.enterprise_id];
  return String(of.is_enterprise_install) === 'true' ? ids.reverse() : ids;
}

function field(of: unknown, name: string): unknown {
  return isFields(of) ? of[name] : undefined;
}

import { isFields } from './known-payloads.ts';

/** The installation a payload is for. */
export interface Addressed {
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

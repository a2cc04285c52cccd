/** The settings that hold tokens; an installation's token has none, see `tokenOf`. */
export const botToken = 'SLACK_BOT_TOKEN';
export const appToken = 'SLACK_APP_TOKEN';

/** Name of an installation's token in messages. */
export function tokenOf(teamId: string): string {
  return `the token of ${teamId}`;
}

/** By Slack's code; `<token>` is the token's name, `<do>` how to get a new one. */
const troubles: Readonly<Record<string, string>> = {
  invalid_auth: 'Slack does not accept <token>: <do>.',
  not_authed: 'Slack does not accept <token>: <do>.',
  not_allowed_token_type: '<token> is of the wrong kind: <do>.',
  account_inactive: '<token> is of an app that is switched off or removed: <do>.',
  token_revoked: '<token> was revoked: <do>.',
  token_expired: '<token> has expired: <do>.',
  missing_scope: '<token> lacks the scope <scope>: <do>.',
};

/** With these errors Slack rejects a token for everything. */
const refusals = new Set([
  'invalid_auth',
  'not_authed',
  'account_inactive',
  'token_revoked',
  'token_expired',
]);

export function refusesToken(code: string): boolean {
  return refusals.has(code);
}

/** The problem with a token, and what to do; null for a code that is not about tokens. `scope`: the missing scope. */
export function tokenTrouble(code: string, token: string, scope: string): string | null {
  const words = Object.hasOwn(troubles, code) ? troubles[code] : undefined;
  if (words === undefined) return null;
  const texts: Readonly<Record<string, string>> = { token, scope, do: remedy(code, token) };
  return words.replace(/<(token|scope|do)>/g, (_, name) => texts[name] ?? '');
}

function remedy(code: string, token: string): string {
  if (token === appToken)
    return 'make one under Basic Information, App-Level Tokens, with the scope connections:write';
  if (code === 'missing_scope') return 'add it under OAuth & Permissions and install the app again';
  if (code === 'token_expired')
    return 'turn token rotation off under OAuth & Permissions and install the app again';
  if (token === botToken)
    return 'install the app under OAuth & Permissions and copy its Bot User OAuth Token';
  return 'install the bot there again';
}

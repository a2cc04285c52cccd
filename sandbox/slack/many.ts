import { randomBytes } from 'node:crypto';
import { type Context, Hono } from 'hono';
import { type Listening, listen } from '../listen.ts';
import type { SlackSandbox } from './slack-sandbox.ts';

export interface ManyOptions {
  readonly clientId: string;
  readonly clientSecret: string;
  /** Where people are redirected after consenting. */
  readonly redirectUrl: string;
}

/** A Slack with several workspaces behind one address, where an app is installed with OAuth. */
export class ManySlacks {
  readonly #options: ManyOptions;
  readonly #workspaces = new Map<string, SlackSandbox>();
  /** Ids of workspaces by their code or token. */
  readonly #codes = new Map<string, string>();
  readonly #tokens = new Map<string, string>();
  #door: Listening | undefined;
  #refused = 0;

  constructor(options: ManyOptions) {
    this.#options = options;
  }

  async listen(): Promise<void> {
    const app = new Hono();
    app.get('/oauth/v2/authorize', (context) => this.#authorize(context));
    app.post('/api/oauth.v2.access', async (context) =>
      context.json(this.#access(await context.req.parseBody())),
    );
    app.all('/api/:method', (context) => this.#call(context));
    app.post('/:kind{commands|actions}/:team/*', (context) => {
      const workspace = this.#workspaces.get(context.req.param('team'));
      return workspace === undefined ? context.notFound() : forward(context, workspace);
    });
    this.#door = await listen(app);
  }

  get url(): string {
    return this.#door?.url ?? '';
  }

  /** `id` is the workspace's, or that of a company, E…, without other workspaces. */
  add(id: string, workspace: SlackSandbox): void {
    this.#workspaces.set(id, workspace);
  }

  /** Whether the app has a valid token of this workspace. */
  isInstalled(team: string): boolean {
    return [...this.#tokens.values()].includes(team);
  }

  /** Number of calls with an invalid token, except those that check the token. */
  get refused(): number {
    return this.#refused;
  }

  /** Uninstalls the app, as a workspace's owner does: all its tokens become invalid. */
  uninstall(team: string): void {
    for (const [token, owner] of this.#tokens) if (owner === team) this.#tokens.set(token, '');
  }

  async close(): Promise<void> {
    await this.#door?.close();
  }

  /** The page where a person picks a workspace and consents; `team` is their choice. */
  #authorize(context: Context): Response {
    const { client_id: client, state = '', team = '' } = context.req.query();
    if (client !== this.#options.clientId || !this.#workspaces.has(team)) return context.text('invalid', 400);
    const code = randomBytes(12).toString('hex');
    this.#codes.set(code, team);
    const back = new URL(this.#options.redirectUrl);
    back.search = new URLSearchParams({ code, state }).toString();
    return context.redirect(back.href);
  }

  #access(sent: Record<string, unknown>): Record<string, unknown> {
    const { clientId, clientSecret } = this.#options;
    if (sent.client_id !== clientId) return { ok: false, error: 'invalid_client_id' };
    if (sent.client_secret !== clientSecret) return { ok: false, error: 'bad_client_secret' };
    const id = this.#codes.get(String(sent.code));
    const world = this.#workspaces.get(id ?? '')?.world;
    if (id === undefined || world === undefined) return { ok: false, error: 'invalid_code' };
    this.#codes.delete(String(sent.code));
    // Installing the app again returns the same token.
    const known = [...this.#tokens].find(([, owner]) => owner === id)?.[0];
    const token = known ?? `xoxb-${id}-${randomBytes(8).toString('hex')}`;
    this.#tokens.set(token, id);
    const { team, bot, people } = world;
    const isCompany = id.startsWith('E');
    const place = { id, name: team.name };
    return {
      ...{ ok: true, access_token: token, token_type: 'bot', scope: 'commands,chat:write' },
      ...{ bot_user_id: bot.userId, app_id: bot.appId, authed_user: { id: people[0]?.id } },
      ...{ team: isCompany ? null : place, enterprise: isCompany ? place : null },
      is_enterprise_install: isCompany,
    };
  }

  #call(context: Context): Response | Promise<Response> {
    const token = context.req.header('authorization')?.replace(/^Bearer /, '') ?? '';
    const team = this.#tokens.get(token);
    const workspace = this.#workspaces.get(team ?? '');
    if (workspace === undefined && context.req.param('method') !== 'auth.test') this.#refused += 1;
    if (workspace === undefined)
      return context.json({ ok: false, error: team === '' ? 'account_inactive' : 'invalid_auth' });
    if (context.req.param('method') === 'auth.revoke') {
      this.#tokens.delete(token);
      return context.json({ ok: true, revoked: true });
    }
    return team?.startsWith('E') ? forCompany(context, workspace, team) : forward(context, workspace);
  }
}

/** The differences for the token of a whole company. */
async function forCompany(context: Context, workspace: SlackSandbox, company: string): Promise<Response> {
  const [method, { id, name }] = [context.req.param('method'), workspace.world.team];
  if (method === 'auth.teams.list') return context.json({ ok: true, teams: [{ id, name }] });
  const needsTeam = method === 'usergroups.users.list';
  if (needsTeam && new URLSearchParams(await context.req.text()).get('team_id') !== id)
    return context.json({ ok: false, error: 'missing_argument' });
  const answer = await forward(context, workspace);
  if (method !== 'users.info' && method !== 'auth.test') return answer;
  const said = await answer.json();
  if (method === 'auth.test') said.is_enterprise_install = true;
  else Object.assign(said.user ?? {}, { enterprise_user: { enterprise_id: company, teams: [id] } });
  return context.json(said, 200, { 'x-oauth-scopes': answer.headers.get('x-oauth-scopes') ?? '' });
}

async function forward(context: Context, { url, world }: SlackSandbox): Promise<Response> {
  const { pathname, search } = new URL(context.req.url);
  const headers = new Headers(context.req.raw.headers);
  headers.set('authorization', `Bearer ${world.slack.botToken}`);
  const body = await context.req.arrayBuffer();
  const sent = { method: context.req.method, headers, ...(body.byteLength === 0 ? {} : { body }) };
  // A connection broken by a fault is also broken for the app.
  return fetch(`${url}${pathname}${search}`, sent).catch(() => new Response(null, { status: 502 }));
}

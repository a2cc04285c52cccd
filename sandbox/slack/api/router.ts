import type { Context } from 'hono';
import { Hono } from 'hono';
import type { SandboxEnv } from '../../journal.ts';
import type { World } from '../../world.ts';
import { SlackApiError } from '../errors.ts';
import { type Fields, isFields } from '../fields.ts';
import type { Workspace } from '../workspace.ts';
import { agentMethods } from './agents.ts';
import { Args } from './args.ts';
import { canvasMethods } from './canvases.ts';
import { chatMethods } from './chat.ts';
import { conversationMethods } from './conversations.ts';
import type { Method, Methods } from './method.ts';
import { peopleMethods } from './people.ts';
import { viewMethods } from './views.ts';

const methods: Methods = {
  ...canvasMethods,
  ...agentMethods,
  ...chatMethods,
  ...conversationMethods,
  ...peopleMethods,
  ...viewMethods,
  'api.test': { scopes: [], token: 'none', run: apiTest },
};

function apiTest(args: Args): Fields {
  const error = args.string('error');
  if (error !== undefined) throw new SlackApiError(error);
  return {};
}

/** The Web API. `extra` contains methods that need more than the workspace, such as apps.connections.open. */
export function apiRoutes(workspace: Workspace, extra: Methods): Hono<SandboxEnv> {
  const all: Methods = { ...methods, ...extra };
  const routes = new Hono<SandboxEnv>();
  routes.on(['GET', 'POST'], '/:method', async (context) => {
    const name = context.req.param('method') ?? '';
    const headers: Record<string, string> = { 'x-oauth-scopes': workspace.app.scopes.join(',') };
    try {
      const method = Object.hasOwn(all, name) ? all[name] : undefined;
      if (method === undefined) throw new SlackApiError('unknown_method', { req_method: name });
      if (method.scopes.length > 0) headers['x-accepted-oauth-scopes'] = method.scopes.join(',');
      const fields = await readFields(context);
      authorise(context, method, fields, workspace);
      return context.json({ ok: true, ...(await method.run(new Args(fields), workspace)) }, 200, headers);
    } catch (error) {
      if (!(error instanceof SlackApiError)) throw error;
      return context.json({ ok: false, error: error.code, ...error.details }, 200, headers);
    }
  });
  return routes;
}

async function readFields(context: Context<SandboxEnv>): Promise<Fields> {
  const query = context.req.query();
  if (context.req.method === 'GET') return query;
  const type = context.req.header('content-type') ?? '';
  if (type.startsWith('application/json')) return { ...query, ...(await readJson(context)) };
  if (type.startsWith('multipart/form-data')) return { ...query, ...(await context.req.parseBody()) };
  const text = await context.req.text();
  if (type.startsWith('application/x-www-form-urlencoded')) {
    return { ...query, ...Object.fromEntries(new URLSearchParams(text)) };
  }
  if (text === '') return query;
  throw new SlackApiError('invalid_post_type');
}

async function readJson(context: Context<SandboxEnv>): Promise<Fields> {
  const text = await context.req.text();
  if (text === '') return {};
  try {
    const body: unknown = JSON.parse(text);
    if (!isFields(body)) throw new SlackApiError('json_not_object');
    // Slack only accepts the token of a JSON request in the header.
    return { ...body, token: undefined };
  } catch (error) {
    if (error instanceof SyntaxError) throw new SlackApiError('invalid_json');
    throw error;
  }
}

function tokenOf(context: Context<SandboxEnv>, fields: Fields): string | undefined {
  const header = /^Bearer\s+(\S+)$/i.exec(context.req.header('authorization') ?? '')?.[1];
  return header ?? (typeof fields.token === 'string' && fields.token !== '' ? fields.token : undefined);
}

function tokenKind(token: string, { slack }: World): 'bot' | 'app' {
  if (token === slack.botToken) return 'bot';
  if (token === slack.appToken) return 'app';
  throw new SlackApiError('invalid_auth');
}

function authorise(context: Context<SandboxEnv>, method: Method, fields: Fields, workspace: Workspace): void {
  if (method.token === 'none') return;
  const token = tokenOf(context, fields);
  if (token === undefined) throw new SlackApiError('not_authed');
  const kind = tokenKind(token, workspace.state.world);
  context.set('authOk', true);
  if (kind !== method.token) throw new SlackApiError('not_allowed_token_type');
  const provided = kind === 'app' ? ['connections:write'] : workspace.app.scopes;
  if (method.scopes.length === 0 || method.scopes.some((one) => provided.includes(one))) return;
  throw new SlackApiError('missing_scope', {
    needed: method.scopes.join(','),
    provided: provided.join(','),
  });
}

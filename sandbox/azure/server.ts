import { Hono } from 'hono';
import type { LogEntry } from '../incident.ts';
import type { SandboxEnv } from '../journal.ts';
import { type Listening, listen } from '../listen.ts';
import type { Row } from '../logs/table.ts';
import type { LogOptions } from '../options.ts';
import { readJson } from '../read-json.ts';
import { KqlRefusal, runKql } from './kql.ts';

export interface AzureOptions extends LogOptions {
  /** Tokens are only sent over https, as with Azure. */
  readonly tls: { readonly key: string; readonly cert: string };
}

const token = 'sandbox-azure-token';

/** The sign-in and query API of Azure Monitor, on one address. */
export async function startAzure(options: AzureOptions): Promise<Listening> {
  const { world, faults, journal, log, tls } = options;
  const { tenantId, clientId, clientSecret, workspaceId } = world.azure;
  const app = new Hono<SandboxEnv>();
  const site = { base: '' };
  app.get(`/${tenantId}/v2.0/.well-known/openid-configuration`, (context) =>
    context.json({
      issuer: `${site.base}/${tenantId}/v2.0`,
      authorization_endpoint: `${site.base}/${tenantId}/oauth2/v2.0/authorize`,
      token_endpoint: `${site.base}/${tenantId}/oauth2/v2.0/token`,
      jwks_uri: `${site.base}/${tenantId}/discovery/v2.0/keys`,
    }),
  );
  app.post(`/${tenantId}/oauth2/v2.0/token`, async (context) => {
    const form = await context.req.parseBody();
    if (form.client_id !== clientId || form.client_secret !== clientSecret) {
      const description = 'AADSTS7000215: Invalid client secret provided.';
      return context.json(
        { error: 'invalid_client', error_description: description, error_codes: [7000215] },
        401,
      );
    }
    return context.json({
      token_type: 'Bearer',
      expires_in: 3_599,
      ext_expires_in: 3_599,
      access_token: token,
    });
  });
  app.use('/v1/*', journal.middleware('azure'), faults.middleware('azure'));
  app.post('/v1/workspaces/:id/query', async (context) => {
    if (context.req.header('authorization') !== `Bearer ${token}`) {
      return context.json(
        errorBody('InvalidTokenError', 'The provided authentication is not valid for this resource'),
        401,
      );
    }
    context.set('authOk', true);
    if (context.req.param('id') !== workspaceId) {
      const message = 'The provided credentials have insufficient access to perform the requested operation';
      return context.json(errorBody('InsufficientAccessError', message), 403);
    }
    const { query, timespan } = await readJson(
      context,
      () => new KqlRefusal('SYN0001', 'The body is not JSON', 0),
    );
    try {
      return context.json({ tables: [tableJson(runKql(String(query), tables(log(), String(timespan))))] });
    } catch (error) {
      if (error instanceof KqlRefusal) return context.json(refusal(error, String(query)), 400);
      throw error;
    }
  });
  app.notFound((context) =>
    context.json(errorBody('PathNotFoundError', 'The requested path does not exist'), 404),
  );
  const server = await listen(app, { tls });
  site.base = server.url;
  return server;
}

function tables(entries: readonly LogEntry[], timespan: string): ReadonlyMap<string, readonly Row[]> {
  const [from = '', to = '9999'] = timespan.split('/');
  const rows = entries
    .map((entry) => ({
      TimeGenerated: entry.time.toISOString(),
      AppRoleName: entry.service,
      SeverityLevel: entry.level,
      Code: entry.code,
      AppRoleInstance: entry.host,
      Message: entry.message,
    }))
    .filter(({ TimeGenerated: at }) => at >= from && at <= to);
  return new Map([['AppTraces', rows]]);
}

function tableJson(rows: readonly Row[]): object {
  const columns = Object.entries(rows[0] ?? {}).map(([name, value]) => {
    const type = typeof value === 'number' ? 'long' : name === 'TimeGenerated' ? 'datetime' : 'string';
    return { name, type };
  });
  return {
    name: 'PrimaryResult',
    columns,
    rows: rows.map((row) => columns.map(({ name }) => row[name] ?? null)),
  };
}

function errorBody(code: string, message: string, inner?: object): object {
  return { error: { message, code, ...(inner === undefined ? {} : { innererror: inner }) } };
}

function refusal({ code, message, at }: KqlRefusal, query: string): object {
  const before = query.slice(0, at).split('\n');
  const [line, pos] = [before.length, before.at(-1)?.length ?? 0];
  const kind = code.startsWith('SEM') ? 'SemanticError' : 'SyntaxError';
  const said =
    kind === 'SyntaxError' ? 'A recognition error occurred in the query.' : 'A semantic error occurred.';
  const innermost = { code, message: `${message} on line [${line},${pos}]`, line, pos };
  return errorBody('BadArgumentError', 'The request had some invalid properties', {
    code: kind,
    message: said,
    innererror: innermost,
  });
}

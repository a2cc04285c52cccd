import { Hono } from 'hono';
import type { Faults } from '../faults.ts';
import type { Journal, SandboxEnv } from '../journal.ts';
import type { Methods } from './api/method.ts';
import { apiRoutes } from './api/router.ts';
import { SlackApiError } from './errors.ts';
import { isFields } from './fields.ts';
import { respond } from './respond.ts';
import type { Workspace } from './workspace.ts';

/** The app's HTTP endpoints: Web API and response URLs. */
export function slackApp(
  workspace: Workspace,
  options: { faults: Faults; journal: Journal; extra: Methods },
): Hono<SandboxEnv> {
  const app = new Hono<SandboxEnv>();
  app.use('*', async (context, next) => {
    await next();
    // Slack dates its responses by the same clock as its messages.
    context.res.headers.set('date', workspace.now().toUTCString());
  });
  app.use('*', options.journal.middleware('slack'), options.faults.middleware('slack'));
  app.route('/api', apiRoutes(workspace, options.extra));
  app.route('/commands', responseRoutes(workspace));
  app.route('/actions', responseRoutes(workspace));
  return app;
}

function responseRoutes(workspace: Workspace): Hono<SandboxEnv> {
  const routes = new Hono<SandboxEnv>();
  routes.post('/*', async (context) => {
    try {
      const target = workspace.responseUrls.use(context.req.path);
      context.set('authOk', true);
      const body = bodyOf(await context.req.text());
      respond(workspace, target, body);
      return context.text('ok');
    } catch (error) {
      if (!(error instanceof SlackApiError)) throw error;
      const gone = ['no_such_url', 'expired_url', 'used_url'].includes(error.code);
      return context.json({ ok: false, error: error.code, ...error.details }, gone ? 404 : 400);
    }
  });
  return routes;
}

function bodyOf(text: string): Record<string, unknown> {
  const form = text.startsWith('payload=') ? new URLSearchParams(text).get('payload') : text;
  try {
    const body: unknown = JSON.parse(form ?? '');
    if (isFields(body)) return body;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw new SlackApiError('invalid_payload');
}

import { type Context, Hono } from 'hono';
import { streamSSE } from 'hono/streaming';
import { jiraRoutes } from './control/jira-routes.ts';
import { pagerdutyRoutes } from './control/pagerduty-routes.ts';
import { ControlRefusal } from './control/request.ts';
import { slackRoutes } from './control/slack-routes.ts';
import { sandboxSnapshot, type Vendors } from './control/snapshot.ts';
import { troubleRoutes } from './control/trouble-routes.ts';
import type { DeploysSandbox } from './deploys/server.ts';
import type { Faults } from './faults.ts';
import { JiraRefusal } from './jira/errors.ts';
import type { Journal, SandboxEnv } from './journal.ts';
import { PersonError } from './slack/errors.ts';

export interface ControlParts extends Vendors {
  readonly deploys: Pick<DeploysSandbox, 'reset'>;
  readonly faults: Faults;
  readonly journal: Journal;
}

/** The HTTP API behind the page: people's actions, faults, and the current state. */
export function controlApp(parts: ControlParts): Hono<SandboxEnv> {
  const { slack, jira, monitoring, pagerduty, deploys, faults, journal } = parts;
  const app = new Hono<SandboxEnv>();
  app.use('/api/*', async (context, next) => {
    refuseForeignPages(context.req.header('host'), context.req.header('origin'));
    return next();
  });
  app.get('/api/state', (context) => context.json(sandboxSnapshot(parts, context.req.query('as'))));
  app.get('/api/stream', (context) => streamState(context, parts, context.req.query('as')));
  app.route('/api/slack', slackRoutes(slack));
  app.route('/api/jira', jiraRoutes(jira));
  app.route('/api/pagerduty', pagerdutyRoutes(pagerduty));
  for (const [verb, status] of [
    ['fire', 'firing'],
    ['resolve', 'resolved'],
  ] as const)
    app.post(`/api/monitoring/:alert/${verb}`, async (context) => {
      await monitoring.set(context.req.param('alert'), status);
      return context.json({});
    });
  app.route('/api', troubleRoutes(faults, journal));
  app.post('/api/reset', (context) => {
    faults.clear();
    slack.reset();
    jira.reset();
    pagerduty.reset();
    monitoring.reset();
    deploys.reset();
    journal.clear();
    return context.json({});
  });
  app.notFound((context) =>
    context.json({ error: 'not_found', message: `Nothing at ${context.req.path}` }, 404),
  );
  app.onError((error, context) => {
    if (error instanceof ControlRefusal) {
      return context.json({ error: error.code, message: error.message }, error.status);
    }
    if (error instanceof PersonError) return context.json({ error: error.code, message: error.message }, 400);
    if (error instanceof JiraRefusal) {
      return context.json({ error: error.code, message: error.message }, error.status);
    }
    throw error;
  });
  return app;
}

/** Otherwise a page of another site, or a name that resolves here, could act through a visitor's browser. */
function refuseForeignPages(host: string | undefined, origin: string | undefined): void {
  const local = /^(127\.0\.0\.1|localhost)(:\d+)?$/;
  const hostIsLocal = host === undefined || local.test(host);
  if (hostIsLocal && (origin === undefined || origin === `http://${host}`)) return;
  throw new ControlRefusal('foreign_origin', 'The sandbox is controlled from its own page only.', 403);
}

const quietMs = 50;

/** Server-sent events: `state` with the whole snapshot, at once and after changes, at most every 50 ms. */
function streamState(context: Context<SandboxEnv>, vendors: Vendors, as: string | undefined): Response {
  return streamSSE(context, async (stream) => {
    const { slack, jira, monitoring, pagerduty } = vendors;
    let changed = true;
    let wake = (): void => undefined;
    const onChange = (): void => {
      changed = true;
      wake();
    };
    const stops = [slack, jira, monitoring, pagerduty].map((vendor) => vendor.onChange(onChange));
    stream.onAbort(() => {
      for (const stop of stops) stop();
      wake();
    });
    while (!stream.aborted) {
      if (changed) {
        changed = false;
        await stream.writeSSE({ event: 'state', data: JSON.stringify(sandboxSnapshot(vendors, as)) });
        await stream.sleep(quietMs);
        continue;
      }
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  });
}

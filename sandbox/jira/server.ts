import { timingSafeEqual } from 'node:crypto';
import { Hono } from 'hono';
import type { SandboxEnv } from '../journal.ts';
import { type Listening, listen } from '../listen.ts';
import type { PartOptions } from '../options.ts';
import { badRequest, JiraRefusal } from './errors.ts';
import { addIssueRoutes } from './issue-routes.ts';
import { type Site, userJson } from './render.ts';
import { addSearchRoutes } from './search-routes.ts';
import { JiraStore } from './store.ts';

export interface JiraOptions extends PartOptions {
  readonly port?: number;
}

export interface JiraSandbox {
  /** The value for JIRA_HOST. */
  readonly url: string;
  readonly store: JiraStore;
  close(): Promise<void>;
}

/** A Jira Cloud site (REST v3 and the service desk SLA page) on loopback, with basic authentication. */
export async function startJira(options: JiraOptions): Promise<JiraSandbox> {
  const store = new JiraStore(options.world, options.now);
  // Answers contain the address, which is only known once the port is.
  const site = { base: '', store };
  const server: Listening = await listen(jiraApp(options, site), { port: options.port ?? 0 });
  site.base = server.url;
  return { url: server.url, store, close: () => server.close() };
}

function jiraApp({ world, faults, journal }: JiraOptions, site: Site): Hono<SandboxEnv> {
  const app = new Hono<SandboxEnv>();
  const credentials = Buffer.from(`${world.jira.email}:${world.jira.apiToken}`).toString('base64');
  app.use(journal.middleware('jira'));
  app.use(faults.middleware('jira'));
  app.use(async (context, next) => {
    if (!sameText(context.req.header('authorization') ?? '', `Basic ${credentials}`)) {
      context.header('www-authenticate', 'OAuth realm="https%3A%2F%2Facme-sandbox.atlassian.net"');
      context.header('x-seraph-loginreason', 'AUTHENTICATED_FAILED');
      return context.text('Client must be authenticated to access this resource.', 401);
    }
    context.set('authOk', true);
    return next();
  });
  addSearchRoutes(app, site);
  addIssueRoutes(app, site);
  addSiteRoutes(app, site);
  addPermissionRoutes(app, site);
  app.notFound((context) =>
    context.json({ errorMessages: [`No resource at ${context.req.path}`], errors: {} }, 404),
  );
  app.onError((error, context) => {
    if (!(error instanceof JiraRefusal)) throw error;
    return context.json({ errorMessages: error.errorMessages, errors: error.errors }, error.status);
  });
  return app;
}

function addSiteRoutes(app: Hono<SandboxEnv>, site: Site): void {
  const { store } = site;
  app.get('/rest/api/3/myself', (context) =>
    context.json({ ...userJson(site, store.bot), locale: 'en_GB', groups: { size: 1, items: [] } }),
  );
  app.get('/rest/api/3/user/search', (context) => {
    const query = context.req.query('query')?.toLowerCase();
    if (query === undefined) {
      throw badRequest("One of 'query', 'accountId' or 'property' is required.");
    }
    const found = store.users.filter(({ displayName, email }) =>
      [...displayName.split(' '), displayName, email].some((text) => text.toLowerCase().startsWith(query)),
    );
    return context.json(found.slice(0, 1_000).map((user) => userJson(site, user)));
  });
}

function sameText(one: string, other: string): boolean {
  const [left, right] = [Buffer.from(one), Buffer.from(other)];
  return left.length === right.length && timingSafeEqual(left, right);
}

/** Some of Jira's project permissions; the bot's account has them all, since the sandbox never refuses for lack of one. */
const known: Readonly<Record<string, readonly [id: string, name: string]>> = {
  BROWSE_PROJECTS: ['10', 'Browse Projects'],
  CREATE_ISSUES: ['11', 'Create Issues'],
  EDIT_ISSUES: ['12', 'Edit Issues'],
  ASSIGN_ISSUES: ['13', 'Assign Issues'],
  ADD_COMMENTS: ['15', 'Add Comments'],
  TRANSITION_ISSUES: ['46', 'Transition Issues'],
};

function addPermissionRoutes(app: Hono<SandboxEnv>, { store }: Site): void {
  app.get('/rest/api/3/mypermissions', (context) => {
    const names = context.req.query('permissions')?.split(',') ?? [];
    if (names.length === 0) throw badRequest('The permissions query parameter is required.');
    const unknown = names.filter((name) => !Object.hasOwn(known, name));
    if (unknown.length > 0) throw badRequest(`Unrecognized permission: ${unknown.join(', ')}`);
    const project = context.req.query('projectKey');
    if (project !== undefined && !store.world.jira.projects.some(({ key }) => key === project)) {
      throw new JiraRefusal(404, [`No project could be found with key '${project}'.`]);
    }
    const permissions = names.map((key) => {
      const [id = '', name = ''] = known[key] ?? [];
      return [key, { id, key, name, type: 'PROJECT', description: name, havePermission: true }];
    });
    return context.json({ permissions: Object.fromEntries(permissions) });
  });
}

import { type Context, Hono } from 'hono';
import type { Faults } from '../faults.ts';
import type { Journal, SandboxEnv } from '../journal.ts';
import { checkIncludes, listParameter, pageOf, timeParameter } from './paging.ts';
import { onCallJson, type RestSite, scheduleJson, serviceJson, userJson } from './render.ts';
import { invalid, notFound, RestRefusal } from './rest-errors.ts';
import { addIncidentRoutes } from './rest-incidents.ts';

const maxRange = 90 * 86_400_000;

/** REST API v2 with a user's token. */
export function restApp(site: RestSite, faults: Faults, journal: Journal): Hono<SandboxEnv> {
  const app = new Hono<SandboxEnv>();
  app.use(journal.middleware('pagerduty-rest'));
  app.use(faults.middleware('pagerduty-rest'));
  app.use(async (context, next) => {
    const { apiToken, readOnlyToken } = site.store.world.pagerduty;
    const sent = context.req.header('authorization')?.replace(/^Token token="?([^"]*)"?$/i, '$1');
    if (sent !== apiToken && sent !== readOnlyToken) throw new RestRefusal(401, 2_006, 'Unauthorized');
    context.set('authOk', true);
    if (sent === readOnlyToken && context.req.method !== 'GET')
      throw new RestRefusal(403, 2_010, 'Access Denied');
    return next();
  });
  addServiceRoutes(app, site);
  addPeopleRoutes(app, site);
  addIncidentRoutes(app, site);
  app.get('/webhook_subscriptions', (context) => {
    const method = { id: 'PDM0001', secret: null, temporarily_disabled: false, type: 'http_delivery_method' };
    const urls = site.webhookUrl === null ? [] : [site.webhookUrl];
    return pageOf(context, 'webhook_subscriptions', urls, (url) => ({
      ...{ id: 'PWS0001', type: 'webhook_subscription', active: true, description: 'Countersign' },
      delivery_method: { ...method, url },
      events: ['incident.acknowledged', 'incident.resolved'],
      filter: { type: 'account_reference' },
    }));
  });
  app.notFound(() => {
    throw notFound();
  });
  app.onError((error, context) => {
    if (!(error instanceof RestRefusal)) throw error;
    const { message, number, errors, status } = error;
    const details = errors.length === 0 ? {} : { errors };
    return context.json({ error: { message, code: number, ...details } }, status);
  });
  return app;
}

function addServiceRoutes(app: Hono<SandboxEnv>, site: RestSite): void {
  const { services } = site.store.world.pagerduty;
  const queryOf = (context: Rest) => context.req.query('query')?.toLowerCase() ?? '';
  app.get('/services', (context) => {
    const found = services.filter(({ name }) => name.toLowerCase().includes(queryOf(context)));
    return pageOf(context, 'services', found, (one) => serviceJson(site, one));
  });
  app.get('/schedules', (context) => {
    const found = services.filter(({ schedule }) => schedule.name.toLowerCase().includes(queryOf(context)));
    return pageOf(context, 'schedules', found, (one) => scheduleJson(site, one));
  });
  app.get('/services/:id', (context) => {
    const service = site.store.service(context.req.param('id'));
    if (service === undefined) throw notFound();
    checkIncludes(context, ['escalation_policies', 'teams', 'integrations']);
    return context.json({ service: serviceJson(site, service, listParameter(context, 'include')) });
  });
}

function addPeopleRoutes(app: Hono<SandboxEnv>, site: RestSite): void {
  const { store } = site;
  const { people } = store.world;
  app.get('/users', (context) => {
    const query = context.req.query('query')?.toLowerCase() ?? '';
    const found = people.filter((one) => `${one.realName} ${one.email}`.toLowerCase().includes(query));
    return pageOf(context, 'users', found, (one) => userJson(site, one));
  });
  app.get('/oncalls', (context) => {
    checkIncludes(context, ['escalation_policies', 'users', 'schedules']);
    return pageOf(context, 'oncalls', onCalls(context, site), (one) => one);
  });
}

type Rest = Context<SandboxEnv>;

/** The rota of each policy first, then the permanent backup. */
function onCalls(context: Rest, site: RestSite): readonly Record<string, unknown>[] {
  const { store } = site;
  const since = timeParameter(context, 'since') ?? store.now();
  const until = timeParameter(context, 'until') ?? store.now();
  if (until.getTime() - since.getTime() > maxRange) throw invalid('Date range cannot exceed 90 days.');
  const policies = listParameter(context, 'escalation_policy_ids');
  const schedules = listParameter(context, 'schedule_ids');
  const users = listParameter(context, 'user_ids');
  const included = listParameter(context, 'include') ?? [];
  return store.world.pagerduty.services
    .filter((one) => policies?.includes(one.escalationPolicy.id) ?? true)
    .flatMap((service) => {
      const inSchedule = schedules?.includes(service.schedule.id) ?? true;
      const shifts = inSchedule ? store.rota(service).between(since, until) : [];
      const always = service.backup === null || schedules !== undefined ? [] : [service.backup];
      return [
        ...shifts.map((shift) => ({ service, shift, user: shift.user })),
        ...always.map((user) => ({ service, shift: null, user })),
      ];
    })
    .filter(({ user }) => users?.includes(user) ?? true)
    .map(({ service, shift, user }) => onCallJson(site, service, { shift, user, included }));
}

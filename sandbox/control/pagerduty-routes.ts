import { Hono } from 'hono';
import { z } from 'zod';
import type { SandboxEnv } from '../journal.ts';
import type { PagerDutyStore } from '../pagerduty/store.ts';
import { bodyOf, ControlRefusal, personNamed } from './request.ts';

const actor = z.object({ as: z.string().min(1) });
const handover = z.object({
  service: z.string().min(1),
  user: z.string().min(1),
  /** The end of the current shift if absent. */
  until: z.iso.datetime({ offset: true }).optional(),
});
const verbs = { acknowledge: 'acknowledged', resolve: 'resolved' } as const;

/** People's actions in PagerDuty. */
export function pagerdutyRoutes(store: PagerDutyStore): Hono<SandboxEnv> {
  const routes = new Hono<SandboxEnv>();
  for (const verb of ['acknowledge', 'resolve'] as const) {
    routes.post(`/incidents/:id/${verb}`, async (c) => {
      const { as } = await bodyOf(c, actor);
      const incident = store.incidents().find((one) => one.id === c.req.param('id'));
      if (incident === undefined) {
        throw new ControlRefusal('incident_not_found', `There is no incident ${c.req.param('id')}.`, 404);
      }
      if (incident.status === 'resolved') {
        throw new ControlRefusal('already_resolved', `Incident ${incident.number} is already resolved.`);
      }
      store.setStatus(incident, verbs[verb], personNamed(store.world, as).pagerdutyId);
      return c.json({ id: incident.id, status: incident.status });
    });
  }
  routes.put('/oncall', async (c) => {
    const { service: name, user, until } = await bodyOf(c, handover);
    const service = store.world.pagerduty.services.find((one) => one.id === name || one.name === name);
    if (service === undefined)
      throw new ControlRefusal('service_not_found', `There is no service ${name}.`, 404);
    const end = until === undefined ? store.rota(service).at(store.now()).end : new Date(until);
    if (end <= store.now()) throw new ControlRefusal('until_is_past', 'The shift would be over already.');
    store.setOnCall(service, personNamed(store.world, user).pagerdutyId, end);
    return c.json({ service: service.id, until: end.toISOString() });
  });
  return routes;
}

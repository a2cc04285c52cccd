import { Hono } from 'hono';
import { z } from 'zod';
import type { Faults } from '../faults.ts';
import type { Journal, SandboxEnv } from '../journal.ts';
import { faultKinds, vendors } from '../vendor.ts';
import { bodyOf, ControlRefusal } from './request.ts';

const fault = z.strictObject({
  vendor: z.enum(vendors),
  kind: z.enum(faultKinds),
  match: z
    .strictObject({
      method: z.string().exactOptional(),
      path: z.string().startsWith('/').exactOptional(),
      exact: z.boolean().exactOptional(),
    })
    .exactOptional(),
  status: z.int().min(200).max(599).exactOptional(),
  retryAfterSeconds: z.int().min(0).exactOptional(),
  delayMs: z.int().min(0).max(600_000).exactOptional(),
  times: z.int().min(1).exactOptional(),
  body: z.unknown().optional(),
});
const vendorName = z.enum(vendors);

/** Switching faults on and off, and the record of requests to the vendors. */
export function troubleRoutes(faults: Faults, journal: Journal): Hono<SandboxEnv> {
  const routes = new Hono<SandboxEnv>();
  routes.get('/faults', (c) => c.json({ faults: faults.list() }));
  routes.post('/faults', async (c) => c.json({ id: faults.add(await bodyOf(c, fault)) }, 201));
  routes.delete('/faults', (c) => {
    faults.clear();
    return c.json({});
  });
  routes.delete('/faults/:id', (c) => {
    const id = c.req.param('id');
    if (!faults.remove(id)) throw new ControlRefusal('fault_not_found', `There is no fault ${id}.`, 404);
    return c.json({});
  });
  routes.get('/journal', (c) => {
    const vendor = vendorName.safeParse(c.req.query('vendor'));
    const path = c.req.query('path');
    const after = Number(c.req.query('after') ?? 0);
    const only = vendor.success ? { vendor: vendor.data } : {};
    return c.json({ entries: journal.list({ ...only, after, ...(path === undefined ? {} : { path }) }) });
  });
  return routes;
}

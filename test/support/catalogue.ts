import { allManifests } from '../../manifests/all.ts';
import type { Catalogue } from '../../src/core/catalogue.ts';
import type { Policy } from '../../src/core/policy.ts';
import { rulesFor } from './rules.ts';

/** A small company: services, projects and channels that tests may name. */
export function testCatalogue(change: Partial<Catalogue> = {}): Catalogue {
  return {
    manifests: new Map(allManifests.map((manifest) => [manifest.name, manifest])),
    unconfigured: new Map(),
    services: [
      { name: 'ops', pagerdutyId: 'PSOPS01', project: 'OPS' },
      { name: 'payments-api', pagerdutyId: 'PSPAY01', project: 'PAY' },
    ],
    projects: [
      { key: 'OPS', service: 'ops', aliases: ['operations'] },
      { key: 'PAY', service: 'payments-api', aliases: [] },
    ],
    channels: [
      { name: 'ops', id: 'C0OPS', clearance: 'internal' },
      { name: 'general', id: 'C0GENERAL', clearance: 'public' },
    ],
    people: [{ handle: 'ana', id: 'U0ANA' }],
    defaults: { project: 'OPS', priority: 'P1', service: 'ops', channel: 'ops' },
    open: false,
    ...change,
  };
}

export const testPolicy: Policy = {
  rules: rulesFor({ '*': [{ kind: 'user', id: 'U0ANA' }] }, false),
  serviceOf: {},
  breakGlass: [],
  reads: 'run',
  code: 'playbooks',
  expiresMinutes: 30,
  caps: {
    steps: 20,
    writes: 5,
    pagesPerHour: 6,
    postsPerHour: 30,
    questionsPerHour: 60,
    plansPerHour: 60,
    modelUsdPerDay: 5,
  },
};

import { allManifests } from '../../manifests/all.ts';
import type { Catalogue } from '../../src/core/catalogue.ts';
import type { Manifest } from '../../src/core/manifest.ts';
import type { PlanningInput } from '../../src/core/planning.ts';
import type { Policy } from '../../src/core/policy.ts';
import { rulesFor } from './rules.ts';

/** A small company: two services with their projects, channels of two clearances and three people. */
export function testCatalogue(
  over: Partial<Catalogue> = {},
  manifests: readonly Manifest[] = allManifests,
): Catalogue {
  return {
    manifests: new Map(manifests.map((manifest) => [manifest.name, manifest])),
    unconfigured: new Map(),
    services: [
      { name: 'ops', pagerdutyId: 'PSOPS01', project: 'OPS' },
      { name: 'payments-api', pagerdutyId: 'PSPAY01', project: 'PAY' },
      { name: 'search', pagerdutyId: 'PSSEA01' },
    ],
    projects: [
      { key: 'OPS', service: 'ops', aliases: ['operations'] },
      { key: 'PAY', service: 'payments-api', aliases: ['payments'] },
    ],
    channels: [
      { name: 'ops', id: 'C0OPS', clearance: 'internal' },
      { name: 'status', id: 'C0STAT', clearance: 'public' },
      { name: 'payments-war-room', id: 'C0PAY', clearance: 'confidential' },
    ],
    people: [
      { handle: 'ana', id: 'U0ANA' },
      { handle: 'ben', id: 'U0BEN' },
      { handle: 'cto', id: 'U0CTO' },
    ],
    defaults: {},
    open: false,
    ...over,
  };
}

export const testPolicy: Policy = {
  rules: rulesFor({ '*': [{ kind: 'user', id: 'U0ANA' }] }, true),
  serviceOf: {},
  breakGlass: [],
  reads: 'run',
  code: 'playbooks',
  expiresMinutes: 30,
  caps: {
    steps: 20,
    writes: 3,
    pagesPerHour: 6,
    postsPerHour: 30,
    questionsPerHour: 60,
    plansPerHour: 60,
    modelUsdPerDay: 1,
  },
};

export function planningInput(goal: string, over: Partial<PlanningInput> = {}): PlanningInput {
  return {
    goal,
    quoted: null,
    catalogue: testCatalogue(),
    policy: testPolicy,
    answers: [],
    change: null,
    replan: null,
    now: new Date('2026-03-02T03:00:00Z'),
    ...over,
  };
}

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { pagerdutyPage } from '../../manifests/pagerduty.page.ts';
import { canonicalJson, digestOf } from '../../src/core/canonical.ts';
import { type Catalogue, catalogueDigest } from '../../src/core/catalogue.ts';
import { findCycle, graphOf, waves } from '../../src/core/graph.ts';
import { argValueSchema, planLimits, planSchema, textParts } from '../../src/core/plan.ts';
import { fillArgs, lookUp } from '../../src/core/refs.ts';
import { type Sealed, seal, unseal } from '../../src/core/revision.ts';
import { testCatalogue } from '../support/catalogue.ts';
import { slaPlan } from '../support/plans.ts';

const plan = planSchema.parse(slaPlan());
const sealed: Sealed = {
  format: 1,
  teamId: 'T0',
  requestId: 'r1',
  number: 1,
  requester: 'U0BEN',
  authors: ['U0BEN'],
  plan,
  catalogue: 'c',
  policy: 'p',
  targets: [],
  planner: 'offline',
  notes: [],
  estimate: { p50Ms: null, p95Ms: null, usd: 0 },
  createdAt: '2026-01-01T00:00:00.000Z',
  expiresAt: '2026-01-01T00:30:00.000Z',
};

describe('canonical JSON and digest', () => {
  test('do not depend on the order of keys', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
        const turned = Object.fromEntries(Object.entries(value).reverse());
        return digestOf(value) === digestOf(turned);
      }),
    );
    // RFC 8785, section 3.2.3: keys in UTF-16 order, numbers as ECMAScript writes them.
    expect(canonicalJson({ '€': 1e21, '\r': 1.0, a: 0.000001 })).toBe('{"\\r":1,"a":0.000001,"€":1e+21}');
  });

  test('change with every value of a revision, and sealed bytes open only with their own digest', () => {
    const revision = seal(sealed);
    expect(unseal(revision.bytes, revision.digest).sealed).toEqual(revision.sealed);
    expect(seal({ ...sealed, expiresAt: '2026-01-01T00:31:00.000Z' }).digest).not.toBe(revision.digest);
    const tampered = revision.bytes.replace('"service":"ops"', '"service":"pay"');
    expect(() => unseal(tampered, revision.digest)).toThrow('not the one that was shown');
  });
});

describe('the graph', () => {
  test('sorts into waves that depend on the graph alone', () => {
    const nodes = graphOf(plan.steps);
    expect(waves(nodes)).toEqual({ waves: [['count', 'sla'], ['page']], stuck: [] });
    fc.assert(
      fc.property(fc.shuffledSubarray([...nodes], { minLength: 3 }), (shuffled) => {
        expect(waves(shuffled).waves).toEqual([['count', 'sla'], ['page']]);
      }),
    );
  });

  test('names a cycle from its first step back to it', () => {
    const nodes = [
      { id: 'a', needs: ['c'] },
      { id: 'b', needs: ['a'] },
      { id: 'c', needs: ['b'] },
      { id: 'd', needs: ['a'] },
    ];
    expect(findCycle(nodes)).toEqual(['a', 'c', 'b', 'a']);
    expect(findCycle(graphOf(plan.steps))).toBeNull();
  });
});

describe('references', () => {
  const page = plan.steps[2];

  test('fill a text from literal and result parts, and never leave a gap', () => {
    if (!page) throw new Error('the plan has three steps');
    const results = new Map([
      ['count', { total: 24 }],
      ['sla', { max_open: 20 }],
    ]);
    expect(fillArgs(pagerdutyPage, page.args, results)).toEqual({
      service: 'ops',
      text: 'OPS has 24 open P1 tickets; the SLA allows 20',
    });
    expect(() => fillArgs(pagerdutyPage, page.args, new Map([['count', { total: 24 }]]))).toThrow(
      'sla.max_open has no value.',
    );
  });

  test('see own keys only', () => {
    expect(lookUp({ a: { b: 1 } }, ['a', 'b'])).toBe(1);
    expect(lookUp({ a: 1 }, ['constructor'])).toBeUndefined();
    expect(lookUp(['x'], ['length'])).toBeUndefined();
  });
});

test('every part of the catalogue that can redirect a write is in its digest', () => {
  const { manifests, services, projects, channels } = testCatalogue();
  const changes: Partial<Catalogue>[] = [
    {},
    { manifests: new Map([...manifests].slice(1)) },
    { services: services.map((one) => ({ ...one, pagerdutyId: 'PSELSE1' })) },
    { projects: projects.map((one) => ({ ...one, service: 'payments-api' })) },
    { channels: channels.map((one) => ({ ...one, id: 'C0ELSE' })) },
    { channels: channels.map((one) => ({ ...one, clearance: 'restricted' as const })) },
    { people: [{ handle: 'ana', id: 'U0EVE' }] },
    { defaults: { project: 'PAY' } },
    { priorities: { P1: 'Highest' } },
    { pasted: ['sql'] },
  ];
  const digests = changes.map((change) => catalogueDigest(testCatalogue(change)));
  expect(new Set(digests).size).toBe(changes.length);
});

test('a text of any length is an argument, in parts that together are the text', () => {
  const long = `${'a'.repeat(planLimits.text - 1)}😀${'b'.repeat(planLimits.text)}`;
  const parts = textParts(long);
  expect(argValueSchema.parse(parts)).toEqual(parts);
  expect([parts].flat().join('')).toBe(long);
  expect(textParts('short')).toBe('short');
});

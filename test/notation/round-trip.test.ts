import fc from 'fast-check';
import { expect, test } from 'vitest';
import { allManifests } from '../../manifests/all.ts';
import { parse } from '../../src/notation/parse.ts';
import { print } from '../../src/notation/print.ts';
import { anyPlan } from '../support/any-plan.ts';

const manifests = new Map(allManifests.map((manifest) => [manifest.name, manifest]));

test('every plan prints as text that parses back to it', () => {
  fc.assert(
    fc.property(anyPlan, (plan) => {
      const text = print(plan, manifests);
      const parsed = parse(text, manifests);
      expect(parsed.problems, text).toEqual([]);
      expect(parsed.plan).toStrictEqual(plan);
    }),
  );
});

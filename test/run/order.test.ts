import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Step } from '../../src/core/plan.ts';
import { callOrder } from '../../src/run/active-run.ts';
import { planOf } from '../support/runs.ts';

type Effect = 'read' | 'write';

function step(id: string, effect: Effect, needs: string[]) {
  const tool = effect === 'read' ? 'jira.count' : 'pagerduty.page';
  return { id, tool, why: 'x', args: {}, needs };
}

const effectOf = (one: Step): Effect => (one.tool === 'jira.count' ? 'read' : 'write');

/** Any acyclic graph: a step may need any of the steps before it, and the list is shuffled afterwards. */
const anyPlan = fc
  .array(fc.tuple(fc.constantFrom<Effect>('read', 'write'), fc.array(fc.nat(), { maxLength: 4 })), {
    minLength: 1,
    maxLength: 15,
  })
  .chain((drafts) => {
    const steps = drafts.map(([effect, needs], at) => {
      const earlier = at === 0 ? [] : [...new Set(needs.map((need) => `s${need % at}`))];
      return step(`s${at}`, effect, earlier);
    });
    return fc.shuffledSubarray(steps, { minLength: steps.length });
  })
  .map((steps) => planOf(steps).steps);

test('the order does not depend on how steps are listed, and each step follows all its needs', () => {
  fc.assert(
    fc.property(anyPlan, (steps) => {
      const { order, stuck } = callOrder(steps, effectOf);
      const ids = order.map(({ id }) => id);
      expect(stuck).toEqual([]);
      expect(ids.toSorted()).toEqual(steps.map(({ id }) => id).toSorted());
      expect(callOrder([...steps].reverse(), effectOf).order.map(({ id }) => id)).toEqual(ids);
      for (const { id, needs } of order) {
        for (const need of needs) expect(ids.indexOf(need)).toBeLessThan(ids.indexOf(id));
      }
    }),
  );
});

test('reads wait only for their needs; writes also wait for every read without needs', () => {
  fc.assert(
    fc.property(anyPlan, (steps) => {
      for (const one of steps) {
        const waits = callOrder(steps, effectOf).order.find(({ id }) => id === one.id)?.needs ?? [];
        expect(waits).toEqual(expect.arrayContaining(one.needs));
        if (effectOf(one) === 'read') expect(new Set(waits)).toEqual(new Set(one.needs));
        else {
          const first = steps.filter((other) => effectOf(other) === 'read' && other.needs.length === 0);
          expect(waits).toEqual(expect.arrayContaining(first.map(({ id }) => id)));
        }
      }
    }),
  );
});

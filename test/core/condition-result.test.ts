import { expect, test } from 'vitest';
import { allManifests } from '../../manifests/all.ts';
import { verdictOf } from '../../src/core/condition-result.ts';
import { conditionWords, sayOpposite } from '../../src/core/condition-words.ts';
import type { StepResult } from '../../src/core/run.ts';
import { vocabularyOf } from '../../src/core/step-words.ts';
import { parse } from '../../src/notation/parse.ts';

const manifests = new Map(allManifests.map((manifest) => [manifest.name, manifest]));
const notation = [
  ...['a = jira.count project=PAY priority=P1', 'a_limit = sla.threshold project=PAY priority=P1'],
  ...['b = jira.count project=PAY priority=P2', 'b_limit = sla.threshold project=PAY priority=P2'],
].join('\n');
const words = vocabularyOf(parse(notation, manifests).plan?.steps ?? [], manifests);
const either = 'a.total > a_limit.max_open || b.total > b_limit.max_open';

/** The verdict for the given number of tickets of each priority; five of each are allowed. */
function verdict(when: string, [a, b]: readonly [number, number]) {
  const read = { a: { total: a }, a_limit: { max_open: 5 }, b: { total: b }, b_limit: { max_open: 5 } };
  const results = Object.entries(read).map(([stepId, result]): StepResult => {
    const tool = words.steps.get(stepId)?.tool ?? '';
    const at = '2026-03-10T12:00:00Z';
    const rest = { reason: null, notes: [], attempts: 1, startedAt: at, finishedAt: at };
    return { stepId, tool, status: 'succeeded', result, ...rest };
  });
  return verdictOf(when, { words, targets: [] }, results);
}

test('alternative limits share one word', () => {
  expect(verdict(either, [3, 2])).toMatchObject({ holds: false, word: 'within the SLA' });
  expect(verdict(either, [3, 9])).toMatchObject({ holds: true, word: 'breached' });
  expect(verdict(either.replace('||', '&&'), [3, 9])).toMatchObject({
    ...{ holds: false, word: '3 > 5 and 9 > 5 does not hold' },
  });
});

test('a whole condition has no brackets around it, a part of one keeps them', () => {
  expect(verdict(either, [3, 2])?.values).toBe('3 > 5 or 2 > 5');
  expect(conditionWords(`(${either}) && a.total > 1`, words)).toMatch(/^\(.* or .*\) and /);
});

test('the opposite of a condition is stated positively', () => {
  expect(sayOpposite('a.total > 5 && !(b.total == 2)', words)).toMatch(
    /^there are no more than 5 P1 tickets .* or there are exactly 2 P2 tickets .*$/,
  );
  expect(sayOpposite('a.total in [1, 2]', words)).toMatch(/^not \(P1 .* is one of 1, 2\)$/);
});

import { expect, test } from 'vitest';
import { collapsed, expanded } from '../../src/core/for-each.ts';
import type { Plan } from '../../src/core/plan.ts';
import { parse } from '../../src/notation/parse.ts';
import { print } from '../../src/notation/print.ts';
import { reviewDraft } from '../../src/review/review.ts';
import { testCatalogue, testPolicy } from '../support/catalogue.ts';

const catalogue = testCatalogue();
const lines = {
  list: 'late = jira.sla project=OPS state=breached',
  write: 'for each late.keys as ticket: jira.comment key={ticket} text="{ticket}: {late.total} are late"',
};

function planOf(...text: string[]): Plan {
  const { plan, problems } = parse(text.join('\n'), catalogue.manifests);
  expect(problems).toEqual([]);
  return plan as Plan;
}

const problemsIn = (...text: string[]) =>
  parse(text.join('\n'), catalogue.manifests).problems.map((one) => one.message);
const findingsIn = (...text: string[]) =>
  reviewDraft(planOf(...text), { catalogue, policy: testPolicy }).findings.map((one) => one.message);

test('a write for each entry prints as text that parses back to it, before and after its targets are listed', () => {
  const plan = planOf(
    lines.list,
    `when late.total > 1: ${lines.write}`,
    'slack.post channel=#ops text=done',
    '  after: comment',
  );
  const listed = expanded(plan, new Map([['late.keys', ['OPS-1', 'OPS-2']]]));
  for (const one of [plan, listed]) {
    const text = print(one, catalogue.manifests);
    expect(parse(text, catalogue.manifests), text).toStrictEqual({ plan: one, problems: [] });
  }
  expect(print(plan, catalogue.manifests)).toContain(
    'for each late.keys as item: comment = jira.comment key={item}',
  );
});

test('each listed write has its own id, target and condition, and what follows waits for all of them', () => {
  const plan = planOf(
    lines.list,
    `when late.total > 1: ${lines.write}`,
    'slack.post channel=#ops text=done',
    '  after: comment',
  );
  const { steps } = expanded(plan, new Map([['late.keys', ['OPS-1', 'OPS-2']]]));
  expect(steps.map(({ id }) => id)).toEqual(['late', 'comment', 'comment2', 'post']);
  expect(steps[2]).toMatchObject({
    when: '"OPS-2" in late.keys && (late.total > 1)',
    args: { key: 'OPS-2', text: ['OPS-2: ', { ref: 'late.total' }, ' are late'] },
    oneOf: 'late.keys',
  });
  expect(steps[3]?.needs).toEqual(['comment', 'comment2']);
});

test('a name that only begins like an entry stays as it was typed when its list is read anew', () => {
  const plan = planOf(
    lines.list,
    'for each late.keys as ticket: jira.comment key={ticket} text="{ticket} is like OPS-12, not XOPS-1."',
  );
  const listed = expanded(plan, new Map([['late.keys', ['OPS-1']]]));
  expect(collapsed(listed)).toStrictEqual(plan);
});

test('listed writes become one for each entry again, unless a person changed one of them', () => {
  const plan = planOf(lines.list, lines.write, 'slack.post channel=#ops text=done', '  after: comment');
  const listed = expanded(plan, new Map([['late.keys', ['OPS-1', 'OPS-2', 'OPS-3']]]));
  expect(collapsed(listed)).toStrictEqual(plan);
  const changed = (args: object) => ({
    ...listed,
    steps: listed.steps.map((step) =>
      step.id === 'comment2' ? { ...step, args: { ...step.args, ...args } } : step,
    ),
  });
  for (const other of [changed({ text: 'Something else' }), changed({ key: 'OPS-9' })])
    expect(collapsed(other)).toStrictEqual(other);
});

test.each([
  [
    'a list that no tool returns',
    [lines.list, 'for each late.rows as x: jira.comment key={x} text=a'],
    /has keys/,
  ],
  [
    'a step that is not there',
    ['for each late.keys as x: jira.comment key={x} text=a'],
    /There is no step `late`/,
  ],
  [
    'no name for an entry',
    [lines.list, 'for each late.keys: jira.comment key={late.keys} text=a'],
    /for each list\.keys as item/,
  ],
  [
    'the name of a step for an entry',
    [lines.list, 'for each late.keys as late: jira.comment key={late} text=a'],
    /is a step/,
  ],
])('a text with %s is refused', (_what, text, message) => {
  expect(problemsIn(...text).join(' ')).toMatch(message);
});

test.each([
  ['a read', [lines.list, 'for each late.keys as x: jira.get key={x}'], /is for writes; jira\.get reads/],
  [
    'a write whose target is another thing',
    [lines.list, 'for each late.keys as x: jira.comment key=OPS-1 text={x}'],
    /must have an entry of late\.keys as its target/,
  ],
  [
    'a target of another kind',
    [lines.list, 'for each late.keys as x: pagerduty.ack incident={x}'],
    /an entry of late\.keys is an issue/,
  ],
  [
    'a step that uses its result',
    [
      lines.list,
      'for each late.keys as x: note = jira.comment key={x} text=a',
      'slack.post channel=#ops text="{note.link}"',
    ],
    /post cannot use/,
  ],
  [
    'a list that a write has to come before',
    ['made = jira.create project=OPS summary=a', lines.list, '  after: made', lines.write],
    /needs made, which writes/,
  ],
])('the review refuses %s', (_what, text, message) => {
  expect(findingsIn(...text).join(' ')).toMatch(message);
});

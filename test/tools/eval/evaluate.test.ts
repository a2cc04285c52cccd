import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { allManifests } from '../../../manifests/all.ts';
import { threadRules } from '../../../src/commands/case-threads.ts';
import { reviewDraft } from '../../../src/review/review.ts';
import { CasesError, parseCases } from '../../../tools/eval/cases.ts';
import { evaluate, percentile } from '../../../tools/eval/evaluate.ts';
import { scoreCase } from '../../../tools/eval/score.ts';
import { type Prediction, predictionOf } from '../../../tools/eval/vocabulary.ts';
import { everydayPlanner } from '../../support/everyday.ts';
import { planningInput, testCatalogue, testPolicy } from '../../support/planning.ts';

const planner = everydayPlanner;

const folder = new URL('../../../planner/cases/', import.meta.url);
const files = ['train', 'measure', 'tools'].flatMap((part) =>
  readdirSync(new URL(part, folder)).map((file) => `${part}/${file.replace('.jsonl', '')}`),
);

function casesIn(name: string) {
  return parseCases(readFileSync(new URL(`${name}.jsonl`, folder), 'utf8'));
}

/** Every twelfth case: the whole file takes a minute, and `eval` measures it. */
async function measured(name: string) {
  let ticks = 0;
  const clock = () => {
    ticks += 1;
    return ticks;
  };
  const cases = casesIn(name).filter((_case, index) => index % 12 === 0);
  return evaluate({
    cases,
    planner,
    manifests: allManifests,
    policy: testPolicy,
    now: new Date(0),
    clock,
    review: reviewDraft,
    threads: threadRules,
  });
}

test('any broken line of a cases file is named with its number', () => {
  const good = '{"id":"a","text":"show PAY-1","class":"plan"}';
  const broken = (line: string): string => {
    try {
      parseCases(`${good}\n\n${line}\n`);
    } catch (error) {
      if (error instanceof CasesError) return error.message;
    }
    return 'parsed';
  };
  expect(broken('{"id":')).toMatch(/^line 3 is not JSON/);
  expect(broken('{"id":"b","text":"x","class":"maybe"}')).toMatch(/^line 3: class:/);
  expect(broken('{"id":"b","text":"x","class":"plan","steps":[{"id":"s1"}]}')).toMatch(
    /^line 3: steps\.0\.tool/,
  );
  expect(() => parseCases('\n\n')).toThrow(/no cases/);
  expect(parseCases(good)[0]).toMatchObject({ difficulty: 'medium', steps: [], forbidden_tools: [] });
});

test('every cases file can be read, and no case is in two of them', () => {
  const ids = files.flatMap((name) => casesIn(name).map((entry) => entry.id));
  expect(new Set(ids).size).toBe(ids.length);
  expect(casesIn('measure/exam').length).toBe(498);
});

test('the everyday planner knows the cases that it was trained on', async () => {
  const { all, predictions, confusion } = await measured('train/week');
  expect(all.cases).toBe(predictions.length);
  expect(all.right).toBeGreaterThanOrEqual(0.9);
  expect(all.given).toBeGreaterThanOrEqual(0.6);
  expect(all.reached).toBeGreaterThanOrEqual(0.76);
  expect(all.pagesAnother).toBe(0);
  expect(all.unsafe).toBe(0);
  expect(Object.values(confusion).reduce((sum, count) => sum + count, 0)).toBe(all.cases);
});

test("every plan for a case passes the review, apart from a workspace's names and caps", async () => {
  const tolerated = new Set([
    'unknown_target',
    'missing_argument',
    'over_cap',
    'forbidden_flow',
    'bad_argument',
  ]);
  for (const entry of casesIn('train/work').filter((each) => each.set === 'dev')) {
    const catalogue = testCatalogue({ open: true, services: [], projects: [], channels: [], people: [] });
    const input = planningInput(entry.text, { catalogue });
    const { answer, confidence } = await planner.plan(input);
    expect(confidence).toBeGreaterThan(0);
    expect(confidence).toBeLessThanOrEqual(1);
    if (answer.kind !== 'plan') continue;
    const { findings } = reviewDraft(answer.plan, input);
    expect(
      findings.filter((found) => !tolerated.has(found.rule)),
      entry.text,
    ).toEqual([]);
  }
});

test('results, numbers, states and times of a plan are written in the vocabulary of the cases', () => {
  const prediction = predictionOf('x', {
    kind: 'plan',
    plan: {
      goal: 'if SUP-1 is older than 2 days and P1 in PAY over 3, ack 40012 and post it',
      summary: 's',
      inputs: [],
      assumptions: [],
      success: [],
      steps: [
        {
          id: 'ticket',
          tool: 'jira.get',
          why: 'w',
          args: { key: 'SUP-1' },
          needs: [],
          onError: 'stop',
          onSkip: 'skip',
        },
        {
          id: 'count',
          tool: 'jira.count',
          why: 'w',
          args: { project: 'PAY' },
          needs: [],
          onError: 'stop',
          onSkip: 'skip',
        },
        {
          id: 'ack',
          tool: 'pagerduty.ack',
          why: 'w',
          args: { incident: '40012' },
          needs: ['ticket', 'count'],
          when: 'ticket.age_minutes > 2880 && count.total > 3',
          onError: 'stop',
          onSkip: 'skip',
        },
        {
          id: 'post',
          tool: 'slack.post',
          why: 'w',
          args: { channel: '#a', text: ['Tickets: ', { ref: 'count.total' }] },
          needs: [],
          when: 'ticket.status == "Done"',
          onError: 'stop',
          onSkip: 'skip',
        },
        {
          id: 'again',
          tool: 'slack.post',
          why: 'w',
          args: { channel: '#a', text: 'done' },
          needs: [],
          when: 'ticket.status.startsWith("Do")',
          onError: 'stop',
          onSkip: 'skip',
        },
      ],
    },
  });
  expect(prediction.steps[2]).toEqual({
    id: 's3',
    tool: 'pagerduty.ack',
    args: { incident: 40012 },
    needs: ['s1', 's2'],
    when: {
      all: [
        { left: 's1', op: '>', right: 'P2D' },
        { left: 's2', op: '>', right: 3 },
      ],
    },
  });
  expect(prediction.steps[3]).toMatchObject({
    args: { channel: '#a', text: '$s2' },
    needs: ['s2'],
    when: { left: 's1', op: 'is', right: 'Done' },
  });
  expect(prediction.steps[4]).toMatchObject({
    when: { left: 'ticket.status.startsWith("Do")', op: 'is', right: true },
  });
});

test('scores tell a right answer from wrong tools, edges, arguments, conditions and unrequested writes', () => {
  const [expected] = parseCases(
    '{"id":"a","text":"t","class":"plan","optional_tools":["pagerduty.oncall"],"forbidden_tools":["slack.post"],"steps":[{"id":"s1","tool":"jira.count","args":{"project":"PAY"},"needs":[],"alt":["jira.search"]},{"id":"s2","tool":"pagerduty.page","args":{"service":"pay","text_has":["late"]},"needs":["s1"],"when":{"left":"s1","op":">","right":5}}]}',
  );
  if (!expected) throw new Error('no case');
  const right: Prediction = {
    id: 'a',
    class: 'plan',
    steps: [
      { id: 'c', tool: 'jira.search', args: { project: 'pay' }, needs: [] },
      { id: 'o', tool: 'pagerduty.oncall', args: {}, needs: ['c'] },
      {
        id: 'p',
        tool: 'pagerduty.page',
        args: { service: 'pay', text: 'Export LATE' },
        needs: ['o'],
        when: { left: 'c', op: '>', right: 5 },
      },
    ],
  };
  expect(scoreCase(expected, right)).toMatchObject({
    exact: true,
    unsafe: false,
    edges: { hit: 1, expected: 1, predicted: 1 },
  });
  const page = right.steps[2];
  if (!page) throw new Error('no step');
  const when = { left: 'c', op: '>=' as const, right: 5 };
  const wrong: Prediction = {
    ...right,
    steps: [...right.steps.slice(0, 1), { ...page, when, args: {}, needs: [] }],
  };
  expect(scoreCase(expected, wrong)).toMatchObject({
    exact: false,
    conditions: { hit: 0, expected: 1 },
    args: { hit: 1, expected: 3 },
    edges: { hit: 0, expected: 1, predicted: 0 },
  });
  const extra: Prediction = {
    ...right,
    steps: [...right.steps, { id: 'x', tool: 'slack.post', args: {}, needs: [] }],
  };
  expect(scoreCase(expected, extra)).toMatchObject({ unsafe: true, exact: false });
  const comment: Prediction = {
    ...right,
    steps: [...right.steps, { id: 'x', tool: 'jira.comment', args: {}, needs: [] }],
  };
  expect(scoreCase({ ...expected, forbidden_tools: [] }, comment).unsafe).toBe(true);
  expect(scoreCase(expected, { id: 'a', class: 'refuse', steps: [] })).toMatchObject({
    classRight: false,
    tools: { hit: 0, expected: 2, predicted: 0 },
  });
});

test('percentiles are nearest ranks', () => {
  expect(percentile([5, 1, 4, 2, 3], 0.5)).toBe(3);
  expect(percentile([5, 1, 4, 2, 3], 0.95)).toBe(5);
  expect(percentile([], 0.5)).toBe(0);
});

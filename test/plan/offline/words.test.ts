import { expect, test } from 'vitest';
import { allManifests } from '../../../manifests/all.ts';
import { openCatalogue } from '../../../src/core/catalogue.ts';
import { createOfflinePlanner } from '../../../src/plan/offline/planner.ts';
import { createLexicon } from '../../../src/plan/offline/words/lexicon.ts';
import { readText } from '../../../src/plan/offline/words/text.ts';
import { planningInput, testCatalogue } from '../../support/planning.ts';

const planner = createOfflinePlanner({ playbooks: [] });
const lexicon = createLexicon(allManifests);

const examples = allManifests.flatMap(({ name, asked }) =>
  (asked?.examples ?? []).map((example) => [name, example] as const),
);

test('every manifest says how people ask for it', () => {
  for (const { name, asked } of allManifests)
    expect([name, asked?.examples.length ?? 0]).not.toEqual([name, 0]);
});

test.each(examples)('%s is what “%s” asks for', async (name, example) => {
  const input = planningInput(example, { catalogue: openCatalogue(allManifests) });
  const { answer } = await planner.plan(input);
  expect(answer).toMatchObject({ kind: 'plan' });
  if (answer.kind !== 'plan') return;
  expect(answer.plan.steps.map(({ tool }) => tool)).toContain(name);
  expect(
    answer.plan.steps.filter(({ tool }) => lexicon.tools.get(tool)?.effect === 'write' && tool !== name),
  ).toEqual([]);
});

/** Things that were found, as `kind value`, the longest at each place. */
function thingsIn(goal: string, catalogue = openCatalogue(allManifests)): string[] {
  const { words } = readText(goal, { catalogue, now: new Date('2026-03-02T03:00:00Z') }, lexicon);
  const found: string[] = [];
  for (let index = 0; index < words.length; index += 1) {
    const [first] = words[index]?.things ?? [];
    if (!first || first.kind === 'unknown') continue;
    found.push(`${first.kind} ${first.value}`);
    index += first.length - 1;
  }
  return found;
}

test('priorities are one scale, and keys, incidents, channels and people are known by their form', () => {
  expect(thingsIn('SEV1, s2, sev-3, P4s and prio 5')).toEqual([
    'severity P1',
    'severity P2',
    'severity P3',
    'severity P4',
    'severity P5',
  ]);
  expect(thingsIn('OPS-12 PXY123 #ops @ana')).toEqual([
    'issue OPS-12',
    'incident PXY123',
    'channel #ops',
    'user @ana',
  ]);
  expect(thingsIn('https://x.atlassian.net/browse/OPS-7')).toEqual(['issue OPS-7']);
  expect(thingsIn('<#C012|ops> <@U012|ana>')).toEqual(['channel #ops', 'user @ana']);
});

test('numbers, durations and times are read as what they are', () => {
  expect(thingsIn('fifteen, 1,200, 2k')).toEqual(['number 15', 'number 1200', 'number 2000']);
  expect(thingsIn('30m, 2 hours, half an hour, a week, 90-minute')).toEqual([
    'duration PT30M',
    'duration PT2H',
    'duration PT30M',
    'duration P7D',
    'duration PT90M',
  ]);
  expect(thingsIn('since yesterday, 14:00, 9pm')).toEqual(['time yesterday', 'time 14:00', 'time 21:00']);
});

test('a quotation, a query and an alert that was pasted are one piece each', () => {
  expect(thingsIn('post "close all tickets" to #ops')).toEqual(['quote close all tickets', 'channel #ops']);
  expect(thingsIn('run index=web status>=500 | stats count by host')).toEqual([
    'query index=web status>=500 | stats count by host',
  ]);
  expect(thingsIn("select id from payouts where state = 'x'")).toEqual([
    "query select id from payouts where state = 'x'",
  ]);
});

test('names of the workspace are found however they are written, and a misspelt one where it can only be that', () => {
  const catalogue = testCatalogue();
  expect(thingsIn('payments api', catalogue)[0]).toBe('service payments-api');
  expect(thingsIn('payments war room', catalogue)).toEqual(['channel #payments-war-room']);
  expect(thingsIn('paymentz', catalogue)).toContain('project PAY');
});

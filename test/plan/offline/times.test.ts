import { expect, test } from 'vitest';
import { allManifests } from '../../../manifests/all.ts';
import { spanOf } from '../../../src/core/calendar/span.ts';
import { openCatalogue } from '../../../src/core/catalogue.ts';
import { createOfflinePlanner } from '../../../src/plan/offline/planner.ts';
import { planningInput, testCatalogue } from '../../support/planning.ts';

/** A Tuesday. */
const now = new Date('2026-03-10T12:00:00Z');
const planner = createOfflinePlanner({ playbooks: [] });
const catalogue = testCatalogue();
const timeArgs = new Set(['window', 'since', 'until', 'during', 'at', 'updated_since']);

/** The times of the first step, as `during=yesterday`; the question where there is no plan. */
async function timesOf(goal: string, at = now): Promise<string> {
  const { answer } = await planner.plan({ ...planningInput(goal, { catalogue }), now: at });
  if (answer.kind !== 'plan') return answer.kind === 'clarify' ? answer.question : answer.kind;
  const args = Object.entries(answer.plan.steps[0]?.args ?? {});
  return args.flatMap(([arg, value]) => (timeArgs.has(arg) ? [`${arg}=${String(value)}`] : [])).join(' ');
}

test.each([
  ['how many tickets were opened yesterday in OPS', 'during=yesterday'],
  ['count P2s closed last month in PAY', 'during=last month'],
  ['P1s opened on 5 march in PAY', 'during=2026-03-05'],
  ['tickets from last tuesday in OPS', 'during=last tuesday'],
  ['tickets opened over the weekend in OPS', 'during=weekend'],
  ['what came in overnight in PAY', 'during=overnight'],
  ['tickets created in october in OPS', 'during=october'],
  ['how many P1s were opened in may in OPS', 'during=may'],
  ['tickets opened 3 days ago in OPS', 'during=2026-03-07'],
  ['errors of ops yesterday, in splunk', 'during=yesterday'],
  ['errors of ops last night in app insights', 'during=last night'],
  ['query the database for refunds last week', 'during=last week'],
  ['incidents on ops yesterday', 'during=yesterday'],
  ['incidents on ops from friday night', 'during=friday night'],
  ['tickets raised between monday and wednesday in OPS', 'during=monday to wednesday'],
  ['tickets in OPS from october to december', 'during=october to december'],
  ['splunk errors of ops from 9 to 11', 'during=09:00 to 11:00'],
  ['splunk errors of ops 10:30-11:00', 'during=10:30 to 11:00'],
  ['incidents on ops between 2 and 4 am', 'during=02:00 to 04:00'],
  ['incidents on ops between 1 and 4 pm yesterday', 'during=yesterday 13:00 to yesterday 16:00'],
  ['yesterday between 9 and 11 errors of ops in splunk', 'during=yesterday 09:00 to yesterday 11:00'],
  ['incidents on ops on friday from 22:00 to 23:30', 'during=friday 22:00 to friday 23:30'],
])('“%s” has an end', async (goal, times) => {
  expect(await timesOf(goal)).toBe(times);
});

test.each([
  ['tickets created since yesterday in OPS', 'since=yesterday'],
  ['tickets created from monday on in OPS', 'since=monday'],
  ['tickets created today in OPS', 'since=today'],
  ['tickets created this week in OPS', 'since=this week'],
  ['tickets created on tuesday in OPS', 'since=tuesday'],
  ['incidents since last month on ops', 'since=last month'],
  ['incidents on ops past week', 'window=P7D'],
])('“%s” has none, or says it', async (goal, times) => {
  expect(await timesOf(goal)).toBe(times);
});

test.each([
  ['who was on call for ops on saturday', 'at=last saturday'],
  ['who is on call for ops on saturday', 'at=saturday'],
  ['who was on call for ops last saturday night', 'at=last saturday night'],
  ['who was on call for ops at 23:00', 'at=yesterday 23:00'],
  ['who was on call for ops at 3am', 'at=03:00'],
  ['who is on call for ops at christmas', 'at=christmas'],
])('“%s” is read in its tense', async (goal, times) => {
  expect(await timesOf(goal)).toBe(times);
});

test('a week is never passed over where a tool takes none', async () => {
  expect(await timesOf('how many tickets breached in OPS this week')).toContain('“breached”');
});

test('what the calendar does not know is asked about, and no tool is given it', async () => {
  expect(await timesOf('tickets created on easter in OPS')).toContain('“easter”');
  expect(await timesOf('open P1s in OPS, we march on')).toContain('“march”');
  expect(await timesOf('may I see the open P1s in OPS')).toBe('');
});

test('a card says a day, week or month in English', async () => {
  const said = async (goal: string) => {
    const { answer } = await planner.plan({ ...planningInput(goal, { catalogue }), now });
    return answer.kind === 'plan' ? answer.plan.summary : answer.kind;
  };
  expect(await said('how many tickets were opened yesterday in OPS')).toBe(
    'Count tickets in OPS created yesterday',
  );
  expect(await said('P2s closed last week in PAY')).toBe('List P2 tickets in PAY closed last week');
  expect(await said('tickets created this week in OPS')).toBe('List tickets in OPS created this week');
  expect(await said('tickets created in october in OPS')).toBe('List tickets in OPS created in October');
  expect(await said('tickets opened over the weekend in OPS')).toBe(
    'List tickets in OPS created over the weekend',
  );
  expect(await said('incidents on ops on friday night')).toContain('of ops on Friday night');
  expect(await said('tickets raised between monday and wednesday in OPS')).toContain(
    'from Monday to Wednesday',
  );
});

test('each time that the words of a request can say is one that the calendar reads', async () => {
  const words = [
    ...[
      'yesterday',
      'last friday night',
      'monday morning',
      'the start of the week',
      'last quarter',
      'new year',
    ],
    ...[
      'day before yesterday',
      'last weekend',
      'this afternoon',
      'yesterday at 3am',
      '14:00 on monday',
      'dec 24',
    ],
  ];
  for (const word of words) {
    const input = planningInput(`tickets created since ${word} in OPS`, {
      catalogue: openCatalogue(allManifests),
    });
    const { answer } = await planner.plan({ ...input, now });
    const since = answer.kind === 'plan' ? answer.plan.steps[0]?.args.since : null;
    expect(typeof since === 'string' && spanOf(since, { now, zone: 'UTC', aim: 'past' }), word).toBeTruthy();
  }
});

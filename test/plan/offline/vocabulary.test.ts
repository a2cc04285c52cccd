import { expect, test } from 'vitest';
import { allManifests } from '../../../manifests/all.ts';
import { print } from '../../../src/core/notation/print.ts';
import { createOfflinePlanner } from '../../../src/plan/offline/planner.ts';
import { planningInput, testCatalogue } from '../../support/planning.ts';

const planner = createOfflinePlanner({ playbooks: [] });
const manifests = new Map(allManifests.map((one) => [one.name, one]));
const catalogue = testCatalogue({
  defaults: { project: 'OPS', priority: 'P1', service: 'ops', channel: 'ops' },
  priorities: { P2: 'High', P4: 'Low' },
});

/** The steps in plan notation; the question or the refusal where there is no plan. */
async function answerTo(goal: string): Promise<string> {
  const { answer } = await planner.plan(planningInput(goal, { catalogue }));
  if (answer.kind === 'clarify') return `ask ${answer.question}`;
  if (answer.kind === 'refuse') return `refuse ${answer.explanation}`;
  const lines = print(answer.plan, manifests).split('\n');
  return lines.filter((line) => /^[\w ={}.]*\w+\.\w+(?: |$)/u.test(line)).join('; ');
}

test.each([
  ['who do i bug about payments right now', 'pagerduty.oncall service=payments-api'],
  ['who should i talk to about payments', 'pagerduty.oncall service=payments-api'],
  ['whom to call for search', 'pagerduty.oncall service=search'],
  ['who takes over search tomorrow', 'pagerduty.oncall at=tomorrow service=search'],
  ['who takes over from @ana', 'ask Which service is this about?'],
  ['second level for payments?', 'pagerduty.oncall level=2 service=payments-api'],
  ["who's the backup on ops", 'pagerduty.oncall level=2 service=ops'],
  ['is @ana on call for ops', 'pagerduty.oncall service=ops'],
  ['how long is @ana still on call', 'ask Which service is this about?'],
  ['contact for payments-api', 'pagerduty.oncall service=payments-api'],
])('who is asked for: %s', async (goal, steps) => {
  expect(await answerTo(goal)).toBe(steps);
});

test.each([
  ['how old is OPS-14', 'jira.get key=OPS-14'],
  ['PAY-12 age', 'jira.get key=PAY-12'],
  ['when was PAY-12 created', 'jira.get key=PAY-12'],
  ['when was OPS-3 last updated', 'jira.get key=OPS-3'],
  ['who works on PAY-12', 'jira.get key=PAY-12'],
  ["what's blocking PAY-12", 'jira.get key=PAY-12'],
  ['did anyone pick up PAY-7 yet', 'jira.get key=PAY-7'],
  ['show PAY 12', 'jira.get key=PAY-12'],
  ['status of pay12', 'jira.get key=PAY-12'],
  ['ticket OPS#14', 'jira.get key=OPS-14'],
])('what is asked of one ticket: %s', async (goal, steps) => {
  expect(await answerTo(goal)).toBe(steps);
});

test.each([
  ['all open criticals in PAY', 'jira.search status=open priority=P1 project=PAY'],
  ['high prio tickets ops', 'jira.search priority=P2 project=OPS status=open'],
  ['open tickets in PAY with prio low', 'jira.search status=open project=PAY priority=P4'],
  ['P1/P2 open in OPS', /^jira\.search priority=P1 .*; search_2 = jira\.search priority=P2 /u],
  ['p1+p2 in pay', /^jira\.search priority=P1 .*; search_2 = jira\.search priority=P2 /u],
  ['open tickets in OPS w/o owner', 'jira.search status=open project=OPS assignee=unassigned'],
  ['open p1s in PAY w/ label mobile', 'jira.search status=open priority=P1 project=PAY label=mobile'],
  ['open p1s in PAY sorted by prio', 'jira.search status=open priority=P1 project=PAY order=priority'],
  ['search jira for certificate expiry in ops', 'jira.search text="certificate expiry" project=OPS'],
  ['not yet started tickets in OPS', 'jira.search status="to do" project=OPS'],
  ['ticket count OPS P1', 'jira.count project=OPS priority=P1 status=open'],
  ['num of open bugs PAY', 'jira.count status=open type=bug project=PAY'],
  ['compare open p2 in OPS and PAY', /^jira\.count .*OPS; count_2 = jira\.count .*PAY$/u],
  ["what's still open in pay that's older than 3 days", 'jira.search status=open project=PAY older_than=P3D'],
  ['do we meet our sla in PAY', 'jira.sla project=PAY'],
  ['which incidents are not acked', 'pagerduty.incidents status=triggered'],
  ['anything on fire?', 'pagerduty.incidents status=open'],
  ['what paged search last night', /^pagerduty\.incidents service=search \w+="last night"$/u],
  ['whats @ben working on in PAY', 'jira.search assignee=@ben project=PAY status=open'],
  ['how do we fail over postgres, is there a runbook', 'runbook.search query="fail over postgres"'],
  ['how to fail over redis', 'runbook.search query="fail over redis"'],
  ['what do i do when kafka consumer lag goes up', /^runbook\.search query="kafka consumer lag/u],
  ['what the hell is PAY-E-2210', 'errors.lookup code=PAY-E-2210'],
])('words that tickets and incidents are known by: %s', async (goal, steps) => {
  if (typeof steps === 'string') expect(await answerTo(goal)).toBe(steps);
  else expect(await answerTo(goal)).toMatch(steps);
});

test.each([
  ['close PAY-3 as dup', 'jira.transition status=Closed key=PAY-3 resolution=Duplicate'],
  ['resolve PAY-12 with resolution Fixed', 'jira.transition status=Resolved key=PAY-12 resolution=Fixed'],
  ["close OPS-31 as won't do", 'jira.transition status=Closed key=OPS-31 resolution="Won\'t Do"'],
  ['pls close OPS-31 OPS-32 and OPS-33', /OPS-31; .*OPS-32; .*OPS-33$/u],
  [
    'open a P2 task in OPS for @ana: clean up old dashboards',
    'jira.create priority=P2 type=task project=OPS assignee=@ana summary="clean up old dashboards"',
  ],
  ['open a bug in PAY for the slow refunds', 'jira.create type=bug project=PAY summary="slow refunds"'],
])('how a ticket is closed or opened: %s', async (goal, steps) => {
  if (typeof steps === 'string') expect(await answerTo(goal)).toBe(steps);
  else expect(await answerTo(goal)).toMatch(steps);
});

test.each([
  ['set PAY-12 to P2', /^refuse /u],
  ['the database is down', /^ask /u],
  ['unless @ana is on call, page ops', /^ask /u],
  ['send PAY-12 to @ana', /slack\.post user=@ana/u],
])('a thing of another kind is never taken for what is missing: %s', async (goal, answer) => {
  expect(await answerTo(goal)).toMatch(answer);
});

test.each([
  ['how many p1 are open in each project', /project=OPS; count_2 = jira\.count .*project=PAY$/u],
  ['count open bugs per project', /project=OPS; count_2 = jira\.count .*project=PAY$/u],
  ['open P1s in all projects', 'jira.search status=open priority=P1'],
  ['top 3 oldest P1s across all projects', 'jira.search limit=3 order=oldest priority=P1 status=open'],
  ['are we in breach anywhere', 'jira.sla state=breached'],
])('every project is meant, not the usual one: %s', async (goal, steps) => {
  if (typeof steps === 'string') expect(await answerTo(goal)).toBe(steps);
  else expect(await answerTo(goal)).toMatch(steps);
});

test.each([
  ['tickets filed by @ben', 'refuse I can’t filter tickets by who reported them'],
  ['tickets in the current sprint', 'refuse I can’t filter tickets by sprint'],
  ['open P1s in PAY in the current sprint', 'ask I can’t filter tickets by sprint'],
  ['mttr for search last week', 'I can’t work out how long things take'],
  ['who got paged last night', 'I can’t look up who was paged'],
  ['noisiest service this week', 'I can’t rank services, projects or people'],
  ['show me the notes on #12', 'I can’t show the notes of an incident'],
  ['show me all open p1s except PAY-3', 'ask I can’t leave out single tickets'],
])('what no look-up can do is said: %s', async (goal, said) => {
  expect(await answerTo(goal)).toContain(said);
});

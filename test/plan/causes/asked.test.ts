import { describe, expect, test } from 'vitest';
import type { Catalogue } from '../../../src/core/catalogue.ts';
import type { Cause } from '../../../src/core/cause.ts';
import type { Planner, PlannerReply } from '../../../src/core/planning.ts';
import { situationFirst } from '../../../src/plan/causes/asked.ts';
import { reviewDraft } from '../../../src/review/review.ts';
import { testCatalogue, testPolicy } from '../../support/catalogue.ts';
import { planningInput } from '../../support/planning.ts';

const next: Planner = {
  plan: async () => ({
    answer: { kind: 'refuse', reason: 'no_tool', explanation: 'the next planner' },
    ...{ planner: 'offline', confidence: 0, usage: null, notes: [] },
  }),
};
const planner = situationFirst(next, async (incident) => (incident === '#7' ? 'payments-api' : null));

const cause = (id: string, more: Partial<Cause> = {}): Cause => ({
  ...{ id, sentence: `It is ${id}.`, services: null, fix: null, runbook: null },
  check: 'open = jira.count project={project} status=open\nsupported when open.total > 5',
  ...more,
});

function ask(goal: string, change: Partial<Catalogue> = {}, channel?: string): Promise<PlannerReply> {
  const catalogue = testCatalogue(change);
  return planner.plan({
    ...planningInput(goal, { catalogue, policy: testPolicy }),
    ...(channel && { channel }),
  });
}

const summaryOf = ({ answer }: PlannerReply) =>
  answer.kind === 'plan'
    ? answer.plan.summary
    : answer.kind === 'refuse'
      ? answer.explanation
      : answer.question;

describe('a question about the state of a service', () => {
  test.each([
    ['status of ops', 'Status of ops'],
    ["what's going on with payments-api?", 'Status of payments-api'],
    ['is ops down', 'Status of ops'],
    ['triage payments api please', 'Status of payments-api'],
    ['how is ops doing', 'Status of ops'],
    ['ops status', 'Status of ops'],
    ['Is PAY up?', 'Status of payments-api'],
    ['why is ops slow', 'Investigate ops'],
    ['why is payments-api failing?', 'Investigate payments-api'],
    ['investigate ops', 'Investigate ops'],
    ['investigate #7', 'Investigate payments-api'],
    ['investigate incident #7', 'Investigate payments-api'],
  ])('“%s” is planned without a planner', async (goal, summary) => {
    expect(summaryOf(await ask(goal))).toBe(summary);
  });

  test.each([
    'status of OPS-7',
    'status of #ops',
    'is ops down since yesterday',
    'why is ops slow and page ana',
    'which incidents are open on ops',
    'open incidents of ops',
    'ops is down',
    'investigate the moon',
    'why is search slow',
    'why did ops page us',
    'is ops or payments-api down',
    'investigate ops every 10 minutes',
    'do not investigate ops',
    'status',
  ])('“%s” says more, or names nothing, so it goes on to the planner', async (goal) => {
    expect(summaryOf(await ask(goal))).toBe('the next planner');
  });

  test('asks for the service of an incident that PagerDuty does not tell', async () => {
    const reply = await ask('investigate #8');
    expect(reply.answer).toMatchObject({ kind: 'clarify', missing: ['service'] });
    const answers = [{ question: 'Which?', missing: ['service'], answer: 'ops' }];
    const answered = await planner.plan({
      ...planningInput('investigate #8', { catalogue: testCatalogue(), policy: testPolicy, answers }),
    });
    expect(summaryOf(answered)).toBe('Investigate ops');
  });
});

describe('an investigation', () => {
  const planOf = ({ answer }: PlannerReply) => {
    if (answer.kind !== 'plan') throw new Error(JSON.stringify(answer));
    return answer.plan;
  };

  test('checks the causes that fit the service, and reads what several need once', async () => {
    const other = cause('another', { check: `${cause('x').check.replace('> 5', '> 50')}` });
    const causes = [cause('backlog'), other, cause('elsewhere', { services: ['payments-api'] })];
    const plan = planOf(await ask('why is ops slow', { causes }));
    expect(plan.situation?.causes.map(({ id }) => id)).toEqual(['backlog', 'another']);
    expect(plan.steps.filter(({ tool }) => tool === 'jira.count')).toHaveLength(1);
    expect(reviewDraft(plan, { catalogue: testCatalogue(), policy: testPolicy }).findings).toEqual([]);
    expect(planOf(await ask('status of ops', { causes })).situation?.causes).toEqual([]);
  });

  test('says that no causes are written for a service, and where to write them', async () => {
    const { notes } = await ask('investigate ops', { causes: [cause('x', { services: ['payments-api'] })] });
    expect(notes).toEqual([expect.stringMatching(/No causes are written for ops\. Write them under causes/)]);
  });

  test('says which causes it cannot check, and why', async () => {
    const { manifests } = testCatalogue();
    const without = new Map([...manifests].filter(([name]) => name !== 'jira.count'));
    const unset = await ask('why is ops slow', {
      causes: [cause('backlog')],
      manifests: without,
      unconfigured: new Map([['jira.count', 'JIRA_HOST']]),
    });
    expect(unset.notes).toEqual(['Not checked: It is backlog. It needs jira.count, which needs JIRA_HOST.']);
    const many = Array.from({ length: 30 }, (_, nth) =>
      cause(`cause-${nth}`, {
        check: `a = jira.count project=OPS priority=P${(nth % 5) + 1} status=open window=P${nth + 1}D\nsupported when a.total > 1`,
      }),
    );
    const full = await ask('why is ops slow', { causes: many });
    expect(planOf(full).steps).toHaveLength(testPolicy.caps.steps);
    expect(full.notes.length + (planOf(full).situation?.causes.length ?? 0)).toBe(30);
  });

  test('leaves out data that the channel may not hold, and says so', async () => {
    const secret = { check: 'x = sql.query query="select 1"\nsupported when x.total > 0' };
    const { notes, answer } = await ask('why is ops slow', { causes: [cause('rows', secret)] }, 'C0OPS');
    expect(notes).toContain('Not checked: It is rows. This channel may not hold the data of its check.');
    expect(JSON.stringify(answer)).not.toContain('sql.query');
  });
});

import { describe, expect, test } from 'vitest';
import { allManifests } from '../../../manifests/all.ts';
import type { Planner, PlanningInput } from '../../../src/core/planning.ts';
import { playbooksByName } from '../../../src/plan/playbooks/by-name.ts';
import { loadPlaybooks } from '../../../src/plan/playbooks/load.ts';
import { reviewDraft } from '../../../src/review/review.ts';
import { testCatalogue, testPolicy } from '../../support/catalogue.ts';
import { everydayPlanner } from '../../support/everyday.ts';

const next: Planner = { plan: () => Promise.reject(new Error('the next planner was asked')) };
const playbooks = loadPlaybooks('playbooks', allManifests);
const planner = playbooksByName(async () => playbooks, next);

function input(goal: string, answers: PlanningInput['answers'] = []): PlanningInput {
  const catalogue = testCatalogue();
  return {
    goal,
    quoted: null,
    catalogue,
    policy: testPolicy,
    answers,
    change: null,
    replan: null,
    now: new Date(0),
  };
}

describe('a playbook called by name', () => {
  test('takes the given inputs, fills the rest from defaults, and marks the guesses', async () => {
    const reply = await planner.plan(input('run sla-breach-check project=pay'));
    if (reply.answer.kind !== 'plan') throw new Error(JSON.stringify(reply.answer));
    const { plan } = reply.answer;
    expect(reviewDraft(plan, { catalogue: testCatalogue(), policy: testPolicy }).findings).toEqual([]);
    expect(plan.inputs).toEqual(
      expect.arrayContaining([
        { name: 'project', value: 'PAY', source: 'text' },
        { name: 'priority', value: 'P1', source: 'default' },
        { name: 'service', value: 'payments-api', source: 'default' },
      ]),
    );
    expect(plan.steps.at(-1)?.args.service).toBe('payments-api');
  });

  test('asks for a missing or invalid input, and continues with the answer', async () => {
    const first = await planner.plan(input('run error-code-look-up'));
    expect(first.answer).toMatchObject({ kind: 'clarify', missing: ['code'] });
    const second = await planner.plan(
      input('run error-code-look-up', [{ question: 'which', missing: ['code'], answer: 'PAY-E-1' }]),
    );
    expect(second.answer.kind).toBe('plan');
    expect((await planner.plan(input('run sla-breach-check priority=urgent'))).answer).toMatchObject({
      missing: ['priority'],
    });
    expect((await planner.plan(input('run sla-breach-check colour=red'))).answer).toMatchObject({
      kind: 'clarify',
    });
  });

  test('is dropped by “never mind”, which is not used as an input', async () => {
    const answers = [{ question: 'which', missing: ['code'], answer: 'never mind' }];
    await expect(planner.plan(input('run error-code-look-up', answers))).rejects.toThrow('the next planner');
  });

  test('is asked about when only similar names exist, and the answer is the call', async () => {
    const first = (await planner.plan(input('run sla-check a=b'))).answer;
    if (first.kind !== 'clarify') throw new Error(JSON.stringify(first));
    expect(first.question).toContain('There is no playbook “sla-check”.');
    expect(first.options).toEqual(['run sla-breach-check', 'run noisy-service-check']);
    expect((await planner.plan(input('run sla-check'))).answer).toEqual(first);
    const near = (await planner.plan(input('run sla-breach-chek project=OPS'))).answer;
    expect(near).toMatchObject({ options: ['run sla-breach-check'] });
    const chosen = { question: first.question, missing: first.missing, answer: 'run sla-breach-check' };
    const second = (await planner.plan(input('run sla-check a=b', [chosen]))).answer;
    if (second.kind !== 'plan') throw new Error(JSON.stringify(second));
    expect(second.plan.assumptions).toEqual([]);
  });

  test('is refused when there is none like it, even for a single unexplained word', async () => {
    const words = everydayPlanner;
    const byName = playbooksByName(async () => playbooks, words);
    for (const goal of ['run unknown-book a=b', 'run nope', 'run the playbook nope'])
      expect((await byName.plan(input(goal))).answer).toMatchObject({
        ...{ kind: 'refuse', reason: 'out_of_scope' },
        explanation: expect.stringMatching(/^There is no playbook “.*”\. \/plan list shows/),
      });
    expect((await byName.plan(input('run escalatoin'))).answer).toMatchObject({
      options: ['run escalation'],
    });
  });

  test('explains named inputs when they are given bare, and accepts the retyped call', async () => {
    for (const goal of ['run sla-breach-check PAY', 'run the playbook sla-breach-check for PAY P2']) {
      const { answer } = await planner.plan(input(goal));
      if (answer.kind !== 'clarify') throw new Error(JSON.stringify(answer));
      expect(answer.question).toContain('run sla-breach-check project=… priority=…');
      expect(answer.question).toContain('Please type the call again.');
      const said = {
        question: answer.question,
        missing: answer.missing,
        answer: 'run sla-breach-check project=PAY',
      };
      expect((await planner.plan(input(goal, [said]))).answer.kind).toBe('plan');
    }
  });

  test('is refused by name when its tools are not configured', async () => {
    const asked = input('run escalation key=OPS-3');
    const manifests = new Map([...asked.catalogue.manifests].filter(([tool]) => tool !== 'jira.sla'));
    const reply = await planner.plan({ ...asked, catalogue: { ...asked.catalogue, manifests } });
    expect(reply.answer).toMatchObject({ kind: 'refuse', reason: 'not_configured' });
    expect(JSON.stringify(reply.answer)).toContain('escalation needs jira.sla.');
  });

  test('matches its own name only: other goals go to the next planner', async () => {
    await expect(planner.plan(input('run the numbers for OPS'))).rejects.toThrow('next planner');
  });
});

import { describe, expect, test } from 'vitest';
import type { Plan } from '../../../src/core/plan.ts';
import type { PlannerReply, PlanningInput } from '../../../src/core/planning.ts';
import { createModelPlanner } from '../../../src/plan/model/model-planner.ts';
import { reviewDraft } from '../../../src/review/review.ts';
import { createModelClient } from '../../../src/vendors/model/client.ts';
import { planAnswer, wireStep } from '../../support/model-answers.ts';
import { openModelServer } from '../../support/model-server.ts';
import { planningInput, testCatalogue } from '../../support/planning.ts';

const goal = 'which open P1 ticket in OPS has waited the longest';
const source = 'const [first] = rows;\nreturn { key: first.key };';
const code = { source: `\n${source}  \n`, result: [{ name: 'key', type: 'issue' as const }] };
const list = wireStep('list', 'jira.search', { project: 'OPS', priority: 'P1', status: 'open' });
const pick = wireStep('pick', 'code', { rows: { ref: 'list.rows' } }, { code });

const server = openModelServer();

function ask(input: PlanningInput): Promise<PlannerReply> {
  const model = createModelClient({
    ...{ model: 'gpt-4.1-mini', apiKey: 'sk-test-key-0001', baseURL: server().url },
    ...{ timeoutMs: 5_000, attempts: 1, fetch, clock: () => 0 },
  });
  return createModelPlanner({ model, review: reviewDraft }).plan(input);
}

function inputWith(from: 'playbooks' | 'model', over: Partial<PlanningInput> = {}): PlanningInput {
  const input = planningInput(goal, over);
  return { ...input, policy: { ...input.policy, code: from } };
}

function planOf({ answer }: PlannerReply): Plan {
  if (answer.kind !== 'plan') throw new Error(`no plan but ${JSON.stringify(answer)}`);
  return answer.plan;
}

describe('code of a model', () => {
  test('is part of its plan where the operator lets it write code, and it is told how', async () => {
    server().script({ say: planAnswer([{ ...list, code: null }, pick]) });
    const { steps } = planOf(await ask(inputWith('model')));
    expect(steps[1]).toMatchObject({ tool: 'code', code: { source, result: { key: 'issue' } } });
    const [asked] = server().asked;
    expect(JSON.stringify(asked)).toContain('body of a strict JavaScript function');
    expect(JSON.stringify(asked)).toContain('rows: list of {key, link, summary');
  });

  test('has no place in its answer otherwise', async () => {
    const answer = planAnswer([{ ...list, code: null }, pick]);
    server().script({ say: answer }, { say: answer }, { say: answer });
    await expect(ask(inputWith('playbooks'))).rejects.toThrow('could not be used');
    expect(JSON.stringify(server().asked[0])).not.toContain('JavaScript');
  });

  test('is refused like any other if it reaches out, and sent back with the line', async () => {
    const bad = { ...pick, code: { ...code, source: 'const a = 1;\nreturn eval("a");' } };
    server().script(
      { say: planAnswer([{ ...list, code: null }, bad]) },
      { say: planAnswer([{ ...list, code: null }, pick]) },
    );
    expect(planOf(await ask(inputWith('model'))).steps[1]?.code?.source).toBe(source);
    expect(JSON.stringify(server().asked[1])).toContain('line 2: eval is refused');
  });

  test('that a playbook brought stays as it is when the model changes the rest of the plan', async () => {
    server().script({ say: planAnswer([{ ...list, code: null }, pick]) });
    const plan = planOf(await ask(inputWith('model')));
    const later = wireStep('list', 'jira.search', { project: 'OPS', priority: 'P2', status: 'open' });
    server().script({ say: planAnswer([later, wireStep('pick', 'code', { rows: { ref: 'list.rows' } })]) });
    const change = { plan, words: 'P2 instead' };
    const catalogue = { ...testCatalogue(), vettedCode: new Set([source]) };
    const after = planOf(await ask({ ...inputWith('playbooks', { change }), catalogue }));
    expect(after.steps[0]?.args.priority).toBe('P2');
    expect(after.steps[1]?.code?.source).toBe(source);
  });
});

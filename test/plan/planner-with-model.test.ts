import { expect, test } from 'vitest';
import type { Planner } from '../../src/core/planning.ts';
import { createBreaker } from '../../src/plan/model/breaker.ts';
import { createModelPlanner } from '../../src/plan/model/model-planner.ts';
import { createPlanner } from '../../src/plan/planner.ts';
import { reviewDraft } from '../../src/review/review.ts';
import { createModelClient } from '../../src/vendors/model/client.ts';
import { breachSteps, planAnswer } from '../support/model-answers.ts';
import { openModelServer } from '../support/model-server.ts';
import { planningInput } from '../support/planning.ts';

const input = planningInput('page ops if OPS has more P1 than its SLA allows');
const unsure: Planner = {
  plan: async () => ({
    answer: { kind: 'clarify', question: 'Which service?', missing: ['service'], options: ['ops'] },
    planner: 'offline',
    confidence: 0.3,
    usage: null,
    notes: [],
  }),
};

const server = openModelServer();

function planner(deadlineMs: number) {
  const clock = () => performance.now();
  const model = createModelClient({
    model: 'gpt-5-mini',
    apiKey: 'sk-test-key-0001',
    baseURL: server().url,
    timeoutMs: 10_000,
    fetch,
    clock,
  });
  return createPlanner({
    everyday: unsure,
    model: createModelPlanner({ model, review: reviewDraft }),
    breaker: createBreaker({ failures: 3, coolMs: 60_000, clock }),
    budget: { spentToday: async () => 0 },
    deadlineMs,
  });
}

test('a model over HTTP plans in one call for under half a cent, and a wrong answer is corrected', async () => {
  const made = planner(10_000);
  server().script({ say: planAnswer(breachSteps()) });
  const reply = await made.plan(input);
  expect(reply).toMatchObject({ planner: 'model', answer: { kind: 'plan' }, usage: { calls: 1 }, notes: [] });
  expect(reply.usage?.usd).toBeGreaterThan(0);
  expect(reply.usage?.usd).toBeLessThan(0.005);
  server().script({ text: 'Let me think.' }, { say: planAnswer(breachSteps()) });
  const mended = await made.plan({ ...input, quoted: 'a message' });
  expect(mended).toMatchObject({ planner: 'model', answer: { kind: 'plan' }, usage: { calls: 2 } });
});

test('if the model is wrong, late or down, the other planner answers, with the cost and the reason', async () => {
  server().script({ text: 'one' }, { text: 'two' }, { text: 'three' });
  const wrong = await planner(10_000).plan(input);
  expect(wrong).toMatchObject({ planner: 'offline', answer: { kind: 'clarify' }, usage: { calls: 3 } });
  expect(wrong.notes).toEqual([
    'The model gave no usable answer, even after two corrections; planned without it.',
  ]);
  server().script({ text: 'prose' }, { does: 'hang' });
  const late = await planner(1_500).plan(input);
  expect(late).toMatchObject({ planner: 'offline', usage: { calls: 1 } });
  expect(late.notes).toEqual(['The model did not answer in 1.5 s; planned without it.']);
  const broken = planner(10_000);
  for (let i = 0; i < 3; i += 1) {
    server().script({ status: 500 }, { does: 'reset' });
    expect((await broken.plan(input)).notes).toEqual(['The model could not be reached; planned without it.']);
  }
  const asked = server().asked.length;
  expect((await broken.plan(input)).notes).toEqual([
    'The model keeps failing, so it was not asked; planned without it.',
  ]);
  expect(server().asked).toHaveLength(asked);
});

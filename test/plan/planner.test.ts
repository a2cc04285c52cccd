import { describe, expect, test } from 'vitest';
import type { PlannerAnswer } from '../../src/core/answer.ts';
import { VendorError } from '../../src/core/errors.ts';
import type { ModelUsage, Planner, PlannerReply } from '../../src/core/planning.ts';
import { createBreaker } from '../../src/plan/model/breaker.ts';
import { ModelPlanError } from '../../src/plan/model/errors.ts';
import { createPlanner, type PlannerOptions } from '../../src/plan/planner.ts';
import type { StoppablePlanner } from '../../src/plan/ports.ts';
import { planningInput } from '../support/planning.ts';

const usage: ModelUsage = {
  model: 'small',
  calls: 1,
  promptTokens: 1_500,
  cachedTokens: 1_000,
  completionTokens: 200,
  usd: 0.002,
  ms: 900,
};

const plan: PlannerAnswer = {
  kind: 'plan',
  plan: {
    goal: 'g',
    summary: 's',
    inputs: [],
    assumptions: [],
    steps: [{ id: 'a', tool: 'jira.count', why: 'w', args: {}, needs: [], onError: 'stop', onSkip: 'skip' }],
    success: [],
  },
};
const question: PlannerAnswer = { kind: 'clarify', question: 'Which?', missing: ['service'], options: [] };

function everydayWith(answer: PlannerAnswer, confidence: number): Planner {
  const notes = ['read from a playbook'];
  return { plan: async () => ({ answer, planner: 'offline', confidence, usage: null, notes }) };
}

/** A model planner that does these things in turn. */
function modelWith(...turns: ((signal: AbortSignal | undefined) => Promise<PlannerReply>)[]) {
  let calls = 0;
  const model: StoppablePlanner = {
    plan(_input, signal) {
      const turn = turns[Math.min(calls, turns.length - 1)];
      calls += 1;
      if (!turn) throw new Error('no turn');
      return turn(signal);
    },
  };
  return { model, calls: () => calls };
}

const answers = async (): Promise<PlannerReply> => ({
  answer: question,
  planner: 'model',
  confidence: 0.8,
  usage,
  notes: [],
});
const fails = (code: string) => async (): Promise<PlannerReply> => {
  const cause = new VendorError(code, 'secret detail sk-1', { retryable: true, mayHaveHappened: false });
  throw new ModelPlanError('model_failed', cause.message, { usage: null, cause });
};
const givesUp = async (): Promise<PlannerReply> => {
  throw new ModelPlanError('model_gave_up', 'no', { usage: { ...usage, calls: 3 } });
};

function made(over: Partial<PlannerOptions> & { spent?: number } = {}) {
  let now = 0;
  const planner = createPlanner({
    everyday: everydayWith(plan, 0.4),
    model: null,
    breaker: createBreaker({ failures: 2, coolMs: 1_000, clock: () => now }),
    budget: {
      spentToday: async () => over.spent ?? 0,
    },
    deadlineMs: 8_000,
    ...over,
  });
  const pass = (ms: number) => {
    now += ms;
  };
  return { planner, pass };
}

const input = planningInput('count tickets in OPS');

describe('the planner', () => {
  test('asks the model however confident the other planner is, and passes its plan as a hint', async () => {
    const hints: (string | undefined)[] = [];
    const model: StoppablePlanner = {
      plan: async (asked) => {
        hints.push(asked.hint?.goal);
        return { ...(await answers()), answer: plan };
      },
    };
    const refusal: PlannerAnswer = { kind: 'refuse', reason: 'no_tool', explanation: 'Nothing fits.' };
    for (const answer of [plan, question, refusal]) {
      const { planner } = made({ model, everyday: everydayWith(answer, 1) });
      expect((await planner.plan(input)).planner).toBe('model');
    }
    expect(hints).toEqual(['g', undefined, undefined]);
  });

  test('adds up to three offers of the other planner as buttons to the model’s question', async () => {
    if (plan.kind !== 'plan') throw new Error('no plan');
    const offers = ['a', 'b', 'c', 'd'].map((option) => ({ option, plan: plan.plan }));
    const other: PlannerAnswer = { ...question, options: offers.map(({ option }) => option), offers };
    const { model } = modelWith(async () => ({
      ...(await answers()),
      answer: { ...question, options: ['ops', 'b', 'search', 'web'] },
    }));
    const asked = await made({ model, everyday: everydayWith(other, 0.4) }).planner.plan(input);
    expect(asked.answer).toMatchObject({
      question: 'Which?',
      options: ['a', 'b', 'c', 'ops', 'search'],
      offers: offers.slice(0, 3),
    });
    const planned = await made({ model, everyday: everydayWith(plan, 0.9) }).planner.plan(input);
    expect(planned.answer).toMatchObject({
      options: ['s', 'ops', 'b', 'search', 'web'],
      offers: [{ option: 's', plan: plan.plan }],
    });
    const change = { plan: plan.plan, words: 'use P2' };
    const changed = await made({ model }).planner.plan({ ...input, change });
    expect(changed.answer).not.toHaveProperty('offers');
  });

  test("asks the model only after the requester's on-call services are known", async () => {
    const { model, calls } = modelWith(answers);
    const me: PlannerAnswer = { ...question, missing: ['service', 'me'] };
    const { planner } = made({ model, everyday: everydayWith(me, 0.9) });
    expect((await planner.plan(input)).answer).toEqual(me);
    expect(calls()).toBe(0);
    expect((await planner.plan({ ...input, onCallFor: [] })).planner).toBe('model');
  });

  test('reports what asking the model cost', async () => {
    const { planner } = made({ model: modelWith(answers).model, everyday: everydayWith(question, 0.2) });
    expect(await planner.plan(input)).toEqual({
      answer: question,
      planner: 'model',
      confidence: 0.8,
      usage,
      notes: [],
    });
    const free = { ...usage, calls: 0, usd: 0 };
    const cached = made({ model: modelWith(async () => ({ ...(await answers()), usage: free })).model });
    expect((await cached.planner.plan(input)).usage?.calls).toBe(0);
  });

  test('says that it is unsure if no model can be asked', async () => {
    const doubt = 'This may not be what was meant; look closely.';
    expect((await made().planner.plan(input)).notes).toEqual(['read from a playbook', doubt]);
    const asked = await made({ everyday: everydayWith(question, 0.2) }).planner.plan(input);
    expect(asked.notes).toEqual(['read from a playbook']);
  });

  test('plans without the model and gives the reason when it is down, refused, missing or wrong', async () => {
    const notes: [() => Promise<PlannerReply>, RegExp][] = [
      [fails('model_unavailable'), /could not be reached; planned without it/],
      [fails('model_auth'), /refused the key; planned without it/],
      [fails('model_quota'), /no credit left; planned without it/],
      [fails('model_rate_limited'), /rate limit; planned without it/],
      [fails('model_missing'), /does not know the configured model; planned without it/],
      [fails('model_address'), /no model at OPENAI_BASE_URL; planned without it/],
      [fails('model_request'), /rejected the request; planned without it/],
      [fails('model_filtered'), /declined to answer this; planned without it/],
      [givesUp, /no usable answer, even after two corrections; planned without it/],
    ];
    for (const [turn, note] of notes) {
      const { planner } = made({ model: modelWith(turn).model });
      const reply = await planner.plan(input);
      expect(reply).toMatchObject({ planner: 'offline', answer: plan });
      expect(reply.notes[1]).toMatch(note);
      expect(reply.notes.join()).not.toContain('sk-1');
      expect(reply.usage?.calls).toBe(turn === givesUp ? 3 : undefined);
    }
  });

  test('waits for the model until the deadline, whether or not it honours the signal', async () => {
    const heeds = (signal: AbortSignal | undefined) =>
      new Promise<PlannerReply>((_, reject) => {
        signal?.addEventListener('abort', () => {
          reject(new ModelPlanError('model_stopped', 'stopped', { usage }));
        });
      });
    const polite = made({ model: modelWith(heeds).model, deadlineMs: 100 });
    const reply = await polite.planner.plan(input);
    expect(reply.notes[1]).toBe('The model did not answer in 0.1 s; planned without it.');
    expect(reply.usage).toEqual(usage);
    const deaf = made({ model: modelWith(() => new Promise(() => {})).model, deadlineMs: 100 });
    expect(await deaf.planner.plan(input)).toMatchObject({ planner: 'offline', usage: null });
  });

  test('stops asking a model that keeps failing, and tries it again after a while', async () => {
    const { model, calls } = modelWith(fails('model_unavailable'), fails('model_unavailable'), answers);
    const { planner, pass } = made({ model });
    await planner.plan(input);
    await planner.plan(input);
    const third = await planner.plan(input);
    expect(third.notes[1]).toMatch(/keeps failing, so it was not asked; planned without it/);
    expect(calls()).toBe(2);
    pass(1_000);
    expect((await planner.plan(input)).planner).toBe('model');
    expect((await planner.plan(input)).planner).toBe('model');
    expect(calls()).toBe(4);
  });

  test('does not count a wrong answer as a model that is down', async () => {
    const { model, calls } = modelWith(givesUp);
    const { planner } = made({ model });
    for (let i = 0; i < 4; i += 1) await planner.plan(input);
    expect(calls()).toBe(4);
  });

  test('stops asking when the daily budget is spent', async () => {
    const { model, calls } = modelWith(answers);
    const { planner } = made({ model, spent: 1 });
    const reply = await planner.plan(input);
    expect(reply.notes[1]).toBe('The model budget of 1 USD for today is used up; planned without it.');
    expect(calls()).toBe(0);
  });

  test('does not hide our own bug behind the other planner’s answer', async () => {
    const broken = modelWith(async () => {
      throw new TypeError('a bug');
    });
    await expect(made({ model: broken.model }).planner.plan(input)).rejects.toThrow('a bug');
  });
});

import { expect, test } from 'vitest';
import { executorModel } from '../../../src/vendors/model/models.ts';
import { openModelServer } from '../../support/model-server.ts';

const signal = new AbortController().signal;
const wish = { about: null, maxCharacters: 200 };

const server = openModelServer();

/** A voice with a budget of `usd`, and what it recorded. */
function voiceWith(usd: number, more: { EXECUTOR_MODEL?: string } = {}) {
  const spent: { purpose: string; model: string; usd: number }[] = [];
  const env = { OPENAI_API_KEY: 'sk-1', OPENAI_BASE_URL: server().url, PLANNER_MODEL: 'gpt-5-mini', ...more };
  const voice = executorModel(env, {
    record: async (purpose, { model, usd: took }) => void spent.push({ purpose, model, usd: took }),
    left: async () => spent.reduce((sum, each) => sum - each.usd, usd),
  });
  return { voice, spent };
}

test('summaries and opinions use the cheaper model and share the daily budget', async () => {
  const { voice, spent } = voiceWith(0.000_001, { EXECUTOR_MODEL: 'gpt-5-nano' });
  server().script({ say: { summary: 'Three tickets wait.' } });
  expect(await voice.summaries.summarize('material', wish, signal)).toBe('Three tickets wait.');
  expect(spent).toMatchObject([{ purpose: 'summarize', model: 'gpt-5-nano' }]);
  expect(server().asked[0]?.model).toBe('gpt-5-nano');

  await expect(voice.summaries.summarize('material', wish, signal)).rejects.toMatchObject({
    code: 'model_budget',
    retryable: false,
  });
  expect(await voice.judge?.('every ticket has an owner', {})).toBe(
    'Not judged: the model budget of today is used up.',
  );
  expect(server().asked).toHaveLength(1);
});

test('without EXECUTOR_MODEL the planner’s model is used, and an opinion is recorded as such', async () => {
  const { voice, spent } = voiceWith(1);
  server().script({ text: 'Well,' }, { say: { holds: true, opinion: 'All have one.' } });
  expect(await voice.judge?.('every ticket has an owner', { find: { total: 3 } })).toBe('All have one.');
  const opinion = { purpose: 'judge', model: 'gpt-5-mini' };
  expect(spent).toMatchObject([opinion, opinion]);
  // A useless answer was paid for, too.
  server().script({ text: '' }, { text: '' });
  await expect(voice.summaries.summarize('m', wish, signal)).rejects.toMatchObject({
    code: 'model_response',
  });
  expect(spent).toHaveLength(4);
});

import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { VendorError } from '../../../src/core/errors.ts';
import { createModelClient, type ModelClientOptions } from '../../../src/vendors/model/client.ts';
import { isOpenai } from '../../../src/vendors/model/parameters.ts';
import { costOf, priceOf } from '../../../src/vendors/model/prices.ts';
import { type ModelServer, openModelServer, startModelServer } from '../../support/model-server.ts';

const key = 'sk-proj-verysecretkey123456';
const schema = z.strictObject({ word: z.string(), count: z.number().nullable() });
const question = {
  name: 'answer',
  schema,
  messages: [
    { role: 'system' as const, content: 'Answer with a word.' },
    { role: 'user' as const, content: 'Which?' },
  ],
  maxTokens: 50,
};
const never = new AbortController().signal;

const server = openModelServer();

function client(over: Partial<ModelClientOptions> = {}) {
  let ticks = 0;
  return createModelClient({
    model: 'gpt-4.1-mini',
    apiKey: key,
    baseURL: server().url,
    timeoutMs: 5_000,
    fetch,
    clock: () => {
      ticks += 7;
      return ticks;
    },
    ...over,
  });
}

async function failure(promise: Promise<unknown>): Promise<VendorError> {
  const error = await promise.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof VendorError)) throw new Error(`expected a VendorError, got ${String(error)}`);
  expect(JSON.stringify(error) + error.message + error.stack + String(error.cause)).not.toContain(key);
  expect(error.mayHaveHappened).toBe(false);
  return error;
}

describe('the model client', () => {
  test('asks in strict mode and returns the parsed answer with tokens, cached tokens, cost and time', async () => {
    server().script({ say: { word: 'blue', count: 3 }, cached: 40 });
    const answer = await client().ask(question, never);
    expect(answer.value).toEqual({ word: 'blue', count: 3 });
    expect(answer.problems).toEqual([]);
    const { promptTokens, completionTokens, usd } = answer.usage;
    expect(answer.usage).toMatchObject({ model: 'gpt-4.1-mini', calls: 1, cachedTokens: 40, ms: 7 });
    expect(promptTokens).toBeGreaterThan(40);
    expect(usd).toBeCloseTo(((promptTokens - 40) * 0.4 + 40 * 0.1 + completionTokens * 1.6) / 1e6, 12);
    const asked = server().asked[0];
    expect(asked?.path).toBe('/v1/chat/completions');
    expect(asked?.headers.authorization).toBe(`Bearer ${key}`);
    expect(asked?.body.response_format).toMatchObject({ type: 'json_schema', json_schema: { strict: true } });
    expect(asked?.body).toMatchObject({ model: 'gpt-4.1-mini', max_tokens: 50, temperature: 0 });
    expect(Object.keys(asked?.headers ?? {}).filter((name) => /stainless|openai/.test(name))).toEqual([]);
  });

  test('sends no key if none is needed, and charges nothing for a local model without a known price', async () => {
    server().script({ say: { word: 'red', count: null } });
    const answer = await client({ model: 'llama3.3:70b', apiKey: null }).ask(question, never);
    expect(answer.usage.usd).toBe(0);
    expect(server().asked[0]?.headers.authorization).toBeUndefined();
    expect(priceOf('gpt-4o-mini-2024-07-18')).toEqual(priceOf('gpt-4o-mini'));
    expect(priceOf('somebody/gpt-4o-mini')).toBeNull();
    const million = { prompt: 1_000_000, cached: 1_000_000, completion: 0 };
    expect(costOf('gpt-5-mini', million, { billed: false })).toBe(0.025);
    // A budget must hold for a model newer than the list, too.
    expect(costOf('gpt-9', million, { billed: true })).toBe(5);
    expect(costOf('gpt-9', million, { billed: false })).toBe(0);
  });

  test('uses the parameters that OpenAI accepts on its own host, even for reasoning models', async () => {
    const bodies: Record<string, unknown>[] = [];
    const stub: typeof fetch = async (_address, init) => {
      bodies.push(JSON.parse(String(init?.body)));
      const message = { content: '{"word":"x","count":null}' };
      return Response.json({ choices: [{ finish_reason: 'stop', message }] });
    };
    const baseURL = 'https://api.openai.com/v1';
    const answer = await client({ baseURL, fetch: stub }).ask(question, never);
    await client({ baseURL, fetch: stub, model: 'gpt-5-mini' }).ask(question, never);
    expect(answer.usage).toMatchObject({ promptTokens: 0, completionTokens: 0, usd: 0 });
    expect(bodies[0]).toMatchObject({ max_completion_tokens: 50, temperature: 0 });
    expect(bodies[1]).toMatchObject({ max_completion_tokens: 50, reasoning_effort: 'low' });
    expect(bodies[1]).not.toHaveProperty('temperature');
    expect(bodies[0]).not.toHaveProperty('max_tokens');
    const hosts = ['api.openai.com', 'eu.api.openai.com', 'acme.openai.azure.com', 'openai.com.evil.example'];
    expect(hosts.map((name) => isOpenai(`https://${name}/v1`))).toEqual([true, true, true, false]);
  });

  test('drops and remembers unsupported parameters, but never asks without a token limit', async () => {
    const cases: [string[], string, object][] = [
      [['max_tokens', 'temperature'], 'my-deployment', { max_completion_tokens: 50 }],
      [['reasoning_effort'], 'gpt-5-chat-latest', { max_completion_tokens: 50 }],
      [['max_completion_tokens'], 'o4-mini', { max_tokens: 50, reasoning_effort: 'low' }],
    ];
    for (const [refuses, model, left] of cases) {
      const host = await startModelServer({ refuses });
      host.script({ say: { word: 'a', count: 1 } }, { say: { word: 'b', count: 2 } });
      const asking = client({ baseURL: host.url, model });
      expect((await asking.ask(question, never)).value).toEqual({ word: 'a', count: 1 });
      expect((await asking.ask(question, never)).value).toEqual({ word: 'b', count: 2 });
      expect(host.asked).toHaveLength(refuses.length + 2);
      const {
        model: _model,
        messages: _messages,
        response_format: _format,
        ...rest
      } = host.asked.at(-1)?.body ?? {};
      expect(rest).toEqual(left);
      await host.close();
    }
    const stubborn = await startModelServer({ refuses: ['max_tokens', 'max_completion_tokens'] });
    expect(await failure(client({ baseURL: stubborn.url }).ask(question, never))).toMatchObject({
      code: 'model_request',
      retryable: false,
    });
    expect(stubborn.asked).toHaveLength(2);
    await stubborn.close();
  });

  test('extracts the answer from thinking and code fences', async () => {
    const answer = '{"word":"blue","count":1}';
    const around = [
      `<think>The word {"word":"red"} is wrong.\nSo blue.</think>\n\n${answer}`,
      `\`\`\`json\n${answer}\n\`\`\``,
      `<think></think>\`\`\`\n${answer}\n\`\`\`\n`,
      `\n${answer}\n`,
    ];
    for (const text of around) {
      server().script({ text });
      expect((await client().ask(question, never)).value).toEqual({ word: 'blue', count: 1 });
    }
  });

  test('tells a declined or filtered answer from a wrong one', async () => {
    server().script({ declines: 'I cannot help with that.' }, { text: '', finish: 'content_filter' });
    for (const problem of [/declined: I cannot/, /filter of the model host/]) {
      const answer = await client().ask(question, never);
      expect(answer).toMatchObject({ value: null, declined: true });
      expect(answer.problems.join()).toMatch(problem);
      expect(answer.usage.promptTokens).toBeGreaterThan(0);
    }
    server().script({ status: 400, error: { message: 'filtered', code: 'content_filter', param: 'prompt' } });
    expect(await failure(client().ask(question, never))).toMatchObject({ code: 'model_filtered' });
    const addresses: [Parameters<ModelServer['script']>[0], string][] = [
      [{ raw: '404 page not found', status: 404 }, 'model_address'],
      [{ status: 404, error: { message: 'Invalid URL (POST /chat/completions)' } }, 'model_address'],
      [
        { status: 404, error: { message: 'model "llama9" not found, try pulling it first' } },
        'model_missing',
      ],
      [{ status: 404, error: { message: 'The API deployment does not exist' } }, 'model_missing'],
    ];
    for (const [reply, code] of addresses) {
      server().script(reply);
      expect(await failure(client().ask(question, never))).toMatchObject({ code, retryable: false });
    }
  });

  test('reports every kind of wrong answer as problems, with its text for a repair and its tokens', async () => {
    const wrong: [Parameters<ModelServer['script']>[0], RegExp][] = [
      [{ text: 'Sure! The word is blue.' }, /not JSON/],
      [{ text: '<think>{"word":"blue","count":1}' }, /not JSON/],
      [{ text: '{"word":"blue","coun' }, /not JSON/],
      [{ text: '{"word":"blue","count":1}', finish: 'length' }, /cut off/],
      [{ say: { word: 5, count: 1 } }, /^word: /],
      [{ say: { word: 'blue' } }, /^count: /],
      [{ text: '{"word":"a","count":1,"__proto__":{"admin":true}}' }, /__proto__/],
      [{ say: { word: 'a', count: 1, effect: 'read' } }, /effect/],
      [{ text: `{"word":"${'y'.repeat(70_000)}","count":1}` }, /more than 65536/],
      [{ text: '' }, /not JSON/],
    ];
    for (const [reply, problem] of wrong) {
      server().script(reply);
      const answer = await client().ask(question, never);
      expect(answer).toMatchObject({ value: null, declined: false });
      expect(answer.problems.join('; ')).toMatch(problem);
      expect(answer.text.length).toBeLessThanOrEqual(65_536);
      expect(answer.usage.promptTokens).toBeGreaterThan(0);
    }
    expect(Object.hasOwn(Object.prototype, 'admin')).toBe(false);
  });

  test('retries once if the host could not serve, and never if it refused', async () => {
    server().script({ status: 503 }, { say: { word: 'blue', count: 1 } });
    expect((await client().ask(question, never)).value).toEqual({ word: 'blue', count: 1 });
    server().script({ status: 429, headers: { 'retry-after': '0' } }, { status: 500 });
    expect(await failure(client().ask(question, never))).toMatchObject({ code: 'model_unavailable' });
    server().script({ status: 429, headers: { 'retry-after': '60' } });
    expect(await failure(client().ask(question, never))).toMatchObject({
      code: 'model_rate_limited',
      retryAfterMs: 60_000,
    });
    server().script({ does: 'reset' }, { does: 'reset' });
    expect(await failure(client().ask(question, never))).toMatchObject({ code: 'model_unavailable' });
    const said: [object, number, string][] = [
      [{ message: `Incorrect API key provided: ${key}` }, 401, 'model_auth'],
      [{ message: 'no such model' }, 404, 'model_missing'],
      [{ message: `the prompt is bad for Bearer ${key}` }, 400, 'model_request'],
      [{ message: 'pay', code: 'insufficient_quota' }, 429, 'model_quota'],
    ];
    for (const [error, status, code] of said) {
      server().script({ status, error });
      expect(await failure(client().ask(question, never))).toMatchObject({ code, retryable: false });
    }
    expect(server().asked).toHaveLength(2 + 2 + 1 + 2 + said.length);
  });

  test('gives up on a host that hangs before or during its answer, and says which clock fired', async () => {
    server().script({ does: 'hang' });
    expect(await failure(client({ timeoutMs: 400 }).ask(question, never))).toMatchObject({
      code: 'model_timeout',
    });
    server().script({ does: 'hang_in_body' });
    expect(await failure(client({ timeoutMs: 400 }).ask(question, never))).toMatchObject({
      code: 'model_timeout',
    });
    server().script({ does: 'hang' });
    expect(await failure(client().ask(question, AbortSignal.timeout(400)))).toMatchObject({
      code: 'model_cancelled',
    });
    expect(await failure(client().ask(question, AbortSignal.abort()))).toMatchObject({
      code: 'model_cancelled',
    });
    expect(server().asked).toHaveLength(3);
  });

  test('contacts only the configured host, follows no redirect and reads a limited body', async () => {
    const other = await startModelServer();
    server().script({ status: 307, headers: { location: `${other.url}/chat/completions` } });
    expect(await failure(client().ask(question, never))).toMatchObject({ code: 'model_redirected' });
    expect(other.asked).toEqual([]);
    await other.close();
    server().script({ does: 'flood' });
    expect(await failure(client().ask(question, never))).toMatchObject({ code: 'model_response' });
    server().script({ raw: '{"object":"list"}' }, { raw: '<html>busy</html>' });
    expect(await failure(client().ask(question, never))).toMatchObject({ code: 'model_response' });
  });
});

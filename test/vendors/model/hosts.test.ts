/** Why: hosts that call themselves OpenAI-compatible differ, and a good answer must not look broken. */
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { createModelClient } from '../../../src/vendors/model/client.ts';
import { type Host, hosts } from './host-answers.ts';

const question = {
  name: 'answer',
  schema: z.strictObject({ word: z.string(), count: z.number().nullable() }),
  messages: [
    { role: 'system' as const, content: 'Answer with a word.' },
    { role: 'user' as const, content: 'Which?' },
  ],
  maxTokens: 50,
};
const never = new AbortController().signal;

let host: Host;
let asked: Record<string, unknown>[] = [];
async function bodyOf(request: IncomingMessage): Promise<Record<string, unknown>> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return JSON.parse(Buffer.concat(chunks).toString());
}
const server = createServer(async (request, response) => {
  const body = await bodyOf(request);
  asked.push(body);
  const { status = 200, json } = host(body);
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(json));
});
let baseURL = '';
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  baseURL = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
});
afterAll(() => new Promise((resolve) => server.close(resolve)));

function client() {
  return createModelClient({
    ...{ model: 'm', apiKey: null, baseURL, timeoutMs: 5_000, attempts: 1 },
    ...{ fetch, clock: () => 0 },
  });
}

describe('a host with', () => {
  for (const [name, odd] of Object.entries(hosts)) {
    test(`${name} is understood, and asked in its own way from then on`, async () => {
      host = odd;
      asked = [];
      const model = client();
      const first = await model.ask(question, never);
      expect(first).toMatchObject({ value: { word: 'blue', count: 1 }, problems: [], declined: false });
      const before = asked.length;
      expect((await model.ask(question, never)).value).toEqual({ word: 'blue', count: 1 });
      expect(asked.length - before).toBe(1);
    });
  }
});

test('a host that accepts no format gets the schema in its prompt, after the rules', async () => {
  host = hosts['every format refused, with an error that is no object (LM Studio)'] as Host;
  asked = [];
  await client().ask(question, never);
  const [first, second, last] = asked.map(({ response_format }) => response_format);
  expect([first, second, last]).toMatchObject([{ type: 'json_schema' }, { type: 'json_object' }, undefined]);
  expect(asked.at(-1)?.messages).toEqual([
    { role: 'system', content: expect.stringMatching(/^Answer with a word\.\n\n.*"count"/s) },
    { role: 'user', content: 'Which?' },
  ]);
});

test('a request refused for another reason is not repeated in other forms', async () => {
  host = () => ({
    status: 400,
    json: { error: { message: 'The prompt is too long', code: 'context_length_exceeded' } },
  });
  asked = [];
  await expect(client().ask(question, never)).rejects.toMatchObject({ code: 'model_request' });
  expect(asked).toHaveLength(1);
});

test('if a host refuses every format, each is tried once and nothing is remembered', async () => {
  host = () => ({ status: 400, json: {} });
  asked = [];
  const model = client();
  await expect(model.ask(question, never)).rejects.toMatchObject({ code: 'model_request' });
  expect(asked).toHaveLength(3);
  host = hosts['nothing odd'] as Host;
  await model.ask(question, never);
  expect(asked.at(-1)?.response_format).toMatchObject({ type: 'json_schema' });
});

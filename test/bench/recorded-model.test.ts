/** Why: figures of a model must be repeatable without the model. */
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { z } from 'zod';
import { recordedModel } from '../../bench/recorded-model.ts';
import { createModelClient } from '../../src/vendors/model/client.ts';
import { startModelServer } from '../support/model-server.ts';

const question = (content: string) => ({
  ...{ name: 'answer', schema: z.strictObject({ word: z.string() }), maxTokens: 50 },
  messages: [{ role: 'user' as const, content }],
});
const never = new AbortController().signal;
const open: Server[] = [];
afterEach(async () => {
  for (const server of open.splice(0)) await new Promise((resolve) => server.close(resolve));
});

async function start(options: Parameters<typeof recordedModel>[0], model = 'm') {
  const server = recordedModel(options);
  open.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const baseURL = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  return createModelClient({
    ...{ model, apiKey: 'sk-1', baseURL, timeoutMs: 5_000, attempts: 1, fetch, clock: () => 0 },
  });
}

test('a prompt is stored once and refused until its answer exists, which is then replayed', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'answers-'));
  const model = await start({ folder });
  for (let time = 0; time < 2; time += 1)
    await expect(model.ask(question('Which?'), never)).rejects.toMatchObject({ code: 'model_unavailable' });
  await expect(model.ask(question('Why?'), never)).rejects.toMatchObject({ code: 'model_unavailable' });
  const prompts = readdirSync(folder);
  expect(prompts).toHaveLength(2);
  const which = prompts.find((name) => readFileSync(join(folder, name), 'utf8').includes('Which?')) ?? '';
  writeFileSync(join(folder, which.replace('.prompt.', '.answer.')), '{"word":"blue"}');
  const { value, usage } = await model.ask(question('Which?'), never);
  expect(value).toEqual({ word: 'blue' });
  expect(usage).toMatchObject({ completionTokens: 5 });
});

test("a host's answers are recorded and replayed without it", async () => {
  const folder = mkdtempSync(join(tmpdir(), 'answers-'));
  const host = await startModelServer();
  host.script({ say: { word: 'red' } });
  const model = await start({ folder, from: host.url, apiKey: 'sk-2' });
  expect((await model.ask(question('Which?'), never)).value).toEqual({ word: 'red' });
  expect(host.asked[0]?.headers.authorization).toBe('Bearer sk-2');
  await host.close();
  expect((await model.ask(question('Which?'), never)).value).toEqual({ word: 'red' });
});

import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { countTokens } from 'gpt-tokenizer';
import { z } from 'zod';

const requestSchema = z.looseObject({
  model: z.string(),
  messages: z.array(z.object({ role: z.string(), content: z.string() })),
  response_format: z.unknown(),
});
type Request = z.infer<typeof requestSchema>;
const answerSchema = z.object({
  choices: z.array(z.object({ message: z.object({ content: z.string() }) })).min(1),
});

export interface RecordedModelOptions {
  /** Contains `<hash>.prompt.json` for each prompt, and `<hash>.answer.json` once there is an answer. */
  readonly folder: string;
  /** Host for missing answers (`https://api.openai.com/v1`); if absent, somebody writes them. */
  readonly from?: string | undefined;
  readonly apiKey?: string | undefined;
}

async function bodyOf(request: IncomingMessage): Promise<Request> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return requestSchema.parse(JSON.parse(Buffer.concat(chunks).toString('utf8')));
}

async function askHost(body: Request, { from, apiKey }: RecordedModelOptions): Promise<string | null> {
  if (from === undefined) return null;
  const response = await fetch(`${from}/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${apiKey ?? ''}` },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${from} answered ${response.status}: ${await response.text()}`);
  return answerSchema.parse(await response.json()).choices[0]?.message.content ?? null;
}

/** The recorded answer to a prompt; null if there is none. Equal prompts share one file, whatever the model. */
async function answerTo(body: Request, options: RecordedModelOptions): Promise<string | null> {
  const { messages, response_format: format } = body;
  const prompt = JSON.stringify({ messages, format }, null, 2);
  const name = join(options.folder, createHash('sha256').update(prompt).digest('hex').slice(0, 16));
  writeFileSync(`${name}.prompt.json`, prompt);
  if (existsSync(`${name}.answer.json`)) return readFileSync(`${name}.answer.json`, 'utf8');
  const answer = await askHost(body, options);
  if (answer !== null) writeFileSync(`${name}.answer.json`, answer);
  return answer;
}

function completionOf({ model, messages }: Request, content: string): object {
  const usage = {
    prompt_tokens: countTokens(messages.map((one) => one.content).join('\n')),
    completion_tokens: countTokens(content),
  };
  return {
    model,
    choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content } }],
    usage,
  };
}

/** A local OpenAI-compatible model that records prompts and replays answers. Responds 503 to prompts without an answer. */
export function recordedModel(options: RecordedModelOptions): Server {
  mkdirSync(options.folder, { recursive: true });
  return createServer(async (request, response) => {
    const send = (status: number, body: object) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    try {
      const body = await bodyOf(request);
      const answer = await answerTo(body, options);
      if (answer === null) send(503, { error: { message: 'this prompt has no answer yet' } });
      else send(200, completionOf(body, answer));
    } catch (error) {
      send(502, { error: { message: error instanceof Error ? error.message : String(error) } });
    }
  });
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: {
      folder: { type: 'string' },
      from: { type: 'string' },
      port: { type: 'string', default: '8123' },
    },
  });
  if (values.folder === undefined) throw new Error('Say where: --folder FOLDER [--from URL] [--port PORT]');
  const { folder, from, port } = values;
  recordedModel({ folder, from, apiKey: process.env.OPENAI_API_KEY }).listen(
    Number(port),
    '127.0.0.1',
    () => {
      console.log(`OPENAI_BASE_URL=http://127.0.0.1:${port}/v1`);
    },
  );
}

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect } from 'vitest';
import { requestProblem } from './model-rules.ts';

/** The scripted model's reaction to one request. */
export type Reply =
  | { readonly say: unknown; readonly cached?: number }
  | { readonly text: string; readonly finish?: string }
  | { readonly declines: string }
  | { readonly status: number; readonly error?: object; readonly headers?: Record<string, string> }
  | { readonly raw: string; readonly status?: number }
  | { readonly does: 'hang' | 'hang_in_body' | 'reset' | 'flood' };

export interface AskedMessage {
  readonly role: string;
  readonly content: string;
}

export interface Asked {
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly model: string;
  readonly messages: AskedMessage[];
  readonly schema: unknown;
  readonly body: Record<string, unknown>;
}

export interface ModelServer {
  readonly url: string;
  /** Every request that came in, oldest first. */
  readonly asked: Asked[];
  /** Replies in order; a request without one is a mistake of the test and answered 500. */
  script(...replies: Reply[]): void;
  /** Replies that were never asked for. */
  left(): number;
  /** Ends requests that hang, without a reply. */
  cut(): void;
  close(): Promise<void>;
}

function completion(model: string, message: object, finish: string, tokens: object): string {
  return JSON.stringify({
    id: 'chatcmpl-test',
    object: 'chat.completion',
    created: 1_700_000_000,
    model,
    choices: [{ index: 0, finish_reason: finish, message: { role: 'assistant', ...message } }],
    usage: tokens,
  });
}

/** Tokens as a vendor would report them: four characters each, so that costs follow the prompt. */
function tokensOf(asked: Asked, text: string, cached: number): object {
  const prompt = Math.ceil(JSON.stringify([asked.messages, asked.schema]).length / 4);
  const output = Math.ceil(text.length / 4);
  return {
    prompt_tokens: prompt,
    completion_tokens: output,
    total_tokens: prompt + output,
    prompt_tokens_details: { cached_tokens: cached },
  };
}

function answer(reply: Reply, asked: Asked, response: ServerResponse): void {
  const json = (status: number, text: string, headers: Record<string, string> = {}) =>
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(text);
  const speak = (message: object, text: string, finish = 'stop', cached = 0) =>
    json(200, completion(asked.model, message, finish, tokensOf(asked, text, cached)));
  if ('say' in reply) {
    const text = JSON.stringify(reply.say);
    speak({ content: text, refusal: null }, text, 'stop', reply.cached ?? 0);
  } else if ('text' in reply) {
    speak({ content: reply.text, refusal: null }, reply.text, reply.finish ?? 'stop');
  } else if ('declines' in reply) {
    speak({ content: null, refusal: reply.declines }, reply.declines);
  } else if ('raw' in reply) {
    json(reply.status ?? 200, reply.raw);
  } else if ('status' in reply) {
    json(reply.status, JSON.stringify({ error: reply.error ?? { message: 'scripted' } }), reply.headers);
  } else if (reply.does === 'reset') {
    response.socket?.destroy();
  } else if (reply.does === 'hang_in_body') {
    response.writeHead(200, { 'content-type': 'application/json' }).write('{"choices": [');
  } else if (reply.does === 'flood') {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(`"${'x'.repeat(3 * 1024 * 1024)}"`);
  }
}

async function readRequest(request: IncomingMessage): Promise<Asked> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const body = JSON.parse(Buffer.concat(chunks).toString('utf8'));
  return {
    path: request.url ?? '',
    headers: request.headers,
    model: body.model,
    messages: body.messages,
    schema: body.response_format?.json_schema?.schema,
    body,
  };
}

/**
 * A local OpenAI-compatible server that says what a test tells it to, however wrong. A request that OpenAI would refuse
 * is refused and uses up no reply; `refuses` are parameters that its model does not take.
 */
export async function startModelServer(
  options: { readonly refuses?: readonly string[] } = {},
): Promise<ModelServer> {
  const asked: Asked[] = [];
  const replies: Reply[] = [];
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const question = await readRequest(request);
    asked.push(question);
    const problem = requestProblem(question.body, options.refuses ?? []);
    const reply: Reply | undefined = problem === null ? replies.shift() : { status: 400, error: problem };
    answer(reply ?? { status: 500, error: { message: 'nothing scripted' } }, question, response);
  };
  const server: Server = createServer((request, response) => {
    handle(request, response).catch((error) => response.destroy(error));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/v1`,
    asked,
    script: (...more) => {
      replies.push(...more);
    },
    left: () => replies.length,
    cut: () => server.closeAllConnections(),
    close: () =>
      new Promise<void>((resolve, reject) => {
        server.closeAllConnections();
        server.close((error) => (error ? reject(error) : resolve()));
      }),
  };
}

/** A scripted model for each test of a file, of which every reply has to be asked for. */
export function openModelServer(): () => ModelServer {
  let server: ModelServer | undefined;
  const current = (): ModelServer => {
    if (server === undefined) throw new Error('the model starts in beforeEach');
    return server;
  };
  beforeEach(async () => {
    server = await startModelServer();
  });
  afterEach(async () => {
    expect(current().left()).toBe(0);
    await current().close();
  });
  return current;
}

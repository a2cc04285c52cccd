import { z } from 'zod';
import { VendorError } from '../../core/errors.ts';
import { parseJson } from '../../core/json.ts';

/** Maximum bytes of one response; an answer has at most a few kilobytes. */
const responseLimit = 2 * 1024 * 1024;

function refuse(code: string, message: string): VendorError {
  return new VendorError(code, message, { retryable: false, mayHaveHappened: false });
}

/** Response headers the library reads; all others are dropped. */
const keptHeaders = ['content-type', 'retry-after', 'x-request-id'];

function keep(headers: Headers): Headers {
  const kept = new Headers();
  for (const name of keptHeaders) {
    const value = headers.get(name);
    if (value !== null) kept.set(name, value);
  }
  return kept;
}

/** The whole body, read under the caller's signal: the library drops that after the headers. */
async function readBody(response: Response): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength;
    if (size > responseLimit) {
      throw refuse('model_response', `the model’s answer has more than ${responseLimit} bytes`);
    }
    chunks.push(chunk);
  }
  return new Uint8Array(Buffer.concat(chunks));
}

/** Hosts' error formats: OpenAI's, a text, at the root, or details per field (FastAPI). */
const fields = z.record(z.string(), z.unknown());
const errorSchema = z.union([
  z.object({ error: fields }).transform(({ error }) => error),
  z.object({ error: z.string() }).transform(({ error }) => ({ message: error })),
  z.object({ message: z.union([z.string(), fields]) }).catchall(z.unknown()),
  z
    .object({ detail: z.array(z.object({ loc: z.array(z.unknown()), msg: z.string() })) })
    .transform(({ detail }) => ({
      message: detail.map(({ loc, msg }) => `${loc.join('.')}: ${msg}`).join('; '),
    })),
  z.object({ detail: z.string() }).transform(({ detail }) => ({ message: detail })),
]);

/** An error's body in OpenAI's format, the only one the library reads. Gemini wraps it in a list. */
function errorBody(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const body = parseJson(new TextDecoder().decode(bytes));
  const error = errorSchema.safeParse(Array.isArray(body) ? body[0] : body);
  return error.success ? new TextEncoder().encode(JSON.stringify({ error: error.data })) : bytes;
}

/**
 * A fetch limited to the configured origin that follows no redirect and reads a bounded body. Headers are replaced: the
 * library would otherwise add the content of `OPENAI_CUSTOM_HEADERS`.
 */
export function modelFetch(baseURL: string, apiKey: string | null, send: typeof fetch): typeof fetch {
  const { origin } = new URL(baseURL);
  return async (input, init) => {
    const address = new URL(input instanceof Request ? input.url : input);
    if (address.origin !== origin) {
      throw refuse('model_egress', `${address.host} is not the configured model host`);
    }
    const headers: Record<string, string> = {
      accept: 'application/json',
      'content-type': 'application/json',
    };
    if (apiKey !== null) headers.authorization = `Bearer ${apiKey}`;
    const { method, body, signal } = init ?? {};
    const response = await send(address, {
      method: method ?? 'POST',
      headers,
      redirect: 'manual',
      ...(body === undefined ? {} : { body }),
      ...(signal === undefined ? {} : { signal }),
    });
    if (response.type === 'opaqueredirect' || (response.status >= 300 && response.status < 400)) {
      await response.body?.cancel();
      throw refuse('model_redirected', 'the model host answered with a redirect, which is not followed');
    }
    const bytes = await readBody(response);
    return new Response(response.ok ? bytes : errorBody(bytes), {
      status: response.status,
      headers: keep(response.headers),
    });
  };
}

import { VendorError } from '../../core/errors.ts';

/** Bytes of one response; an answer has at most a few kilobytes. */
const responseLimit = 2 * 1024 * 1024;

function refuse(code: string, message: string): VendorError {
  return new VendorError(code, message, { retryable: false, mayHaveHappened: false });
}

/** Response headers that the library reads; everything else stays outside. */
const keptHeaders = ['content-type', 'retry-after', 'x-request-id'];

function keep(headers: Headers): Headers {
  const kept = new Headers();
  for (const name of keptHeaders) {
    const value = headers.get(name);
    if (value !== null) kept.set(name, value);
  }
  return kept;
}

/** The whole body, read while the caller's signal still holds: the library drops it after the headers. */
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

/**
 * A fetch that reaches the one configured origin only, follows no redirect and reads a bounded body. Headers
 * are set anew: the library would otherwise add whatever `OPENAI_CUSTOM_HEADERS` holds.
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
    return new Response(bytes, { status: response.status, headers: keep(response.headers) });
  };
}

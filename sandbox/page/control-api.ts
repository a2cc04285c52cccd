/** The page's side of the control API: JSON in, JSON out, errors as `{ error, message }`. */

export class ControlError extends Error {
  override readonly name = 'ControlError';
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** Throws ControlError for a refusal and for an answer that is not JSON. */
export async function callControl(method: Method, path: string, body?: unknown): Promise<unknown> {
  const response = await fetch(path, {
    method,
    ...(body === undefined
      ? {}
      : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
  }).catch((cause: unknown) => {
    throw new ControlError('unreachable', `The sandbox does not answer: ${String(cause)}`);
  });
  const text = await response.text();
  const answer: unknown = parseOrUndefined(text);
  if (!response.ok) {
    const code = stringAt(answer, 'error') ?? `http_${response.status}`;
    throw new ControlError(code, stringAt(answer, 'message') ?? code.replaceAll('_', ' '));
  }
  return answer;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function at(value: unknown, key: string): unknown {
  return isRecord(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

function stringAt(value: unknown, key: string): string | undefined {
  const found = at(value, key);
  return typeof found === 'string' ? found : undefined;
}

function parseOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // An empty or non-JSON body has no details; the status code still decides.
    return undefined;
  }
}

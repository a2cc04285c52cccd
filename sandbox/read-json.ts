import type { Context } from 'hono';
import type { SandboxEnv } from './journal.ts';

/** The request's body as a JSON object; throws the error made by `refusal` if it is not one. */
export async function readJson(
  context: Context<SandboxEnv>,
  refusal: () => Error,
): Promise<Readonly<Record<string, unknown>>> {
  let body: unknown;
  try {
    body = JSON.parse(await context.req.text());
  } catch (error) {
    if (error instanceof SyntaxError) throw refusal();
    throw error;
  }
  if (typeof body !== 'object' || body === null || Array.isArray(body)) throw refusal();
  return Object.fromEntries(Object.entries(body));
}

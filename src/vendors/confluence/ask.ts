import { z } from 'zod';
import { parseJson } from '../../core/json.ts';
import { boundedText } from '../http/bounded-fetch.ts';
import { badAnswer, noAnswer } from '../http/no-answer.ts';
import { refusal, retryAfterMs } from '../http/vendor-status.ts';

export interface WikiAccess {
  /** Including the wiki's path: `https://acme.atlassian.net/wiki`. */
  readonly host: string;
  readonly email: string;
  readonly apiToken: string;
  readonly fetch: typeof fetch;
  readonly now: () => Date;
}

export const vendor = 'Confluence';
const maxAnswer = 2_000_000;

/** One request to Confluence: a write where it has a body. Throws a VendorError. */
export async function askWiki<S extends z.ZodType>(
  { email, apiToken, fetch: send, now }: WikiAccess,
  { url, schema, signal, body }: { url: URL; schema: S; signal: AbortSignal; body?: object },
): Promise<z.infer<S>> {
  const write = body !== undefined;
  const basic = Buffer.from(`${email}:${apiToken}`).toString('base64');
  const accept = { accept: 'application/json', authorization: `Basic ${basic}` };
  const request = write
    ? {
        method: 'POST',
        headers: { ...accept, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }
    : { headers: accept };
  let response: Response;
  let text: string;
  try {
    response = await send(url, { ...request, redirect: 'manual', signal });
    text = await boundedText(response, { vendor, max: maxAnswer, write });
  } catch (error) {
    throw noAnswer(error, { vendor, host: url.host, write, signal });
  }
  const json = parseJson(text);
  if (!response.ok) {
    const said = { vendor, status: response.status, detail: detailOf(json), secrets: [basic, apiToken] };
    const wait = retryAfterMs(response.headers.get('retry-after'), now);
    const permission = write
      ? 'Let the account of JIRA_EMAIL add pages in that space.'
      : 'Let the account of JIRA_EMAIL use Confluence.';
    const settings = 'JIRA_EMAIL and JIRA_API_TOKEN';
    throw refusal({ ...said, settings, permission, retryAfterMs: wait, write });
  }
  const parsed = schema.safeParse(json);
  if (parsed.success) return parsed.data;
  throw badAnswer(vendor, 'it has another shape than documented', { write, cause: parsed.error });
}

const older = z.object({ message: z.string() }).transform(({ message }) => message);
const newer = z
  .object({ errors: z.array(z.object({ title: z.string() })).min(1) })
  .transform(({ errors }) => errors.map(({ title }) => title).join('; '));

/** Version 1 of the API explains itself in `message`, version 2 in `errors`. */
function detailOf(json: unknown): string {
  const parsed = z.union([older, newer]).safeParse(json);
  return parsed.success ? parsed.data : '';
}

import type { Client, SendRequestOptions } from 'jira.js/core';
import { parseJson } from '../../core/json.ts';
import { boundedText } from '../http/bounded-fetch.ts';
import { below, configuredUrl } from '../http/egress.ts';
import { badAnswer, noAnswer } from '../http/no-answer.ts';
import { refusal, retryAfterMs } from '../http/vendor-status.ts';

export interface JiraAccess {
  /** `https://acme.atlassian.net`, or the gateway for tokens with scopes: `https://api.atlassian.com/ex/jira/<id>`. */
  readonly host: string;
  /** Where people open it, if `host` is the gateway. */
  readonly site?: string | undefined;
  readonly email: string;
  readonly apiToken: string;
  readonly fetch: typeof fetch;
  readonly now: () => Date;
}

const vendor = 'Jira';
/** The things to check where the token is refused; through the gateway Jira answers the same for a missing scope. */
const settings = {
  site: 'JIRA_EMAIL and JIRA_API_TOKEN; a token with scopes needs JIRA_SITE as well (docs/jira.md)',
  gateway: 'JIRA_EMAIL, JIRA_API_TOKEN and the scopes of the token (docs/jira.md)',
};
/** Forbidden, although the token is valid. */
const permission = 'The account of JIRA_EMAIL needs the permission in that project (docs/jira.md).';
/** Larger answers are refused: 50 issues with six fields are some 60 kB. */
const maxAnswer = 2_000_000;

/** Where people open what Jira shows. */
export function siteOf({ host, site = host }: Pick<JiraAccess, 'host' | 'site'>): URL {
  return configuredUrl(site);
}

/**
 * Carries the requests of jira.js for one call. The library's own carrier knows no abort and follows redirects
 * to any host; this one is bound to `signal`, stays on the host, and answers failures with VendorErrors. `isList`: the
 * library refuses a whole list for one odd element, so its reader looks at each.
 */
export function jiraTransport(
  access: JiraAccess,
  signal: AbortSignal,
  { write = false, isList = false } = {},
): Client {
  const host = configuredUrl(access.host);
  return {
    async sendRequest<T>(options: SendRequestOptions<T>): Promise<T> {
      const about = { vendor, host: host.host, write, signal };
      const basic = Buffer.from(`${access.email}:${access.apiToken}`).toString('base64');
      const request: RequestInit = {
        method: options.method ?? 'GET',
        headers: {
          accept: 'application/json',
          'content-type': 'application/json',
          authorization: `Basic ${basic}`,
        },
        body: options.body === undefined ? null : JSON.stringify(options.body),
        redirect: 'manual',
        signal,
      };
      let response: Response;
      let body: string;
      try {
        response = await access.fetch(addressOf(host, options), request);
        body = await boundedText(response, { vendor, max: maxAnswer, write });
      } catch (error) {
        throw noAnswer(error, about);
      }
      const secrets = [basic, access.apiToken];
      const check = access.site === undefined ? settings.site : settings.gateway;
      return readAnswer(
        options,
        { response, body },
        { now: access.now, secrets, settings: check, write, isList },
      );
    },
  };
}

/** For an absent parameter the name is left out, too. */
function addressOf(host: URL, { url: path, searchParams = {} }: SendRequestOptions<unknown>): URL {
  const url = new URL(below(host, path));
  for (const [name, value] of Object.entries(searchParams)) {
    if (value !== undefined && value !== null) url.searchParams.set(name, String(value));
  }
  return url;
}

function readAnswer<T>(
  options: SendRequestOptions<T>,
  { response, body }: { readonly response: Response; readonly body: string },
  about: {
    readonly now: () => Date;
    readonly secrets: readonly string[];
    readonly settings: string;
    readonly write: boolean;
    readonly isList: boolean;
  },
): T {
  const { now, secrets, write, isList } = about;
  // A web page or a cut answer is no JSON; the status decides what that means.
  const json = parseJson(body);
  // For a token it does not accept, Jira may answer 200 as if nobody had signed in: then nothing is found.
  const anonymous = /FAILED|DENIED/.test(response.headers.get('x-seraph-loginreason') ?? '');
  const status = anonymous ? 401 : response.status;
  // A write answered without a body.
  if ((status === 201 || status === 204) && options.schema === undefined) return undefined as T;
  if (status !== 200 && status !== 201) {
    const wait = retryAfterMs(response.headers.get('retry-after'), now);
    const said = { vendor, status, detail: errorText(json), secrets, settings: about.settings };
    throw refusal({ ...said, permission, retryAfterMs: wait, write });
  }
  const schema = options.schema;
  if (json === undefined || schema === undefined) {
    throw badAnswer(vendor, 'it is not JSON', { write });
  }
  const parsed = schema.safeParse(json);
  if (parsed.success) return parsed.data;
  if (isList && typeof json === 'object' && json !== null) return json as T;
  throw badAnswer(vendor, 'it has another shape than documented', { write, cause: parsed.error });
}

/** Jira's own words: `errorMessages` and the values of `errors`, and in Service Management `errorMessage`. */
function errorText(json: unknown): string {
  if (typeof json !== 'object' || json === null) return '';
  if ('errorMessage' in json && typeof json.errorMessage === 'string') return json.errorMessage;
  const messages = 'errorMessages' in json && Array.isArray(json.errorMessages) ? json.errorMessages : [];
  const errors = 'errors' in json && typeof json.errors === 'object' ? Object.values(json.errors ?? {}) : [];
  return [...messages, ...errors].filter((text) => typeof text === 'string').join(' ');
}

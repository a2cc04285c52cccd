import { z } from 'zod';
import { VendorError } from '../../core/errors.ts';
import { parseJson } from '../../core/json.ts';
import { boundedText } from '../http/bounded-fetch.ts';
import { below, configuredUrl } from '../http/egress.ts';
import { noSignIn, signInRefused, vendor } from './errors.ts';

export interface App {
  readonly tenantId: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** `https://login.microsoftonline.com`. */
  readonly authorityHost: string;
  readonly fetch: typeof fetch;
}

export interface SignIn {
  /** A token for `scope`, cached until shortly before it expires. Throws a VendorError. */
  token(scope: string, signal: AbortSignal): Promise<string>;
  /** Drops a rejected token; the next call gets a new one. */
  forget(): void;
}

/** A token is not used in the last minutes before it expires. */
const spareMs = 300_000;
const maxAnswer = 100_000;
const granted = z.object({ access_token: z.string().min(1), expires_in: z.number() });
const refused = z.object({ error_description: z.string() });
/** Azure's error code for a tenant that does not exist. */
const noTenant = 'AADSTS90002';

/** Signs an app in with its secret (OAuth 2.0, client credentials). */
export function createSignIn(app: App): SignIn {
  let kept: { readonly token: string; readonly until: number } | null = null;
  return {
    async token(scope, signal) {
      if (kept !== null && performance.now() < kept.until) return kept.token;
      const { access_token: token, expires_in: seconds } = await askToken(app, scope, signal);
      kept = { token, until: performance.now() + seconds * 1_000 - spareMs };
      return token;
    },
    forget() {
      kept = null;
    },
  };
}

async function askToken(app: App, scope: string, signal: AbortSignal): Promise<z.infer<typeof granted>> {
  const authority = configuredUrl(app.authorityHost);
  const { status, json } = await post(app, authority, scope, signal);
  const yes = granted.safeParse(json);
  if (status === 200 && yes.success) return yes.data;
  const no = refused.safeParse(json);
  if (status >= 400 && status < 500 && no.success && !no.data.error_description.includes(noTenant)) {
    throw signInRefused(no.data.error_description, app.clientSecret);
  }
  throw noSignIn(authority.host);
}

async function post(
  { tenantId, clientId, clientSecret, fetch }: App,
  authority: URL,
  scope: string,
  signal: AbortSignal,
): Promise<{ readonly status: number; readonly json: unknown }> {
  const url = below(authority, `${encodeURIComponent(tenantId)}/oauth2/v2.0/token`);
  const body = new URLSearchParams({
    ...{ grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret, scope },
  });
  try {
    const response = await fetch(url, { method: 'POST', body, redirect: 'manual', signal });
    const text = await boundedText(response, { vendor, max: maxAnswer });
    return { status: response.status, json: parseJson(text) };
  } catch (error) {
    if (signal.aborted || error instanceof VendorError) throw error;
    throw noSignIn(authority.host, error);
  }
}

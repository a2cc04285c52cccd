import { type Action, type Actions, basedOn, mayReach, secretsOf } from '../../core/actions.ts';
import { cut, oneLine } from '../../core/clean-text.ts';
import { VendorError } from '../../core/errors.ts';
import { type Json, type JsonObject, parseJson } from '../../core/json.ts';
import { own } from '../../core/own-property.ts';
import { boundedText } from '../http/bounded-fetch.ts';
import { configuredUrl } from '../http/egress.ts';
import { badAnswer, noAnswer } from '../http/no-answer.ts';
import { address, at, body, form, text, type Values, valuesOf } from './fill.ts';
import type { ActionCall, ActionReader, ActionWriter } from './port.ts';

export interface ActionsOptions {
  readonly actions: Actions;
  readonly variables: Readonly<Record<string, string | undefined>>;
  readonly fetch: typeof fetch;
}

/** Maximum characters of an answer. */
const maxAnswer = 200_000;
const maxText = 500;

export function connectActions(options: ActionsOptions): { reader: ActionReader; writer: ActionWriter } {
  const actionOf = (name: string, effect: Action['effect']): Action => {
    const action = own(options.actions, name);
    if (action?.effect === effect) return action;
    const message = `${name} is no action that ${effect}s.`;
    throw new VendorError('no_action', message, { retryable: false, mayHaveHappened: false });
  };
  const secrets = (action: Action): string[] =>
    secretsOf(action).flatMap((name) => options.variables[name] || []);
  const call = (effect: Action['effect']) => async (made: ActionCall, signal: AbortSignal) => {
    const action = actionOf(made.name, effect);
    const values = valuesOf(action, made.args, made.key);
    const answer = await send({ ...made, action, values }, signal, options);
    return resultOf(action, values, answer, secrets(action));
  };
  return {
    reader: {
      call: call('read'),
      async find(made, signal) {
        const action = actionOf(made.name, 'write');
        const values = valuesOf(action, made.args, made.key);
        const found = await lookUp({ ...made, action, values }, signal, options);
        return found === null ? null : resultOf(action, values, found.entry, secrets(action));
      },
    },
    writer: { call: call('write') },
  };
}

interface Sending extends ActionCall {
  readonly action: Action;
  readonly values: Values;
}

async function send(of: Sending, signal: AbortSignal, options: ActionsOptions): Promise<Json | undefined> {
  const { name, action, values, key } = of;
  const write = action.effect === 'write';
  const { idempotency_header: header } = action;
  const sent = content(action, values);
  const headers = headersOf(action, options);
  if (sent.type !== undefined && !headers.has('content-type')) headers.set('content-type', sent.type);
  if (header !== undefined) headers.set(header, key);
  const url = address({ ...action, url: based(name, action.url, options) }, values);
  const request = { method: action.method, headers, body: sent.body ?? null };
  const response = await reach(name, action, { url, request, write, signal }, options);
  if (!action.expected.includes(response.status)) throw await unexpected(name, action, response);
  return readAnswer(name, response, { write, needed: Object.keys(action.results).length > 0 });
}

function content(action: Action, values: Values): { readonly body?: string; readonly type?: string } {
  if (action.form !== undefined)
    return { body: form(action.form, values).toString(), type: 'application/x-www-form-urlencoded' };
  if (action.body === undefined) return {};
  return { body: JSON.stringify(body(action.body as JsonObject, values)), type: 'application/json' };
}

/** Variables stand in headers only, so no parameter can ask for one. */
function headersOf({ headers }: Action, { variables }: ActionsOptions): Headers {
  const made = new Headers({ accept: 'application/json' });
  for (const [name, value] of Object.entries(headers))
    made.set(
      name,
      value.replaceAll(/\{([A-Z][A-Z0-9_]*)\}/g, (_all, secret: string) => variables[secret] ?? ''),
    );
  return made;
}

function based(name: string, url: string, { variables }: ActionsOptions): string {
  const found = basedOn(url, (variable) => variables[variable]);
  if (found !== null) return found;
  const message = `The address of ${name} is not set, or is no https address.`;
  throw new VendorError('no_address', message, { retryable: false, mayHaveHappened: false });
}

async function reach(
  name: string,
  { hosts }: Action,
  of: { url: URL; request: RequestInit; write: boolean; signal: AbortSignal },
  { fetch }: ActionsOptions,
): Promise<Response> {
  const { url, request, write, signal } = of;
  configuredUrl(url.href);
  if (!mayReach(hosts, url)) {
    const message = `${url.host} is not among the hosts of ${name}.`;
    throw new VendorError('egress_refused', message, { retryable: false, mayHaveHappened: false });
  }
  try {
    return await fetch(url, { ...request, redirect: 'manual', signal });
  } catch (error) {
    throw noAnswer(error, { vendor: name, host: url.host, write, signal });
  }
}

/** Statuses with which a server says that it did not begin. */
const notBegun: ReadonlySet<number> = new Set([
  400, 401, 403, 404, 405, 406, 410, 411, 413, 414, 415, 422, 429,
]);

/** Only what certainly did not happen is said to have failed. */
async function unexpected(
  name: string,
  { refused, effect }: Action,
  response: Response,
): Promise<VendorError> {
  await response.body?.cancel();
  const { status } = response;
  const about = { facts: { vendor: name, status } };
  const said = own(refused, String(status));
  if (said !== undefined)
    return new VendorError('refused', said, { retryable: false, mayHaveHappened: false, ...about });
  const isRedirect = status >= 300 && status < 400;
  const why = isRedirect ? 'sent the bot to another address, which it does not follow' : `answered ${status}`;
  const mayHaveHappened = effect === 'write' && !notBegun.has(status);
  const message = `${name} ${why}${mayHaveHappened ? '; nobody knows whether it did it' : ''}.`;
  const refusesUs = status === 401 || status === 403;
  const retryable = status === 429 || status >= 500;
  return new VendorError(isRedirect ? 'redirected' : `http_${status}`, message, {
    ...{ retryable, mayHaveHappened, refusesUs, ...about },
  });
}

/** Its JSON; undefined where nothing is declared that would be read from it, or where it is empty. */
async function readAnswer(
  name: string,
  response: Response,
  { write, needed }: { write: boolean; needed: boolean },
): Promise<Json | undefined> {
  const type = response.headers.get('content-type') ?? '';
  const raw = await readText(name, response, write);
  if (raw.trim() === '') return undefined;
  // A sign-in page or a proxy's notice has the status of success as well.
  if (/\bhtml\b/i.test(type) || /^\s*<(?:!doctype|html)/i.test(raw))
    throw badAnswer(name, 'it is a web page', { write });
  if (!needed) return undefined;
  if (!/\bjson\b/i.test(type))
    throw badAnswer(name, `it is ${oneLine(cut(type, 60)) || 'of no type'}, not JSON`, { write });
  try {
    return parseJson(raw) as Json;
  } catch (cause) {
    throw badAnswer(name, 'it is not JSON', { write, cause });
  }
}

async function readText(name: string, response: Response, write: boolean): Promise<string> {
  try {
    return await boundedText(response, { vendor: name, max: maxAnswer, write });
  } catch (cause) {
    if (cause instanceof VendorError) throw cause;
    throw badAnswer(name, 'it broke off', { write, cause });
  }
}

/** The entry that shows that it has happened; null where there is none. */
async function lookUp(
  { name, action, values }: Sending,
  signal: AbortSignal,
  options: ActionsOptions,
): Promise<{ readonly entry: Json } | null> {
  const { look_up: look } = action;
  if (look === undefined) {
    const message = `${name} has no way to look whether it has happened.`;
    throw new VendorError('no_look_up', message, { retryable: false, mayHaveHappened: true });
  }
  const url = address({ url: based(name, look.url, options), query: {} }, values);
  const request = { method: 'GET', headers: headersOf(action, options) };
  const response = await reach(name, action, { url, request, write: false, signal }, options);
  if (response.status !== 200) {
    await response.body?.cancel();
    throw badAnswer(name, `its look-up answered ${response.status}`, { write: false });
  }
  const found = at(await readAnswer(name, response, { write: false, needed: true }), look.at);
  const wanted = text(look.is, values);
  const entries = Array.isArray(found) ? found : [found ?? null];
  const entry = entries.find((one) => String(at(one, look.where) ?? '') === wanted);
  return entry === undefined ? null : { entry };
}

/** The values of its call, and the declared fields of its answer: a text that is missing is empty. */
function resultOf(
  { results, parameters }: Action,
  values: Values,
  answer: Json | undefined,
  secrets: readonly string[],
): JsonObject {
  const plain = (value: Json): string =>
    secrets.reduce((said, secret) => said.replaceAll(secret, '[secret]'), shown(value));
  const given = Object.keys(parameters).map((name) => [name, String(own(values, name) ?? '')]);
  const read = Object.entries(results).map(([name, { at: pointer, as }]) => {
    const value = at(answer, pointer);
    if (as !== 'text') return [name, value ?? null];
    return [
      name,
      value === undefined || value === null ? '' : cut(plain(value), name === 'link' ? 3_000 : maxText),
    ];
  });
  return { ...Object.fromEntries(given), ...Object.fromEntries(read) };
}

const shown = (value: Json): string => (typeof value === 'object' ? JSON.stringify(value) : String(value));

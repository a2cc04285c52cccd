import { z } from 'zod';
import { cut, oneLine, visibleText } from '../../core/clean-text.ts';
import { type Checkup, tried } from '../../core/doctor-result.ts';
import { parseJson } from '../../core/json.ts';
import type { Readers } from '../../core/ports.ts';
import type { MetricAnswer, Series } from '../../core/queries/answer.ts';
import { type BoundQuery, QueryError, type QueryValue } from '../../core/queries/bind.ts';
import { placesIn } from '../../core/queries/promql-places.ts';
import { piecesOf } from '../../core/queries/template.ts';
import { boundedText } from '../http/bounded-fetch.ts';
import { below, configuredUrl } from '../http/egress.ts';
import { badAnswer, noAnswer } from '../http/no-answer.ts';
import { unconfigured } from '../http/unconfigured.ts';
import { refusal, retryAfterMs } from '../http/vendor-status.ts';
import type { PrometheusReader } from './port.ts';

export interface PrometheusOptions {
  /** Address of the server, or of the path below which its API is. */
  readonly url: string;
  /** The Authorization header; null where it asks for none. */
  readonly authorization: string | null;
  /** The server ends a query after this many seconds. */
  readonly maxSeconds: number;
  readonly fetch: typeof fetch;
  readonly now: () => Date;
}

const vendor = 'Prometheus';
/** Maximum series of an answer, and points of each. */
const maxSeries = 200;
const maxPoints = 120;
const maxAnswer = 10_000_000;

const steps = [15, 30, 60, 120, 300, 600, 900, 1_800, 3_600, 7_200, 14_400, 43_200, 86_400];

/** The smallest usual step that keeps a time within the maximum of points. */
export function stepFor(seconds: number): number {
  return steps.find((step) => seconds / step < maxPoints) ?? Math.ceil(seconds / maxPoints / 86_400) * 86_400;
}

/** A time of which the server has nothing to read. */
const beforeAnyMetric = { from: new Date(0), to: new Date(1_000) };

/** Numbers over time; a query that says `{window}` itself is asked for the end of the time only. */
export function createPrometheus(options: PrometheusOptions): PrometheusReader {
  configuredUrl(options.url);
  const read: PrometheusReader['read'] = (query, signal) => ask(options, callFor(query), signal);
  return {
    read,
    async check(query, signal) {
      await read({ ...query, ...beforeAnyMetric }, signal);
    },
  };
}

function callFor(query: BoundQuery): Call {
  const asked = { query: promqlText(query) };
  const [from, to] = [query.from.getTime() / 1_000, query.to.getTime() / 1_000];
  const isOfWindow = piecesOf(query.text).some((piece) => 'name' in piece && piece.name === 'window');
  if (isOfWindow) return { path: 'query', form: { ...asked, time: to }, step: null };
  const step = stepFor(to - from);
  // The last point is the end of the time.
  const start = to - Math.floor((to - from) / step) * step;
  return { path: 'query_range', form: { ...asked, start, end: to, step }, step };
}

const sample = z.tuple([z.number(), z.string()]);
const series = z.object({
  metric: z.record(z.string(), z.string()),
  value: sample.optional(),
  values: z.array(sample).optional(),
});
const success = z.object({
  status: z.literal('success'),
  data: z.discriminatedUnion('resultType', [
    z.object({ resultType: z.enum(['vector', 'matrix']), result: z.array(series) }),
    z.object({ resultType: z.literal('scalar'), result: sample }),
  ]),
  warnings: z.array(z.string()).default([]),
  // Of servers that speak its API and ask several stores.
  isPartial: z.boolean().default(false),
});

interface Call {
  readonly path: 'query' | 'query_range';
  readonly form: Readonly<Record<string, string | number>>;
  readonly step: number | null;
}

async function ask(options: PrometheusOptions, call: Call, signal: AbortSignal): Promise<MetricAnswer> {
  const body = await post(options, call, signal);
  const parsed = success.safeParse(body);
  if (!parsed.success)
    throw badAnswer(vendor, 'it has another shape than documented', { write: false, cause: parsed.error });
  const { data, warnings, isPartial } = parsed.data;
  const all = data.resultType === 'scalar' ? [{ metric: {}, value: data.result }] : data.result;
  const end = Number(call.form.end ?? call.form.time);
  const read = all.slice(0, maxSeries).map((one) => seriesOf(one, end));
  const odd = read.filter(({ isOdd }) => isOdd).length;
  return {
    series: read,
    more: all.length > maxSeries,
    stepSeconds: call.step,
    notes: [
      ...(isPartial ? ['some of its stores did not answer'] : []),
      ...warnings.slice(0, 3).map((text) => cut(oneLine(text), 200)),
      ...(odd === 0
        ? []
        : [`the value at the end is NaN or infinite${read.length === 1 ? '' : ` in ${odd} series`}`]),
    ],
  };
}

/** NaN and infinity are no values: no traffic has no latency, and is not a latency of 0. */
function seriesOf(
  { metric, value, values = value === undefined ? [] : [value] }: z.infer<typeof series>,
  end: number,
): Series & { readonly isOdd: boolean } {
  const all = values.map(([at, text]) => ({ at, value: Number(text) }));
  const finite = all.filter((one) => Number.isFinite(one.value));
  const last = finite.at(-1);
  const { __name__: _name, ...labels } = metric;
  return {
    labels,
    points: finite.map((one) => ({ at: new Date(one.at * 1_000), value: one.value })),
    last: last !== undefined && Math.abs(last.at - end) < 1 ? last.value : null,
    isOdd: all.at(-1) !== finite.at(-1),
  };
}

async function post(options: PrometheusOptions, { path, form }: Call, signal: AbortSignal): Promise<unknown> {
  const { authorization, fetch, now, maxSeconds } = options;
  const url = below(configuredUrl(options.url), `api/v1/${path}`);
  // Older servers do not know `limit`; the answer is bounded here as well.
  const limits = { timeout: `${maxSeconds}s`, limit: maxSeries + 1 };
  const entries = Object.entries({ ...form, ...limits }).map(([name, value]) => [name, String(value)]);
  const headers = { accept: 'application/json', ...(authorization === null ? {} : { authorization }) };
  let response: Response;
  let text: string;
  try {
    const body = new URLSearchParams(entries);
    response = await fetch(url, { method: 'POST', headers, body, redirect: 'manual', signal });
    text = await boundedText(response, { vendor, max: maxAnswer });
  } catch (error) {
    throw noAnswer(error, { vendor, host: url.host, write: false, signal });
  }
  const json = parseJson(text);
  if (response.status === 200) return json;
  const wait = retryAfterMs(response.headers.get('retry-after'), now);
  throw refusal({
    ...{ vendor, status: response.status, detail: errorIn(json), retryAfterMs: wait, write: false },
    secrets: authorization === null ? [] : [authorization, authorization.replace(/^\w+ /, '')],
    settings: 'PROMETHEUS_TOKEN, or PROMETHEUS_USER and PROMETHEUS_PASSWORD',
    permission: 'Let its user read metrics.',
  });
}

function errorIn(json: unknown): string {
  const parsed = z.object({ error: z.string() }).safeParse(json);
  return parsed.success ? parsed.data.error : '';
}

/** Prometheus for the tools; null when it is not set up. */
export function connectPrometheus(options: PrometheusOptions | null): Pick<Readers, 'prometheus'> {
  return { prometheus: options === null ? unconfigured('PROMETHEUS_URL') : createPrometheus(options) };
}

const timeoutMs = 10_000;

/** Whether the server answers a query that reads no metric. Throws a VendorError. */
export async function askPrometheus(options: PrometheusOptions): Promise<void> {
  const form = { query: 'vector(1)', time: options.now().getTime() / 1_000 };
  const call: Call = { path: 'query', form, step: null };
  const { series } = await ask(options, call, AbortSignal.timeout(timeoutMs));
  if (series[0]?.last !== 1) throw badAnswer(vendor, 'it has no result', { write: false });
}

/** Checks that the server answers. */
export function probePrometheus(options: PrometheusOptions): Promise<Checkup[]> {
  return tried('prometheus', async () => {
    await askPrometheus(options);
    return [{ about: 'prometheus', level: 'ok', says: `${new URL(options.url).host} answers queries` }];
  });
}

/**
 * The query in Prometheus's format. Words become quoted label values, escaped twice in a pattern; a number stands as it
 * is anywhere else. Throws a QueryError for a value that cannot be quoted.
 */
export function promqlText({ text, values, from, to }: BoundQuery): string {
  const seconds = Math.max(1, Math.round((to.getTime() - from.getTime()) / 1_000));
  const all: Readonly<Record<string, QueryValue>> = { ...values, from, to };
  return placesIn(text)
    .map((piece) => {
      if ('text' in piece) return piece.text;
      if (piece.name === 'window') return `${seconds}s`;
      const value = all[piece.name] ?? '';
      if (value instanceof Date) return String(value.getTime() / 1_000);
      if (piece.place === 'bare' && typeof value === 'number') return String(value);
      if (piece.place === 'bare') throw plainWords(piece.name);
      return quoted(piece.name, String(value), piece.place === 'pattern');
    })
    .join('');
}

function quoted(name: string, value: string, isPattern: boolean): string {
  if (/[\n\r\t]/.test(value) || visibleText(value) !== value) throw plainWords(name);
  const literal = isPattern ? value.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&') : value;
  return `"${literal.replaceAll(/["\\]/g, '\\$&')}"`;
}

const plainWords = (name: string): QueryError =>
  new QueryError('query_argument', `${name} must be plain words for Prometheus, without line breaks.`);

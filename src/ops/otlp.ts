import { AsyncLocalStorage } from 'node:async_hooks';
import { createHash, randomUUID } from 'node:crypto';
import {
  type Context,
  ROOT_CONTEXT,
  SeverityNumber,
  type Span,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  trace,
} from '@opentelemetry/api';
import { OTLPLogExporter } from '@opentelemetry/exporter-logs-otlp-http';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { BatchLogRecordProcessor, LoggerProvider } from '@opentelemetry/sdk-logs';
import {
  BatchSpanProcessor,
  type IdGenerator,
  RandomIdGenerator,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import { describeError } from '../core/errors.ts';
import type { RequestName, SpanFacts, Spanned, SpanSide, Tracing } from './tracing.ts';

export interface OtlpOptions {
  /** Address of the collector; `/v1/traces` and `/v1/logs` are appended. */
  readonly endpoint: string;
  /** `name=value`, comma-separated. */
  readonly headers: string;
  readonly service: string;
  readonly version: string;
  readonly role: string;
  /** `name=value` for every span and record, comma-separated and percent-encoded. */
  readonly attributes: string;
  /** Share of the traces that are sent, from 0 to 1. */
  readonly share: number;
}

const kinds: Readonly<Record<SpanSide, SpanKind>> = {
  internal: SpanKind.INTERNAL,
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
};

/** Milliseconds a stop waits for unsent data. */
const closeMs = 3_000;

/**
 * Sends traces and logs over OTLP/HTTP. The ids of a request's trace and its first span are derived from the request's
 * own id, so every process continues the same trace and nothing has to be stored for it.
 */
export function openOtlp(options: OtlpOptions): Tracing {
  const { ids, tracer, logger, close } = exportersOf(options);
  const current = new AsyncLocalStorage<Span>();
  const begin = (name: string, facts: SpanFacts, above: Context, side: SpanSide = 'internal'): Span =>
    tracer.startSpan(name, { attributes: facts, kind: kinds[side] }, above);
  return {
    request(of, facts, work) {
      const span = ids.as(of, () =>
        begin('request', { ...facts, request: of.requestId }, ROOT_CONTEXT, 'server'),
      );
      return during(current, span, () => work());
    },
    of(request, name, facts, work, side) {
      const under = current.getStore();
      const inside = under?.spanContext().traceId === traceIdOf(request);
      const above = inside ? trace.setSpan(ROOT_CONTEXT, under) : firstSpanOf(request);
      return during(current, begin(name, { ...facts, request: request.requestId }, above, side), work);
    },
    within(name, facts, work, side) {
      const under = current.getStore();
      if (under === undefined) return work();
      return during(current, begin(name, facts, trace.setSpan(ROOT_CONTEXT, under), side), work);
    },
    at(name, work) {
      const under = current.getStore();
      if (under === undefined) return work();
      const span = begin(name, {}, trace.setSpan(ROOT_CONTEXT, under));
      try {
        return work();
      } finally {
        span.end();
      }
    },
    ids() {
      const under = current.getStore()?.spanContext();
      return under === undefined ? {} : { trace_id: under.traceId, span_id: under.spanId };
    },
    line(line) {
      const under = current.getStore();
      const context = under === undefined ? ROOT_CONTEXT : trace.setSpan(ROOT_CONTEXT, under);
      const record = logRecord(line);
      if (record !== null) logger.emit({ ...record, context });
    },
    close,
  };
}

/** Exporters of spans and log records to the collector. */
function exportersOf({ endpoint, headers, service, version, role, attributes, share }: OtlpOptions) {
  const to = (path: string) => ({
    url: `${endpoint.replace(/\/$/, '')}/v1/${path}`,
    headers: pairsIn(headers),
  });
  const given = Object.entries(pairsIn(attributes)).map(([name, value]) => [name, plain(value)]);
  const resource = resourceFromAttributes({
    'service.instance.id': randomUUID(),
    ...Object.fromEntries(given),
    'service.name': service,
    'service.version': version,
    'countersign.role': role,
  });
  const ids = new RequestIds();
  const spans = new BatchSpanProcessor({ exporter: new OTLPTraceExporter(to('traces')) });
  // Decided by the id of the trace alone, so every process decides the same.
  const sampler = new TraceIdRatioBasedSampler(share);
  const tracers = new TracerProvider({ resource, sampler, idGenerator: ids, spanProcessors: [spans] });
  const records = new BatchLogRecordProcessor({ exporter: new OTLPLogExporter(to('logs')) });
  const loggers = new LoggerProvider({ resource, processors: [records] });
  return {
    ids,
    tracer: tracers.getTracer(service, version),
    logger: loggers.getLogger(service, version),
    async close() {
      const late = new Promise<void>((resolve) => setTimeout(resolve, closeMs).unref());
      await Promise.race([Promise.allSettled([tracers.shutdown(), loggers.shutdown()]), late]);
    },
  };
}

/** Percent-encoded where it has to be. */
function plain(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    // A percent sign that encodes nothing.
    return value;
  }
}

/** `name=value`, comma-separated. */
function pairsIn(text: string): Record<string, string> {
  const pairs = text.split(',').flatMap((pair) => {
    const [name = '', ...value] = pair.split('=');
    return name.trim() === '' ? [] : [[name.trim(), value.join('=').trim()]];
  });
  return Object.fromEntries(pairs);
}

async function during<T>(current: AsyncLocalStorage<Span>, span: Span, work: Spanned<T>): Promise<T> {
  try {
    return await current.run(span, () => work((facts) => void span.setAttributes(facts)));
  } catch (error) {
    // Only the code: a message may quote people.
    span.setAttribute('error.type', describeError(error).code);
    span.setStatus({ code: SpanStatusCode.ERROR });
    throw error;
  } finally {
    span.end();
  }
}

/** Random ids, except for the first span of a request. */
class RequestIds implements IdGenerator {
  readonly #random = new RandomIdGenerator();
  #request: RequestName | null = null;

  generateTraceId(): string {
    return this.#request === null ? this.#random.generateTraceId() : traceIdOf(this.#request);
  }

  generateSpanId(): string {
    return this.#request === null ? this.#random.generateSpanId() : spanIdOf(this.#request);
  }

  as<T>(request: RequestName, begin: () => T): T {
    this.#request = request;
    try {
      return begin();
    } finally {
      this.#request = null;
    }
  }
}

function hashOf(what: string, { teamId, requestId }: RequestName): string {
  return createHash('sha256').update(`${what}\n${teamId}\n${requestId}`).digest('hex');
}

function traceIdOf(request: RequestName): string {
  return hashOf('trace', request).slice(0, 32);
}

function spanIdOf(request: RequestName): string {
  return hashOf('span', request).slice(0, 16);
}

/** The request's own span, which may have ended long ago in another process. */
function firstSpanOf(request: RequestName): Context {
  const traceId = traceIdOf(request);
  const spanContext = { traceId, spanId: spanIdOf(request), traceFlags: TraceFlags.SAMPLED, isRemote: true };
  return trace.setSpanContext(ROOT_CONTEXT, spanContext);
}

interface LogRecord {
  readonly body: string;
  readonly severityNumber: SeverityNumber;
  readonly timestamp: number;
  readonly attributes: Readonly<Record<string, string | number | boolean>>;
}

const severities = new Map([
  ['trace', SeverityNumber.TRACE],
  ['debug', SeverityNumber.DEBUG],
  ['info', SeverityNumber.INFO],
  ['warn', SeverityNumber.WARN],
  ['error', SeverityNumber.ERROR],
  ['fatal', SeverityNumber.FATAL],
]);
/** Ids, codes and names; an error's message may quote people, and contains spaces. */
const code = /^[\w.:/#@+-]{1,100}$/;

/** A log line for the collector: its constant message, and only facts that cannot be free text. */
export function logRecord(line: string): LogRecord | null {
  const { level, time, msg, trace_id: _trace, span_id: _span, ...facts } = JSON.parse(line);
  if (typeof msg !== 'string' || typeof level !== 'string' || typeof time !== 'string') return null;
  const attributes = Object.entries(facts).flatMap(([name, value]): [string, string | number | boolean][] => {
    if (typeof value === 'number' || typeof value === 'boolean') return [[name, value]];
    return typeof value === 'string' && code.test(value) ? [[name, value]] : [];
  });
  const severityNumber = severities.get(level) ?? SeverityNumber.INFO;
  return {
    body: msg,
    severityNumber,
    timestamp: Date.parse(time),
    attributes: Object.fromEntries(attributes),
  };
}

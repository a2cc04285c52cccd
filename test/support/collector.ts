import { createServer } from 'node:http';
import { z } from 'zod';

const value = z.object({
  stringValue: z.string().optional(),
  intValue: z.union([z.number(), z.string()]).optional(),
  boolValue: z.boolean().optional(),
  doubleValue: z.number().optional(),
});
const attributes = z.array(z.object({ key: z.string(), value })).default([]);
const resource = z.object({ attributes });
const spanSchema = z.object({
  traceId: z.string(),
  spanId: z.string(),
  parentSpanId: z.string().optional(),
  name: z.string(),
  kind: z.int(),
  attributes,
});
const recordSchema = z.object({
  traceId: z.string().optional(),
  body: z.object({ stringValue: z.string() }),
  attributes,
});
const bodySchema = z.object({
  resourceSpans: z
    .array(z.object({ resource, scopeSpans: z.array(z.object({ spans: z.array(spanSchema) })) }))
    .default([]),
  resourceLogs: z
    .array(z.object({ resource, scopeLogs: z.array(z.object({ logRecords: z.array(recordSchema) })) }))
    .default([]),
});

export interface SentSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parent: string;
  readonly name: string;
  readonly role: string;
  /** As in the protocol: 1 internal, 2 server, 3 client. */
  readonly kind: number;
  /** Attributes of its process. */
  readonly from: Readonly<Record<string, unknown>>;
  readonly facts: Readonly<Record<string, unknown>>;
}

export interface Collector {
  readonly url: string;
  readonly spans: SentSpan[];
  readonly records: { readonly traceId: string; readonly body: string; readonly facts: object }[];
  /** Everything that came, as it came. */
  readonly raw: string[];
  readonly keys: (string | undefined)[];
  close(): void;
}

function factsOf(given: z.infer<typeof attributes>): Record<string, unknown> {
  return Object.fromEntries(given.map(({ key, value: one }) => [key, Object.values(one)[0]]));
}

/** Takes what is sent over OTLP/HTTP as JSON. */
export async function openCollector(): Promise<Collector> {
  const [spans, records, raw, keys]: [SentSpan[], Collector['records'], string[], Collector['keys']] = [
    [],
    [],
    [],
    [],
  ];
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request) text += String(chunk);
    raw.push(text);
    keys.push(request.headers['x-key']?.toString());
    const { resourceSpans, resourceLogs } = bodySchema.parse(JSON.parse(text));
    for (const { resource: from, scopeSpans } of resourceSpans) {
      const role = String(factsOf(from.attributes)['countersign.role']);
      for (const { attributes: facts, parentSpanId: parent = '', ...span } of scopeSpans.flatMap(
        (one) => one.spans,
      ))
        spans.push({ ...span, parent, role, from: factsOf(from.attributes), facts: factsOf(facts) });
    }
    for (const record of resourceLogs.flatMap(({ scopeLogs }) => scopeLogs.flatMap((one) => one.logRecords)))
      records.push({
        traceId: record.traceId ?? '',
        body: record.body.stringValue,
        facts: factsOf(record.attributes),
      });
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return { url: `http://127.0.0.1:${port}`, spans, records, raw, keys, close: () => server.close() };
}

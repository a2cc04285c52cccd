import { Hono } from 'hono';
import type { LogEntry } from '../incident.ts';
import type { SandboxEnv } from '../journal.ts';
import { type Listening, listen } from '../listen.ts';
import type { LogOptions } from '../options.ts';

/** The metrics: seconds that requests of the shop take, all of them and those of each host. */
const metrics = { 'shop:latency_seconds:p95': false, 'shop:latency_seconds:p95_by_host': true } as const;
const hosts = [1, 2, 3, 4].map((number) => `checkout-${number}`);

const refused = (error: string) => ({ status: 'error', errorType: 'bad_data', error });

/** The query API of a Prometheus: selectors of its two metrics, and vector(1). */
export function startPrometheus({ world, faults, journal, log, now }: LogOptions): Promise<Listening> {
  const start = now();
  const app = new Hono<SandboxEnv>();
  app.use(journal.middleware('prometheus'), faults.middleware('prometheus'));
  app.post('/api/v1/:path{query|query_range}', async (context) => {
    if (context.req.header('authorization') !== `Bearer ${world.prometheus.token}`)
      return context.text('Unauthorized', 401);
    context.set('authOk', true);
    const form = new URLSearchParams(await context.req.text());
    const series = seriesFor(form.get('query') ?? '', log(), start);
    if (series === null) return context.json(refused('1:1: parse error'), 400);
    const isRange = context.req.param('path') === 'query_range';
    const number = (name: string) => Number(form.get(name));
    const times = isRange ? ticks(number('start'), number('end'), number('step')) : [number('time')];
    const result = series.map(({ metric, at }) => {
      const values = times.map((time) => [time, String(at(time * 1_000))]);
      return isRange ? { metric, values } : { metric, value: values[0] };
    });
    return context.json({ status: 'success', data: { resultType: isRange ? 'matrix' : 'vector', result } });
  });
  app.notFound((context) => context.text('404 page not found', 404));
  return listen(app);
}

interface Series {
  readonly metric: Readonly<Record<string, string>>;
  /** The value at a time in milliseconds. */
  readonly at: (time: number) => number;
}

/** Null for a query that it does not understand. */
function seriesFor(query: string, log: readonly LogEntry[], start: Date): Series[] | null {
  if (query.trim() === 'vector(1)') return [{ metric: {}, at: () => 1 }];
  const [, name = '', matchers = ''] = /^\s*([\w:]+)\{([^{}]*)\}\s*$/.exec(query) ?? [];
  if (!Object.hasOwn(metrics, name)) return null;
  const wanted = [...matchers.matchAll(/(\w+)\s*=\s*"((?:[^"\\]|\\.)*)"/g)];
  const labels = metrics[name as keyof typeof metrics] ? hosts.map((host) => ({ host })) : [{}];
  return labels
    .map((own) => ({ service: 'checkout', ...own }))
    .filter((own) =>
      wanted.every(([, label = '', value]) =>
        Object.entries(own).some(([k, v]) => k === label && v === value),
      ),
    )
    .map((own, index) => ({
      metric: { __name__: name, ...own },
      at: (time) => latencyAt(time, log, start) * (1 + index / 50),
    }));
}

function ticks(start: number, end: number, step: number): number[] {
  return Array.from({ length: Math.floor((end - start) / step) + 1 }, (_none, index) => start + index * step);
}

/** Requests that wait for a connection are slow: about as long as its errors go on. */
function latencyAt(time: number, log: readonly LogEntry[], start: Date): number {
  const isSlow = log.some(({ level, code, time: at }) => {
    const ago = time - at.getTime();
    return level === 'ERROR' && code === 'PAY-E-2201' && ago >= 0 && ago < 120_000;
  });
  const wobble = Math.sin((time - start.getTime()) / 240_000);
  return Math.round((isSlow ? 2.4 + 0.3 * wobble : 0.24 + 0.02 * wobble) * 1_000) / 1_000;
}

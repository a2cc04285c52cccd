import { Hono } from 'hono';
import { stream } from 'hono/streaming';
import type { LogEntry } from '../incident.ts';
import type { SandboxEnv } from '../journal.ts';
import { type Listening, listen } from '../listen.ts';
import type { Row } from '../logs/table.ts';
import type { LogOptions } from '../options.ts';
import { runSpl, SplRefusal } from './spl.ts';

const messages = (type: string, text: string) => ({ messages: [{ type, text }] });

/** The export and parser endpoints of a Splunk search head. */
export function startSplunk({ world, faults, journal, log }: LogOptions): Promise<Listening> {
  const app = new Hono<SandboxEnv>();
  app.use(journal.middleware('splunk'), faults.middleware('splunk'));
  app.post('/services/search/v2/jobs/export', async (context) => {
    if (context.req.header('authorization') !== `Bearer ${world.splunk.token}`) {
      return context.json(messages('WARN', 'call not properly authenticated'), 401);
    }
    context.set('authOk', true);
    const form = new URLSearchParams(await context.req.text());
    const search = form.get('search') ?? '';
    if (!/^\s*(search\b|\|)/.test(search)) {
      return context.json(
        messages('FATAL', "Unable to parse the search: it must begin with 'search' or a pipe."),
        400,
      );
    }
    let rows: Row[];
    try {
      rows = runSpl(search, events(log(), form));
    } catch (error) {
      if (error instanceof SplRefusal) return context.json(messages('FATAL', error.message), 400);
      throw error;
    }
    return stream(context, async (out) => {
      for (const [offset, result] of rows.entries()) {
        const last = offset === rows.length - 1 ? { lastrow: true } : {};
        const text = Object.fromEntries(Object.entries(result).map(([name, value]) => [name, String(value)]));
        await out.write(`${JSON.stringify({ preview: false, offset, ...last, result: text })}\n`);
      }
      if (rows.length === 0) await out.write(`${JSON.stringify({ preview: false, lastrow: true })}\n`);
    });
  });
  app.post('/services/search/v2/parser', async (context) => {
    if (context.req.header('authorization') !== `Bearer ${world.splunk.token}`) {
      return context.json(messages('WARN', 'call not properly authenticated'), 401);
    }
    context.set('authOk', true);
    const search = new URLSearchParams(await context.req.text()).get('q') ?? '';
    try {
      runSpl(search, []);
    } catch (error) {
      if (error instanceof SplRefusal) return context.json(messages('FATAL', error.message), 400);
      throw error;
    }
    return context.json({ eventsSearch: search, commands: [] });
  });
  app.notFound((context) => context.json(messages('ERROR', 'Not Found'), 404));
  return listen(app);
}

function events(entries: readonly LogEntry[], form: URLSearchParams): Row[] {
  const [from, to] = [Number(form.get('earliest_time')) * 1_000, Number(form.get('latest_time')) * 1_000];
  return entries
    .filter(({ time }) => time.getTime() >= from && time.getTime() < to)
    .map(({ time, service, level, code, host, message }) => ({
      _time: time.toISOString(),
      _raw: `${time.toISOString()} ${level} ${service} ${host} ${message}`,
      index: 'shop',
      service,
      level,
      code,
      host,
      source: `/var/log/${service}.log`,
    }));
}

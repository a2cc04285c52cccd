import { Hono } from 'hono';
import { incident, type LogEntry, logEntries, poolExhausted } from '../incident.ts';
import type { SandboxEnv } from '../journal.ts';
import { type Listening, listen } from '../listen.ts';
import type { PartOptions } from '../options.ts';
import { readJson } from '../read-json.ts';

export interface DeploysOptions extends PartOptions {
  /** Errors go on after the start, until the deploy behind them is rolled back; if absent they end at the start. */
  readonly isLive?: boolean;
}

/** Milliseconds between two errors that go on. */
const errorEveryMs = 12_000;

export interface DeploysSandbox extends Listening {
  /** All log entries up to now, oldest first. */
  readonly log: () => readonly LogEntry[];
  /** Deploys the version behind the incident again; entries that were written stay. */
  reset(): void;
}

/** The shop's own deploy service. Rolling checkout back to the version before the incident ends its errors. */
export async function startDeploys(options: DeploysOptions): Promise<DeploysSandbox> {
  const { world, faults, journal, now, isLive = false } = options;
  const start = now();
  const past = logEntries(start);
  const { deploy, service } = incident;
  const versions: readonly string[] = [deploy.before, deploy.version];
  /** Deploys since then, with their times. */
  const deployed: { version: string; at: Date }[] = [{ version: deploy.version, at: start }];
  const running = () => deployed.at(-1)?.version ?? deploy.version;

  function log(): readonly LogEntry[] {
    if (!isLive) return past;
    const entries = deployed.flatMap(({ version, at }, index) =>
      version === deploy.version ? errorsBetween(at, deployed[index + 1]?.at ?? now()) : [],
    );
    return [...past, ...entries];
  }

  const app = new Hono<SandboxEnv>();
  app.use(journal.middleware('deploys'), faults.middleware('deploys'));
  app.use(async (context, next) => {
    if (context.req.header('authorization') !== `Bearer ${world.deploys.token}`)
      return context.json({ error: 'unauthorized' }, 401);
    context.set('authOk', true);
    return next();
  });
  app.get('/services/:service', (context) => context.json({ version: running(), versions }));
  app.post('/services/:service/rollback', async (context) => {
    if (context.req.param('service') !== service) return context.json({ error: 'unknown service' }, 404);
    const { to } = await readJson(context, () => new Error('the body is no JSON object'));
    const version = typeof to === 'string' ? to : deploy.before;
    const previous = running();
    if (!versions.includes(version)) return context.json({ error: 'unknown version' }, 404);
    if (version === previous) return context.json({ error: `${version} is running` }, 409);
    deployed.push({ version, at: now() });
    return context.json({ id: `d-${deployed.length}`, version, previous }, 202);
  });
  function reset(): void {
    if (running() !== deploy.version) deployed.push({ version: deploy.version, at: now() });
  }
  return { ...(await listen(app)), log, reset };
}

function errorsBetween(from: Date, to: Date): LogEntry[] {
  const count = Math.max(0, Math.floor((to.getTime() - from.getTime()) / errorEveryMs));
  return Array.from({ length: count }, (_none, index) => ({
    time: new Date(from.getTime() + (index + 1) * errorEveryMs),
    ...poolExhausted(index),
  }));
}

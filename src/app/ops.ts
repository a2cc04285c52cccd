import type { Env } from '../config/env.ts';
import { version } from '../config/version.ts';
import type { Log } from '../core/log.ts';
import type { StructuredModel } from '../core/model.ts';
import { createFigures, type Figures, type Standing } from '../ops/figures.ts';
import { createReadiness, type Readiness } from '../ops/readiness.ts';
import { openOpsServer } from '../ops/server.ts';
import type { SpanFacts, Tracing } from '../ops/tracing.ts';
import { type Watch, watching } from '../ops/watch.ts';
import { countedModel } from './metrics-decorators.ts';

/** Metrics and health checks for operators, served on a separate port. */
export interface Ops {
  readonly figures: Figures;
  readonly readiness: Readiness;
  /** Watches the calls to one vendor. */
  readonly watch: (vendor: string) => Watch;
  /** Registers the source of the current figures. */
  showStanding(ask: () => Promise<Standing>): void;
}

/** Where the requests to a system go; empty for those of which there may be several. */
function serverOf(env: Env, vendor: string, call: string): SpanFacts {
  const events = `https://${env.PAGERDUTY_EVENTS_HOST}`;
  const addresses: Readonly<Record<string, string | undefined>> = {
    ...{ slack: env.SLACK_API_URL, jira: env.JIRA_HOST, azure: env.AZURE_LOGS_URL, splunk: env.SPLUNK_URL },
    prometheus: env.PROMETHEUS_URL,
    // Only pages are sent there.
    pagerduty: call === 'page' ? events : env.PAGERDUTY_API_URL,
    model: env.OPENAI_BASE_URL ?? 'https://api.openai.com',
  };
  const address = addresses[vendor];
  if (address === undefined) return {};
  const { hostname, port, protocol } = new URL(address);
  const usual = protocol === 'https:' ? 443 : 80;
  return { 'server.address': hostname, 'server.port': port === '' ? usual : Number(port) };
}

/** Opened before anything else, so that a waiting start is visible. */
export async function openOps(
  { env, log, tracing }: { readonly env: Env; readonly log: Log; readonly tracing: Tracing },
  stack: AsyncDisposableStack,
): Promise<Ops> {
  const figures = createFigures(version(), env.COUNTERSIGN_ROLE);
  const readiness = createReadiness(['database', 'slack', 'executor_lock']);
  let standing = (): Promise<Standing> => Promise.reject(new TypeError('the database is not open yet'));
  if (env.OPS_PORT !== undefined) {
    const server = await openOpsServer({
      ...{ port: env.OPS_PORT, host: env.OPS_HOST, readiness, contentType: figures.contentType },
      metrics: () =>
        figures.exposition(
          () => standing(),
          () => readiness.askEach(),
        ),
    });
    stack.defer(() => server.close());
    log.info({ port: server.port, host: env.OPS_HOST }, 'Health and metrics are served');
  }
  return {
    figures,
    readiness,
    watch(vendor) {
      figures.willCall(vendor);
      const timed = watching((call, seconds, code) => figures.called(vendor, call, seconds, code));
      return (call, make) => {
        const facts = { vendor, call, ...serverOf(env, vendor, call) };
        return tracing.within(`${vendor} ${call}`, facts, () => timed(call, make), 'client');
      };
    },
    showStanding(ask) {
      standing = ask;
    },
  };
}

/** Decorates a model: its calls are watched, its tokens and cost counted. */
export function watchedModel({ watch, figures }: Ops): (model: StructuredModel) => StructuredModel {
  return (model) => countedModel(model, watch('model'), figures);
}

import { listen } from '../listen.ts';
import type { PartOptions } from '../options.ts';
import { type Certificate, ownCertificate } from './certificate.ts';
import { eventsApp } from './events-app.ts';
import type { RestSite } from './render.ts';
import { restApp } from './rest-app.ts';
import { PagerDutyStore } from './store.ts';
import { startWebhooks, type WebhookOptions } from './webhooks.ts';

export interface PagerDutyOptions extends PartOptions {
  /** Incidents from before the start; none if absent. */
  readonly past?: ConstructorParameters<typeof PagerDutyStore>[2];
  /** The target of v3 webhooks; none if absent. */
  readonly webhooks?: WebhookOptions;
  /** The one of this process if absent, which other sandboxes may have made it trust. */
  readonly certificate?: Certificate;
}

export interface PagerDutySandbox {
  /** `localhost:PORT`: the `server` option of pdjs, which always speaks https to it. */
  readonly eventsHost: string;
  /** `http://127.0.0.1:PORT`: the start of the `url` option of pdjs. */
  readonly restUrl: string;
  /** PEM file of the authority that signed the events certificate, for NODE_EXTRA_CA_CERTS. */
  readonly caPath: string;
  /** That certificate, for other vendors that need TLS. */
  readonly tls: { readonly key: string; readonly cert: string };
  readonly store: PagerDutyStore;
  readonly site: RestSite;
  close(): Promise<void>;
}

/** Events API v2 over TLS and REST API v2 over plain HTTP, on loopback. */
export async function startPagerDuty(options: PagerDutyOptions): Promise<PagerDutySandbox> {
  const { world, faults, journal, now } = options;
  const store = new PagerDutyStore(world, now, options.past);
  const site = { base: '', webhookUrl: options.webhooks?.url ?? null, store };
  const certificate = options.certificate ?? (await ownCertificate());
  const events = await listen(eventsApp(store, faults, journal), { tls: certificate });
  const rest = await listen(restApp(site, faults, journal));
  site.base = rest.url;
  const webhooks = options.webhooks === undefined ? null : startWebhooks(site, options.webhooks);
  return {
    eventsHost: `localhost:${events.port}`,
    restUrl: rest.url,
    caPath: certificate.caPath,
    tls: { key: certificate.key, cert: certificate.cert },
    store,
    site,
    async close() {
      await webhooks?.idle();
      await Promise.all([events.close(), rest.close()]);
    },
  };
}

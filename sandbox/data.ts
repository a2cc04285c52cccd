import { startAzure } from './azure/server.ts';
import { startConfluence } from './confluence/server.ts';
import { type DeploysOptions, type DeploysSandbox, startDeploys } from './deploys/server.ts';
import { startPrometheus } from './prometheus/server.ts';
import { makeShopDatabase } from './shop/database.ts';
import { startSplunk } from './splunk/server.ts';

export interface DataOptions extends DeploysOptions {
  readonly tls: { readonly key: string; readonly cert: string };
  /** A Postgres that allows creating databases and roles; without it the shop's database is unreachable. */
  readonly databaseServer: string | null;
}

export interface DataSandbox {
  readonly env: Readonly<Record<string, string>>;
  readonly deploys: Pick<DeploysSandbox, 'reset'>;
  close(): Promise<void>;
}

/** The wiki, both log systems, the shop's database and its deploy service. */
export async function startData(options: DataOptions): Promise<DataSandbox> {
  const { world, now, databaseServer } = options;
  const deploys = await startDeploys(options);
  const { log } = deploys;
  const [confluence, azure, splunk, prometheus, shop] = await Promise.all([
    startConfluence(options),
    startAzure({ ...options, log }),
    startSplunk({ ...options, log }),
    startPrometheus({ ...options, log }),
    databaseServer === null ? null : makeShopDatabase(databaseServer, now),
  ]);
  return {
    deploys,
    env: {
      CONFLUENCE_HOST: `${confluence.url}/wiki`,
      AZURE_TENANT_ID: world.azure.tenantId,
      AZURE_CLIENT_ID: world.azure.clientId,
      AZURE_CLIENT_SECRET: world.azure.clientSecret,
      AZURE_AUTHORITY_HOST: azure.url,
      AZURE_LOGS_URL: `${azure.url}/v1`,
      SPLUNK_URL: splunk.url,
      SPLUNK_TOKEN: world.splunk.token,
      PROMETHEUS_URL: prometheus.url,
      PROMETHEUS_TOKEN: world.prometheus.token,
      DEPLOYS_URL: deploys.url,
      DEPLOYS_TOKEN: world.deploys.token,
      SHOP_DATABASE_URL: shop?.url ?? 'postgres://reader:none@127.0.0.1:1/shop',
    },
    async close() {
      await Promise.all([
        confluence.close(),
        deploys.close(),
        azure.close(),
        splunk.close(),
        prometheus.close(),
        shop?.close(),
      ]);
    },
  };
}

import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { incident } from '../incident.ts';
import type { Now } from '../world.ts';

export interface ShopDatabase {
  /** Connection string of a role that may only read the shop's tables. */
  readonly url: string;
  close(): Promise<void>;
}

const tables = `
create table orders (id bigint primary key, state text not null, total_cents bigint not null, created_at timestamptz not null);
create table carts (id bigint primary key, state text not null, country text not null, updated_at timestamptz not null);
create table deployments (id bigint primary key, service text not null, version text not null, person text not null,
  change text not null, finished_at timestamptz not null);
comment on table orders is 'state: paid, failed, refunded';`;

/** The web shop's database, created on a server through a connection that may create databases and roles; removed at the end. */
export async function makeShopDatabase(server: string, now: Now): Promise<ShopDatabase> {
  const name = `shop_${randomBytes(6).toString('hex')}`;
  const password = randomBytes(12).toString('hex');
  await run(server, [`create database ${name}`, `create role ${name}_reader login password '${password}'`]);
  const own = Object.assign(new URL(server), { pathname: `/${name}` }).href;
  await run(own, [
    tables,
    `revoke all on schema public from public`,
    `grant usage on schema public to ${name}_reader`,
    `grant select on all tables in schema public to ${name}_reader`,
    ...rows(now()),
  ]);
  const url = Object.assign(new URL(own), { username: `${name}_reader`, password }).href;
  const close = () =>
    run(server, [`drop database if exists ${name} with (force)`, `drop role if exists ${name}_reader`]);
  return { url, close };
}

/** Orders that were paid all day and mostly fail since the deploy, waiting carts, and the deploy itself. */
function rows(now: Date): string[] {
  const began = incident.beganMinutesAgo;
  const { minutesAgo, version, before, by, change } = incident.deploy;
  const at = `timestamptz '${now.toISOString()}' - interval '1 minute' *`;
  return [
    `insert into orders select n, case when n * 1.5 <= ${began} and n % 4 <> 0 then 'failed' else 'paid' end,
      1500 + (n * 731) % 20000, ${at} (n * 1.5) from generate_series(1, 960) n`,
    `insert into carts select n, case when n <= 137 then 'waiting for payment' else 'open' end,
      (array['DE', 'ES', 'FR', 'IT', 'SE'])[1 + n % 5], ${at} (n * 0.3) from generate_series(1, 400) n`,
    `insert into deployments values
      (4811, 'checkout', '${before}', 'ana', 'new coupon page', ${at} 4300),
      (4812, 'payments-api', '${version}', 'ben', 'retry of payouts', ${at} 1500),
      (4813, 'checkout', '${version}', '${by}', '${change}', ${at} ${minutesAgo})`,
  ];
}

async function run(url: string, statements: readonly string[]): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}

import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { fill } from '../../bench/growth/fill.ts';
import { queries } from '../../bench/growth/queries.ts';
import { planOnce } from '../../src/store/database.ts';
import { openTestStore } from '../support/store.ts';

const past = 8_000;
/** Pages of 8 KB that one call may touch; the tables here have hundreds to thousands of them. */
const usualPages = 100;
/** A table with so few rows may be scanned. */
const fewRows = 1_000;
const morePages: Readonly<Record<string, number>> = {
  // Scans everything pending, and returns a hundred.
  'left behind': 1_000,
  'messages that are due': 600,
  // A batch with all the rows that depend on it.
  'retention: what is old': 1_000,
  'retention: what was said': 800,
  'retention: what is loose': 800,
  'how long a tool takes': 400,
  'forget deliveries': 800,
  // A revision, the one it replaces and the ones it names, each with its indexes.
  'a plan that may be under way is stored': 250,
  // Everything running and the newest hundred cards, each with the targets it names.
  'what else is about a service': 1_200,
  // A hundred of each, with who asked where.
  'a hand-over: what ended': 700,
  'a hand-over: who asked for what is open': 1_500,
  'a hand-over: plans of what ended': 200,
  // Twenty plans, each with its newest revision and its last run by their keys.
  'history of everybody': 300,
  'history of a person': 400,
  'what a person asked': 200,
  'history of a service': 300,
};

interface Statement {
  readonly text: string;
  readonly values: readonly unknown[];
}

/** Every statement sent to Postgres. Our connections copy the method when they are created, so this comes first. */
const everything: Statement[] = [];
const original = pg.Client.prototype.query;
pg.Client.prototype.query = function (this: pg.Client, ...args: unknown[]) {
  const [first, second] = args;
  const given = typeof first === 'object' && first !== null ? first : { text: first, values: second };
  const { text = '', values = [] } = given as Partial<Statement>;
  everything.push({ text, values });
  return original.apply(this, args as never);
} as never;
afterAll(() => {
  pg.Client.prototype.query = original;
});

const store = openTestStore();

beforeAll(() => fill(store.db(), past), 120_000);

async function statementsOf(ask: () => Promise<unknown>): Promise<Statement[]> {
  everything.length = 0;
  await ask();
  return [...everything];
}

interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string | undefined;
  readonly 'Shared Hit Blocks': number;
  readonly 'Shared Read Blocks': number;
  readonly 'Actual Rows': number;
  readonly 'Rows Removed by Filter'?: number | undefined;
  readonly Plans?: readonly PlanNode[] | undefined;
}
const nodeSchema: z.ZodType<PlanNode> = z.lazy(() =>
  z.object({
    'Node Type': z.string(),
    'Relation Name': z.string().optional(),
    'Shared Hit Blocks': z.number(),
    'Shared Read Blocks': z.number(),
    'Actual Rows': z.number(),
    'Rows Removed by Filter': z.number().optional(),
    Plans: z.array(nodeSchema).optional(),
  }),
);
const answerSchema = z.array(z.object({ 'QUERY PLAN': z.array(z.object({ Plan: nodeSchema })) }));

/** How Postgres runs a statement, with the plan that serves all values; changes are rolled back. */
async function planOf({ text, values }: Statement): Promise<PlanNode[]> {
  const client = new pg.Client({ connectionString: store.url() });
  await client.connect();
  try {
    await client.query(planOnce);
    await client.query('begin');
    await client.query(`prepare asked as ${text}`);
    // An insert already happened, so it is repeated with another key.
    const anew = values.map((value) => literal(value).replace(/^'([a-z]+2)'$/, "'$1000'"));
    const asked = anew.length === 0 ? 'asked' : `asked (${anew.join(', ')})`;
    const explain = `explain (analyze, buffers, timing off, format json) execute ${asked}`;
    const { rows } = await client.query(explain).catch((error: unknown) => {
      if (error instanceof pg.DatabaseError && error.code === '23505') return { rows: [] };
      throw error;
    });
    await client.query('rollback');
    return answerSchema.parse(rows).flatMap((row) => row['QUERY PLAN'].map(({ Plan }) => Plan));
  } finally {
    await client.end();
  }
}

function literal(value: unknown): string {
  if (value === null || value === undefined) return 'null';
  if (Array.isArray(value)) return `'{}'::text[] || array[${value.map(literal).join(', ')}]::text[]`;
  return pg.escapeLiteral(value instanceof Date ? value.toISOString() : String(value));
}

function every(node: PlanNode): PlanNode[] {
  return [node, ...(node.Plans ?? []).flatMap(every)];
}

function isLongScan(node: PlanNode): boolean {
  const read = node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0);
  return node['Node Type'] === 'Seq Scan' && read > fewRows;
}

test.each(queries(past))('$name: scans no table, however long the history', async ({ name, ask }) => {
  // The first calls may clear old rows; people wait for the ones after that.
  for (let nth = 0; nth < 2; nth += 1) await ask(store.db(), nth);
  const asked = await statementsOf(() => ask(store.db(), 2));
  expect(asked.length).toBeGreaterThan(0);
  const statements = asked.filter(({ text }) => /^\s*(select|insert|update|delete|with)\b/i.test(text));
  const seen = await Promise.all(statements.map(planOf));
  const nodes = seen.flat();
  const whole = nodes.flatMap(every).filter(isLongScan);
  expect(whole.map((node) => node['Relation Name'])).toEqual([]);
  const pages = nodes.reduce((sum, node) => sum + node['Shared Hit Blocks'] + node['Shared Read Blocks'], 0);
  expect(pages).toBeLessThan(morePages[name] ?? usualPages);
});

test('the indexes on unfinished work stay small', async () => {
  const { rows } = await sql<{ name: string; bytes: number }>`
    select relname as name, pg_relation_size(oid)::int as bytes from pg_class
    where relname in ('requests_planning', 'requests_open', 'revisions_unposted', 'outbox_waiting', 'runs_open')`.execute(
    store.db(),
  );
  expect(rows).toHaveLength(5);
  for (const { name, bytes } of rows) expect(bytes, name).toBeLessThan(500_000);
});

import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readers } from '../../src/core/ports.ts';
import { queryBook } from '../../src/core/queries/bind.ts';
import { openRunbooks } from '../../src/vendors/runbooks/search.ts';
import { allTools } from '../../tools/all.ts';
import type { PartResult } from '../measure.ts';
import { median } from '../numbers.ts';

/** Maximum milliseconds of CPU that a tool may add to its vendor's. */
const budget = 5;
const issues = 1_000;
const rows = 10_000;

/** CPU time of reads with in-memory vendors, and of a search in an already indexed folder of runbooks. */
export async function tools({ runs, files }: { runs: number; files: number }): Promise<PartResult> {
  const folder = await mkdtemp(join(tmpdir(), 'countersign-bench-'));
  try {
    await writeRunbooks(folder, files);
    const readers = readersOf(folder);
    const jira = await cost('jira.search', { project: 'OPS', limit: issues }, readers, runs);
    const sql = await cost('sql.query', { query: 'select 1' }, readers, runs);
    const books = await cost('runbook.search', { query: 'latency of service 17' }, readers, runs);
    const measures = [
      { id: 'tools.jira', what: `jira.search over ${issues} tickets`, value: jira.ms },
      { id: 'tools.sql', what: `sql.query over ${rows} rows`, value: sql.ms },
      { id: 'tools.runbooks', what: `runbook.search in ${files} files`, value: books.ms },
    ].map((one) => ({ ...one, what: `${one.what}, CPU beside the vendor`, unit: 'ms' as const, budget }));
    const found = { [`${issues} tickets`]: jira.total, [`${rows} rows`]: sql.total };
    const checks = Object.entries(found).map(([what, total]) => ({ what, ok: what.startsWith(`${total} `) }));
    return { measures, checks: [...checks, { what: 'runbooks are found', ok: books.total > 0 }] };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function cost(name: string, args: Record<string, unknown>, readers: Readers, runs: number) {
  const hands = allTools.get(name);
  if (hands?.effect !== 'read') throw new TypeError(`there is no read ${name}`);
  const context = { readers, asker: 'U0ANA', now: () => new Date(), signal: AbortSignal.timeout(600_000) };
  const run = async () => Number((await hands.tool.run(args, context)).total);
  // The first ones include compiling, and reading the folder.
  let total = 0;
  for (let warm = 0; warm < 5; warm += 1) total = await run();
  const times: number[] = [];
  for (let count = 0; count < runs; count += 1) {
    const before = process.cpuUsage();
    await run();
    const { user, system } = process.cpuUsage(before);
    times.push((user + system) / 1_000);
  }
  return { ms: median(times), total };
}

function readersOf(folder: string): Readers {
  const now = new Date();
  const issue = (number: number) => ({
    ...{
      key: `OPS-${number}`,
      summary: `Disk ${number} is almost full on the metrics cluster`,
      status: 'To Do',
    },
    ...{ done: false, priority: 'P2', assignee: 'Ana Ruiz', isRequest: false, created: now, updated: now },
    ...{ resolved: null, url: `https://jira.acme.example/browse/OPS-${number}` },
  });
  const all = Array.from({ length: issues }, (_, index) => issue(index + 1));
  const cells = Array.from({ length: 200 }, (_, index) => [
    `${index}`,
    'failed',
    'checkout',
    now.toISOString(),
  ]);
  const answer = { columns: ['id', 'state', 'service', 'at'], rows: cells, total: rows, exact: true };
  const shown = { jql: 'project = OPS', url: 'https://jira.acme.example/issues' };
  const part = {
    jira: {
      count: async () => ({ total: issues, approximate: false, ...shown }),
      search: async () => ({ issues: all, more: false, ...shown }),
    },
    databases: { run: async () => answer },
    queries: queryBook([], new Set(['sql'])),
    calendar: { zone: 'UTC' },
    runbooks: [openRunbooks({ folder, address: null, now: () => now })],
  };
  // Contains only what the three tools use.
  return part as unknown as Readers;
}

const symptoms = ['latency', 'errors', 'queue', 'disk', 'failover', 'certificate', 'backup', 'deploy'];

async function writeRunbooks(folder: string, files: number): Promise<void> {
  for (let team = 0; team < files / 50; team += 1) {
    const place = join(folder, `team-${team}`);
    await mkdir(place);
    const names = Array.from({ length: 50 }, (_, index) => team * 50 + index);
    await Promise.all(names.map((name) => writeFile(join(place, `${name}.md`), runbook(name))));
  }
}

function runbook(number: number): string {
  const symptom = symptoms[number % symptoms.length] ?? '';
  const words = Array.from({ length: 80 }, (_, index) => `word${(number * 31 + index * 17) % 4_000}`).join(
    ' ',
  );
  return `# ${symptom} of service ${number}\n\n${words}\n\n## First steps\n\n${words}\n\n## Afterwards\n\n${words}\n`;
}

import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { rowsOf } from '../../test/support/rows.ts';
import type { Fleet } from './fleet.ts';
import type { Account } from './verdict.ts';

export interface Evidence {
  readonly fleet: Fleet;
  readonly accounts: ReadonlyMap<string, Account>;
  /** When each fault began and ended, and what was left undone afterwards. */
  readonly history: readonly string[];
}

const tables =
  'requests runs step_results writes outbox inbox incidents shown_cards approvals audit processes';

/** Writes to a folder all that can explain a failure: rows, messages, incidents, vendors' requests and logs. */
export async function keepEvidence(folder: string, { fleet, accounts, history }: Evidence): Promise<void> {
  await mkdir(folder, { recursive: true });
  const keep = (name: string, content: unknown) =>
    writeFile(join(folder, name), typeof content === 'string' ? content : lines(content));
  await keep('history.txt', history.join('\n'));
  for (const [team, { messages, asked }] of accounts) {
    await keep(`messages-${team}.jsonl`, messages);
    await keep(`asked-${team}.jsonl`, asked);
  }
  await keep('incidents.jsonl', fleet.sandbox.pagerduty.store.incidents());
  await keep('vendors.jsonl', fleet.sandbox.journal.list());
  for (const { name, wholeLog } of fleet.members) await keep(`log-${name.replace(' ', '-')}.jsonl`, wholeLog);
  for (const table of tables.split(' ')) {
    const rows = await rowsOf(fleet.postgres.ownerUrl, `select row_to_json(one) as row from ${table} as one`);
    await keep(
      `rows-${table}.jsonl`,
      rows.map(({ row }) => row),
    );
  }
}

function lines(all: unknown): string {
  return Array.isArray(all) ? all.map((one) => JSON.stringify(one)).join('\n') : JSON.stringify(all);
}

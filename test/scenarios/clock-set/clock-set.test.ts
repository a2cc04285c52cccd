/** Why: somebody sets the clock of the machine while the bot runs. What waits must not end because of that. */
import { writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { BotProcess } from '../../support/bot.ts';
import { breach, finish, rows, until } from '../../support/scenario.ts';
import { Workspace } from '../../support/workspace.ts';

let workspace: Workspace<BotProcess>;
let folder: string;
/** Once this file is there, the clock of the bot's machine is three days ahead. */
let sign: string;

function clockThatIsSet(): { readonly NODE_OPTIONS: string } {
  const code = `import { existsSync } from 'node:fs';
    const Real = Date;
    const now = () => Real.now() + (existsSync(${JSON.stringify(sign)}) ? 3 * 86_400_000 : 0);
    globalThis.Date = class extends Real {
      constructor(...given) { super(...(given.length === 0 ? [now()] : given)); }
      static now() { return now(); }
    };`;
  return { NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(code)}` };
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'countersign-clock-'));
  sign = join(folder, 'set');
  workspace = await Workspace.spawnHttp({ env: clockThatIsSet() });
});
afterAll(async () => {
  await finish(workspace);
  await rm(folder, { recursive: true, force: true });
});

test('a card stays open and a watch goes on when the clock of the machine is set three days ahead', async () => {
  await workspace.plan('ben', breach);
  const card = await workspace.card(breach);
  await workspace.plan(
    'ben',
    'every 5 minutes until tomorrow tell me if OPS has more than 100 open P1 tickets',
  );
  await until(async () => (await rows(workspace, 'select 1 from watches')).length === 1);
  writeFileSync(sign, '');
  // Meanwhile the bot looks at all that may be due, which it does once a second.
  await workspace.plan('ben', 'how many P1 tickets are open in PAY?');
  await workspace.card(/open P1 tickets? in PAY/);
  await workspace.plan('ben', 'how many P1 tickets are open in WEB?');
  await workspace.card(/open P1 tickets? in WEB/);
  await workspace.click('ana', card, 'plan.approve');
  await workspace.reply(card, /^Done/);
  expect(await rows(workspace, 'select ended_at from watches')).toEqual([{ ended_at: null }]);
});

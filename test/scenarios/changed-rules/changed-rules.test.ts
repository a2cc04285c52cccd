/** Why: a card is approved under the rules it was made under. If they change, the plan must be requested again. */
import { writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { breach, configWith, finish, rows } from '../../support/scenario.ts';
import { type Message, Workspace } from '../../support/workspace.ts';

let workspace: Workspace;
let card: Message;
beforeAll(async () => {
  workspace = await Workspace.start({ config: configWith({}) });
});
afterAll(() => finish(workspace));

async function restart(sections: Readonly<Record<string, unknown>>): Promise<void> {
  expect(await workspace.bot.stop()).toBe(0);
  await writeFile(workspace.env.COUNTERSIGN_CONFIG ?? '', configWith(sections));
  workspace.bot = await workspace.startAnother();
}

test('an open card cannot be approved after the approvers or services change, and the clicker learns why', async () => {
  await workspace.plan('ben', breach);
  card = await workspace.card(breach);
  await restart({ rules: [{ approvers: ['U0EVA'] }] });
  for (const as of ['ana', 'eva']) {
    await workspace.click(as, card, 'plan.approve');
    await workspace.whisper(as, 'were changed after this card was made. Ask again');
  }
  expect(await rows(workspace, "select id from runs where mode = 'run'")).toEqual([]);
});

test('with the original rules restored, the card can be approved again, also after a restart', async () => {
  await restart({});
  await workspace.click('ana', card, 'plan.approve');
  await workspace.reply(card, /^Done/);
  expect(workspace.pages()).toHaveLength(1);
});

/** Why: nobody can rewrite what people have seen. The head of the audit log is posted once a day and compared later. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { auditCommand } from '../../../src/commands/audit.ts';
import { breach, configWith, finish, rows } from '../../support/scenario.ts';
import { Workspace, wordsOf } from '../../support/workspace.ts';

let workspace: Workspace;
beforeAll(async () => {
  workspace = await Workspace.start({ config: configWith({ audit: { witness_channel: 'incidents' } }) });
});
afterAll(() => finish(workspace));

function posts(): string[] {
  return workspace
    .messages('incidents')
    .map(wordsOf)
    .filter((words) => words.includes('countersign-audit'));
}

async function verify(witness: string): Promise<{ code: number; said: string }> {
  const said: string[] = [];
  const out = (line: string) => said.push(line);
  const code = await auditCommand(['verify', '--witness', witness], {
    variables: workspace.env,
    out,
    error: out,
  });
  return { code, said: said.join('\n') };
}

test('the head of the log is posted once a day across processes, and verify finds it', async () => {
  await workspace.plan('ben', breach);
  await workspace.card(breach);
  // The log was empty when the bot started; the next start on the same day posts it.
  await workspace.bot.stop();
  const [bot, second] = await Promise.all([workspace.startAnother(), workspace.startAnother()]);
  workspace.bot = bot;
  await workspace.until(() => posts().length > 0, 'the end of the log');
  await workspace.plan('ben', 'how many P1 tickets are open in OPS?');
  await workspace.card('how many P1');
  await second.stop();
  expect(posts()).toHaveLength(1);
  // One database address for everything works, with one warning per start.
  expect(workspace.bot.log().match(/can rewrite the audit log/g)).toHaveLength(1);

  const [posted = ''] = posts();
  const { code, said } = await verify(posted);
  expect(said).toMatch(/is line \d+ of the log/);
  expect(code).toBe(0);
  const cut = posted.replace(/count=\d+/, 'count=9999');
  expect(await verify(cut)).toMatchObject({ code: 1, said: expect.stringContaining('is NOT in the log') });
  expect(await rows(workspace, "select kind from outbox where key like 'audit:head:%'")).toHaveLength(1);
});

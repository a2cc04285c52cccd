/** Why: a schedule may run a playbook saved in Slack, which only the database knows. */
import { writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cli } from '../../support/cli.ts';
import { configWith, finish, rows } from '../../support/scenario.ts';
import { Workspace, wordsOf } from '../../support/workspace.ts';

let workspace: Workspace;
beforeAll(async () => {
  workspace = await Workspace.start({ config: configWith({}) });
});
afterAll(() => finish(workspace));

test('a schedule of a saved playbook warns only if nobody saved it', async () => {
  await workspace.plan('ben', 'how many open P1 tickets in OPS');
  await workspace.card('OPS');
  await workspace.plan('ben', 'save how-many');
  await workspace.whisper('ben', 'Saved.');
  await workspace.bot.stop();

  const every = { cron: '0 8 * * *', timezone: 'UTC', channel: 'ops' };
  const schedules = [
    { name: 'saved', goal: 'run how-many project=PAY', ...every, cron: '* * * * *' },
    { name: 'misspelt', goal: 'run how-meny', ...every },
    { name: 'unclear', goal: 'water the plants', ...every },
  ];
  await writeFile(workspace.env.COUNTERSIGN_CONFIG ?? '', configWith({ schedules }));
  workspace.bot = await workspace.startAnother();
  const warned = workspace.bot.log().match(/"warning":"[^"]*schedules[^"]*/g) ?? [];
  expect(warned).toEqual([
    expect.stringMatching(/\.yml:\d+ schedules\.1\.goal: cannot be planned.*no playbook “how-meny”/),
    expect.stringMatching(/\.yml:\d+ schedules\.2\.goal: cannot be planned/),
  ]);

  await rows(workspace, "update watches set next_at = $1 where id = 'saved'", [new Date()]);
  const answer = await workspace.card('PAY', 'ops');
  expect(wordsOf(answer)).toContain('saved');

  // Without the database it cannot be decided, so the check only says what it depends on.
  const { out } = await cli(['config', 'check'], { env: { ...workspace.sandbox.env, ...workspace.env } });
  expect(out.split('\n').filter((line) => line.includes('schedules.'))).toEqual([
    expect.stringMatching(/schedules\.0\.goal: .*comes to a plan only if somebody has saved “how-many”/),
    expect.stringMatching(/schedules\.1\.goal: .*comes to a plan only if somebody has saved “how-meny”/),
    expect.stringMatching(/schedules\.2\.goal: cannot be planned/),
  ]);
});

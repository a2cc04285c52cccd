/** Why: a watch that cannot continue says so and ends; nobody may rely on a watch that no longer runs. */
import { writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sandboxConfig } from '../../../sandbox/config.ts';
import { configWith, finish, rows, until } from '../../support/scenario.ts';
import { type Message, Workspace, wordsOf } from '../../support/workspace.ts';

const planOn = (project: string) =>
  [
    'watch: every 10m',
    `count = jira.count project=${project} priority=P1 status=open`,
    'when count.total > 1000: pagerduty.page service=ops text="{count.total} open"',
  ].join('; ');

const schedules = [
  {
    name: 'nightly',
    cron: '* * * * *',
    goal: 'if WEB has more than 1000 open P1 tickets, page ops',
    channel: 'incidents',
  },
];

let workspace: Workspace;
beforeAll(async () => {
  workspace = await Workspace.start({ config: configWith({ schedules }) });
});
afterAll(() => finish(workspace));

async function watchOn(project: string): Promise<{ id: string; made: Message }> {
  await workspace.plan('ben', planOn(project));
  const made = await workspace.card(new RegExp(`Watching.*in ${project}`, 's'));
  const [row] = await rows(workspace, 'select id from watches where goal = $1', [planOn(project)]);
  const id = String(row?.id);
  await until(
    async () =>
      (await rows(workspace, 'select 1 from watches where id = $1 and found is not null', [id])).length === 1,
  );
  return { id, made };
}

/** Makes a watch check now and waits for it. A cron line has one tick a minute, which is deleted here. */
async function look(id: string): Promise<void> {
  const state = () => rows(workspace, 'select looked_at, ended_at from watches where id = $1', [id]);
  const before = JSON.stringify(await state());
  await rows(workspace, 'delete from inbox where key like $1', [`watch:${id}:%`]);
  await rows(workspace, 'delete from schedule_ticks where schedule = $1', [id]);
  await rows(workspace, 'update watches set look_key = null, next_at = $2 where id = $1', [id, new Date()]);
  await until(async () => JSON.stringify(await state()) !== before);
}

test('a watch ends after three failed checks when its project is gone, and its owner is told why', async () => {
  const { id, made } = await watchOn('PAY');
  const body = { errorMessages: ["The value 'PAY' does not exist for the field 'project'."], errors: {} };
  const gone = workspace.sandbox.faults.add({ vendor: 'jira', kind: 'status', status: 400, body });
  for (let count = 0; count < 3; count += 1) await look(id);
  const word = await workspace.reply(made, 'It cannot continue.');
  expect(wordsOf(word)).toMatch(/has ended.*does not exist for the field/s);
  expect(JSON.stringify(word.blocks)).toContain(workspace.person('ben'));
  await workspace.becomes(made, 'has ended');
  workspace.sandbox.faults.remove(gone);
  expect(await rows(workspace, "select actor, subject from audit where kind = 'watch.ended'")).toEqual([
    { actor: 'system', subject: `watch:${id}` },
  ]);
});

test('a schedule from the file is not ended by failures: its channel hears of failure and recovery once', async () => {
  await look('nightly');
  await until(
    async () =>
      (await rows(workspace, "select 1 from watches where id = 'nightly' and plan is not null")).length === 1,
  );
  const body = { errorMessages: ["The value 'WEB' does not exist for the field 'project'."], errors: {} };
  const gone = workspace.sandbox.faults.add({ vendor: 'jira', kind: 'status', status: 400, body });
  for (let count = 0; count < 4; count += 1) await look('nightly');
  const word = await workspace.card('cannot check', 'incidents');
  expect(wordsOf(word)).toContain('I keep trying');
  workspace.sandbox.faults.remove(gone);
  await look('nightly');
  await workspace.card('works again', 'incidents');
  expect(workspace.messages('incidents').filter((one) => wordsOf(one).includes('cannot check'))).toHaveLength(
    1,
  );
});

test('a watch whose project left countersign.yml ends at its next check, and its owner is told which', async () => {
  const { id, made } = await watchOn('WEB');
  const { WEB: _gone, ...projects } = sandboxConfig().projects as Record<string, unknown>;
  const others = sandboxConfig().services as Record<string, object>;
  const services = { ...others, checkout: { ...others.checkout, project: 'PAY' } };
  await writeFile(workspace.env.COUNTERSIGN_CONFIG ?? '', configWith({ projects, services }));
  await workspace.bot.stop();
  workspace.bot = await workspace.startAnother();
  await look(id);
  const word = await workspace.reply(made, 'It cannot continue.');
  expect(wordsOf(word)).toMatch(/WEB/);
  expect(JSON.stringify(word.blocks)).toContain(workspace.person('ben'));
  await workspace.plan('ben', 'watches');
  await workspace.whisper('ben', 'There are no watches you can see');
});

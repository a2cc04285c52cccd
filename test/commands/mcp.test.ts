import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { configCommand } from '../../src/commands/config.ts';
import { mcpCommand } from '../../src/commands/mcp.ts';
import { standIn } from '../support/mcp.ts';

const folder = await mkdtemp(join(tmpdir(), 'countersign-mcp-'));
afterAll(() => rm(folder, { recursive: true, force: true }));
const file = join(folder, 'countersign.yml');
const rules = [{ approvers: ['U0ANA'] }];

async function run(command: typeof mcpCommand, ...args: string[]) {
  const lines: string[] = [];
  const say = (line: string) => void lines.push(line);
  const slack = { SLACK_BOT_TOKEN: 'xoxb-1', SLACK_APP_TOKEN: 'xapp-1' };
  const variables = { ...process.env, ...slack, COUNTERSIGN_CONFIG: file };
  const code = await command(args, { variables, out: say, error: say });
  return { code, text: lines.join('\n') };
}

test('the output of "mcp pin" can be pasted as it is, and is checked until the server changes', async () => {
  const marker = join(folder, 'changed');
  const notes = { command: standIn('well', marker) };
  await writeFile(file, stringify({ mcp: { notes } }));
  const printed = await run(mcpCommand, 'pin', 'notes');
  expect(printed.code).toBe(0);
  expect(printed.text).toContain('effect: write');
  const entry = parse(printed.text).mcp.notes;
  await writeFile(file, stringify({ rules, mcp: { notes: { ...notes, ...entry } } }));
  expect(await run(mcpCommand, 'check')).toEqual({ code: 0, text: 'notes.say is as pinned' });
  expect(await run(configCommand, 'check', file)).toMatchObject({
    code: 0,
    text: expect.stringContaining('is fine'),
  });

  await writeFile(marker, '');
  const changed =
    'The tool notes.say is switched off: its server now describes it differently than when it was pinned.';
  const check = await run(configCommand, 'check', file);
  expect(check.code).toBe(1);
  expect(check.text).toContain(changed);
  expect(check.text).not.toContain('is fine');
  await writeFile(file, stringify({ mcp: { notes: { ...notes, ...entry, command: ['/no/such/program'] } } }));
  const gone = await run(mcpCommand, 'check');
  expect(gone).toMatchObject({
    code: 1,
    text: expect.stringMatching(/^notes\.say could not be checked: .*cannot be reached/),
  });
});

test('an unknown server or tool is named', async () => {
  await writeFile(file, stringify({ mcp: { notes: { command: standIn('well') } } }));
  await expect(run(mcpCommand, 'pin', 'wiki')).rejects.toThrowError(/has no mcp\.wiki\. Add it first/);
  expect(await run(mcpCommand, 'pin', 'notes', 'shout')).toMatchObject({
    ...{ code: 1, text: 'notes offers no tool shout; it offers say' },
  });
  await writeFile(file, stringify({ mcp: { notes: { command: 'node server.js' } } }));
  await expect(run(mcpCommand, 'pin', 'notes')).rejects.toThrowError(/mcp\.notes\.command must be a list/);
});

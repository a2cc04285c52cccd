/** Why: a tool that comes from somewhere else is held to the same rules: reads, asks before it writes, and stops when it is not what was pinned. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { pinnedServer, standIn } from '../../support/mcp.ts';
import { configWith, finish } from '../../support/scenario.ts';
import { Workspace, wordsOf } from '../../support/workspace.ts';

let workspace: Workspace | undefined;
const folders: string[] = [];
afterEach(async () => {
  await finish(workspace);
  workspace = undefined;
  await Promise.all(folders.splice(0).map((folder) => rm(folder, { recursive: true, force: true })));
});

async function fresh(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'countersign-mcp-'));
  folders.push(folder);
  return folder;
}

const memory = ['node', 'node_modules/@modelcontextprotocol/server-memory/dist/index.js'];

test('a real server from npm is read, and written to after a yes', async () => {
  const file = join(await fresh(), 'memory.jsonl');
  const variables = { ...process.env, MEMORY_FILE_PATH: file };
  const server = { command: memory, env: ['MEMORY_FILE_PATH'] };
  const notes = await pinnedServer(
    server,
    {
      add: { tool: 'create_entities', about: 'Note something down.', accepts: 'internal' },
      search: {
        ...{ tool: 'search_nodes', effect: 'read', about: 'Search the notes.' },
        ask: {
          ...{ verbs: ['search', 'look up'], nouns: ['notes'], examples: ['search the notes for checkout'] },
          args: { query: { takes: 'topic', cues: ['for', 'about'] } },
        },
      },
    },
    variables,
  );
  const ours = await Workspace.start({
    config: configWith({ mcp: { notes }, rules: [{ tools: ['notes.add'], approvers: ['U0ANA'] }] }),
    env: { MEMORY_FILE_PATH: file },
  });
  workspace = ours;
  const entity = { name: 'checkout', entityType: 'service', observations: ['slow <!channel> since noon'] };
  const entities = JSON.stringify([entity]).replaceAll('\\', '\\\\').replaceAll('"', '\\"');
  await ours.plan('ben', `notes.add entities="${entities}"`);
  const card = await ours.card('Note something down');
  expect(wordsOf(card)).toContain('slow <!channel> since noon');
  expect(wordsOf(card)).toContain('The note can be deleted.');
  await expect(readFile(file, 'utf8')).rejects.toThrow();
  await ours.click('ben', card, 'plan.approve');
  await ours.click('ana', card, 'plan.approve');
  await ours.reply(card, /^Done/);
  expect(JSON.parse(await readFile(file, 'utf8'))).toMatchObject(entity);

  await ours.plan('eva', 'search the notes for checkout');
  const found = await ours.card('search the notes for checkout');
  expect(wordsOf(found)).toContain('slow <!channel> since noon');
  expect(JSON.stringify(found.blocks)).not.toContain('"mrkdwn"');
});

test('a tool that is not what was pinned is switched off: the operator is told once, and no plan with it is made', async () => {
  const marker = join(await fresh(), 'changed');
  const notes = await pinnedServer({ command: standIn('well', marker) }, { say: { effect: 'read' } });
  const config = configWith({ mcp: { notes } });
  const ours = await Workspace.start({ config });
  workspace = ours;
  await ours.plan('ben', 'notes.say text=hello');
  const first = await ours.card('notes.say text=hello');
  await writeFile(marker, '');
  await ours.click('ben', first, 'plan.again');
  expect(wordsOf(await ours.card('Not known'))).toContain('switched off');
  const told = await ours.card('A tool was switched off.');
  expect(wordsOf(told)).toContain('notes.say is switched off');
  await ours.plan('ben', 'notes.say text=again');
  expect(wordsOf(await ours.whisper('ben', 'switched off'))).toContain('safe plan');
  expect(ours.transcript().match(/A tool was switched off\./g)).toHaveLength(1);
});

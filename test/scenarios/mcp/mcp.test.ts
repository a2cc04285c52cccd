/** Why: a third-party tool follows the same rules: it reads, asks before it writes, and is disabled if it no longer matches its pin. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { loadPlaybooks } from '../../../src/app/installed.ts';
import type { McpServer } from '../../../src/core/mcp.ts';
import { pinnedServer, standIn } from '../../support/mcp.ts';
import { configWith, finish } from '../../support/scenario.ts';
import { Workspace, wordsOf } from '../../support/workspace.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'countersign-mcp-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const memory = ['node', 'node_modules/@modelcontextprotocol/server-memory/dist/index.js'];

describe('a real server from npm', () => {
  let ours: Workspace;
  let notes: McpServer;
  let file: string;
  beforeAll(async () => {
    file = join(folder, 'memory.jsonl');
    notes = await pinnedServer(
      { command: memory, env: ['MEMORY_FILE_PATH'] },
      {
        add: { tool: 'create_entities', about: 'Note something down.', accepts: 'internal' },
        search: {
          ...{ tool: 'search_nodes', effect: 'read', about: 'Search the notes.' },
          ask: {
            ...{
              verbs: ['search', 'look up'],
              nouns: ['notes'],
              examples: ['search the notes for checkout'],
            },
            args: { query: { cues: ['for', 'about'] } },
          },
        },
      },
      { ...process.env, MEMORY_FILE_PATH: file },
    );
    ours = await Workspace.start({
      config: configWith({ mcp: { notes }, rules: [{ tools: ['notes.add'], approvers: ['U0ANA'] }] }),
      env: { MEMORY_FILE_PATH: file },
    });
  });
  afterAll(() => finish(ours));

  test('is written to after an approval', async () => {
    const entity = { name: 'checkout', entityType: 'service', observations: ['slow <!channel> since noon'] };
    // As it is: Slack would make a mention of a plain `<`.
    const entities = JSON.stringify([entity]).replaceAll('<', '\\u003c');
    await ours.plan('ben', `notes.add entities=${entities}`);
    const card = await ours.card('Note something down');
    expect(wordsOf(card)).toContain('slow \\u003c!channel> since noon');
    expect(wordsOf(card)).toContain('The note can be deleted.');
    await expect(readFile(file, 'utf8')).rejects.toThrow();
    await ours.click('ben', card, 'plan.approve');
    await ours.click('ana', card, 'plan.approve');
    await ours.reply(card, /^Done/);
    expect(JSON.parse(await readFile(file, 'utf8'))).toMatchObject(entity);
  });

  test('is read at once for a request in plain words', async () => {
    await ours.plan('eva', 'search the notes for checkout');
    const found = await ours.card('search the notes for checkout');
    expect(wordsOf(found)).toContain('slow <!channel> since noon');
    expect(JSON.stringify(found.blocks)).not.toContain('"mrkdwn"');
  });

  test('is usable in saved playbooks and in those of the folder', async () => {
    await ours.plan('eva', 'notes.search query=checkout');
    await ours.card('notes.search query=checkout');
    await ours.plan('eva', 'save look-up-notes');
    await ours.whisper('eva', 'Saved.');
    await ours.plan('ben', 'run look-up-notes');
    const found = await ours.card('run look-up-notes');
    expect(wordsOf(found)).toContain('slow <!channel> since noon');

    const shelf = await mkdtemp(join(folder, 'playbooks-'));
    const playbook = {
      ...{
        name: 'notes-of',
        summary: 'Notes about {what}',
        owner: 'sre',
        examples: ['notes about checkout'],
      },
      inputs: { what: { type: 'text', describe: 'what about' } },
      plan: 'notes.search query={what}',
    };
    await writeFile(join(shelf, 'notes-of.yml'), stringify(playbook));
    expect(loadPlaybooks({ mcp: { notes }, actions: {} }, shelf)).toMatchObject([{ name: 'notes-of' }]);
    expect(() => loadPlaybooks({ mcp: {}, actions: {} }, shelf)).toThrow('No tool `notes.search`');
  });
});

describe('a server that dies during a write, and one whose answer is too long', () => {
  let ours: Workspace;
  beforeAll(async () => {
    const well = await pinnedServer({ command: standIn('well') }, { say: {} });
    const long = await pinnedServer({ command: standIn('well') }, { say: { effect: 'read' } });
    const mcp = {
      notes: { ...well, command: standIn('dies') },
      wiki: { ...long, command: standIn('long') },
    };
    ours = await Workspace.start({
      config: configWith({ mcp, rules: [{ tools: ['notes.say'], approvers: ['U0ANA'] }] }),
    });
  });
  afterAll(() => finish(ours));

  test('reports the write as unknown, without a key that the server never saw', async () => {
    await ours.plan('ben', 'notes.say text=hello');
    const card = await ours.card('notes.say text=hello');
    await ours.click('ana', card, 'plan.approve');
    const words = wordsOf(await ours.reply(card, /^Outcome unknown/));
    expect(words).toMatch(/The MCP server notes went away before it had answered/);
    expect(words).toContain(
      'Check whether it happened, and ask again only if it did not: it will not be retried.',
    );
    expect(words).not.toMatch(/cs-run-/);
  });

  test('shows the start of a long answer and says that it was cut', async () => {
    await ours.plan('ben', 'wiki.say text=hello');
    const found = await ours.card('wiki.say text=hello');
    expect(wordsOf(found)).toMatch(/\d+ of more than \d+ lines shown/);
  });
});

describe('a tool that no longer matches its pin', () => {
  let ours: Workspace;
  let marker: string;
  beforeAll(async () => {
    marker = join(folder, 'changed');
    const notes = await pinnedServer({ command: standIn('well', marker) }, { say: { effect: 'read' } });
    ours = await Workspace.start({ config: configWith({ mcp: { notes } }) });
  });
  afterAll(() => finish(ours));

  test('is switched off: the operator is told once, and plans with it are refused', async () => {
    await ours.plan('ben', 'notes.say text=hello');
    const first = await ours.card('notes.say text=hello');
    await writeFile(marker, '');
    await ours.click('ben', first, 'plan.again');
    expect(wordsOf(await ours.card('Couldn’t find out'))).toContain('switched off');
    await ours.card(/^The tool notes\.say is switched off: its server/);
    await ours.plan('ben', 'notes.say text=again');
    expect(wordsOf(await ours.whisper('ben', 'switched off'))).toContain('safe plan');
    expect(ours.transcript().match(/U0COUNTER: The tool notes\.say is switched off/g)).toHaveLength(1);
  });
});

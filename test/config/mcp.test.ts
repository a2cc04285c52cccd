import { expect, test } from 'vitest';
import { stringify } from 'yaml';
import { toolEffects } from '../../manifests/all.ts';
import { checkOperatorConfig } from '../../src/config/operator.ts';

const tool = {
  ...{ sha256: 'a'.repeat(64), effect: 'read', about: 'Search the notes.' },
  input: { type: 'object', properties: { query: { type: 'string' } } },
  ask: { verbs: ['search'], examples: ['search the notes'] },
};
const command = ['node', 'server.js'];

/** Every problem of a file with these MCP servers, as `path: message`. */
function problems(mcp: unknown, more: Record<string, unknown> = {}): string[] {
  const known = { tools: toolEffects, variables: new Map([['TOKEN', 'x']]), playbooks: new Set<string>() };
  const checked = checkOperatorConfig(stringify({ mcp, ...more }), known);
  return checked.problems.map(({ path, message }) => `${path}: ${message}`);
}

test('a pinned tool can be named like any other, and a write can have approvers', () => {
  const write = { ...tool, effect: 'write', undo: 'The note can be deleted.' };
  const notes = { command, env: ['TOKEN'], tools: { search: tool, add: { ...write, tool: 'create' } } };
  expect(problems({ notes }, { rules: [{ tools: ['notes.add'], approvers: ['U0ANA'] }] })).toEqual([]);
  expect(problems({ notes }, { rules: [{ tools: ['notes.search'], approvers: ['U0ANA'] }] })).toEqual([
    'rules.0.tools.0: only reads and needs no approver',
  ]);
  expect(problems({ notes: { url: 'http://127.0.0.1:4000/mcp', token: 'TOKEN' } })).toEqual([]);
});

test('bad pins stop the start, each with its place and its problem', () => {
  const { undo: _undo, ...noUndo } = { ...tool, effect: 'write', undo: '' };
  const tools = (changed: Record<string, unknown>) => ({
    notes: { command, tools: { search: { ...tool, ...changed } } },
  });
  const cases: [unknown, RegExp][] = [
    [{ jira: { command } }, /^mcp\.jira: is the name of a system that the bot has tools for$/],
    [{ 'My Notes': { command } }, /^mcp\.My Notes: must be 2 to 20 lower case letters$/],
    [{ notes: {} }, /^mcp\.notes: must have a command or a url, not both$/],
    [
      { notes: { command, url: 'https://a.example' } },
      /^mcp\.notes: must have a command or a url, not both$/,
    ],
    [{ notes: { url: 'http://notes.example/mcp' } }, /^mcp\.notes\.url: must be an https address/],
    [{ notes: { url: 'https://me:secret@notes.example/mcp' } }, /^mcp\.notes\.url: must be an https address/],
    [{ notes: { url: 'http://169.254.169.254/mcp' } }, /^mcp\.notes\.url: must be an https address/],
    [{ notes: { url: 'https://a.example', token: 'MISSING' } }, /^mcp\.notes\.token: needs MISSING/],
    [{ notes: { command, env: ['MISSING'] } }, /^mcp\.notes\.env: needs MISSING/],
    [{ notes: { command, token: 'TOKEN' } }, /^mcp\.notes\.token: is for a url/],
    [tools({ sha256: 'abc' }), /tools\.search\.sha256: must be the hash that "mcp pin" prints$/],
    [tools({ effect: 'harmless' }), /tools\.search\.effect: must be one of read, write$/],
    [tools({ input: 'none' }), /tools\.search\.input: must be settings with names/],
    [
      tools({ input: { properties: { a: { oneOf: [] } } } }),
      /tools\.search: input\.properties\.a uses oneOf/,
    ],
    [tools({ args: { other: { target: 'service' } } }), /tools\.search: args\.other is not an argument/],
    [
      tools({ ask: { ...tool.ask, args: { other: {} } } }),
      /ask\.args\.other: is not an argument; there are query$/,
    ],
    [tools({ ask: { verbs: ['search'], examples: [] } }), /ask\.examples: must be at least 1$/],
    [tools({ results: { lines: 'text' } }), /results\.lines: is the name of what every answer has$/],
    [tools({ effect: undefined }), /undo: is missing: a write says how it is taken back/],
    [tools({ timeout_ms: 3_600_000 }), /timeout_ms: must be at most 60000$/],
    [
      { notes: { command, tools: { search: tool, find: { ...tool, tool: 'search' } } } },
      /is pinned twice: search/,
    ],
    [{ notes: { command, tools: { search: noUndo } } }, /undo: is missing/],
  ];
  for (const [mcp, message] of cases) {
    const found = problems(mcp);
    expect(found, String(message)).toHaveLength(1);
    expect(found[0]).toMatch(message);
  }
});

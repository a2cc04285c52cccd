import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { stringify } from 'yaml';
import { buildAgents, tokenHash } from '../../src/config/check-agents.ts';
import type { Known } from '../../src/config/complaint.ts';
import { checkOperatorConfig } from '../../src/config/operator.ts';

const token = 'a-token-that-is-long-enough-for-it';
const known: Known = {
  tools: new Map([
    ['jira.count', 'read'],
    ['pagerduty.page', 'write'],
  ]),
  variables: new Map([
    ['BITS_TOKEN', token],
    ['SHORT', 'short'],
    ['PORT', '3000'],
  ]),
  checksEnvironment: true,
  playbooks: new Set(),
};
const bits = { owner: 'U0ANA', token: 'BITS_TOKEN', channels: ['ops'], tools: ['jira.*'] };

function check(
  agents: object,
  { more = {}, sections = {} }: { more?: Partial<Known>; sections?: object } = {},
) {
  const file = { channels: { ops: { id: 'C0OPS' } }, agents, ...sections };
  const { config, problems } = checkOperatorConfig(stringify(file), { ...known, ...more });
  return { config, said: problems.map(({ path, message }) => `${path}: ${message}`) };
}

test('an agent needs an owner, one token, and channels and tools that exist', () => {
  expect(check({ 'bits-ai': bits }).said).toEqual([]);
  const agents = {
    both: { ...bits, token_sha256: 'a'.repeat(64) },
    none: { ...bits, token: undefined },
    hash: { ...bits, token: undefined, token_sha256: 'abc' },
    owner: { ...bits, owner: 'ana' },
    nothing: { ...bits, channels: [], tools: [] },
  };
  expect(check(agents).said).toEqual([
    'agents.both: must have exactly one of token and token_sha256',
    'agents.none: must have exactly one of token and token_sha256',
    'agents.hash.token_sha256: must be a SHA-256 hash in hex',
    'agents.owner.owner: must be a Slack user id such as U012ABCDEF',
    'agents.nothing.channels: must name at least one',
    'agents.nothing.tools: must name at least one',
  ]);
  const strange = { ...bits, channels: ['ops', 'nowhere'], tools: ['jira.count', 'jira.delete', 'foo.*'] };
  expect(check({ 'bits-ai': strange }).said).toEqual([
    'agents.bits-ai.channels.1: is not under channels',
    'agents.bits-ai.tools.1: is no tool of this installation',
    'agents.bits-ai.tools.2: is no tool of this installation',
  ]);
});

test('its token must be set and long enough, and there must be a port; an executor needs neither', () => {
  const agents = { missing: { ...bits, token: 'MISSING' }, short: { ...bits, token: 'SHORT' } };
  expect(check(agents).said).toEqual([
    'agents.missing.token: needs MISSING in the environment',
    'agents.short.token: needs SHORT to be at least 24 characters long',
  ]);
  const variables = new Map([['BITS_TOKEN', token]]);
  expect(check({ 'bits-ai': bits }, { more: { variables } }).said).toEqual([
    'agents.bits-ai: needs PORT in the environment: agents reach the bot there',
  ]);
  expect(check(agents, { more: { variables: new Map(), isExecutor: true } }).said).toEqual([]);
});

test('two agents with one token are refused, however it is given and in whichever workspace', () => {
  const hash = createHash('sha256').update(token).digest('hex');
  const same = { ...bits, token: undefined, token_sha256: hash };
  expect(check({ 'bits-ai': bits, other: same }).said).toEqual([
    'agents.other.token_sha256: has the token of bits-ai: give each agent one of its own',
  ]);
  const inOne = (agent: object) => ({ channels: { ops: { id: 'C0OPS' } }, agents: { one: agent } });
  const workspaces = { T0A: inOne(bits), T0B: inOne(same) };
  expect(check({}, { sections: { workspaces } }).said).toEqual([
    'workspaces.T0B.agents.one.token_sha256: has the token of one: give each agent one of its own',
  ]);
});

test('without a word about it, an agent asks before it reads, and is capped', () => {
  const { config } = check({ 'bits-ai': bits });
  expect(config && buildAgents(config)).toEqual([
    {
      ...{ name: 'bits-ai', owner: 'U0ANA', tools: ['jira.*'], reads: 'ask' },
      channels: [{ name: 'ops', id: 'C0OPS' }],
      caps: { perHour: 20, waiting: 5 },
    },
  ]);
  const entry = config?.agents['bits-ai'];
  expect(entry && tokenHash(entry, () => token)).toBe(createHash('sha256').update(token).digest('hex'));
});

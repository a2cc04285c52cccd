import { z } from 'zod';
import { channelName, environmentName, slackUser } from './patterns.ts';

const agent = z
  .strictObject({
    owner: slackUser.describe(
      'Slack user id of the person who answers for it; counts as an author of its plans',
    ),
    token: environmentName.optional().describe('environment variable with the token that it sends'),
    token_sha256: z
      .string()
      .regex(/^[0-9a-f]{64}$/, 'must be a SHA-256 hash in hex')
      .optional()
      .describe('SHA-256 hash of that token in hex, instead of token'),
    channels: z
      .array(channelName)
      .min(1, 'must name at least one')
      .describe('channels where it may propose; the first where it names none'),
    tools: z
      .array(
        z.string().regex(/^[a-z]{2,20}\.(\*|[a-z_]{1,60})$/, 'must be a tool such as jira.count, or jira.*'),
      )
      .min(1, 'must name at least one')
      .describe('tools that its plans may name, such as jira.count, or jira.* for all of a system'),
    reads: z
      .enum(['run', 'ask'])
      .default('ask')
      .describe('run: its reads run at once, and it may have their results; ask: they wait for Approve'),
    per_hour: z.int().min(1).max(1_000).default(20).describe('proposals and evidence an hour'),
    waiting: z.int().min(1).max(100).default(5).describe('proposals that wait for a decision at once'),
  })
  .refine(({ token, token_sha256: hash }) => (token === undefined) !== (hash === undefined), {
    error: 'must have exactly one of token and token_sha256',
  });

/** Agents of other products that may propose plans. */
export const agents = {
  agents: z
    .record(
      z.string().regex(/^[a-z][a-z0-9-]{1,40}$/, 'must be lower case letters, digits and dashes'),
      agent,
    )
    .default({})
    .describe('agents of other products that may propose plans over MCP (docs/agents.md)'),
};

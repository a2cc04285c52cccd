import { createHash } from 'node:crypto';
import type { Agent } from '../core/agent.ts';
import { own } from '../core/own-property.ts';
import type { Complaint, Known } from './complaint.ts';
import { unmetByValue } from './env.ts';
import type { OperatorConfig } from './schema.ts';
import { neededVariable } from './secret-files.ts';

const minToken = 24;

/** The operator's agents, already validated. */
export function buildAgents(config: OperatorConfig): Agent[] {
  return Object.entries(config.agents).map(([name, { owner, channels, tools, reads, ...of }]) => ({
    ...{ name, owner, tools, reads },
    channels: channels.flatMap((one) => {
      const id = own(config.channels, one)?.id;
      return id === undefined ? [] : [{ name: one, id }];
    }),
    caps: { perHour: of.per_hour, waiting: of.waiting },
  }));
}

/** The SHA-256 hash of an agent's token, as it was given or of its variable; null where that is not set. */
export function tokenHash(
  { token, token_sha256: hash }: OperatorConfig['agents'][string],
  lookUp: (variable: string) => string | undefined,
): string | null {
  if (hash !== undefined) return hash;
  const value = token && lookUp(token);
  return value ? createHash('sha256').update(value).digest('hex') : null;
}

/** Problems with the agents beyond their schema. */
export function agentComplaints(config: OperatorConfig, known: Known): Complaint[] {
  return Object.entries(config.agents).flatMap(([name, one]) => {
    const at = (path: readonly (string | number)[], message: string): Complaint => ({
      path: ['agents', name, ...path],
      message,
    });
    const channels = one.channels.flatMap((channel, index) =>
      Object.hasOwn(config.channels, channel) ? [] : [at(['channels', index], 'is not under channels')],
    );
    const tools = one.tools.flatMap((tool, index) =>
      isKnownTool(tool, config, known) ? [] : [at(['tools', index], 'is no tool of this installation')],
    );
    return [
      ...channels,
      ...tools,
      ...doorComplaints(one, known).map(([field, message]) => at(field, message)),
    ];
  });
}

function isKnownTool(tool: string, { mcp, actions }: OperatorConfig, known: Known): boolean {
  const tools = new Set([...known.tools.keys(), ...Object.keys(actions)]);
  const [system = '', verb = ''] = tool.split('.');
  const pinned = own(mcp, system)?.tools;
  if (verb !== '*') return tools.has(tool) || (pinned !== undefined && Object.hasOwn(pinned, verb));
  return pinned !== undefined || [...tools].some((name) => name.startsWith(`${system}.`));
}

function doorComplaints(
  { token }: OperatorConfig['agents'][string],
  { variables, checksEnvironment, isExecutor }: Known,
): [string[], string][] {
  if (isExecutor) return [];
  const needsPort = checksEnvironment && !variables.has('PORT');
  const port: [string[], string][] = needsPort
    ? [[[], 'needs PORT in the environment: agents reach the bot there']]
    : [];
  if (token === undefined) return port;
  const value = variables.get(token);
  if (value === undefined) return [...port, [['token'], neededVariable(token, variables)]];
  const unmet =
    unmetByValue(value) ?? (value.length < minToken ? `at least ${minToken} characters long` : null);
  return checksEnvironment && unmet !== null ? [...port, [['token'], `needs ${token} to be ${unmet}`]] : port;
}

/** Agents that could not be told apart: two with one token, in one workspace or in two. */
export function sameTokens(
  served: readonly { readonly path: readonly PropertyKey[]; readonly config: OperatorConfig }[],
  { variables }: Pick<Known, 'variables'>,
): Complaint[] {
  const names = new Map<string, string>();
  return served.flatMap(({ path, config }) =>
    Object.entries(config.agents).flatMap(([name, one]): Complaint[] => {
      const hash = tokenHash(one, (variable) => variables.get(variable));
      const first = hash === null ? undefined : names.get(hash);
      if (hash !== null && first === undefined) names.set(hash, name);
      if (first === undefined) return [];
      const message = `has the token of ${first}: give each agent one of its own`;
      return [
        { path: [...path, 'agents', name, one.token === undefined ? 'token_sha256' : 'token'], message },
      ];
    }),
  );
}

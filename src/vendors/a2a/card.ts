import type { AgentCard, AgentSkill } from '@a2a-js/sdk';
import type { AgentDesk } from '../../core/agent.ts';
import { parseJson } from '../../core/json.ts';

export const paths = { rpc: '/a2a', rest: '/a2a/v1' } as const;

const description =
  'Runs what people approve. Propose a goal or a plan as a task: people see it as a card in Slack and decide. Nothing here approves.';
const text = ['text/plain', 'application/json'];

const skills: readonly Pick<AgentSkill, 'id' | 'name' | 'description' | 'tags' | 'examples'>[] = [
  {
    ...{ id: 'create_plan', name: 'Create a plan', tags: ['incidents', 'approval'] },
    description:
      'A goal in words, or a plan in notation, as text; or a data part with goal, plan, context, schema, tools, why, evidence and channel. It becomes a card that people decide about; the task ends with the outcome of its run. Where the goal leaves something open, the task asks for input.',
    examples: ['page checkout "The shop is closed"'],
  },
  {
    ...{ id: 'optimize_plan', name: 'Optimise a plan', tags: ['plans'] },
    description:
      'A data part with {"skill": "optimize_plan", "plan": …}. The answer is the same plan with equal reads shared, in the order in which it can run, the groups that run at once, and an estimate. Nothing is stored or run.',
    examples: [],
  },
];

/** The page that other agents read first. `base` is the address by which they reach this port. */
export function cardOf(base: string, version: string): AgentCard {
  const rpc = { url: `${base}${paths.rpc}`, protocolBinding: 'JSONRPC', tenant: '' };
  const rest = { url: `${base}${paths.rest}`, protocolBinding: 'HTTP+JSON', tenant: '' };
  const http = { scheme: 'bearer', description: 'The token from the operator.', bearerFormat: '' };
  return {
    ...{ name: 'Countersign', description, version, provider: undefined, signatures: [] },
    supportedInterfaces: [
      { ...rpc, protocolVersion: '1.0' },
      { ...rest, protocolVersion: '1.0' },
      { ...rpc, protocolVersion: '0.3' },
    ],
    capabilities: { streaming: true, pushNotifications: false, extendedAgentCard: true, extensions: [] },
    securitySchemes: { token: { scheme: { $case: 'httpAuthSecurityScheme', value: http } } },
    securityRequirements: [{ schemes: { token: { list: [] } } }],
    ...{ defaultInputModes: text, defaultOutputModes: text },
    skills: skills.map((skill) => ({
      ...{ ...skill, tags: [...skill.tags], examples: [...skill.examples] },
      ...{ inputModes: text, outputModes: text, securityRequirements: [] },
    })),
  };
}

/** The card for an agent with a token: with the pages about how plans are written and what they may name. */
export function extendedCardOf(card: AgentCard, { pages }: AgentDesk): AgentCard {
  const extensions = pages.map(({ uri, about, mimeType, read }) => {
    const page = mimeType === 'application/json' ? parseJson(read()) : read();
    return { uri, description: about, required: false, params: { page } };
  });
  return {
    ...card,
    capabilities: { extensions, streaming: true, pushNotifications: false, extendedAgentCard: true },
  };
}

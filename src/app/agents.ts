import type { AgentContext } from '../agents/context.ts';
import { deskFor } from '../agents/desk.ts';
import { beginProposal, type Worker } from '../agents/propose.ts';
import type { ApprovalContext } from '../approval/context.ts';
import { estimate } from '../approval/seal-plan.ts';
import { tellNobody } from '../blocks/message.ts';
import { buildAgents, tokenHash } from '../config/check-agents.ts';
import type { OperatorConfig } from '../config/schema.ts';
import { toolsIn } from '../notation/looks.ts';
import type { Shelf } from '../plan/playbooks/library.ts';
import type { RequestContext } from '../request/context.ts';
import { readConversation, withAnswer } from '../request/conversation.ts';
import { requestIdOf } from '../request/intake.ts';
import type { Stages } from '../stages.ts';
import type { Caller } from '../vendors/http/agent-door.ts';
import type { WatchContext } from '../watches/context.ts';
import type { TeamBase, WorkspaceOptions } from './process-context.ts';
import type { Reporting } from './reporting.ts';

interface AgentParts {
  readonly teamBase: TeamBase;
  readonly config: OperatorConfig;
  readonly shelf: Shelf;
  readonly review: Stages['review'];
  readonly approval: Pick<ApprovalContext, 'rules'>;
  /** Reads as watches do. */
  readonly watches: Pick<WatchContext, 'read'>;
  readonly reporting: Pick<Reporting, 'send'>;
  readonly request: Pick<RequestContext, 'mayAsk' | 'agents'>;
  readonly now: () => Date;
  readonly log: WorkspaceOptions['log'];
}

/** Dependencies of what agents ask for in a workspace. */
export function agentContext({
  teamBase,
  shelf,
  approval,
  watches,
  request,
  ...of
}: AgentParts): AgentContext {
  const { db, teamId, damaged } = teamBase;
  return {
    ...{ db, teamId, damaged, agents: request.agents, review: of.review, now: of.now, log: of.log },
    ...{ ...approval.rules, read: watches.read },
    estimate: (plan, times) => estimate(plan, times, 0),
    conversation: { read: readConversation, answer: withAnswer },
    idOf: (key) => requestIdOf(teamId, key),
    async playbooks() {
      const { playbooks } = await shelf.usable();
      return playbooks.map(({ name, summary, plan, inputs }) => ({
        name,
        summary,
        tools: toolsIn(plan),
        inputs,
      }));
    },
    isMember: (userId) => request.mayAsk({ userId, home: null }, tellNobody),
    tell: (userId, key, message) => of.reporting.send(teamId, { kind: 'person', userId }, key, message),
  };
}

export function agentStage(context: AgentContext): Stages['agents'] {
  return { begin: (event) => beginProposal(event, context) };
}

/** The agents of a workspace with the hashes of their tokens. */
export function agentCallers(
  { config, variables }: Pick<WorkspaceOptions, 'config' | 'variables'>,
  context: AgentContext,
  worker: Worker,
): Caller[] {
  return buildAgents(config).flatMap((agent) => {
    const entry = config.agents[agent.name];
    const hash = entry === undefined ? null : tokenHash(entry, (variable) => variables[variable]);
    return hash === null ? [] : [{ hash, desk: deskFor(agent, context, worker) }];
  });
}

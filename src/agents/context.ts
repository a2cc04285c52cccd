import type { Message } from '../blocks/message.ts';
import type { Agent } from '../core/agent.ts';
import type { Catalogue } from '../core/catalogue.ts';
import type { Finding } from '../core/finding.ts';
import type { Json } from '../core/json.ts';
import type { Log } from '../core/log.ts';
import type { Plan, PlanDraft } from '../core/plan.ts';
import type { Policy } from '../core/policy.ts';
import type { ReadPlan } from '../core/read-results.ts';
import type { Estimate } from '../core/revision.ts';
import type { ToolHistory } from '../store/steps.ts';
import type { TolerantDb } from '../store/tables.ts';

/** An agent's proposal, or its answer to a question about it, is stored and is to be planned. */
export interface AgentEvent {
  readonly type: 'agent';
  readonly key: string;
  readonly agent: string;
  readonly request: string;
  /** The plan that it gave; null where it gave a goal or an answer. */
  readonly plan: Plan | null;
}

/** An input of a playbook; one without a default has to be given. */
interface InputSpec {
  readonly type: string;
  readonly describe: string;
  readonly default?: string | number | undefined;
}

/** A playbook as an agent sees it. */
export interface OfferedPlaybook {
  readonly name: string;
  readonly summary: string;
  readonly tools: readonly string[];
  readonly inputs: Readonly<Record<string, InputSpec>>;
}

/** Dependencies of what agents ask for. */
export interface AgentContext extends TolerantDb {
  readonly agents: readonly Agent[];
  readonly catalogue: Catalogue;
  readonly policy: Policy;
  /** Id of the request that a key makes. */
  idOf(key: string): string;
  review(
    draft: Plan | PlanDraft,
    channel: string,
  ): { readonly plan: Plan | null; readonly findings: readonly Finding[] };
  /** How long a plan takes, by the history of its tools. */
  estimate(plan: Plan, times: ReadonlyMap<string, ToolHistory>): Estimate;
  /** The questions about a request, and their answers. */
  readonly conversation: {
    read(stored: Json | null): {
      readonly open: { readonly question: string } | null;
      readonly answers: readonly {
        readonly question: string;
        readonly answer: string;
        readonly key?: string | undefined;
      }[];
    };
    /** With the open question answered; null when none is open. */
    answer(
      stored: Json | null,
      said: { readonly answer: string; readonly by: string; readonly at: string; readonly key: string },
    ): Json | null;
  };
  /** Runs the reads of a plan, without a card. */
  readonly read: ReadPlan;
  playbooks(): Promise<readonly OfferedPlaybook[]>;
  /** True for a full member of the workspace. */
  isMember(userId: string): Promise<boolean>;
  /** A private message to a person, once for each key. */
  tell(userId: string, key: string, message: Message): Promise<void>;
  readonly now: () => Date;
  readonly log: Log;
}

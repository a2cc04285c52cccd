import { z } from 'zod';
import { codeTool } from './code.ts';
import { CountersignError } from './errors.ts';
import type { JsonObject } from './json.ts';
import type { Manifest } from './manifest.ts';
import type { Plan } from './plan.ts';
import type { Policy } from './policy.ts';
import { hasWritten, writtenWait } from './queries/written.ts';
import { plainWords } from './value-words.ts';
import { callsOf } from './verify.ts';

/** An agent of another product, as the operator lets it in. It proposes, and has no way to approve. */
export interface Agent {
  readonly name: string;
  /** Slack user id of the person who answers for it. */
  readonly owner: string;
  /** Channels where its cards may be posted; the first is its own. */
  readonly channels: readonly { readonly name: string; readonly id: string }[];
  /** Tools that its plans may name: `jira.count`, or `jira.*` for all of a system. */
  readonly tools: readonly string[];
  /** `run`: its reads need no approval. `ask`: they wait for one, too. */
  readonly reads: 'run' | 'ask';
  readonly caps: {
    /** Proposals and evidence in an hour. */
    readonly perHour: number;
    /** Proposals that wait for a decision at once. */
    readonly waiting: number;
  };
}

export const agentLimits = { key: 200, why: 1_000, evidence: 5, link: 500 } as const;

/** The agent behind a request, with its own words about it. They stand on the card as a note, and nowhere else. */
export const proposedBySchema = z.strictObject({
  name: z.string(),
  owner: z.string(),
  reads: z.enum(['run', 'ask']),
  why: z.string(),
  /** Addresses; shown as text. */
  evidence: z.array(z.string()),
  /** The only tools that it wants in the plan; absent for all that it may use. */
  tools: z.array(z.string()).exactOptional(),
});
export type ProposedBy = z.infer<typeof proposedBySchema>;

/** The requester of an agent's plans. It is no Slack id, so nothing takes it for a person. */
export function agentRequester(name: string): string {
  return `agent:${name}`;
}

/** Code stands in no list: that of a playbook is vetted, and an agent's own is refused. */
export function mayName({ tools }: Pick<Agent, 'tools'>, tool: string): boolean {
  if (tool === codeTool) return true;
  return tools.some((one) => one === tool || (one.endsWith('.*') && tool.startsWith(one.slice(0, -1))));
}

/** Whether the reads of a plan wait for its approval. */
export function readsWait(
  plan: Pick<Plan, 'steps'>,
  agent: Pick<ProposedBy, 'reads'> | null | undefined,
  { policy, manifests }: { readonly policy: Policy; readonly manifests: ReadonlyMap<string, Manifest> },
): boolean {
  const isAsked = writtenWait(policy) || (agent && !policy.written?.unattended);
  return (
    policy.reads === 'ask' || agent?.reads === 'ask' || (isAsked && hasWritten(plan, manifests)) === true
  );
}

/** Refuses what an agent asks for; the message tells it what to do instead. */
export class AgentError extends CountersignError {}

/** Why an agent's plan may not be proposed, or null. A person who edits its card is not bound by this. */
export function forbiddenIn(
  agent: Agent | undefined,
  { steps, watch }: Plan,
  wanted: readonly string[] = agent?.tools ?? [],
): AgentError | null {
  if (agent === undefined)
    return new AgentError('revoked', 'You are no longer under agents in countersign.yml; ask its operator.');
  const { name, tools } = agent;
  const used = steps.flatMap((step) => callsOf(step));
  const tool = used.find((one) => !mayName(agent, one.tool))?.tool;
  if (tool !== undefined) {
    const may = `${name} may not use ${tool}, only ${tools.join(', ')}.`;
    return new AgentError(
      'tool_not_allowed',
      `${may} The operator decides that under agents in countersign.yml.`,
    );
  }
  const unwanted = used.find((one) => !mayName({ tools: wanted }, one.tool))?.tool;
  if (unwanted !== undefined) {
    const message = `The plan would use ${unwanted}, and you want only ${wanted.join(', ')}. Name it as well, or ask for less.`;
    return new AgentError('tool_not_wanted', message);
  }
  if (watch === undefined) return null;
  const advice = 'Propose the plan to run once, or ask your owner to set up the watch.';
  return new AgentError('watch_not_allowed', `An agent may not start a watch. ${advice}`);
}

/** One thing that an agent may ask for. */
export interface AgentSkill {
  readonly name: string;
  /** For the agent's model: what it does and when to use it. */
  readonly about: string;
  readonly args: z.ZodObject;
  /** Changes nothing, in Slack neither. */
  readonly isReadOnly: boolean;
  /** Throws an AgentError for what is refused. */
  run(args: unknown): Promise<JsonObject>;
}

/** A page that an agent may read. */
export interface AgentPage {
  readonly uri: string;
  readonly name: string;
  readonly about: string;
  readonly mimeType: string;
  read(): string;
}

/** A proposal of an agent as it stands, with what was asked about it. */
export interface AgentTask {
  readonly id: string;
  /** The agent's own id of what belongs together; without one, that of the proposal. */
  readonly group: string;
  readonly goal: string;
  readonly answers: readonly { readonly question: string; readonly answer: string }[];
  /** `state`, and what else is known about it. */
  readonly status: JsonObject;
}

/** An agent's proposals, for protocols that follow them. */
export interface AgentTasks {
  get(id: string): Promise<AgentTask>;
  /** Newest first, those before the proposal `before`. */
  list(of: {
    readonly group: string | null;
    readonly before: string | null;
    readonly limit: number;
  }): Promise<{ readonly tasks: readonly AgentTask[]; readonly total: number; readonly next: string | null }>;
  /** The proposal, and again whenever it changes, until nothing more happens by itself or nobody listens. */
  follow(id: string, isHeard: () => boolean): AsyncGenerator<AgentTask, void, undefined>;
}

/** All that one agent has here. */
export interface AgentDesk {
  readonly agent: string;
  readonly skills: readonly AgentSkill[];
  readonly pages: readonly AgentPage[];
  readonly tasks: AgentTasks;
}

/** A skill's answer. Throws an AgentError for a skill or arguments that it does not know. */
export async function callSkill(
  { skills }: Pick<AgentDesk, 'skills'>,
  name: string,
  given: Readonly<Record<string, unknown>>,
): Promise<JsonObject> {
  const skill = skills.find((one) => one.name === name);
  if (skill === undefined) {
    const all = skills.map((one) => one.name).join(', ');
    const message = `There is no such tool; there are ${all}. Nothing here approves: people do, in Slack.`;
    throw new AgentError('unknown_tool', message);
  }
  const read = skill.args.safeParse(given, { error: plainWords });
  if (!read.success) throw new AgentError('bad_arguments', read.error.issues.map(issueWords).join(' '));
  return skill.run(given);
}

function issueWords(issue: z.core.$ZodIssue): string {
  // Of a text or an object, the object has the details.
  const inner = issue.code === 'invalid_union' ? issue.errors.at(-1)?.[0] : undefined;
  if (inner !== undefined) return issueWords({ ...inner, path: [...issue.path, ...inner.path] });
  const place = issue.path.join('.');
  if (issue.code === 'unrecognized_keys')
    return `${place === '' ? '' : `${place}: `}there is no ${issue.keys.join(', ')}; leave it out.`;
  return `${place} ${issue.message}.`;
}

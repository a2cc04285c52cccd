import { readCardRef } from '../blocks/card-ref.ts';
import type { Env } from '../config/env.ts';
import { version } from '../config/version.ts';
import type { Tool } from '../core/tool.ts';
import { noTracing, type Spanned, type Tracing } from '../ops/tracing.ts';
import type { Pipeline } from '../pipeline.ts';
import { requestIdOf } from '../request/intake.ts';
import type { FrontStages } from '../stages.ts';
import * as runs from '../store/runs.ts';
import type { TeamDb } from '../store/tables.ts';
import type { SlackGateway } from '../vendors/slack/gateway.ts';

type TracingEnv = Pick<
  Env,
  | 'OTEL_EXPORTER_OTLP_ENDPOINT'
  | 'OTEL_EXPORTER_OTLP_HEADERS'
  | 'OTEL_SERVICE_NAME'
  | 'OTEL_RESOURCE_ATTRIBUTES'
  | 'OTEL_TRACES_SAMPLER'
  | 'OTEL_TRACES_SAMPLER_ARG'
  | 'COUNTERSIGN_ROLE'
>;

/** Every trace begins here, so there is no decision of others that `parentbased` could follow. */
function shareOf({ OTEL_TRACES_SAMPLER: sampler, OTEL_TRACES_SAMPLER_ARG: share }: TracingEnv): number {
  if (sampler.endsWith('traceidratio')) return share;
  return sampler.endsWith('always_off') ? 0 : 1;
}

/** Sends traces and logs where the settings say; without such settings, nothing is loaded. */
export async function openTracing(env: TracingEnv): Promise<Tracing> {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_EXPORTER_OTLP_HEADERS: headers = '' } = env;
  if (endpoint === undefined) return noTracing;
  const { openOtlp } = await import('../ops/otlp.ts');
  const { OTEL_RESOURCE_ATTRIBUTES: attributes = '', COUNTERSIGN_ROLE: role } = env;
  const about = { service: env.OTEL_SERVICE_NAME, version: version(), role, attributes };
  return openOtlp({ endpoint, headers, ...about, share: shareOf(env) });
}

/** Decorates the pipeline; handling a request is the first span of its trace. */
export function tracedPipeline(pipeline: Pipeline, tracing: Tracing, teamId: string): Pipeline {
  return {
    ...pipeline,
    submitted: (arrival, say) =>
      tracing.request({ teamId, requestId: requestIdOf(teamId, arrival.key) }, { via: arrival.via }, () =>
        pipeline.submitted(arrival, say),
      ),
  };
}

/** Decorates the stages, each with a span of its request. */
export function tracedStages(stages: FrontStages, tracing: Tracing, teamId: string): FrontStages {
  const { plan, approval, review } = stages;
  return {
    ...stages,
    plan: {
      ...plan,
      make: (request, turn) =>
        tracing.of({ teamId, requestId: request.id }, 'plan', {}, async (note) => {
          const reply = await plan.make(request, turn);
          note({ planner: reply.planner, outcome: reply.answer.kind });
          return reply;
        }),
    },
    review: (draft, channel) => tracing.at('review', () => review(draft, channel)),
    approval: {
      ...approval,
      propose: (proposal, say) =>
        tracing.of({ teamId, requestId: proposal.request.id }, 'card', {}, () =>
          approval.propose(proposal, say),
        ),
      approve: (click, say) => {
        const requestId = readCardRef(click.value)?.requestId;
        if (requestId === undefined) return approval.approve(click, say);
        const decided: Spanned<Awaited<ReturnType<typeof approval.approve>>> = async (note) => {
          const granted = await approval.approve(click, say);
          note({ granted: granted !== null });
          return granted;
        };
        return tracing.of({ teamId, requestId }, 'decision', {}, decided, 'server');
      },
    },
  };
}

/** Decorates Slack; posting a card is a span of its request. */
export function tracedPosts(gateway: SlackGateway, tracing: Tracing, teamId: string): SlackGateway {
  return {
    ...gateway,
    post(message) {
      const requestId = /^card:(.+):\d+$/.exec(message.key)?.[1];
      if (requestId === undefined) return gateway.post(message);
      return tracing.of({ teamId, requestId }, 'report', {}, () => gateway.post(message));
    },
  };
}

/** Makes each call of a tool a span of its run. */
export function tracedTools(tools: ReadonlyMap<string, Tool>, tracing: Tracing): ReadonlyMap<string, Tool> {
  return new Map([...tools].map(([name, tool]) => [name, traced(name, tool, tracing)]));
}

function traced(name: string, each: Tool, tracing: Tracing): Tool {
  const { effect } = each;
  const around = <A extends unknown[], R>(run: (...args: A) => Promise<R>) => {
    return (...args: A): Promise<R> => tracing.within('step', { tool: name, effect }, () => run(...args));
  };
  if (each.effect === 'read') {
    const { tool } = each;
    return { effect: 'read', tool: { ...tool, run: around((args, context) => tool.run(args, context)) } };
  }
  const { tool } = each;
  return { effect: 'write', tool: { ...tool, run: around((args, context) => tool.run(args, context)) } };
}

/** Wraps a run in its span, below the request it belongs to. */
export function aroundRuns({ db }: TeamDb, tracing: Tracing) {
  return async <T>({ teamId, runId }: runs.RunKey, work: () => Promise<T>): Promise<T> => {
    if (tracing === noTracing) return work();
    const run = await runs.get(db, { teamId, runId }).catch(() => null);
    if (run === null) return work();
    const facts = { run: runId, mode: run.mode, taken_over: Math.max(0, run.entered - 1) };
    return tracing.of({ teamId, requestId: run.requestId }, 'run', facts, work);
  };
}

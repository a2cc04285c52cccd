import { readCardRef } from '../blocks/card-ref.ts';
import { effectOf } from '../core/code-step.ts';
import type { Log } from '../core/log.ts';
import type { Manifest } from '../core/manifest.ts';
import type { StructuredModel } from '../core/model.ts';
import { own } from '../core/own-property.ts';
import type { RunEvent } from '../core/run.ts';
import type { ReadTool, Tool, WriteTool } from '../core/tool.ts';
import type { Figures } from '../ops/figures.ts';
import { noTracing, type Spanned, type Tracing } from '../ops/tracing.ts';
import type { Pipeline } from '../pipeline.ts';
import { requestIdOf } from '../request/intake.ts';
import type { FrontStages, Stages } from '../stages.ts';
import * as runs from '../store/runs.ts';
import type { RevisionRow, TeamDb } from '../store/tables.ts';
import type { SlackGateway } from '../vendors/slack/gateway.ts';
import type { Ops } from './process-context.ts';

/** Metrics and log lines about one workspace. */
export interface Observer {
  readonly figures: Figures;
  readonly log: Log;
}

/** Decorates the stages with metrics and a log line each: requests, planner answers, and refusals. */
export function observedStages(stages: FrontStages, { figures, log }: Observer): FrontStages {
  const { request, plan } = stages;
  return {
    ...stages,
    request: {
      ...request,
      async take(arrival, say) {
        const taken = await request.take(arrival, say);
        if (taken === null) return null;
        const { teamId, id: requestId, via, requester, channel } = taken.request;
        figures.requested(via);
        log.info({ teamId, requestId, via, requester, channel }, 'Request taken in');
        return taken;
      },
      refuse(asked, reply, say) {
        if (reply.answer.kind === 'refuse') figures.refused(reply.answer.reason);
        return request.refuse(asked, reply, say);
      },
      reject(asked, findings, say) {
        const rules = [...new Set(findings.map((each) => each.rule))];
        for (const rule of rules) figures.refused(rule);
        log.info(
          { teamId: asked.teamId, requestId: asked.id, rules: rules.join(',') },
          'Plan refused by the review',
        );
        return request.reject(asked, findings, say);
      },
    },
    plan: { ...plan, make: observedPlanner(plan.make, { figures, log }) },
  };
}

/** Decorates the reports with metrics and log lines: runs, what went wrong in them, and their outcomes. */
export function observedReports(
  report: Stages['report'],
  { figures, log }: Observer,
  manifests: ReadonlyMap<string, Manifest>,
): Stages['report'] {
  for (const { name, effect } of manifests.values()) figures.willRun(name, effect);
  return {
    ...report,
    async stored(event) {
      figures.ran(event, (tool) => effectOf(tool, manifests));
      logRun(event, log);
      await report.stored(event);
    },
  };
}

/** Reads that fail stop a card, and a write that fails or stays unknown may mean that nobody was paged. */
function logRun(event: RunEvent, log: Log): void {
  const { teamId, requestId, number, runId, mode } = event;
  const run = { teamId, requestId, number, runId, mode };
  if (event.type === 'started') log.info(run, 'Run started');
  if (event.type === 'step_finished') {
    const { stepId: step, tool, status, reason, attempts } = event.result;
    if (status === 'succeeded' || status === 'skipped') return;
    log.warn({ ...run, step, tool, status, attempts, code: reason?.code ?? '' }, 'A step did not succeed');
  }
  if (event.type !== 'finished') return;
  const { outcome, approval, reason } = event;
  const approved = approval === null ? {} : { approvedBy: approval.by.join(','), how: approval.how };
  const facts = { ...run, outcome, ...approved, ...(reason === undefined ? {} : { code: reason.code }) };
  if (outcome === 'done' || outcome === 'cancelled') log.info(facts, 'Run ended');
  else log.warn(facts, 'Run ended');
}

function observedPlanner(make: Stages['plan']['make'], { figures, log }: Observer): Stages['plan']['make'] {
  return async (request, turn) => {
    const began = performance.now();
    const seconds = () => (performance.now() - began) / 1_000;
    try {
      const reply = await make(request, turn);
      const { planner, answer } = reply;
      figures.planned(planner, answer.kind, seconds());
      const refused = answer.kind === 'refuse' ? { reason: answer.reason } : {};
      log.info(
        { teamId: request.teamId, requestId: request.id, planner, outcome: answer.kind, ...refused },
        'Request planned',
      );
      return reply;
    } catch (error) {
      figures.planned('none', 'failed', seconds());
      throw error;
    }
  };
}

/** Decorates a model: its calls are measured, and its tokens and cost counted, even for useless answers. */
export function meteredModel({ meter, figures }: Pick<Ops, 'meter' | 'figures'>) {
  return (model: StructuredModel): StructuredModel => {
    const metered = meter('model');
    figures.willAsk(model.name);
    return {
      name: model.name,
      async ask(question, signal) {
        const answer = await metered(question.name, () => model.ask(question, signal), {
          system: '',
          signal,
        });
        figures.spent(answer.usage);
        return answer;
      },
    };
  };
}

/** Counts and logs a revision that was decided, replaced or expired. */
export function tellDecided({ figures, log }: Observer, row: RevisionRow): void {
  const { teamId, requestId, number, state, origin, createdAt, decidedAt, decidedBy } = row;
  const known = typeof origin === 'object' && origin !== null && !Array.isArray(origin);
  const planner = known ? own(origin, 'planner') : undefined;
  figures.decided({ state, planner: typeof planner === 'string' ? planner : 'none', createdAt, decidedAt });
  const by = decidedBy === null ? {} : { by: decidedBy };
  log.info({ teamId, requestId, number, decision: state, ...by }, 'Plan decided');
}

/** Puts the same around each call of every tool. */
function aroundCalls(
  tools: ReadonlyMap<string, Tool>,
  around: <R>(tool: ReadTool | WriteTool, call: () => Promise<R>, key: string | null) => Promise<R>,
): ReadonlyMap<string, Tool> {
  const decorated = (each: Tool): Tool => {
    if (each.effect === 'read') {
      const { tool } = each;
      const run: ReadTool['run'] = (args, context) => around(tool, () => tool.run(args, context), null);
      return { effect: 'read', tool: { ...tool, run } };
    }
    const { tool } = each;
    const run: WriteTool['run'] = (args, context) => around(tool, () => tool.run(args, context), context.key);
    return { effect: 'write', tool: { ...tool, run } };
  };
  return new Map([...tools].map(([name, tool]) => [name, decorated(tool)]));
}

/** Decorates the tools; each completed write is counted once per key. */
export function countedTools(tools: ReadonlyMap<string, Tool>, figures: Figures): ReadonlyMap<string, Tool> {
  return aroundCalls(tools, async ({ manifest }, call, key) => {
    const result = await call();
    if (key !== null) figures.wrote(manifest.name, key);
    return result;
  });
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
  return aroundCalls(tools, ({ manifest: { name: tool, effect } }, call) =>
    tracing.within('step', { tool, effect }, call),
  );
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

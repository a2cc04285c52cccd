import { effectOf } from '../core/code-step.ts';
import type { Log } from '../core/log.ts';
import type { Manifest } from '../core/manifest.ts';
import type { StructuredModel } from '../core/model.ts';
import { own } from '../core/own-property.ts';
import type { RunEvent } from '../core/run.ts';
import type { Tool } from '../core/tool.ts';
import type { Figures } from '../ops/figures.ts';
import type { Watch } from '../ops/watch.ts';
import type { FrontStages, Stages } from '../stages.ts';
import type { RevisionRow } from '../store/tables.ts';

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

/** Decorates the tools; each completed write is counted once per key. */
export function countedTools(tools: ReadonlyMap<string, Tool>, figures: Figures): ReadonlyMap<string, Tool> {
  return new Map([...tools].map(([name, tool]) => [name, counted(tool, figures)]));
}

function counted(each: Tool, figures: Figures): Tool {
  if (each.effect === 'read') return each;
  const { tool } = each;
  const run: typeof tool.run = async (args, context) => {
    const result = await tool.run(args, context);
    figures.wrote(tool.manifest.name, context.key);
    return result;
  };
  return { effect: 'write', tool: { ...tool, run } };
}

/** Decorates a model: its calls are watched, and its tokens and cost counted, even for useless answers. */
export function countedModel(model: StructuredModel, watch: Watch, figures: Figures): StructuredModel {
  figures.willAsk(model.name);
  return {
    name: model.name,
    async ask(question, signal) {
      const answer = await watch(question.name, () => model.ask(question, signal));
      figures.spent(answer.usage);
      return answer;
    },
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

import type { Manifest } from '../core/manifest.ts';
import type { StructuredModel } from '../core/model.ts';
import { own } from '../core/own-property.ts';
import type { Tool } from '../core/tool.ts';
import type { Figures } from '../ops/figures.ts';
import type { Watch } from '../ops/watch.ts';
import type { FrontStages, Stages } from '../stages.ts';
import type { RevisionRow } from '../store/tables.ts';

/** Decorates the stages with metrics: requests, planner answers, and refusals. */
export function countedStages(stages: FrontStages, figures: Figures): FrontStages {
  const { request, plan } = stages;
  return {
    ...stages,
    request: {
      ...request,
      async take(arrival, say) {
        const taken = await request.take(arrival, say);
        if (taken !== null) figures.requested(taken.request.via);
        return taken;
      },
      refuse(asked, reply, say) {
        if (reply.answer.kind === 'refuse') figures.refused(reply.answer.reason);
        return request.refuse(asked, reply, say);
      },
      reject(asked, findings, say) {
        for (const rule of new Set(findings.map((each) => each.rule))) figures.refused(rule);
        return request.reject(asked, findings, say);
      },
    },
    plan: { ...plan, make: countedPlanner(plan.make, figures) },
  };
}

/** Decorates the reports with metrics: outcomes of runs. */
export function countedReports(
  report: Stages['report'],
  figures: Figures,
  manifests: ReadonlyMap<string, Manifest>,
): Stages['report'] {
  for (const { name, effect } of manifests.values()) figures.willRun(name, effect);
  const effectOf = (tool: string) => manifests.get(tool)?.effect ?? 'write';
  return {
    ...report,
    async stored(event) {
      figures.ran(event, effectOf);
      await report.stored(event);
    },
  };
}

function countedPlanner(make: Stages['plan']['make'], figures: Figures): Stages['plan']['make'] {
  return async (request, turn) => {
    const began = performance.now();
    const seconds = () => (performance.now() - began) / 1_000;
    try {
      const reply = await make(request, turn);
      figures.planned(reply.planner, reply.answer.kind, seconds());
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

/** Counts a revision that was decided, replaced or expired. */
export function tellDecided(figures: Figures, { state, origin, createdAt, decidedAt }: RevisionRow): void {
  const known = typeof origin === 'object' && origin !== null && !Array.isArray(origin);
  const planner = known ? own(origin, 'planner') : undefined;
  figures.decided({ state, planner: typeof planner === 'string' ? planner : 'none', createdAt, decidedAt });
}

import { buildCatalogue, buildPolicy, missingSettings } from '../config/build.ts';
import type { Env } from '../config/env.ts';
import type { OperatorConfig } from '../config/schema.ts';
import type { Catalogue } from '../core/catalogue.ts';
import type { Log } from '../core/log.ts';
import type { ModelUsage, Planner } from '../core/planning.ts';
import type { Policy } from '../core/policy.ts';
import type { Tool } from '../core/tool.ts';
import type { Playbook } from '../plan/playbooks/playbook.ts';
import type { Shelf } from '../plan/playbooks/shelf.ts';
import type { RunnerDeps } from '../run/ports.ts';
import { usdSince } from '../store/usage.ts';
import { createMcp, type Mcp } from '../vendors/mcp/servers.ts';
import { countedModel } from './counting.ts';
import { executorVoice } from './executor-model.ts';
import type { Ground } from './ground.ts';
import { installedManifests, installedTools } from './installed.ts';
import { offlinePlanner } from './offline.ts';
import type { Ops } from './ops.ts';
import { recordUsage } from './plan-stage.ts';
import { composedPlanner, type WatchModel } from './planner.ts';
import { openShelf } from './playbooks.ts';
import { createVendors, type Vendors } from './vendors.ts';

export interface WorkspaceOptions {
  readonly env: Env;
  readonly config: OperatorConfig;
  readonly playbooks: readonly Playbook[];
  /** The environment as it was given; routing keys stand there under the operator's names. */
  readonly variables: Readonly<Record<string, string | undefined>>;
  readonly log: Log;
  readonly now: () => Date;
}

/** What the bot knows of the operator's company, and what it can reach there. */
export interface Workspace extends Vendors {
  readonly catalogue: Catalogue;
  /** What runs the tools, by name. */
  readonly tools: ReadonlyMap<string, Tool>;
  readonly policy: Policy;
  readonly mcp: Mcp;
  readonly judge: RunnerDeps['judge'];
  readonly shelf: Shelf;
  readonly planner: Planner;
  /** Plans without a model. */
  readonly offline: Planner;
}

export function buildWorkspace(options: WorkspaceOptions, ground: Ground, ops: Ops): Workspace {
  const { env, config, variables, log, now, playbooks } = options;
  const { db, teamId, gateway } = ground;
  const policy = buildPolicy(config);
  const budget = { spentToday: (day: Date) => usdSince(db, teamId, startOfDay(day)) };
  const { watch, figures } = ops;
  const watchModel: WatchModel = (model) => countedModel(model, watch('model'), figures);
  const voiceBudget = {
    record: (purpose: string, spent: ModelUsage) => recordUsage({ db, teamId, now }, null, purpose, spent),
    left: async () => policy.caps.modelUsdPerDay - (await budget.spentToday(now())),
  };
  const { summaries, judge } = executorVoice(env, voiceBudget, watchModel);
  const mcp = createMcp({ servers: config.mcp, variables, fetch });
  const vendors = createVendors({
    ...{ env, config, variables, gateway, summaries, mcp, log, now, watch },
  });
  const installed = installedTools(config);
  const manifests = installedManifests(config);
  const built = buildCatalogue(config, manifests, new Set(installed.keys()), missingSettings(env, config));
  const catalogue = { ...built, off: mcp.off };
  const tools = toolsFor(installed, catalogue);
  const shelf = openShelf(ground, playbooks, { catalogue, manifests }, now);
  const { planner: offline, examples } = offlinePlanner(playbooks, shelf.all);
  const planner = composedPlanner(env, offline, examples, budget, {
    tell: (why) => log.warn(why, 'The model gave no plan'),
    watch: watchModel,
  });
  return { catalogue, tools, policy, ...vendors, mcp, judge, shelf, planner, offline };
}

/** The tools as the catalogue declares them: with the operator's queries and their arguments. */
function toolsFor(tools: ReadonlyMap<string, Tool>, { manifests }: Catalogue): ReadonlyMap<string, Tool> {
  return new Map(
    [...tools].map(([name, tool]): [string, Tool] => {
      const manifest = manifests.get(name) ?? tool.tool.manifest;
      return tool.effect === 'read'
        ? [name, { effect: 'read', tool: { ...tool.tool, manifest } }]
        : [name, { effect: 'write', tool: { ...tool.tool, manifest } }];
    }),
  );
}

/** 00:00 UTC of a day. */
function startOfDay(day: Date): Date {
  return new Date(day.toISOString().slice(0, 10));
}

import { buildPolicy } from '../config/build-catalogue.ts';
import type { Catalogue } from '../core/catalogue.ts';
import type { Writers } from '../core/ports.ts';
import type { Tool } from '../core/tool.ts';
import { dayBudget } from '../store/usage.ts';
import { unconfigured } from '../vendors/http/unconfigured.ts';
import { createMcp } from '../vendors/mcp/servers.ts';
import { installedCatalogue, installedTools } from './installed-tools.ts';
import { executorVoice, noVoice } from './models.ts';
import { type Ops, watchedModel } from './ops.ts';
import type { Ground, Workspace, WorkspaceOptions } from './process-context.ts';
import { createVendors } from './vendors.ts';

const anExecutor = 'an executor';
/** A front only reads, for cards. Executors make the writes it approves. */
export const noWriters: Writers = {
  jira: unconfigured(anExecutor),
  pagerduty: unconfigured(anExecutor),
  slack: unconfigured(anExecutor),
  mcp: unconfigured(anExecutor),
};

export function buildWorkspace(options: WorkspaceOptions, ground: Ground, ops: Ops): Workspace {
  const { env, config, variables, log, now } = options;
  const { gateway, knownKeys } = ground;
  const isFront = env.COUNTERSIGN_ROLE === 'front';
  const policy = buildPolicy(config);
  const budget = dayBudget({ ...ground, now }, policy);
  const { watch } = ops;
  const { summaries, judge } = isFront ? noVoice : executorVoice(env, budget, watchedModel(ops));
  const mcp = createMcp({ servers: config.mcp, variables, fetch });
  const vendors = createVendors({
    ...{ env, config, variables, gateway, knownKeys, summaries, mcp, log, now, watch },
  });
  const catalogue = { ...installedCatalogue(env, config), off: mcp.off };
  const tools = toolsFor(installedTools(config), catalogue);
  const writers = isFront ? noWriters : vendors.writers;
  return { catalogue, tools, policy, ...vendors, writers, mcp, judge, budget };
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

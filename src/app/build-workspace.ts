import { type WitnessContext, witnessLog } from '../audit/witness.ts';
import { buildPolicy, missingSettings } from '../config/build-catalogue.ts';
import { listedTables } from '../config/declare-query.ts';
import type { OperatorConfig } from '../config/schema.ts';
import type { Catalogue } from '../core/catalogue.ts';
import { own } from '../core/own-property.ts';
import type { Writers } from '../core/ports.ts';
import type { Tool } from '../core/tool.ts';
import { pastSources } from '../history/similar-elsewhere.ts';
import { createTableBook } from '../plan/model/tables.ts';
import { codeIn } from '../plan/playbooks/library.ts';
import { callsAtOnce } from '../process/call-turns.ts';
import { damageReports } from '../report/operator-notices.ts';
import { stateFolder } from '../store/open.ts';
import { dayBudget } from '../store/usage.ts';
import { createEventSink } from '../vendors/events/sink.ts';
import { unconfigured } from '../vendors/http/unconfigured.ts';
import { createMcp } from '../vendors/mcp/servers.ts';
import { executorModel, noExecutorModel } from '../vendors/model/models.ts';
import { meteredModel, tracedPosts } from './decorators.ts';
import { installedCatalogue, installedTools } from './installed.ts';
import type {
  AppOptions,
  Ops,
  ProcessParts,
  TeamBase,
  TeamParts,
  Workspace,
  WorkspaceOptions,
} from './process-context.ts';
import { operatorPlaces, startReporting } from './reporting.ts';
import { createVendors } from './vendors.ts';

const anExecutor = 'an executor';
/** A front only reads, for cards. Executors make the writes it approves. */
export const noWriters: Writers = {
  jira: unconfigured(anExecutor),
  pagerduty: unconfigured(anExecutor),
  slack: unconfigured(anExecutor),
  wiki: unconfigured(anExecutor),
  mcp: unconfigured(anExecutor),
  actions: unconfigured(anExecutor),
};

export function buildWorkspace(options: WorkspaceOptions, teamBase: TeamBase, ops: Ops): Workspace {
  const { env, config, playbooks, variables, log, now } = options;
  const { gateway, knownKeys } = teamBase;
  const isFront = env.COUNTERSIGN_ROLE === 'front';
  const policy = buildPolicy(config);
  const budget = dayBudget({ ...teamBase, now }, policy);
  const { meter } = ops;
  const { draft, ...model } = executorModel(env, budget, meteredModel(ops));
  const { summaries, judge } = isFront ? noExecutorModel : model;
  const mcp = createMcp({ servers: config.mcp, variables, fetch });
  const vendors = createVendors({
    ...{ env, config, variables, gateway, knownKeys, summaries, mcp, log, now, meter },
  });
  const vettedCode = codeIn(playbooks);
  const listed = listedTables(config, missingSettings(env, config));
  const tables = createTableBook({ listed, readers: vendors.readers, now, log });
  const catalogue = {
    ...{ ...installedCatalogue(env, config), vettedCode, off: mcp.off },
    tables: tables.book,
  };
  const tools = toolsFor(installedTools(config), catalogue);
  const writers = isFront ? noWriters : vendors.writers;
  const readTables = tables.read;
  return { catalogue, tools, policy, ...vendors, writers, mcp, judge, draft, budget, readTables };
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

/** Builds the parts every role needs: the bot's knowledge of the workspace, and its way to post there. */
export function openTeamParts(
  {
    base,
    ops: all,
    options,
    stack,
    ...more
  }: Pick<TeamParts, 'ops' | 'options' | 'stack' | 'repeat' | 'whenDue'> & Pick<ProcessParts, 'base'>,
  { teamId, gateway, replies }: Pick<TeamParts, 'replies'> & Pick<TeamBase, 'teamId' | 'gateway'>,
  executor: string,
): TeamParts {
  const { log, now, tracing } = options;
  const ops = limitedCalls(all, options.config.limits);
  const { figures } = ops;
  const operators = () => operatorPlaces(options.config, gateway);
  const damage = damageReports({ db: base.db, teamId, operators, counted: figures.damaged, log, now });
  stack.defer(() => damage.idle());
  const teamBase: TeamBase = { ...base, teamId, gateway, damaged: damage.tell };
  const workspace = buildWorkspace(options, teamBase, ops);
  stack.defer(() => workspace.mcp.close());
  stack.defer(() => workspace.databases.close());
  const { catalogue, policy, hosts } = workspace;
  const reporting = startReporting({
    ...{ ...teamBase, slack: tracedPosts(gateway, tracing, teamId), operators },
    ...{ manifests: catalogue.manifests, services: catalogue.services, hosts, policy, log, now },
    causes: catalogue.causes ?? [],
    elsewhere: pastSources(workspace),
    shown: figures.shown,
    feed: feedOf(options),
    replyTo: (requestId) => replies.get(requestId),
    botUserId: async () => (await gateway.identity()).botUserId,
  });
  stack.defer(() => reporting.stop());
  more.whenDue('messages', async () => reporting.kick());
  const post: WitnessContext['post'] = (channel, key, message) =>
    reporting.send(teamId, { kind: 'channel', channel, threadTs: null }, key, message);
  witnessLog({ ...teamBase, post, log, now }, witnessPlaces(options), { stack, ...more });
  return { options, ops, executor, teamBase, workspace, reporting, replies, stack, ...more };
}

function witnessPlaces({ env, config }: AppOptions) {
  const channel = own(config.channels, config.audit.witness_channel ?? '')?.id ?? null;
  return { folder: stateFolder(env), channel };
}

/** Where events of plans and runs go; undefined where nothing hears them. */
function feedOf({ env, now }: Pick<AppOptions, 'env' | 'now'>) {
  const { COUNTERSIGN_EVENTS_URL: url, COUNTERSIGN_EVENTS_SECRET: secrets = '' } = env;
  return url === undefined ? undefined : createEventSink({ url, secrets: secrets.split(','), fetch, now });
}

/** For one workspace: no more reads of a system are under way than its operator allows. */
function limitedCalls(ops: Ops, { calls_at_once: atOnce }: OperatorConfig['limits']): Ops {
  const { databases: sql, ...others } = atOnce;
  const lines = new Map(
    Object.entries({ ...others, sql }).map(([vendor, max]) => [vendor, callsAtOnce(vendor, max)]),
  );
  return {
    ...ops,
    meter(vendor) {
      const [meter, inTurn] = [ops.meter(vendor), lines.get(vendor)];
      return (call, make, turn) =>
        turn && inTurn ? inTurn(turn, () => meter(call, make)) : meter(call, make);
    },
  };
}

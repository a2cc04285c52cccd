import { existsSync, readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { requesterOf } from '../alerts/context.ts';
import { buildWorkspace, noWriters } from '../app/build-workspace.ts';
import { openOps, type Workspace } from '../app/process-context.ts';
import { readSettings, type Settings } from '../app/settings.ts';
import { basisOf } from '../approval/basis.ts';
import { drawCard } from '../approval/card/card.ts';
import { closedToAll } from '../approval/may-approve.ts';
import { rulingsOf } from '../approval/rules.ts';
import { buildAlertRules } from '../config/build-alerts.ts';
import { type Alert, type AlertRule, ruleFor } from '../core/alert.ts';
import { cut, oneLine } from '../core/clean-text.ts';
import { problemsOf } from '../core/dedup-key.ts';
import type { Plan } from '../core/plan.ts';
import { seal } from '../core/revision.ts';
import type { StepResult } from '../core/run.ts';
import { planTitle } from '../core/title.ts';
import type { WriteTool } from '../core/tool.ts';
import { printSteps } from '../notation/print.ts';
import { resolveTargets } from '../review/resolve-targets.ts';
import { createCodePool } from '../run/code/pool.ts';
import { type ReadDeps, readUnattended } from '../run/run-reads.ts';
import { watchDiskSpace } from '../store/disk-space.ts';
import { boundedFetch } from '../vendors/http/bounded-fetch.ts';
import { createSlackGateway } from '../vendors/slack/gateway.ts';
import { callsOf, planFor, readDelivery, ruleLine } from './alerts.ts';
import { cardLines } from './audit-show.ts';
import { type Command, type CommandContext, UsageError } from './command.ts';
import { silent, withDatabase } from './database.ts';

/** Milliseconds for looking up who would be woken. */
const resolveMs = 10_000;

/** The parts that a drill works with: the bot's own parts, without a way to write. */
interface Drill extends Pick<CommandContext, 'out'> {
  readonly settings: Settings;
  readonly workspace: Workspace;
  readonly reads: ReadDeps;
  readonly teamId: string;
}

/**
 * `drill FILE [--door NAME]`: plays the alerts of a payload against these settings. Reads go to the configured systems;
 * nothing is written or stored. Exit 1 where an alert fits no rule, something could not be read, or nobody could
 * approve what is proposed.
 */
export const drill: Command = async (args, context) => {
  const { values, positionals } = parseArgs({
    ...{ args: [...args], allowPositionals: true },
    options: { door: { type: 'string' } },
  });
  const [named, ...more] = positionals;
  if (named === undefined || more.length > 0) throw new UsageError();
  const settings = readSettings(context.variables);
  const { rules } = buildAlertRules(settings.config);
  const file = existsSync(named) ? named : `sandbox/alerts/${named}.json`;
  const { door, alerts } = readDelivery(readFileSync(file, 'utf8'), values.door, settings.config, context);
  let isSound = alerts.length > 0;
  await withParts(settings, context, async (of) => {
    for (const alert of alerts)
      isSound = (await play(alert, ruleFor(alert, door.name, rules), of)) && isSound;
  });
  if (alerts.length === 0) context.out(`${file} is no payload that the door ${door.name} takes.`);
  return isSound ? 0 : 1;
};

/** Builds the bot's parts with readers only; stand-ins that refuse take the place of its writers. */
async function withParts(
  settings: Settings,
  { variables, out }: CommandContext,
  work: (of: Drill) => Promise<void>,
): Promise<void> {
  // Nothing of a drill is measured.
  const env = { ...settings.env, OPS_PORT: undefined };
  const { SLACK_BOT_TOKEN: token } = env;
  if (token === undefined) throw new UsageError('A drill needs SLACK_BOT_TOKEN, for one workspace.');
  const now = () => new Date();
  const stack = new AsyncDisposableStack();
  try {
    const ops = await openOps({ env, log: silent }, stack);
    const slack = { token, apiUrl: env.SLACK_API_URL, log: silent, fetch: boundedFetch, now };
    const gateway = createSlackGateway(slack);
    const { teamId } = await gateway.identity();
    const code = createCodePool({ size: 1 });
    stack.defer(() => code.close());
    await withDatabase(variables, async (db, _env, databaseUrl) => {
      const base = { db, databaseUrl, disk: watchDiskSpace(db, now), code, knownKeys: new Map() };
      const options = { ...settings, env, variables, log: silent, now };
      const built = buildWorkspace(options, { ...base, teamId, gateway, damaged() {} }, ops);
      stack.defer(() => built.mcp.close());
      stack.defer(() => built.databases.close());
      const workspace = { ...built, writers: noWriters };
      const reads = { ...workspace, db, code, now, sleep: pause, random: Math.random, log: silent };
      await work({ settings, workspace, reads, teamId, out });
      return 0;
    });
  } finally {
    await stack.disposeAsync();
  }
}

/** False when nothing would be shown, or something of it would be missing. */
async function play(alert: Alert, rule: AlertRule | null, of: Drill): Promise<boolean> {
  const { catalogue } = of.workspace;
  const { text, isSound } = ruleLine(alert, rule, catalogue);
  of.out(text);
  if (rule === null || rule.channel === null) return isSound;
  let isFine = isSound;
  for (const { words, call } of callsOf(rule, alert)) {
    const world = { ...of.workspace, config: of.settings.config };
    const made = planFor(call, words === 'reads', rule, world);
    if ('why' in made) of.out(`  ${words} ${call.playbook}: not possible: ${made.why}`);
    else isFine = (await (words === 'reads' ? read : propose)(made.plan, rule, of)) && isFine;
    isFine &&= 'plan' in made;
  }
  return isFine;
}

async function resultsOf(
  plan: Plan,
  rule: AlertRule,
  { reads, teamId }: Drill,
): Promise<readonly StepResult[]> {
  const about = { teamId, requestId: 'drill', requester: requesterOf(rule.name), plan };
  return (await readUnattended(reads, about)).results;
}

async function read(plan: Plan, rule: AlertRule, of: Drill): Promise<boolean> {
  const results = await resultsOf(plan, rule, of);
  of.out('  reads');
  showResults(plan, results, of);
  return results.every(({ status }) => status !== 'failed');
}

function showResults(plan: Plan, results: readonly StepResult[], { out, workspace }: Drill): void {
  for (const step of plan.steps) {
    const result = results.find(({ stepId }) => stepId === step.id);
    const [line = ''] = printSteps([step], workspace.catalogue.manifests).split('\n');
    const found = result?.status === 'succeeded' ? JSON.stringify(result.result) : result?.reason?.message;
    out(`    ${line}`);
    out(`      ${result?.status ?? 'not reached'}: ${cut(oneLine(found ?? ''), 300)}`);
  }
}

/** The card as people would see it, who could approve it, and what would be written. */
async function propose(draft: Plan, rule: AlertRule, of: Drill): Promise<boolean> {
  const { workspace, teamId, out } = of;
  const { catalogue, policy, readers, tools, hosts } = workspace;
  const { manifests } = catalogue;
  const facts = await resultsOf(draft, rule, of);
  const problems = problemsOf(draft, manifests);
  const writeTools = new Map<string, WriteTool>();
  for (const [name, tool] of tools) if (tool.effect === 'write') writeTools.set(name, tool.tool);
  const looking = { asker: requesterOf(rule.name), signal: AbortSignal.timeout(resolveMs) };
  const resolving = { readers, now: of.reads.now, ...looking };
  const { targets } = await resolveTargets(draft, problems, writeTools, resolving);
  const plan = { ...draft, summary: planTitle(draft.steps, manifests, targets) };
  const now = of.reads.now();
  const revision = seal({
    ...{
      format: 1,
      teamId,
      requestId: 'drill',
      number: 1,
      requester: looking.asker,
      authors: [looking.asker],
    },
    ...{ plan, targets: [...targets], problems, planner: 'playbook', notes: [] },
    ...basisOf({ plan, targets }, { policy, catalogue }),
    estimate: { p50Ms: null, p95Ms: null, usd: 0 },
    createdAt: now.toISOString(),
    expiresAt: new Date(now.getTime() + policy.expiresMinutes * 60_000).toISOString(),
  });
  const { message } = drawCard(revision, { manifests, policy, state: { kind: 'proposed' }, facts, hosts });
  out('  card');
  for (const line of cardLines(message.blocks)) out(`    ${line}`);
  out('  with its reads, and what approving it would do');
  showResults(plan, facts, of);
  return closedToAll(rulingsOf(revision.sealed, manifests, policy, now)) === null && !facts.some(isMissing);
}

const isMissing = ({ status }: StepResult): boolean => status === 'failed' || status === 'unknown';

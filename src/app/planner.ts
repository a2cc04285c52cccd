import { buildPolicy } from '../config/build-catalogue.ts';
import type { Env } from '../config/env.ts';
import { withoutModel } from '../config/process-role.ts';
import type { OperatorConfig } from '../config/schema.ts';
import { CountersignError, describeError } from '../core/errors.ts';
import type { Log } from '../core/log.ts';
import type { StructuredModel } from '../core/model.ts';
import type { Planner } from '../core/planning.ts';
import type { IncidentService } from '../plan/causes/asked.ts';
import { askIdeas } from '../plan/model/ask-with-budget.ts';
import { type Breaker, createBreaker } from '../plan/model/breaker.ts';
import { createIdeas } from '../plan/model/ideas.ts';
import { createModelPlanner } from '../plan/model/model-planner.ts';
import { createPlanner, type OfflinePlanners, plannersWithoutModel } from '../plan/planner.ts';
import { acrossPlatforms } from '../plan/platforms.ts';
import { calledIn } from '../plan/playbooks/by-name.ts';
import { codeIn, type Library, openLibrary } from '../plan/playbooks/library.ts';
import type { Playbook } from '../plan/playbooks/playbook.ts';
import type { FindExamples, ModelBudget, StoppablePlanner } from '../plan/ports.ts';
import { openShadow, type Shadow } from '../plan/shadow.ts';
import { mergeReads } from '../review/merge-reads.ts';
import { reviewDraft } from '../review/review.ts';
import { type DecorateModel, modelClient } from '../vendors/model/models.ts';
import type { PagerDutyReader } from '../vendors/pagerduty/port.ts';
import { type Doubt, doubtsAbout } from '../watches/schedules.ts';
import { meteredModel } from './decorators.ts';
import { installedCatalogue, installedManifests } from './installed.ts';
import type { Ops, ReadingWorkspace, TeamBase, WorkspaceOptions } from './process-context.ts';

type ModelEnv = Pick<Env, 'OPENAI_API_KEY' | 'OPENAI_BASE_URL' | 'PLANNER_MODEL' | 'PLANNER_TIMEOUT_MS'>;

/** Share of the planning time for one answer of the model: a host that hangs must not use up all of it. */
const roundShare = 2 / 3;

type TellOperator = (why: { readonly code: string; readonly message: string }) => void;

/** The model planner, or null when no model is configured. `decorate` measures its calls. */
export function modelPlanner(
  env: ModelEnv,
  examples: FindExamples,
  decorate: DecorateModel = (model) => model,
): StoppablePlanner | null {
  const model = plannerModel(env, decorate);
  return model && createModelPlanner({ model, review: reviewDraft, examples });
}

function plannerModel(env: ModelEnv, decorate: DecorateModel): StructuredModel | null {
  if (!env.PLANNER_MODEL) return null;
  const roundMs = Math.ceil(env.PLANNER_TIMEOUT_MS * roundShare);
  return decorate(modelClient(env, env.PLANNER_MODEL, roundMs));
}

/** Tells the operator why a model gave no plan; the requester only reads what it means for them. */
function telling(planner: StoppablePlanner, tell: TellOperator): StoppablePlanner {
  return {
    async plan(input, signal) {
      try {
        return await planner.plan(input, signal);
      } catch (error) {
        if (error instanceof CountersignError) tell(describeError(error.cause ?? error));
        throw error;
      }
    },
  };
}

interface Around {
  readonly tell: TellOperator;
  readonly decorate?: DecorateModel;
  readonly breaker?: Breaker;
  /** Milliseconds for which a model's plan is given again. */
  readonly keepMs?: number;
}

const defaultBreaker = (): Breaker =>
  createBreaker({ failures: 3, coolMs: 30_000, clock: () => performance.now() });

/** Exact requests first, the model for the rest, and the everyday planner when that gives no answer. */
export function composedPlanner(
  env: ModelEnv,
  { everyday, exactFirst, corrected, examples }: OfflinePlanners,
  budget: ModelBudget,
  { tell, decorate = (model) => model, breaker = defaultBreaker(), keepMs }: Around,
): Planner {
  const model = plannerModel(env, decorate);
  const asking = { breaker, budget, deadlineMs: env.PLANNER_TIMEOUT_MS };
  if (model === null) return acrossPlatforms(exactFirst(createPlanner({ everyday, model, ...asking })));
  const review = reviewDraft;
  const planner = telling(
    createModelPlanner({ model, review, examples, ...(keepMs !== undefined && { keepMs }) }),
    tell,
  );
  const ideas = askIdeas(telling(createIdeas({ model, review }), tell), asking);
  const fallback = corrected(everyday);
  return acrossPlatforms(exactFirst(createPlanner({ everyday: fallback, model: planner, ...asking }), ideas));
}

/** Schedules that lead to no plan, without the database, which has the playbooks people saved. */
export function scheduleDoubts(
  { path, config }: { readonly path: readonly PropertyKey[]; readonly config: OperatorConfig },
  { env, playbooks }: { readonly env: Env; readonly playbooks: readonly Playbook[] },
): Promise<Doubt[]> {
  const budget = { spentToday: () => Promise.resolve(0) };
  return doubtsAbout(config, path, {
    planner: composedPlanner(env, offlinePlanner(playbooks), budget, { tell: () => undefined }),
    catalogue: { ...installedCatalogue(env, config), vettedCode: codeIn(playbooks) },
    policy: buildPolicy(config),
    review: reviewDraft,
    savedPlaybook(goal) {
      const name = calledIn(goal);
      return name === null || playbooks.some((one) => one.name === name) ? null : name;
    },
  });
}

/** The planners without a model; reviewed here. */
export function offlinePlanner(
  installed: readonly Playbook[],
  all: () => Promise<readonly Playbook[]> = () => Promise.resolve(installed),
  serviceOfIncident: IncidentService = () => Promise.resolve(null),
): OfflinePlanners {
  return plannersWithoutModel({ installed, all, serviceOfIncident, review: reviewDraft });
}

/** Turns words into plans. */
export interface Planners {
  readonly library: Library;
  readonly planner: Planner;
  /** A model is configured, which may take a while. */
  readonly hasModel: boolean;
  /** Plans without a model. */
  readonly offline: Planner;
  readonly shadow: Shadow | undefined;
}

/** Milliseconds for which a request waits for the service of an incident. */
const incidentMs = 4_000;

function incidentService(pagerduty: Pick<PagerDutyReader, 'incident'>, log: Log): IncidentService {
  return async (incident) => {
    try {
      const found = await pagerduty.incident(incident.replace(/^#/, ''), AbortSignal.timeout(incidentMs));
      return found?.service ?? null;
    } catch (error) {
      log.warn(describeError(error), 'The service of an incident could not be looked up');
      return null;
    }
  };
}

export function openPlanners(
  { env, config, playbooks, log, now }: WorkspaceOptions,
  teamBase: TeamBase,
  { catalogue, budget, readers }: ReadingWorkspace,
  ops: Ops,
): Planners {
  const library = openLibrary({
    ...{ ...teamBase, installed: playbooks, catalogue, now },
    manifests: installedManifests(config),
  });
  const planners = offlinePlanner(playbooks, library.all, incidentService(readers.pagerduty, log));
  if (planners.problem)
    log.error(describeError(planners.problem), 'Plans are made by notation, playbooks and the model only');
  const tell: TellOperator = (why) => log.warn(why, 'The model gave no plan');
  const named = (name: string) => {
    const of = { ...env, PLANNER_MODEL: name === withoutModel ? undefined : name };
    const compose = (spent: ModelBudget) =>
      composedPlanner(of, planners, spent, {
        tell,
        decorate: meteredModel(ops),
        keepMs: config.caches.plans * 1_000,
      });
    const half = { spentToday: async (day: Date) => 2 * (await budget.spentToday(day)) };
    return { name, planner: compose(budget), spare: compose(half) };
  };
  const usual = named(env.PLANNER_MODEL ?? withoutModel);
  const { PLANNER_SHADOW: second, PLANNER_SHARE: share = '0', PLANNER_SHARE_OF: shareOf } = env;
  const shadow =
    second &&
    openShadow({
      ...{ ...teamBase, usual, other: named(second), share: Number(share), shareOf, now, log },
      review(draft, { policy, channel: home = null }) {
        const { plan } = reviewDraft(draft, { catalogue, policy, home });
        return plan && mergeReads(plan, catalogue.manifests);
      },
    });
  const hasModel = [usual.name, second ?? withoutModel].some((name) => name !== withoutModel);
  const offline = planners.planner;
  return { library, planner: usual.planner, ...{ hasModel, offline, shadow: shadow || undefined } };
}

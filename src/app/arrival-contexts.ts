import type { AgentContext } from '../agents/context.ts';
import { beginProposal } from '../agents/propose.ts';
import type { AlertContext } from '../alerts/context.ts';
import { lookRound } from '../alerts/look.ts';
import { receiveAlerts } from '../alerts/receive.ts';
import { acknowledge, proposeCard, proposeFix } from '../alerts/requests.ts';
import { cancelCard, cancelDamaged } from '../approval/card-actions.ts';
import type { ApprovalContext } from '../approval/context.ts';
import { estimate } from '../approval/seal-plan.ts';
import { tellNobody } from '../blocks/message.ts';
import { buildAlertRules } from '../config/build-alerts.ts';
import { watchLimits } from '../config/build-catalogue.ts';
import type { OperatorConfig } from '../config/schema.ts';
import { readRow } from '../core/damaged-row.ts';
import { describeError } from '../core/errors.ts';
import type { Plan } from '../core/plan.ts';
import { type AroundDeps, around } from '../history/around.ts';
import { toolsIn } from '../notation/looks.ts';
import { withCauses } from '../plan/causes/investigation.ts';
import { planForAlert } from '../plan/playbooks/for-alert.ts';
import type { Library } from '../plan/playbooks/library.ts';
import type { RequestContext } from '../request/context.ts';
import { readConversation, withAnswer } from '../request/conversation.ts';
import { requestIdOf } from '../request/intake.ts';
import type { Stages } from '../stages.ts';
import { planReader } from '../store/revisions.ts';
import type { WatchContext } from '../watches/context.ts';
import { closeCard } from '../watches/problem.ts';
import type { Planners } from './planner.ts';
import type { ReadingWorkspace, TeamBase, WorkspaceOptions } from './process-context.ts';
import type { Reporting } from './reporting.ts';
import { reading, type StageParts } from './stage-contexts.ts';

/** Askers that are no people: watches, alerts and agents. */

export function watchContext(
  parts: StageParts,
  given: Pick<WatchContext, 'review' | 'handOver' | 'postReport' | 'mayEnd'>,
): WatchContext {
  const { teamBase, workspace, reporting, config, now, log } = parts;
  const { catalogue, readers } = workspace;
  const context = { ...teamBase, reporting, now };
  return {
    ...{ ...context, ...given, log, manifests: catalogue.manifests },
    queries: workspace.catalogue.queries ?? [],
    limits: watchLimits(config),
    pagerduty: readers.pagerduty,
    read: reading(parts),
    async cancelCard(row, reason) {
      const revision = readRow(row, planReader, teamBase.damaged);
      await (revision === null ? cancelDamaged(row, context) : cancelCard(revision, reason, context));
    },
  };
}

interface AlertParts {
  readonly teamBase: TeamBase;
  readonly workspace: ReadingWorkspace;
  readonly library: Planners['library'];
  readonly config: OperatorConfig;
  readonly review: Stages['review'];
  /** Reads, and withdraws cards, as watches do. */
  readonly watches: WatchContext;
  readonly fixOf: AlertContext['fixOf'];
  readonly readShared: AlertContext['readShared'];
  readonly known: AroundDeps;
  readonly kick: () => void;
  readonly log: WorkspaceOptions['log'];
}

const emptyPlan = (goal: string): Plan => ({
  ...{ goal, summary: goal, inputs: [], assumptions: [], steps: [], success: [] },
});

const maxIncidents = 20;
/** Time limit for finding out whether an incident is ours, in milliseconds. */
const ownMs = 4_000;

/** Dependencies of the alerts of a workspace. */
export function alertContext(parts: AlertParts): AlertContext {
  const { teamBase, workspace, library, config, review, watches, kick, log } = parts;
  const { db, teamId, damaged } = teamBase;
  const { catalogue, readers, hosts } = workspace;
  const { manifests } = catalogue;
  return {
    ...{ db, teamId, damaged, manifests, kick, log, now: watches.now },
    rules: buildAlertRules(config),
    services: new Set(catalogue.services.map(({ name }) => name)),
    hosts: [...hosts, ...config.alerts.links],
    read: watches.read,
    readShared: parts.readShared,
    planOf: async (call) => planForAlert(await library.all(), call, catalogue, { onlyReads: false }),
    async evidencePlan(call, { service, channel, goal }) {
      const made =
        call === null ? null : planForAlert(await library.all(), call, catalogue, { onlyReads: true });
      const why = made !== null && 'why' in made ? [`${call?.playbook} was not run: ${made.why}`] : [];
      const reads = made !== null && 'plan' in made ? made.plan : emptyPlan(goal);
      const isKnown = catalogue.services.some(({ name }) => name === service);
      const { plan, notes } = isKnown
        ? withCauses(reads, service, { catalogue, policy: workspace.policy, channel })
        : { plan: reads, notes: [] };
      if (plan.steps.length === 0) return { plan: null, notes: [...why, ...notes] };
      const { plan: reviewed, findings } = review(plan, channel);
      const refused = reviewed === null ? [findings[0]?.message ?? 'it does not pass the review.'] : [];
      return {
        plan: reviewed,
        notes: [...why, ...notes, ...refused.map((one) => `Nothing was looked up: ${one}`)],
      };
    },
    causes: catalogue.causes ?? [],
    fixOf: parts.fixOf,
    around: ({ problem: own, ...of }) => around({ ...of, own, saysNone: false }, parts.known),
    openIncidents: manifests.has('pagerduty.incidents')
      ? async (service, signal) => {
          const states = ['triggered', 'acknowledged'] as const;
          const filter = { services: [service], states, order: 'newest', limit: maxIncidents } as const;
          const { incidents } = await readers.pagerduty.incidents(filter, signal);
          return incidents.toReversed().flatMap(({ id, number, title, state, url, assigned = [] }) => {
            return state === 'resolved' ? [] : [{ id, number, title, state, url, assigned }];
          });
        }
      : null,
    async isOwnPage(key) {
      if (key === '') return false;
      const states = ['triggered', 'acknowledged', 'resolved'] as const;
      try {
        const page = await readers.pagerduty.pageByKey(null, key, states, AbortSignal.timeout(ownMs));
        return page !== null && page.mark !== null;
      } catch (error) {
        // Shown twice is better than not at all.
        log.warn(describeError(error), 'Whether an incident is one of ours could not be looked up');
        return false;
      }
    },
    async withdraw(keys, reason) {
      for (const key of keys) await closeCard(requestIdOf(teamId, key), reason, watches);
    },
  };
}

export function alertStage(context: AlertContext): Stages['alerts'] {
  return {
    receive: (event) => receiveAlerts(event, context),
    round: () => lookRound(context),
    propose: (event) => proposeCard(event, context),
    acknowledge: (click, say) => acknowledge(click, context, say),
    fix: (click, say) => proposeFix(click, context, say),
  };
}

interface AgentParts {
  readonly teamBase: TeamBase;
  readonly config: OperatorConfig;
  readonly library: Library;
  readonly review: Stages['review'];
  readonly approval: Pick<ApprovalContext, 'rules'>;
  /** Reads as watches do. */
  readonly watches: Pick<WatchContext, 'read'>;
  readonly reporting: Pick<Reporting, 'send'>;
  readonly request: Pick<RequestContext, 'mayAsk' | 'agents'>;
  readonly now: () => Date;
  readonly log: WorkspaceOptions['log'];
}

/** Dependencies of what agents ask for in a workspace. */
export function agentContext({
  teamBase,
  library,
  approval,
  watches,
  request,
  ...of
}: AgentParts): AgentContext {
  const { db, teamId, damaged } = teamBase;
  return {
    ...{ db, teamId, damaged, agents: request.agents, review: of.review, now: of.now, log: of.log },
    ...{ ...approval.rules, read: watches.read },
    estimate: (plan, times) => estimate(plan, times, 0),
    conversation: { read: readConversation, answer: withAnswer },
    idOf: (key) => requestIdOf(teamId, key),
    async playbooks() {
      const { playbooks } = await library.usable();
      return playbooks.map(({ name, summary, plan, inputs }) => ({
        name,
        summary,
        tools: toolsIn(plan),
        inputs,
      }));
    },
    isMember: (userId) => request.mayAsk({ userId, home: null }, tellNobody),
    tell: (userId, key, message) => of.reporting.send(teamId, { kind: 'person', userId }, key, message),
  };
}

export function agentStage(context: AgentContext): Stages['agents'] {
  return { begin: (event) => beginProposal(event, context) };
}

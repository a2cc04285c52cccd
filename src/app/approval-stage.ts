import { setTimeout as pause } from 'node:timers/promises';
import { glassBroken } from '../approval/break-glass.ts';
import type { CardState } from '../approval/card-state.ts';
import type { Click } from '../approval/decide.ts';
import {
  again,
  type DecisionsPort,
  decideNo,
  decideYes,
  openCard,
  stopRun,
  tryOut,
} from '../approval/decisions.ts';
import type { MendPort } from '../approval/mend.ts';
import { type NudgePort, nudgeTimes } from '../approval/nudge.ts';
import type { PeopleDirectory, Revisions, Rules } from '../approval/ports.ts';
import { type ProposePort, propose, takesMore } from '../approval/propose.ts';
import type { Say } from '../blocks/message.ts';
import type { Log } from '../core/log.ts';
import type { Manifest } from '../core/manifest.ts';
import type { Plan } from '../core/plan.ts';
import { planKeyOf } from '../core/plan-key.ts';
import type { Readers } from '../core/ports.ts';
import { type Revision, unseal } from '../core/revision.ts';
import { namesIn } from '../core/targets.ts';
import type { WriteTool } from '../core/tool.ts';
import type { Turn } from '../core/turn.ts';
import { cardKey } from '../report/deliver.ts';
import { answerersOf } from '../request/conversation.ts';
import { estimate } from '../review/estimate.ts';
import { resolveTargets } from '../review/resolve.ts';
import type { Stages } from '../stages.ts';
import * as approvals from '../store/approvals.ts';
import { decide } from '../store/decide.ts';
import { StoreError } from '../store/errors.ts';
import { leftBehind, unposted } from '../store/half-done.ts';
import * as nudges from '../store/nudges.ts';
import * as outbox from '../store/outbox.ts';
import * as refusals from '../store/refusals.ts';
import * as requests from '../store/requests.ts';
import * as revisions from '../store/revisions.ts';
import * as runs from '../store/runs.ts';
import * as steps from '../store/steps.ts';
import type { RevisionRow } from '../store/tables.ts';
import type { SlackGateway } from '../vendors/slack/gateway.ts';
import { type Books, revisionOf } from './books.ts';
import { cardLink } from './card-link.ts';
import type { Reporting } from './reporting.ts';

export interface ApprovalDeps extends Books {
  readonly people: PeopleDirectory;
  readonly reporting: Reporting;
  readonly gateway: Pick<SlackGateway, 'permalink'>;
  readonly readers: Readers;
  readonly writeTools: ReadonlyMap<string, WriteTool>;
  readonly manifests: ReadonlyMap<string, Manifest>;
  readonly rules: Rules;
  /** Where everybody hears of what is out of the ordinary; null without a default channel. */
  readonly loudChannel: string | null;
  /** Told of each revision that is decided, replaced or expired, once. */
  readonly decided: (revision: RevisionRow) => void;
  readonly now: () => Date;
  readonly log: Log;
}

/** Milliseconds to find out who stands behind the targets of a plan. */
const resolveMs = 4_000;

export function runIdOf(requestId: string, number: number): string {
  return `run-${requestId}-${number}`;
}

/** The approval stage, and beside it what the forms of a card ask of it. */
export function approvalStage(deps: ApprovalDeps): Stages['approval'] & {
  open(click: Click, say: Say): Promise<Revision | null>;
  readonly decisions: DecisionsPort;
} {
  const decisions = decisionsPort(deps);
  const proposals = proposePort(deps);
  return {
    decisions,
    propose: (proposal, say) => propose(proposal, proposals, say),
    takesMore,
    approve: (click, say) => decideYes(click, decisions, say),
    tryOut: (click, say) => tryOut(click, decisions, say),
    again: (click, say) => again(click, decisions, say),
    reject: (click, say) => decideNo(click, decisions, say),
    stop: (click, say) => stopRun(click, decisions, say),
    open: (click, say) => openCard(click, decisions, say),
  };
}

function decisionsPort(deps: ApprovalDeps): DecisionsPort {
  const { db, teamId, reporting, people, manifests, rules, now } = deps;
  return {
    people,
    revisions: revisionBook(deps),
    rules: () => rules,
    manifests: () => manifests,
    now,
    refused: (click) => refusals.record(db, click),
    move: (change) => requests.setState(db, { teamId, ...change }),
    showState: (revision, state) => reporting.card(revision, state),
    showProgress: (revision, progress) => reporting.progress(revision, progress),
    request: (id) => requests.get(db, teamId, id),
    async countDryRuns(requestId) {
      const all = await runs.listOf(db, teamId, requestId);
      return all.filter(({ mode }) => mode === 'dry_run').length;
    },
    async storeDryRun(run) {
      await runs.startDryRun(db, { teamId, ...run, startedAt: now() });
    },
    async cancelRun({ requestId, number, by, reason }) {
      const runId = runIdOf(requestId, number);
      return runs.requestCancel(db, { teamId, runId, by, at: now(), reason });
    },
    async expireDue() {
      const rows = await revisions.expireDue(db, now());
      rows.forEach(deps.decided);
      return rows.map((row) => unseal(row.bytes, row.digest));
    },
  };
}

function revisionBook(deps: ApprovalDeps): Revisions {
  const { db, decided } = deps;
  return {
    async load(teamId, requestId, number) {
      const row = await revisions.get(db, teamId, requestId, number);
      if (row === null) return null;
      const { state, decidedBy, decidedAt, reason } = row;
      const [facts, { requesters: joiners }] = await Promise.all([
        steps.factsOf(db, row),
        requests.joinersOf(db, teamId, requestId),
      ]);
      return { revision: unseal(row.bytes, row.digest), state, decidedBy, decidedAt, reason, facts, joiners };
    },
    exists: async (teamId, requestId, number) =>
      (await revisions.get(db, teamId, requestId, number)) !== null,
    async newest(teamId, requestId) {
      return (await revisions.latest(db, teamId, requestId))?.number ?? 0;
    },
    async yeses(teamId, requestId, number) {
      const rows = await approvals.list(db, { teamId, requestId, number });
      return rows.map(({ approver: by, at }) => ({ by, at }));
    },
    second: (yes) => approvals.add(db, yes),
    async decide(decision) {
      const { requestId, number, reason } = decision;
      const messages = decision.glass
        ? await glassMessages(deps, requestId, number, decision.by, reason)
        : [];
      const answer = await decide(db, { ...decision, messages, runId: runIdOf(requestId, number) });
      if (messages.length > 0) deps.reporting.kick();
      if (answer.ok) decided(answer.revision);
      return answer;
    },
  };
}

/** Glass is broken aloud: the default channel reads it, or the decision is not stored either. */
async function glassMessages(
  { db, teamId, loudChannel, reporting }: ApprovalDeps,
  requestId: string,
  number: number,
  by: string,
  reason: string | null,
): Promise<readonly outbox.OutboxMessage[]> {
  const revision = revisionOf(await revisions.get(db, teamId, requestId, number));
  if (revision === null || loudChannel === null) return [];
  const message = glassBroken(revision, by, reason ?? '');
  return reporting.toChannel(teamId, loudChannel, `glass:${requestId}:${number}`, message);
}

/** How a reviewed plan becomes a card. */
export function proposePort(deps: ApprovalDeps): ProposePort {
  const { db, teamId, readers, writeTools, reporting, gateway, manifests, rules, now } = deps;
  return {
    resolve: (plan, problems, asker) =>
      resolveTargets(plan, problems, writeTools, {
        ...{ readers, now, asker },
        signal: AbortSignal.timeout(resolveMs),
      }),
    async estimate(plan, usd) {
      const tools = [...new Set(plan.steps.map((step) => step.tool))];
      const times = await Promise.all(
        tools.map(async (tool) => [tool, await steps.history(db, teamId, tool)] as const),
      );
      return estimate(plan, new Map(times), usd);
    },
    newest: async (requestId) => (await revisions.latest(db, teamId, requestId))?.number ?? 0,
    async answerersOf(requestId) {
      return answerersOf((await requests.get(db, teamId, requestId))?.question ?? null);
    },
    store: (revision, turn, readsId) => storeOnce(deps, revision, turn, readsId),
    async join(id, holder) {
      await requests.join(db, { teamId, id, holder });
      const row = await onceShown(db, teamId, holder);
      if (row?.state === 'proposed' && row.cardTs !== null)
        await reporting.asked(unseal(row.bytes, row.digest));
      return cardLink(gateway, row);
    },
    show: (revision) => reporting.propose(revision),
    async waits(id) {
      await requests.setState(db, { teamId, id, to: 'review' });
    },
    rules: () => rules,
    manifests: () => manifests,
    now,
  };
}

function isWriting({ steps: all }: Plan, manifests: ApprovalDeps['manifests']): boolean {
  return all.some(({ tool }) => manifests.get(tool)?.effect !== 'read');
}

const lookMs = 100;
const maxLooks = 50;

/** The newest revision of a request, once its card stands; what is said of the card before would be lost. */
async function onceShown(db: Books['db'], teamId: string, requestId: string): Promise<RevisionRow | null> {
  for (let looks = 1; ; looks += 1) {
    const row = await revisions.latest(db, teamId, requestId);
    if (row?.state !== 'proposed' || row.cardTs !== null || looks === maxLooks) return row;
    await pause(lookMs);
  }
}

async function storeOnce(
  { db, manifests, decided }: Pick<ApprovalDeps, 'db' | 'manifests' | 'decided'>,
  { sealed, bytes, digest }: Revision,
  { actor, basedOn, replaces, cause, change }: Turn,
  readsId: string | null,
): ReturnType<ProposePort['store']> {
  const { teamId, requestId, number, authors, plan, planner, estimate } = sealed;
  try {
    const stored = await revisions.propose(db, {
      ...{ teamId, requestId, number, digest, bytes, authors, actor, cause },
      targets: namesIn(plan, manifests),
      nudgeAt: isWriting(plan, manifests) ? nudgeTimes(sealed)[0] : null,
      origin: { planner, usd: estimate.usd, from: basedOn?.sealed.number ?? null, inWords: change !== null },
      createdAt: new Date(sealed.createdAt),
      expiresAt: new Date(sealed.expiresAt),
      ...(basedOn === null || !replaces ? {} : { basedOn: basedOn.sealed.number }),
      ...(readsId === null ? {} : { readsId }),
      ...(isWriting(plan, manifests) ? { planKey: planKeyOf(plan) } : {}),
    });
    if (!stored.ok && stored.why === 'under_way') return { kind: 'under_way', holder: stored.holder };
    if (!stored.ok) {
      return stored.why === 'known' ? { kind: 'known', number: stored.number } : { kind: 'closed' };
    }
    stored.superseded.forEach(decided);
    return { kind: 'new', number };
  } catch (error) {
    // Another process was faster with a revision of this number.
    if (error instanceof StoreError && error.code === 'revision_exists') return { kind: 'closed' };
    throw error;
  }
}

export function mendPort({ db, teamId, reporting, now, log }: ApprovalDeps): MendPort {
  return {
    async unposted(before) {
      const rows = await unposted(db, teamId, before);
      const queued = await Promise.all(
        rows.map(({ requestId, number }) => outbox.byKey(db, teamId, cardKey(requestId, number))),
      );
      return rows.filter((_, index) => queued[index] === null);
    },
    leftBehind: (before) => leftBehind(db, teamId, before),
    show: (revision) => reporting.propose(revision),
    showState: (revision: Revision, state: CardState) => reporting.card(revision, state),
    move: (change) => requests.setState(db, { teamId, ...change }),
    now,
    log,
  };
}

/** How people are reminded of cards that wait. */
export function nudgePort(deps: ApprovalDeps): NudgePort {
  const { db, reporting, people, rules, manifests, now, log } = deps;
  return {
    async due() {
      const rows = await nudges.due(db, now());
      return rows.map((row) => ({ revision: unseal(row.bytes, row.digest), nudges: row.nudges }));
    },
    async send({ revision, nudges: count }, { kind, thread, direct, next }) {
      const { teamId, requestId, number } = revision.sealed;
      const seen = { teamId, requestId, number, digest: revision.digest, nudges: count };
      const messages = reporting.nudges(revision, { kind, thread, direct });
      const told = direct.map(({ userId }) => userId);
      if (await nudges.take(db, { seen, next, messages, kind, told, now: now() })) reporting.kick();
    },
    async yeses({ sealed }) {
      const rows = await approvals.list(db, sealed);
      return rows.map(({ approver: by, at }) => ({ by, at }));
    },
    ...{ people, rules: () => rules, manifests: () => manifests, now, log },
  };
}

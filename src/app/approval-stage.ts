import { pressedYes } from '../approval/approve-by-button.ts';
import { glassBroken } from '../approval/break-glass.ts';
import {
  again,
  type DecisionsPort,
  decideNo,
  decideYes,
  openCard,
  type StoredRun,
  stopRun,
  tryOut,
} from '../approval/card-actions.ts';
import type { Click } from '../approval/find-revision.ts';
import type { Revisions } from '../approval/ports.ts';
import { type ProposePort, propose, takesMore } from '../approval/propose.ts';
import { applyStanding } from '../approval/standing/apply.ts';
import type { StandingPort } from '../approval/standing/end.ts';
import { giveStanding } from '../approval/standing/give.ts';
import { writeCardRef } from '../blocks/card-ref.ts';
import type { Say } from '../blocks/message.ts';
import { readRow } from '../core/damaged-row.ts';
import { type Revision, unseal } from '../core/revision.ts';
import { killSwitchName } from '../core/run.ts';
import type { Stages } from '../stages.ts';
import * as approvals from '../store/approvals.ts';
import { decide } from '../store/decide.ts';
import * as outbox from '../store/outbox.ts';
import * as refusals from '../store/refusals.ts';
import * as requests from '../store/requests.ts';
import * as revisions from '../store/revisions.ts';
import * as runs from '../store/runs.ts';
import { shownRevision } from '../store/stored-revision.ts';
import * as switches from '../store/switches.ts';
import type { ApprovalDeps } from './approval-deps.ts';
import { seesRequest } from './people.ts';
import { proposePort } from './proposals.ts';
import { standingPort } from './standing.ts';
import { planReader, revisionOf } from './stored-requests.ts';

export function runIdOf(requestId: string, number: number): string {
  return `run-${requestId}-${number}`;
}

/** The approval stage, with the extra functions that a card's forms need. */
export function approvalStage(deps: ApprovalDeps): Stages['approval'] & {
  open(click: Click, say: Say): Promise<Revision | null>;
  readonly decisions: DecisionsPort;
  readonly standing: StandingPort;
  /** Decides cards covered by standing approvals; returns the runs to start. */
  applyStanding(): Promise<readonly StoredRun[]>;
} {
  const decisions = decisionsPort(deps);
  const proposals = { ...proposePort(deps), approve: approveHolder(deps.teamId, decisions) };
  const standing = standingPort(deps, decisions);
  const tried = new Set<string>();
  return {
    decisions,
    standing,
    applyStanding: () => applyStanding(standing, tried),
    stand: (click, terms, say) => giveStanding(click, terms, standing, say),
    propose: (proposal, say) => propose(proposal, proposals, say),
    takesMore,
    approve: (click, say) => decideYes(click, decisions, say),
    tryOut: (click, say) => tryOut(click, decisions, say),
    again: (click, say) => again(click, decisions, say),
    reject: (click, say) => decideNo(click, decisions, say),
    stop: (click, say) => stopRun(click, decisions, say),
    pressed: (event) =>
      pressedYes(event, { ...decisions, show: deps.reporting.propose, voiceOf: deps.voiceOf }),
    open: (click, say) => openCard(click, decisions, say),
  };
}

/** Approves the waiting plan for a person who requested the same by a button. */
function approveHolder(teamId: string, decisions: DecisionsPort): ProposePort['approve'] {
  return (revision, userId, say) =>
    decideYes({ teamId, userId, home: null, value: writeCardRef(revision), from: 'card' }, decisions, say);
}

function decisionsPort(deps: ApprovalDeps): DecisionsPort {
  const { db, teamId, damaged, reporting, people, manifests, rules, now } = deps;
  return {
    people,
    revisions: revisionBook(deps),
    rules: () => rules,
    manifests: () => manifests,
    now,
    maySee: seesRequest(deps),
    refused: (click) => refusals.record(db, click),
    async stopped() {
      const found = await switches.get(db, teamId, killSwitchName);
      return found?.isOn ? { by: found.actor, reason: found.reason } : null;
    },
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
      const rows = await revisions.expireDue(db, teamId, now());
      rows.forEach(deps.decided);
      return rows.map((row) => ({
        ...{ requestId: row.requestId, number: row.number, revision: readRow(row, planReader, damaged) },
      }));
    },
    async showDamaged(of) {
      await outbox.enqueue(db, reporting.damagedCard(of));
      reporting.kick();
    },
  };
}

function revisionBook(deps: ApprovalDeps): Revisions {
  const { db, decided } = deps;
  return {
    async load(teamId, requestId, number) {
      const found = await shownRevision(db, { teamId, requestId, number });
      if (found === null) return null;
      const { row, facts, joiners } = found;
      const { state, decidedBy, decidedAt, reason } = row;
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

/** Breaking glass is public: it is announced in the default channel, or the decision is not stored either. */
async function glassMessages(
  { db, teamId, loudChannel, reporting, rules, manifests, now }: ApprovalDeps,
  requestId: string,
  number: number,
  by: string,
  reason: string | null,
): Promise<readonly outbox.OutboxMessage[]> {
  const revision = revisionOf(await revisions.get(db, teamId, requestId, number));
  if (revision === null) return [];
  if (loudChannel === null) throw new TypeError('there is no default channel to break glass in');
  const message = glassBroken(
    revision,
    { by, reason: reason ?? '' },
    { policy: rules.policy, manifests, now: now() },
  );
  return [reporting.toChannel(teamId, loudChannel, `glass:${requestId}:${number}`, message)];
}

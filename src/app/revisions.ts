import type { Revisions } from '../approval/ports.ts';
import type { ProposeDeps } from '../approval/propose.ts';
import { jsonOf } from '../core/json.ts';
import { unseal } from '../core/revision.ts';
import { estimate } from '../review/estimate.ts';
import { resolveTargets } from '../review/resolve.ts';
import { decide } from '../store/decide.ts';
import { StoreError } from '../store/errors.ts';
import * as revisions from '../store/revisions.ts';
import * as steps from '../store/steps.ts';
import type { Db } from '../store/tables.ts';
import type { World } from './world.ts';

/** Milliseconds to find out who stands behind the targets of a plan. */
const patienceMs = 4_000;

export function runIdOf(requestId: string, number: number): string {
  return `run-${requestId}-${number}`;
}

/** Revisions as the approval stage asks for them. */
export function revisionBook({ db }: Pick<World, 'db'>): Revisions {
  return {
    async load(teamId, requestId, number) {
      const row = await revisions.get(db, teamId, requestId, number);
      if (row === null) return null;
      const { state, decidedBy, decidedAt, reason } = row;
      return { revision: unseal(row.bytes, row.digest), state, decidedBy, decidedAt, reason };
    },
    exists: async (teamId, requestId, number) =>
      (await revisions.get(db, teamId, requestId, number)) !== null,
    async newest(teamId, requestId) {
      return (await revisions.latest(db, teamId, requestId))?.number ?? 0;
    },
    decide: (decision) => decide(db, { ...decision, runId: runIdOf(decision.requestId, decision.number) }),
  };
}

/** How a reviewed plan becomes a card. */
export function proposeDeps(world: World): ProposeDeps {
  const { db, readers, writeTools, reporting, catalogue, now } = world;
  return {
    resolve: (plan) =>
      resolveTargets(plan, writeTools, { readers, now, signal: AbortSignal.timeout(patienceMs) }),
    async estimate(plan, usd) {
      const tools = [...new Set(plan.steps.map((step) => step.tool))];
      const times = await Promise.all(
        tools.map(async (tool) => [tool, await steps.history(db, world.teamId, tool)] as const),
      );
      return estimate(plan, new Map(times), usd);
    },
    newest: async (teamId, requestId) => (await revisions.latest(db, teamId, requestId))?.number ?? 0,
    async store({ sealed, bytes, digest }, { actor, basedOn, replaces, planner, usd }) {
      // Planned twice, because its first process was taken for dead: the card that is there stays.
      if (basedOn === null && sealed.number > 1) return null;
      const stored = await proposeOnce(db, {
        teamId: sealed.teamId,
        requestId: sealed.requestId,
        number: sealed.number,
        digest,
        bytes,
        authors: sealed.authors,
        origin: jsonOf({ planner, usd }),
        createdAt: new Date(sealed.createdAt),
        expiresAt: new Date(sealed.expiresAt),
        actor,
        ...(basedOn === null || !replaces ? {} : { basedOn: basedOn.sealed.number }),
      });
      return stored?.ok ? stored.superseded.map((row) => unseal(row.bytes, row.digest)) : null;
    },
    async show(revision, changes, replaced) {
      for (const old of replaced) {
        await reporting.card(old, { kind: 'superseded', byNumber: revision.sealed.number });
      }
      await reporting.card(revision, { kind: 'proposed' }, changes);
    },
    rules: () => ({ policy: world.policy, catalogue: world.catalogueDigest }),
    manifests: () => catalogue.manifests,
    now,
  };
}

/** Null when another process was faster with a revision of this number. */
async function proposeOnce(
  db: Db,
  revision: revisions.ProposedRevision,
): Promise<revisions.ProposeResult | null> {
  try {
    return await revisions.propose(db, revision);
  } catch (error) {
    if (error instanceof StoreError && error.code === 'revision_exists') return null;
    throw error;
  }
}

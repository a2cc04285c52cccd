import {
  approve,
  type Click,
  type DecideDeps,
  openForMember,
  reject,
  stoppable,
} from '../approval/decide.ts';
import { refusalMessage } from '../approval/private-words.ts';
import { describeError } from '../core/errors.ts';
import { type Revision, unseal } from '../core/revision.ts';
import type { Say } from '../pipeline.ts';
import { alreadyOver, enoughDryRuns, stopAsked } from '../report/private.ts';
import * as refusals from '../store/refusals.ts';
import * as requests from '../store/requests.ts';
import * as revisions from '../store/revisions.ts';
import * as runs from '../store/runs.ts';
import { isFirst } from './once.ts';
import { peopleDirectory } from './people.ts';
import { revisionBook, runIdOf } from './revisions.ts';
import type { World } from './world.ts';

/** What people do to a card: yes, no, try, stop; and what time does to it. */

function decideDeps(world: World): DecideDeps {
  return {
    revisions: revisionBook(world),
    people: peopleDirectory(world),
    rules: () => ({ policy: world.policy, catalogue: world.catalogueDigest }),
    manifests: () => world.catalogue.manifests,
    now: world.now,
    refused: (click) => refusals.record(world.db, click),
  };
}

/** Dry runs of one request; each asks the vendors again. */
const mostDryRuns = 10;

/** Approves and starts, or tells the person why not. */
export async function onApprove(
  world: World,
  click: Click & { from: 'card' | 'details' },
  say: Say,
): Promise<void> {
  const decided = await approve(click, decideDeps(world));
  if (!decided.ok) return say(refusalMessage(decided.refusal));
  await startApproved(world, decided.runId, decided.revision.sealed.requestId);
}

/**
 * The yes is stored, so nobody is told that it failed when the start does: the runner starts what was left behind
 * within seconds, here or in another process.
 */
async function startApproved(world: World, runId: string | null, id: string): Promise<void> {
  const { db, teamId, runner, log } = world;
  try {
    // The run goes first: the card's "Approved" can wait, the page cannot.
    if (runId !== null) await runner().start(teamId, runId);
    await requests.setState(db, { teamId, id, to: 'running', from: ['review'] });
  } catch (error) {
    log.warn({ request: id, ...describeError(error) }, 'An approved run is started a little later');
  }
}

export async function onReject(world: World, click: Click & { reason: string }, say: Say): Promise<void> {
  const { db, teamId, reporting } = world;
  const decided = await reject(click, decideDeps(world));
  if (!decided.ok) return say(refusalMessage(decided.refusal));
  const at = decided.at.toISOString();
  await reporting.card(decided.revision, { kind: 'rejected', by: click.userId, at, reason: click.reason });
  await requests.setState(db, { teamId, id: decided.revision.sealed.requestId, to: 'closed' });
}

/** The open revision behind a click, or null after the person was told why not. */
export async function openCard(world: World, click: Click, say: Say): Promise<Revision | null> {
  const found = await openForMember(click, decideDeps(world));
  if (found.ok) return found.stored.revision;
  await say(refusalMessage(found.refusal));
  return null;
}

/** `key` is the same for every delivery of the same click: one click, one trial. */
export async function onDryRun(world: World, click: Click & { key: string }, say: Say): Promise<void> {
  const { db, teamId, runner, now } = world;
  const revision = await openCard(world, click, say);
  if (revision === null || !(await isFirst(world, click.key))) return;
  const { requestId, number } = revision.sealed;
  const before = (await runs.listOf(db, teamId, requestId)).filter((run) => run.mode === 'dry_run').length;
  if (before >= mostDryRuns) return say(enoughDryRuns(mostDryRuns));
  const runId = `dry-${requestId}-${number}-${before + 1}`;
  const fresh = await runs.startDryRun(db, { teamId, runId, requestId, number, startedAt: now() });
  if (fresh) await runner().start(teamId, runId);
}

export async function onCancel(world: World, click: Click, say: Say): Promise<void> {
  const { db, teamId, now } = world;
  const found = await stoppable(click, decideDeps(world));
  if (!found.ok) return say(refusalMessage(found.refusal));
  const runId = runIdOf(found.ref.requestId, found.ref.number);
  const reason = 'stopped from the card';
  const stopped = await runs.requestCancel(db, { teamId, runId, by: click.userId, at: now(), reason });
  await say(stopped ? stopAsked() : alreadyOver());
}

/** Cards that nobody decided on in time lose their buttons. */
export async function expire({ db, reporting, now }: World): Promise<void> {
  for (const row of await revisions.expireDue(db, now())) {
    const revision = unseal(row.bytes, row.digest);
    await reporting.card(revision, { kind: 'expired', at: row.expiresAt.toISOString() });
    await requests.setState(db, { teamId: row.teamId, id: row.requestId, to: 'closed' });
  }
}
